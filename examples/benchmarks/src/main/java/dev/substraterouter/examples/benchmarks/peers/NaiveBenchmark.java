package dev.substraterouter.examples.benchmarks.peers;

import dev.substraterouter.examples.benchmarks.NanosPerCall;
import dev.substraterouter.examples.benchmarks.peers.NaiveRouter.Status;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The router that one writes in an afternoon, with its line of log and without. */
@State(Scope.Benchmark)
public class NaiveBenchmark extends NanosPerCall {
    private static final String FREE = "free";
    private static final String SPILLING = "spilling";
    private static final String FULL = "full";
    private static final int VRAM_GB = 4;

    private final NaiveRouter logged = router(true);
    private final NaiveRouter unlogged = router(false);

    /** The first takes it. */
    @Benchmark
    public @Nullable Object logged() {
        return place(logged, FREE);
    }

    /** The first is full, the second takes it. */
    @Benchmark
    public @Nullable Object loggedSpilled() {
        return place(logged, SPILLING);
    }

    /** The first takes it, and nothing is logged. */
    @Benchmark
    public @Nullable Object unlogged() {
        return place(unlogged, FREE);
    }

    /** Both are full, and nothing is logged. */
    @Benchmark
    public @Nullable Object unloggedRefused() {
        return place(unlogged, FULL);
    }

    private static @Nullable String place(NaiveRouter router, String workload) {
        String substrate = router.take(workload, VRAM_GB);
        if (substrate != null) {
            router.giveBack(substrate);
        }
        return substrate;
    }

    private static NaiveRouter router(boolean logs) {
        NaiveRouter router = new NaiveRouter(
                Map.of(
                        FREE, List.of("first", "second"),
                        SPILLING, List.of("busy", "second"),
                        FULL, List.of("busy", "also-busy")),
                logs);
        router.report("first", Status.healthy(0, Load.MAX_JOBS));
        router.report("second", Status.healthy(0, Load.MAX_JOBS));
        router.report("busy", Status.healthy(Load.MAX_JOBS, Load.MAX_JOBS));
        router.report("also-busy", Status.healthy(Load.MAX_JOBS, Load.MAX_JOBS));
        return router;
    }
}
