package dev.substraterouter.policy.yaml;

import dev.substraterouter.RankedCandidate;
import dev.substraterouter.RoutingException;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.status.GpuStatus;
import dev.substraterouter.status.SubstrateStatus;
import dev.substraterouter.testkit.HandDrivenTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a router says under a policy when its substrates have said something of themselves. */
final class TryOut {
    private static final double LITTLE_GB = 0.5;

    private TryOut() {}

    /** A substrate that is idle and tells everything. */
    static SubstrateStatus.Builder idle(double totalGb) {
        return SubstrateStatus.builder()
                .gpuUtilPct(0)
                .vramUsedGb(0)
                .vramTotalGb(totalGb)
                .gpuTempC(40)
                .runningJobs(0)
                .queuedJobs(0);
    }

    /** Where a request is best placed; empty: nowhere, now. */
    static Optional<String> best(Policy policy, RouteRequest request, Map<String, SubstrateStatus> said) {
        return ranked(policy, request, said).stream()
                .filter(RankedCandidate::admissible)
                .map(RankedCandidate::substrateId)
                .findFirst();
    }

    /** Whether a request could start on one substrate. */
    static boolean starts(Policy policy, RouteRequest request, String substrate, SubstrateStatus said) {
        return ranked(policy, request, Map.of(substrate, said)).stream()
                .anyMatch(one -> one.substrateId().equals(substrate) && one.admissible());
    }

    private static List<RankedCandidate> ranked(
            Policy policy, RouteRequest request, Map<String, SubstrateStatus> said) {
        try (SubstrateRouter router = SubstrateRouter.builder()
                .policy(policy)
                .timeSource(new HandDrivenTime())
                .executor(Runnable::run)
                .log(false)
                .seed(1)
                .build()) {
            said.forEach((id, status) -> {
                if (policy.substrate(id).isPresent()) {
                    router.reportStatus(id, status);
                }
            });
            return router.recommend(request).candidates();
        } catch (RoutingException refused) {
            return List.of(); // nobody may have it, or nothing could ever serve it: so it starts nowhere
        }
    }

    /**
     * Whether a request takes just this much memory on one card: it starts where so much is free beside what stays free, and not where a
     * little less is, however much is free on the other cards together.
     */
    static boolean takes(Policy policy, RouteRequest request, String substrate, Cards cards, double freeGb) {
        return starts(policy, request, substrate, cards.withFree(freeGb))
                && !starts(policy, request, substrate, cards.withFree(freeGb - LITTLE_GB));
    }

    /** Cards of one size in one substrate. */
    record Cards(int count, double eachGb) {
        /** Each has the same free memory. */
        SubstrateStatus withFree(double freeGb) {
            SubstrateStatus.Builder status = idle(count * eachGb).vramUsedGb(count * (eachGb - freeGb));
            for (int card = 0; card < count && count > 1; card++) {
                status.gpu(GpuStatus.builder(card)
                        .utilPct(0)
                        .tempC(40)
                        .vramTotalGb(eachGb)
                        .vramUsedGb(eachGb - freeGb)
                        .build());
            }
            return status.build();
        }
    }

    /** Whether so many jobs of others leave room for a request, and one more does not. */
    static boolean roomBeside(
            Policy policy, RouteRequest request, Priority priority, String substrate, double totalGb, int jobs) {
        RouteRequest asked = request.priority(priority);
        return starts(policy, asked, substrate, idle(totalGb).runningJobs(jobs).build())
                && !starts(
                        policy,
                        asked,
                        substrate,
                        idle(totalGb).runningJobs(jobs + 1).build());
    }
}
