package dev.substraterouter.examples.benchmarks.ours;

import dev.substraterouter.Placement;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.examples.benchmarks.NanosPerCall;
import dev.substraterouter.internal.admission.Lease;
import dev.substraterouter.internal.decide.Ask;
import dev.substraterouter.internal.decide.Cell;
import dev.substraterouter.internal.decide.Decider;
import dev.substraterouter.internal.decide.Decision;
import dev.substraterouter.internal.decide.Revision;
import dev.substraterouter.internal.gate.GateState;
import dev.substraterouter.internal.plan.RoutePlan;
import dev.substraterouter.time.Cancellable;
import dev.substraterouter.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

/** The decision without a clock and without a trace: once by the parts that make it, once through the public API. */
public class DecisionAloneBenchmark extends NanosPerCall {
    /** The parts that decide: this is the only place that looks behind the public API. */
    @State(Scope.Benchmark)
    public static class Parts {
        private static final long NOW = 1_000_000_000L;

        private Revision revision;
        private RoutePlan route;
        private Ask ask;

        /** Puts two healthy substrates under one revision. */
        @Setup(Level.Trial)
        public void open() {
            revision = Revision.of(Pools.two().withRevision(1), new ConcurrentHashMap<>(), null, () -> 1L);
            for (int at = 0; at < revision.substrates(); at++) {
                revision.cell(at).tell("host", Cell.Asked.byHand(NOW), NOW, Pools.healthy(), null);
            }
            route = Objects.requireNonNull(revision.compiled.route("flux"));
            ask = Ask.of(Pools.FLUX, 1, NOW);
        }
    }

    /** A router in whose time nothing passes, and that keeps no traces. */
    public static class Timeless extends OneRouter {
        @Override
        SubstrateRouter built() {
            return Pools.healthy(SubstrateRouter.builder()
                    .policy(Pools.two())
                    .timeSource(new Still())
                    .recentTraces(0)
                    .log(false)
                    .build());
        }
    }

    /** Time that stands still. */
    private static final class Still implements TimeSource {
        @Override
        public long nanos() {
            return Parts.NOW;
        }

        @Override
        public Instant wall() {
            return Instant.EPOCH;
        }

        @Override
        public Cancellable schedule(Duration delay, Runnable task) {
            return () -> {}; // it would never be due
        }
    }

    /** Decides, takes the lease and gives it back; the decision, with its reasons, reaches the caller. */
    @Benchmark
    public Lease parts(Parts parts, Blackhole decisions) {
        Lease lease = null;
        Decision decision = null;
        while (lease == null) { // with several threads another may have been first
            decision = Objects.requireNonNull(Decider.decide(parts.revision, parts.route, parts.ask, 0, Parts.NOW));
            lease = decision.cell().take(decision);
        }
        decisions.consume(decision);
        decision.cell().end(lease, GateState.End.SUCCEEDED, false, Parts.NOW);
        return lease;
    }

    /** The same through the public API: the request's ids, events and learned latencies are in it. */
    @Benchmark
    public Placement timeless(Timeless pool) {
        Placement placement = pool.router.tryPlace(Pools.FLUX).orElseThrow();
        placement.succeed();
        placement.close();
        return placement;
    }
}
