package dev.substraterouter.examples.benchmarks.ours;

import dev.substraterouter.Placement;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Workload;
import java.io.IOException;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** What is retained on the heap: the difference of what is used after a collection with few and with many of a kind, for each one more. */
public final class Footprint {
    private static final int FEW = 500;
    private static final int SUBSTRATES = 10_000;
    private static final int WAITERS = 10_000;
    private static final int ROUTERS = 100;
    private static final int REQUESTS = 300; // more than a router keeps traces of

    private Footprint() {}

    /**
     * Bytes retained.
     *
     * @param substrate for each idle substrate that has reported once
     * @param waiter for each request that waits
     * @param router for each router of three workloads whose kept traces are full
     */
    public record Bytes(double substrate, double waiter, double router) {}

    /** Measures in a Java machine of its own. */
    public static Bytes measure() throws IOException, InterruptedException {
        Map<String, Double> figures = Forked.run(Footprint.class, List.of("-XX:+UseSerialGC", "-Xmx1g"));
        return new Bytes(figures.get("substrate"), figures.get("waiter"), figures.get("router"));
    }

    /** Prints the figures. */
    public static void main(String[] args) throws InterruptedException {
        System.out.println("substrate=" + each(FEW, SUBSTRATES, Footprint::substrates));
        System.out.println("waiter=" + each(FEW, WAITERS, Footprint::waiters));
        System.out.println("router=" + each(1, ROUTERS, Footprint::routers));
    }

    /** Makes so many of a kind, and holds them. */
    private interface Kind {
        List<SubstrateRouter> make(int count);
    }

    private static double each(int few, int many, Kind kind) throws InterruptedException {
        retained(() -> kind.make(few)); // loads every class
        return (double) (retained(() -> kind.make(many)) - retained(() -> kind.make(few))) / (many - few);
    }

    private static long retained(Supplier<List<SubstrateRouter>> kind) throws InterruptedException {
        long before = used();
        List<SubstrateRouter> made = kind.get();
        long after = used();
        made.forEach(SubstrateRouter::close);
        Reference.reachabilityFence(made);
        return after - before;
    }

    private static long used() throws InterruptedException {
        Runtime runtime = Runtime.getRuntime();
        for (int collection = 0; collection < 4; collection++) {
            System.gc();
            Thread.sleep(50); // what runs on the executor lets go of what it holds
        }
        return runtime.totalMemory() - runtime.freeMemory();
    }

    private static List<SubstrateRouter> substrates(int count) {
        SubstrateRouter router = Pools.silent(Pools.many(count));
        router.policy().substrates().forEach(substrate -> router.reportStatus(substrate.id(), Pools.healthy()));
        return List.of(router);
    }

    private static List<SubstrateRouter> waiters(int count) {
        SubstrateRouter router = Pools.router(Pools.queued(count));
        for (int at = 0; at <= count; at++) { // the first has the slot
            router.placeAsync(RouteRequest.workload("flux"));
        }
        return List.of(router);
    }

    private static List<SubstrateRouter> routers(int count) {
        List<SubstrateRouter> routers = new ArrayList<>();
        for (int at = 0; at < count; at++) {
            SubstrateRouter router = Pools.router(three());
            for (int request = 0; request < REQUESTS; request++) {
                try (Placement placement = router.tryPlace(RouteRequest.workload("w" + request % 3))
                        .orElseThrow()) {
                    placement.succeed();
                }
            }
            routers.add(router);
        }
        return routers;
    }

    static Policy three() {
        return Policy.builder()
                .substrate(Pools.substrate("a"))
                .substrate(Pools.substrate("b"))
                .workload(Workload.builder("w0").vramGb(1).route("a", "b").build())
                .workload(Workload.builder("w1").vramGb(2).route("b", "a").build())
                .workload(Workload.builder("w2").vramGb(3).route("a", "b").build())
                .health(Pools.lasting())
                .build();
    }
}
