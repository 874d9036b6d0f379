package dev.substraterouter.policy.yaml;

import dev.substraterouter.model.StatusAddress;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.status.SubstrateStatus;
import dev.substraterouter.trace.Reason;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Substrates that do not say enough. */
final class Silences {
    /** What keeps work from those that must say something and do not. */
    static final Set<Reason> REASONS =
            Set.of(Reason.NO_STATUS, Reason.STALE_STATUS, Reason.UNKNOWN_MEASURE, Reason.NOT_READY);

    private Silences() {}

    /** Idle, but for one measure that is not told: each of the four. */
    static List<SubstrateStatus> each(double totalGb) {
        return List.of(
                withoutHeat(totalGb).gpuTempC(40).runningJobs(0).queuedJobs(0).build(),
                SubstrateStatus.builder()
                        .gpuUtilPct(0)
                        .gpuTempC(40)
                        .runningJobs(0)
                        .queuedJobs(0)
                        .build(),
                withoutHeat(totalGb).gpuUtilPct(0).runningJobs(0).queuedJobs(0).build(),
                withoutHeat(totalGb).gpuUtilPct(0).gpuTempC(40).build());
    }

    private static SubstrateStatus.Builder withoutHeat(double totalGb) {
        return SubstrateStatus.builder().vramUsedGb(0).vramTotalGb(totalGb);
    }

    /** Whether no two substrates are asked at one address. */
    static boolean everyStatusIsItsOwn(Policy policy) {
        return policy.substrates().stream()
                .flatMap(substrate -> substrate.status().stream())
                .map(StatusAddress::url)
                .allMatch(new HashSet<>()::add);
    }
}
