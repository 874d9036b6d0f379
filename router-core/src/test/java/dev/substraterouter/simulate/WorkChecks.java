package dev.substraterouter.simulate;

import dev.substraterouter.policy.SubstrateKind;
import java.util.List;

/**
 * Invariant 6 as the nodes show it: work runs there only under a lease, and where a node never drops work, under each lease. What chokes
 * for want of memory goes on for a while after its host has hung up or given up, so nodes that let it come to that are left out then.
 */
final class WorkChecks {
    private final InvariantWatch run;
    private final boolean hangsUp;
    private final boolean givesUp;

    WorkChecks(InvariantWatch run, Scenario scenario) {
        this.run = run;
        this.hangsUp = scenario.traffic().stream()
                .flatMap(traffic -> traffic.classes().stream())
                .anyMatch(one -> one.patience().isPresent());
        this.givesUp = scenario.giveUpAfter().isPresent();
    }

    void check(World world, List<RouterWatch> watches) {
        for (NodeTruth node : world.nodes()) {
            String id = node.substrate();
            boolean batch = run.firstPolicy()
                    .substrate(id)
                    .filter(it -> it.kind() == SubstrateKind.BATCH)
                    .isPresent();
            boolean refuses = node.model().overload() == Overload.REFUSE;
            if (batch || mayGoOn(watches) || (!refuses && (hangsUp || givesUp))) {
                continue;
            }
            int leases =
                    watches.stream().mapToInt(watch -> watch.site(id).open()).sum();
            int jobs = node.jobs();
            run.check(
                    6, jobs <= leases, () -> "'" + id + "' has " + jobs + " jobs of ours, under " + leases + " leases");
            run.check(
                    6,
                    jobs == leases || !refuses,
                    () -> "'" + id + "' has " + jobs + " jobs of ours, and " + leases + " leases are open");
        }
    }

    /** Whether work may go on after the host has closed its placement: where it holds placements itself and its client hangs up. */
    private boolean mayGoOn(List<RouterWatch> watches) {
        return hangsUp
                && watches.stream().anyMatch(watch -> watch.policy.workloads().stream()
                        .anyMatch(workload -> workload.batch().isPresent()));
    }
}
