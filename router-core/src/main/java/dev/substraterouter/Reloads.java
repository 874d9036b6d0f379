package dev.substraterouter;

import dev.substraterouter.internal.decide.Cell;
import dev.substraterouter.internal.decide.Revision;
import dev.substraterouter.internal.plan.CandidatePlan;
import dev.substraterouter.internal.plan.RoutePlan;
import dev.substraterouter.internal.plan.SubstratePlan;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.PolicyException;
import dev.substraterouter.policy.PolicyProblem;
import dev.substraterouter.policy.PolicySink;
import dev.substraterouter.trace.Finding;
import dev.substraterouter.trace.RouterEvent;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Puts policies in force, one after the other.
 *
 * <p><b>How the races end.</b> Two reloads: a lock; each is a revision of its own. Reload against decision: the revision is published
 * first, then every cell is put under it; see {@link Revision}. Reload against a lease of a removed substrate: the cell stays until its
 * last lease has ended, and is the same cell if the substrate returns before.
 */
final class Reloads implements PolicySink {
    private final ReentrantLock lock = new ReentrantLock();
    /** Every cell there is: those of the policy, and those that were removed and still hold leases. */
    private final Map<String, Cell> cells;

    private final SplittableRandom seeds; // guarded by the lock
    private final Engine engine;
    private final AtomicReference<@Nullable PolicyException> rejected = new AtomicReference<>();

    private final AtomicLong rejections = new AtomicLong();

    private Reloads(Engine engine, Map<String, Cell> cells, SplittableRandom seeds) {
        this.engine = engine;
        this.cells = cells;
        this.seeds = seeds;
    }

    /** What the first revision is made of. */
    static final class First {
        final Map<String, Cell> cells = new ConcurrentHashMap<>();
        final SplittableRandom seeds;
        final Revision revision;

        First(Policy policy, long seed) {
            seeds = new SplittableRandom(seed);
            revision = Revision.of(policy.withRevision(1), cells, null, seeds::nextLong);
        }

        Reloads with(Engine engine) {
            Reloads reloads = new Reloads(engine, cells, seeds);
            reloads.tellUnusable(revision);
            return reloads;
        }
    }

    void reload(Policy policy) {
        if (engine.closed()) {
            throw new IllegalStateException(engine.name() + " is closed (expected: a router that runs)");
        }
        FlightEvents.@Nullable Reload recorded = Flight.reloadBegins();
        settle(); // what time has done so far, it did under the limits so far
        try {
            publish(policy);
        } catch (PolicyException rejected) {
            rejected(rejected, recorded);
            throw rejected;
        }
        tellUnusable(engine.revision());
        engine.waiting().serve(); // first those who wait, then whoever else wants to know
        engine.signal().raise();
        engine.observers().carry();
        engine.observers().inline().reloaded(engine.revision().number);
        engine.intake().retarget();
        if (recorded != null) {
            recorded.accepted(engine.revision().number);
        }
    }

    private void settle() {
        long now = engine.time().nanos();
        cells().forEach(cell -> engine.settle(cell, now));
    }

    private void publish(Policy policy) {
        lock.lock();
        try {
            Revision before = engine.revision();
            dropIdle(before);
            Revision next = Revision.of(policy.withRevision(before.number + 1), cells, before.book, seeds::nextLong);
            rejected.set(null); // before: who sees the new revision sees nothing rejected since
            engine.revision(next);
            for (SubstratePlan earlier : before.compiled.substrates) {
                if (next.cell(earlier.id) == null) {
                    before.cell(earlier.index).retire(earlier.retired(next.number));
                }
            }
            next.adoptAll();
            before.compiled.retire();
            Set<String> workloads = new HashSet<>();
            for (RoutePlan route : next.compiled.routes()) {
                workloads.add(route.workload);
            }
            engine.observers().keepOnly(workloads);
            engine.observers().put(new RouterEvent.Reloaded(next.number));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void changed(Policy policy) {
        if (engine.closed()) {
            return;
        }
        try {
            reload(policy);
        } catch (PolicyException rejected) {
            // told to the listeners and the log by reload; the last good policy stays in force
            Log.debug("policy source brought a bad policy", rejected);
        } catch (IllegalStateException closed) {
            if (!engine.closed()) {
                throw closed;
            }
            Log.debug("policy source brought a policy to a closed router", closed);
        }
    }

    @Override
    public void rejected(PolicyException problem) {
        rejected(problem, Flight.reloadBegins());
    }

    private void rejected(PolicyException problem, FlightEvents.@Nullable Reload recorded) {
        rejected.set(problem);
        rejections.incrementAndGet();
        if (recorded != null) {
            recorded.rejected(engine.revision().number, problem.problems().size());
        }
        List<String> problems =
                problem.problems().stream().map(PolicyProblem::toString).toList();
        engine.observers().tell(new RouterEvent.ReloadRejected(engine.revision().number, problems));
    }

    /** What was turned down since the policy in force was put there, the last; empty: nothing. */
    Optional<PolicyException> rejected() {
        return Optional.ofNullable(rejected.get());
    }

    /** How many were turned down so far. */
    long rejections() {
        return rejections.get();
    }

    /** Every cell, those of removed substrates that still hold leases included. */
    List<Cell> cells() {
        return new ArrayList<>(cells.values());
    }

    /** Lets go of cells that were removed and hold nothing any more. */
    private void dropIdle(Revision current) {
        long now = engine.time().nanos();
        cells.entrySet()
                .removeIf(entry -> current.cell(entry.getKey()) == null
                        && entry.getValue().get().jobs(now) == 0);
    }

    /** As {@link #dropIdle}, when the last lease of a removed substrate has ended. */
    void dropIdle() {
        lock.lock();
        try {
            dropIdle(engine.revision());
        } finally {
            lock.unlock();
        }
    }

    /** Says who could never serve, and why: a gap in the figures is easily overlooked. */
    private void tellUnusable(Revision revision) {
        if (!engine.logs()) {
            return;
        }
        for (RoutePlan route : revision.compiled.routes()) {
            for (CandidatePlan candidate : route.candidates) {
                tellUnusable(revision, route, candidate);
            }
            if (route.matched() && route.candidates.length == 0) {
                route.unfit().first().forEach(unfit -> tellUnusable(revision, route, unfit));
            }
        }
    }

    private static void tellUnusable(Revision revision, RoutePlan route, CandidatePlan candidate) {
        if (candidate.unusable != null) {
            Log.warning(
                    "revision " + revision.number + ": '" + route.workload + "' can never be served by "
                            + candidate.substrate.id + ": "
                            + candidate.never.stream().map(Finding::text).collect(Collectors.joining(", ")),
                    null);
        }
    }
}
