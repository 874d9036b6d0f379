package dev.substraterouter.metrics;

import dev.substraterouter.InlineListener;
import dev.substraterouter.PlacedAttempt;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.model.Priority;
import dev.substraterouter.time.Cancellable;
import dev.substraterouter.trace.Outcome;
import dev.substraterouter.trace.RefusalReason;
import dev.substraterouter.trace.ServingPath;
import dev.substraterouter.trace.WaitEnd;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A router's figures as Micrometer meters.
 *
 * <pre>{@code
 * RouterMetrics metrics = RouterMetrics.of(router);
 * metrics.bindTo(registry);
 * }</pre>
 *
 * <table>
 * <caption>The meters; each name begins with {@code substrate.router.}</caption>
 * <tr><th>name</th><th>sort</th><th>tags</th><th>what</th></tr>
 * <tr><td>{@code decisions}</td><td>counter</td><td>workload, substrate, path, model, outcome, reason</td><td>see below</td></tr>
 * <tr><td>{@code fallback.share}</td><td>gauge</td><td>workload</td><td>of the last 63 live placements that have ended, which share was not
 * on the primary, 0 to 1; NaN before the first</td></tr>
 * <tr><td>{@code decision}</td><td>timer</td><td>workload, path</td><td>from asking to the placement, of requests that did not wait; one
 * request in 64 is measured, spread over all of them</td></tr>
 * <tr><td>{@code wait}</td><td>timer</td><td>workload, priority, outcome</td><td>each wait in the queue; outcome placed, refused or
 * withdrawn</td></tr>
 * <tr><td>{@code service}</td><td>timer</td><td>workload, substrate, path</td><td>from each placement to its end, however it ended</td></tr>
 * <tr><td>{@code queue.waiting}</td><td>gauge</td><td>priority</td><td>requests that wait</td></tr>
 * <tr><td>{@code queue.places.taken}</td><td>gauge</td><td>queue</td><td>waiting places that are taken; queue is a workload that has its
 * own, or {@code (shared)}</td></tr>
 * <tr><td>{@code queue.places}</td><td>gauge</td><td>queue</td><td>waiting places that there are</td></tr>
 * <tr><td>{@code substrate.leases}</td><td>gauge</td><td>substrate</td><td>the router's own leases</td></tr>
 * <tr><td>{@code substrate.slots.free}</td><td>gauge</td><td>substrate</td><td>job slots that are free, jobs of others counted; NaN without
 * a limit</td></tr>
 * <tr><td>{@code substrate.status.age}</td><td>gauge, seconds</td><td>substrate</td><td>age of the newest status; NaN when there never was
 * one</td></tr>
 * <tr><td>{@code substrate.gate}</td><td>gauge</td><td>substrate</td><td>1: open to work in general, 0: not; own leases close no gate</td></tr>
 * <tr><td>{@code substrate.ejected}</td><td>gauge</td><td>substrate, state</td><td>1: out after faults (state out), or its one trial runs
 * (state trial)</td></tr>
 * <tr><td>{@code substrate.cordoned}</td><td>gauge</td><td>substrate</td><td>1: taken out by an operator</td></tr>
 * <tr><td>{@code substrate.suspect}</td><td>gauge</td><td>substrate</td><td>1: its statuses are odd</td></tr>
 * <tr><td>{@code drift}</td><td>gauge</td><td>workload, substrate, model</td><td>how many times as long as declared the work takes; NaN
 * before ten successes, or where nothing is declared</td></tr>
 * <tr><td>{@code policy.revision}</td><td>gauge</td><td></td><td>the revision in force</td></tr>
 * <tr><td>{@code reloads}</td><td>counter</td><td>result</td><td>policies accepted, after the first, and rejected</td></tr>
 * <tr><td>{@code reload.rejected}</td><td>gauge</td><td></td><td>1: the last policy was turned down</td></tr>
 * <tr><td>{@code observers.dropped}</td><td>counter</td><td>what</td><td>events and traces that did not reach a listener or sink that does
 * not keep up</td></tr>
 * </table>
 *
 * <p><b>What {@code decisions} counts.</b> Each placement once, when it has ended: path primary, fallback, overflow or batch; outcome
 * succeeded, node_fault, not_started, busy, request_fault or neutral; reason the first one why the primary was not taken, or none. And each
 * request once that was turned down, after attempts perhaps (outcome refused, reason why), or given up before there was a placement (outcome
 * withdrawn): path, substrate and model none. So the sum is what traces list: their attempts and their refusals, and one for a trace with
 * neither. Nothing is dropped or sampled.
 *
 * <p><b>Tags are bounded by the policy.</b> What it does not name is {@code other}: a workload or model that a caller made up, a substrate
 * that was taken out of the policy while its last leases were open. A need without a workload is {@code (need)}. What a reload takes away
 * takes its meters with it; what it brings has meters from then on. Two routers in one registry need tags that tell them apart.
 *
 * <p>Counting begins with the first {@link #bindTo}. Thread-safe. Meters are made and removed on the router's executor, never by a request
 * (unless that executor runs on its caller's thread); all that a request asks of a registry is that timers which are there take a value. A
 * timer is made when it is first needed: of the values that come before it is there, the first 1024 are kept, and the rest is not timed.
 * Counters lose nothing. What a registry throws is told in the log and hurts no other. {@link #bindTo} and {@link #close} wait for
 * registries, and for each other.
 *
 * <p>One of these for each router, registry and set of tags: a second one would find the meters of the first, and closing either would
 * remove them.
 */
@SuppressWarnings(
        "exports") // of Micrometer, which only those need who use this: not all who compile against the module
public final class RouterMetrics implements MeterBinder, AutoCloseable {
    /** 2 to the 64th by the golden ratio: its multiples are spread evenly, and so is any part of them that a host asks for by turns. */
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private static final int UNMEASURED_BITS = 58; // of 64: one in 2 to the 6th is measured

    private final SubstrateRouter router;
    private final Tags common;
    private final Gauges gauges;
    private final Serial serial;
    private final ReentrantLock turning = new ReentrantLock();
    private volatile Book book; // written under the lock
    private final AtomicBoolean behind = new AtomicBoolean();
    // the rest is touched by tasks of the serial only
    private final Set<MeterRegistry> registries = new LinkedHashSet<>();
    private final Set<Tagged> counted = new LinkedHashSet<>();
    private Map<String, List<Entry>> read = new LinkedHashMap<>();
    private @Nullable Cancellable attached;
    private boolean closed;

    private RouterMetrics(SubstrateRouter router, Tags common) {
        this.router = router;
        this.common = common;
        this.gauges = new Gauges(router, common);
        this.serial = new Serial(router.executor());
        this.book = Book.of(Names.of(router.policy()), Map.of(), common, this::add);
    }

    /** The figures of a router, which counts nothing before they are bound. */
    public static RouterMetrics of(SubstrateRouter router) {
        return of(router, List.of());
    }

    /**
     * As {@link #of(SubstrateRouter)}.
     *
     * @param tags stand on every meter
     */
    public static RouterMetrics of(SubstrateRouter router, Iterable<Tag> tags) {
        return new RouterMetrics(Objects.requireNonNull(router, "router"), Tags.of(tags));
    }

    /**
     * Makes the meters in a registry; one in which they are already is left as it is. Several registries show the same figures, but for
     * timers, which begin when they are bound.
     *
     * @throws IllegalStateException if it is closed
     */
    @Override
    public void bindTo(MeterRegistry registry) {
        Objects.requireNonNull(registry, "registry");
        boolean[] refused = new boolean[1];
        serial.now(() -> {
            refused[0] = closed;
            if (!closed && !registries.contains(registry)) {
                bound(registry);
            }
        });
        if (refused[0]) {
            throw new IllegalStateException("metrics of " + router + " are closed (expected: open)");
        }
    }

    /** Removes the meters from every registry, and counts no more. Does not touch the router. Calling it again does nothing. */
    @Override
    public void close() {
        serial.now(() -> {
            closed = true;
            if (attached != null) {
                attached.cancel();
                attached = null;
            }
            entries().forEach(Entry::unbind);
            counted.clear();
            read.clear();
            registries.clear();
        });
    }

    /** How many things are left to be done with registries. */
    int pending() {
        return serial.pending();
    }

    private void bound(MeterRegistry registry) {
        if (attached == null) {
            attached = router.attach(new Counting());
            turn();
            follow();
        }
        registries.add(registry);
        entries().forEach(entry -> entry.bind(List.of(registry)));
    }

    private Stream<Entry> entries() {
        return Stream.concat(read.values().stream().flatMap(List::stream), counted.stream());
    }

    /** A figure that is needed for the first time. */
    private void add(Tagged entry) {
        serial.soon(() -> {
            if (!closed && book.holds(entry)) {
                counted.add(entry);
                entry.bind(registries);
            } else {
                entry.owner.keepOnly(book.names());
            }
        });
    }

    /** Counts by the names of the policy in force. No registry is touched. */
    private void turn() {
        turning.lock(); // with the reading of the policy: the last to write has the newest
        try {
            Book next = Book.of(Names.of(router.policy()), book.workloads(), common, this::add);
            book = next;
            next.all().forEach(workload -> workload.keepOnly(next.names()));
        } finally {
            turning.unlock();
        }
    }

    /** Makes the meters those of the policy in force. */
    private void follow() {
        if (closed) {
            return;
        }
        Book next = book;
        counted.removeIf(entry -> gone(entry, next));
        Map<String, List<Entry>> before = read;
        read = gauges.entries(before);
        next.all()
                .forEach(workload -> read.put(
                        "share " + workload.workload(),
                        before.getOrDefault("share " + workload.workload(), List.of(workload.share()))));
        before.forEach((what, entries) -> {
            if (!read.containsKey(what)) {
                entries.forEach(Entry::unbind);
            }
        });
        List<Entry> fresh = new ArrayList<>();
        read.forEach((what, entries) -> {
            if (!before.containsKey(what)) {
                fresh.addAll(entries);
            }
        });
        fresh.forEach(entry -> entry.bind(registries));
    }

    private static boolean gone(Tagged entry, Book next) {
        boolean gone = !next.holds(entry);
        if (gone) {
            entry.unbind();
        }
        return gone;
    }

    /** Whether one of all requests is measured: the first, and then one in 64. */
    static boolean measured(long number) {
        return ((number - 1) * SPREAD) >>> UNMEASURED_BITS == 0;
    }

    /** Counts what requests tell of themselves. */
    private final class Counting implements InlineListener {
        @Override
        public void placed(PlacedAttempt attempt) {
            if (measured(attempt.number()) && attempt.attempt() == 1 && attempt.waitedNanos() == 0) {
                book.workload(attempt.workload()).decided(attempt.path(), attempt.sinceArrivalNanos());
            }
        }

        @Override
        public void ended(PlacedAttempt attempt, Outcome outcome, long serviceNanos) {
            Book now = book;
            ServingPath path = attempt.path();
            boolean primary = path == ServingPath.PRIMARY;
            Optional<String> model = attempt.model();
            WorkloadMeters workload = now.workload(attempt.workload());
            Spot spot = workload.on(attempt.substrateId(), now.names());
            int ending = Ending.placed(
                    path, outcome, primary ? null : attempt.fallbackReason().orElse(null));
            spot.count(ending, model.isEmpty() ? Names.NONE : now.names().model(model.get()));
            if (path != ServingPath.BATCH) {
                workload.placed(primary);
            }
            spot.served(path, serviceNanos); // the last: a registry may throw
        }

        @Override
        public void unplaced(String workload, Priority priority, Optional<RefusalReason> reason) {
            book.workload(workload).unplaced().count(Ending.unplaced(reason.orElse(null)), Names.NONE);
        }

        @Override
        public void waited(String workload, Priority priority, WaitEnd end, long waitedNanos) {
            book.workload(workload).waited(priority, end, waitedNanos);
        }

        @Override
        public void reloaded(long revision) {
            turn();
            if (!behind.getAndSet(true)) { // however many come while a registry is slow
                serial.soon(() -> {
                    behind.set(false);
                    follow();
                });
            }
        }
    }
}
