package dev.substraterouter.stress;

import com.sun.management.ThreadMXBean;
import dev.substraterouter.Placement;
import dev.substraterouter.RoutingException;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.status.SubstrateStatus;
import dev.substraterouter.testkit.HandDrivenTime;
import java.lang.management.ManagementFactory;
import java.time.Duration;

/** Counts what requests allocate, in bytes for each, and prints it. Time stands still, so nothing else happens. */
final class AllocationCount {
    private static final int WARM = 2_000; // classes are loaded, the ring of latencies is full
    private static final int REQUESTS = 2_000;
    private static final RouteRequest FLUX = RouteRequest.workload("flux");
    private static final RouteRequest AT_ONCE = FLUX.maxWait(Duration.ZERO);

    private AllocationCount() {}

    public static void main(String[] args) {
        Policy policy = Policy.builder()
                .substrates(substrate("a"), substrate("b"))
                .workload(Workload.builder("flux").vramGb(8).route("a", "b").build())
                .build();
        try (SubstrateRouter router = SubstrateRouter.builder()
                .policy(policy)
                .timeSource(new HandDrivenTime())
                .executor(Runnable::run)
                .log(false)
                .build()) {
            router.reportStatus("a", status(10));
            router.reportStatus("b", status(10));
            count("first", () -> placed(router, "a"));
            router.reportStatus("a", status(90));
            count("spill", () -> placed(router, "b"));
            router.reportStatus("b", status(90));
            count("busy", () -> check(router.tryPlace(FLUX).isEmpty()));
            count("refused", () -> refused(router));
        }
    }

    private static Substrate substrate(String id) {
        return Substrate.builder(id).vramGb(32).maxConcurrentJobs(4).build();
    }

    private static SubstrateStatus status(double utilPct) {
        return SubstrateStatus.builder()
                .gpuUtilPct(utilPct)
                .vramUsedGb(4)
                .vramTotalGb(32)
                .gpuTempC(50)
                .runningJobs(0)
                .build();
    }

    private static void placed(SubstrateRouter router, String where) {
        Placement placement = router.tryPlace(FLUX).orElseThrow();
        check(placement.substrateId().equals(where));
        placement.succeed();
        placement.close();
    }

    private static void refused(SubstrateRouter router) {
        try {
            router.place(AT_ONCE);
        } catch (RoutingException expected) {
            return;
        } catch (InterruptedException nobodyDoes) {
            throw new IllegalStateException(nobodyDoes);
        }
        throw new IllegalStateException("placed (expected: a refusal)");
    }

    private static void check(boolean so) {
        if (!so) {
            throw new IllegalStateException("the router is not in the state that is measured");
        }
    }

    private static void count(String what, Runnable request) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long self = Thread.currentThread().getId();
        for (int at = 0; at < WARM; at++) {
            request.run();
        }
        long before = threads.getThreadAllocatedBytes(self);
        for (int at = 0; at < REQUESTS; at++) {
            request.run();
        }
        System.out.println(what + " " + (threads.getThreadAllocatedBytes(self) - before) / REQUESTS);
    }
}
