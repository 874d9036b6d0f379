package dev.substraterouter.stress;

import dev.substraterouter.Placement;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.testkit.Policies;
import dev.substraterouter.testkit.Statuses;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** What {@link FootprintTest} runs in a process of its own: work, then nothing, with an eye on the processor. */
final class SmallBoard {
    private static final int REQUESTS = 20_000;
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final double MOST_WHILE_IDLE = 0.02;
    private static final int TRIES = 3;

    private SmallBoard() {}

    public static void main(String[] args) throws InterruptedException {
        List<String> workloads = List.of("flux-dev", "flux-fill", "sdxl");
        try (SubstrateRouter router =
                SubstrateRouter.builder().policy(Policies.smallest()).build()) {
            router.reportStatus("mirrorforge", Statuses.idle(64));
            router.reportStatus("legion", Statuses.idle(32));
            for (int request = 0; request < REQUESTS; request++) {
                try (Placement placement = router.place(RouteRequest.workload(workloads.get(request % 3)))) {
                    placement.succeed();
                }
            }
            double least = 1;
            for (int tried = 0; tried < TRIES && least >= MOST_WHILE_IDLE; tried++) {
                least = Math.min(least, shareWhileIdle()); // the compiler may still be at it the first time
            }
            System.out.printf(
                    "%s: %.2f %% of the processor while idle%n", least < MOST_WHILE_IDLE ? "OK" : "BUSY", 100 * least);
        }
    }

    private static double shareWhileIdle() throws InterruptedException {
        long began = System.nanoTime();
        long before = cpuNanos();
        new CountDownLatch(1).await(IDLE_NANOS, TimeUnit.NANOSECONDS);
        return (double) (cpuNanos() - before) / (System.nanoTime() - began);
    }

    private static long cpuNanos() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }
}
