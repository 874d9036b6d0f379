package dev.substraterouter.examples.benchmarks.ours;

import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.examples.benchmarks.NanosPerCall;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.QueueLimits;
import dev.substraterouter.status.SubstrateStatus;
import java.time.Duration;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What happens beside the requests: statuses, recommendations for people, reloads. */
public class UpkeepBenchmark extends NanosPerCall {
    static final int SUBSTRATES = 20;
    static final int WORKLOADS = 50;
    private static final RouteRequest FIRST = RouteRequest.workload("w0");

    /** Two statuses that are told by turns, of one substrate after the other. */
    @State(Scope.Thread)
    public static class Round {
        private final SubstrateStatus[] statuses = {Pools.status(10), Pools.status(20)};
        private final SubstrateStatus[] flips = {Pools.overloaded(), Pools.healthy()};
        private int told;

        private void tell(ManySubstrates.Free pool, SubstrateStatus[] byTurns) {
            told++;
            String id = pool.ids[told % pool.ids.length];
            pool.router.reportStatus(id, byTurns[told / pool.ids.length & 1]);
        }
    }

    /** Twenty substrates, of which every second one is too busy. */
    public static class HalfBusy extends OneRouter {
        @Override
        SubstrateRouter built() {
            SubstrateRouter router = Pools.router(Pools.routed(1, SUBSTRATES).build());
            for (int at = 0; at < SUBSTRATES; at += 2) {
                router.reportStatus("s" + at, Pools.overloaded());
            }
            return router;
        }
    }

    /** Fifty workloads on twenty substrates, and two policies of them that differ in one value. */
    public static class Reloaded extends OneRouter {
        private final Policy[] policies = {policy(30), policy(31)};
        private int next;

        @Override
        SubstrateRouter built() {
            return Pools.router(policies[0]);
        }

        Policy next() {
            next = 1 - next;
            return policies[next];
        }

        private static Policy policy(int waitSeconds) {
            return Pools.routed(WORKLOADS, SUBSTRATES)
                    .queue(QueueLimits.builder()
                            .maxWait(Duration.ofSeconds(waitSeconds))
                            .build())
                    .build();
        }
    }

    /** The status of one of many substrates is told by the host. */
    @Benchmark
    public void reportStatus(ManySubstrates.Free pool, Round round) {
        round.tell(pool, round.statuses);
    }

    /** The same, with a status that shuts the substrate or opens it again. */
    @Benchmark
    public void reportFlip(ManySubstrates.Free pool, Round round) {
        round.tell(pool, round.flips);
    }

    /** Where a request would go, in words. */
    @Benchmark
    public String recommend(HalfBusy pool) {
        return pool.router.recommend(FIRST).explain();
    }

    /** Another policy comes into force. */
    @Benchmark
    public Policy reload(Reloaded pool) {
        Policy policy = pool.next();
        pool.router.reload(policy);
        return policy;
    }
}
