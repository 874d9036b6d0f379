package dev.substraterouter.internal.plan;

import dev.substraterouter.model.Need;
import dev.substraterouter.model.Trust;
import dev.substraterouter.policy.Workload;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** What whoever serves must satisfy, of a workload or of a need without one, as plain values. Immutable. */
public final class Contract {
    /** In {@link #minQuality}, {@link #maxCost} and {@link #maxLatencyNanos}: any will do. */
    static final double ANY = Double.NaN;

    /** The effective need: what the request says, or what the workload implies. */
    public final Need need;

    /** What stays resident of its work where no model is named. */
    final String residentKey;

    final List<String> capabilities;
    final List<String> reaches;
    final @Nullable String codebase;
    final boolean needsMemory;
    final Trust privacy;
    final double minQuality;
    final long maxLatencyNanos;
    final double maxCost;
    final double minAvailability;
    /** What one review, one wrong answer and an hour of waiting cost; 0 where not declared. */
    final double reviewCost;

    final double errorCost;
    final double waitingCostPerHour;

    private Contract(Need need, String residentKey, double reviewCost, double errorCost, double waitingCostPerHour) {
        this.need = need;
        this.residentKey = residentKey;
        this.capabilities = need.capabilities();
        this.reaches = need.reaches();
        this.codebase = need.codebase().orElse(null);
        this.needsMemory = need.vramGb().isPresent();
        this.privacy = need.privacy().orElse(Trust.CONTROLLED);
        this.minQuality = need.minQuality().orElse(ANY);
        this.maxLatencyNanos = need.maxLatency().map(CandidatePlan::nanos).orElse(Long.MAX_VALUE);
        this.maxCost = need.maxCost().orElse(ANY);
        this.minAvailability = need.minAvailability();
        this.reviewCost = reviewCost;
        this.errorCost = errorCost;
        this.waitingCostPerHour = waitingCostPerHour;
    }

    static Contract of(Need need) {
        return new Contract(need, need.toString(), 0, 0, 0);
    }

    static Contract of(Workload workload) {
        return new Contract(
                implied(workload),
                "workload " + workload.name(),
                workload.reviewCost().orElse(0),
                workload.errorCost().orElse(0),
                workload.waitingCostPerHour().orElse(0));
    }

    private static Need implied(Workload workload) {
        Need.Builder need = Need.builder()
                .capabilities(workload.capabilities().toArray(String[]::new))
                .privacy(workload.privacy())
                .minAvailability(workload.minAvailability());
        workload.minQuality().ifPresent(need::minQuality);
        workload.maxLatency().ifPresent(need::maxLatency);
        workload.maxCost().ifPresent(need::maxCost);
        OptionalDouble vram = workload.vramGb();
        if (vram.orElse(0) > 0) {
            need.vramGb(vram.getAsDouble());
        }
        return need.build();
    }
}
