package dev.substraterouter.examples.whatif.reference;

import dev.substraterouter.policy.HealthLimits;
import dev.substraterouter.policy.OnStale;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.SubstrateKind;
import dev.substraterouter.simulate.NodeTruth;
import dev.substraterouter.status.SubstrateStatus;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one node besides the own work on it. A figure that the status does not tell is not judged. Not thread-safe.
 */
final class Picture {
    private static final int IN_A_ROW = 2;
    private static final double LEAST_SPEED = 1e-6;

    private final Substrate declared;
    private final HealthLimits limits;
    private final ReferenceOptions options;
    /** It is never asked, so nothing can be known against it. */
    private final boolean unasked;

    private @Nullable SubstrateStatus status;
    private double statusSeconds;
    private boolean refused;
    private boolean degraded;
    private int row;

    private int ownJobsAsking;
    private double otherUtilPct;
    /** Memory that others hold; negative: not known. */
    private double otherVramGb;

    private int foreignJobs;
    private double vramGb;
    private double speed = 1;
    private boolean unavailable;

    Picture(Substrate declared, HealthLimits limits, ReferenceOptions options) {
        this.declared = declared;
        this.limits = limits;
        this.options = options;
        this.vramGb = declared.vramGb().orElse(Double.POSITIVE_INFINITY);
        this.unasked = declared.kind() != SubstrateKind.LOCAL
                && declared.kind() != SubstrateKind.POOL
                && declared.status().isEmpty();
    }

    void asking(List<Flight> flights) {
        ownJobsAsking = flights.size();
    }

    void answered(SubstrateStatus said, List<Flight> flights, double now) {
        status = said;
        statusSeconds = now;
        refused = false;
        int own = Math.max(ownJobsAsking, flights.size());
        foreignJobs = Math.max(0, said.runningJobs().orElse(own) - own);
        vramGb = said.vramTotalGb().orElse(declared.vramGb().orElse(Double.POSITIVE_INFINITY));
        otherVramGb = Math.max(0, said.vramUsedGb().orElse(0) - (options.ledger() ? vram(flights) : 0));
        double all = said.gpuUtilPct().orElse(0);
        otherUtilPct = options.ledger()
                ? said.gpuUtilOtherPct().orElse(Math.max(0, all - flights.size() * declared.utilPerJobPct()))
                : all;
        judge(otherUtilPct >= limits.maxGpuUtilPct());
    }

    private void judge(boolean bad) {
        if (!options.hysteresis()) {
            degraded = bad;
            return;
        }
        row = bad == degraded ? 0 : row + 1;
        if (row >= IN_A_ROW) {
            degraded = bad;
            row = 0;
        }
    }

    /** Nothing is placed before the next status. */
    void refused() {
        refused = true;
    }

    /** Sees the node as it is. */
    void look(NodeTruth truth, List<Flight> flights) {
        refused = false;
        unavailable = truth.unavailable() || truth.down();
        vramGb = truth.vramGb();
        otherVramGb = Math.max(0, truth.vramUsedGb() - vram(flights));
        otherUtilPct = truth.foreignUtilPct();
        foreignJobs = truth.foreignJobs();
        speed = Math.max(LEAST_SPEED, truth.speed());
    }

    /** Whether it would be fit for a job of this size if nothing of the own work were on it. */
    boolean healthy(double jobGb, double now) {
        if (refused || otherVramGb + jobGb > limitGb()) {
            return false;
        }
        return options.exact() ? !unavailable : unasked || said(now);
    }

    private boolean said(double now) {
        SubstrateStatus last = status;
        if (last == null || !last.reachable() || degraded) {
            return false;
        }
        OptionalDouble temperature = last.gpuTempC();
        boolean hot = temperature.isPresent() && temperature.getAsDouble() >= limits.maxGpuTempC();
        boolean fresh = limits.onStale() == OnStale.HOLD || now - statusSeconds <= Seconds.of(limits.staleAfter());
        return fresh && !hot;
    }

    /** Whether a job of this size fits beside the own work; without a ledger as the last status said. */
    boolean fits(double jobGb, List<Flight> flights) {
        double own = options.ledger() ? vram(flights) : 0;
        return otherVramGb + own + jobGb <= limitGb();
    }

    private double limitGb() {
        return vramGb - (options.exact() ? 0 : declared.keepFreeGb());
    }

    private static double vram(List<Flight> flights) {
        double sum = 0;
        for (Flight flight : flights) {
            sum += flight.vramGb;
        }
        return sum;
    }

    /** Jobs of others. */
    int foreignJobs() {
        return foreignJobs;
    }

    /** Jobs by the last status, whoever's. */
    int runningJobs() {
        return status == null ? 0 : status.runningJobs().orElse(0);
    }

    /** Utilisation by others, percent; without a ledger that of all. */
    double otherUtilPct() {
        return otherUtilPct;
    }

    /** How fast jobs are on it now; 1 unless it is seen as it is. */
    double speed() {
        return speed;
    }
}
