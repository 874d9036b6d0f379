package dev.substraterouter.examples.benchmarks.ours;

import dev.substraterouter.Placement;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.model.RouteRequest;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** How long a fresh Java machine that has one core takes to load the classes, build a policy and a router, and place its first request. */
public final class FirstPlacement {
    private FirstPlacement() {}

    /**
     * The median of several machines, in nanoseconds.
     *
     * @param fromMain since the main method was entered
     * @param fromStart since the machine was started
     */
    public record Nanos(double fromMain, double fromStart) {}

    /** Starts so many machines, one after the other. */
    public static Nanos measure(int machines) throws IOException, InterruptedException {
        double[] fromMain = new double[machines];
        double[] fromStart = new double[machines];
        for (int at = 0; at < machines; at++) {
            Map<String, Double> figures = Forked.onOneCore(FirstPlacement.class, List.of("-XX:ActiveProcessorCount=1"));
            fromMain[at] = figures.get("fromMain");
            fromStart[at] = figures.get("fromStart");
        }
        Arrays.sort(fromMain);
        Arrays.sort(fromStart);
        return new Nanos(fromMain[machines / 2], fromStart[machines / 2]);
    }

    /** Prints the figures. */
    public static void main(String[] args) {
        long entered = System.nanoTime();
        try (SubstrateRouter router = Pools.router(Footprint.three())) {
            Placement placement = router.tryPlace(RouteRequest.workload("w0")).orElseThrow();
            long placed = System.nanoTime();
            long wall = System.currentTimeMillis();
            placement.close();
            System.out.println("fromMain=" + (double) (placed - entered));
            System.out.println(
                    "fromStart=" + (wall - ManagementFactory.getRuntimeMXBean().getStartTime()) * 1e6);
        }
    }
}
