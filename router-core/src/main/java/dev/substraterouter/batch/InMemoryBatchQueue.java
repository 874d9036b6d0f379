package dev.substraterouter.batch;

import dev.substraterouter.time.SystemTimeSource;
import dev.substraterouter.time.TimeSource;
import dev.substraterouter.trace.RoutingTrace;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps jobs in this process, as long as it lives. Bounded: jobs that have not ended, by number and by the bytes of their payloads; ended
 * ones and dead letters, by number and bytes each, where the oldest leaves for the newest. Thread-safe; never blocks beyond its own short
 * lock.
 *
 * <p><b>The idea.</b> An open job has one time from which on it may be claimed: the end of its pause, or of its claim. So a claim that ran
 * out needs no timer and no sweep; {@link #claim} walks the open jobs in the order in which they were accepted, which costs as many steps as
 * jobs ahead of the one it takes are not due. Under the lock there is arithmetic only: the clock is read and bytes are copied before.
 */
public final class InMemoryBatchQueue implements BatchQueue {
    private static final int DEFAULT_JOBS = 1_000;
    private static final long DEFAULT_BYTES = 256L << 20;
    private static final long MOST_NANOS = TimeUnit.DAYS.toNanos(3650);

    private final TimeSource time;
    private final long origin;
    private final int capacity;

    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by the lock. */
    private final Shelf shelf;

    private InMemoryBatchQueue(Builder builder) {
        time = builder.timeSource != null ? builder.timeSource : new SystemTimeSource("batch-store");
        origin = time.nanos();
        capacity = builder.capacity;
        shelf = new Shelf(
                capacity, builder.capacityBytes, builder.keptEnded, builder.keptDeadLetters, builder.keptBytes);
    }

    /** A store with the defaults of {@link #builder()}. */
    public static InMemoryBatchQueue create() {
        return builder().build();
    }

    /** A builder: up to 1,000 open jobs of 256 MiB, 1,000 ended ones and 1,000 dead letters of as much each. */
    public static Builder builder() {
        return new Builder();
    }

    @Override
    public BatchJob offer(BatchJob job) {
        Objects.requireNonNull(job, "job");
        long now = now();
        Instant wall = time.wall();
        Shelf.Key key = Shelf.Key.of(job);
        lock.lock();
        try {
            Entry same = shelf.same(job, key);
            if (same != null) {
                return same.job();
            }
            if (!shelf.hasRoom(job)) {
                throw shelf.full(job);
            }
            shelf.add(new Entry(job, shelf.nextPosition(), wall, now), key);
            return job;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Optional<BatchJob> known(Optional<String> identity, String idempotencyKey) {
        Shelf.Key key = new Shelf.Key(identity, Objects.requireNonNull(idempotencyKey, "idempotencyKey"));
        lock.lock();
        try {
            return Optional.ofNullable(shelf.find(key)).map(Entry::job);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Optional<BatchClaim> claim(String owner, Duration leaseFor, long after) {
        Objects.requireNonNull(owner, "owner");
        long nanos = positive(leaseFor);
        long now = now();
        lock.lock();
        try {
            for (Entry entry : shelf.behind(after)) {
                if (entry.due(now)) {
                    long token = entry.claim(owner, now + nanos);
                    Duration age = Duration.ofNanos(Math.max(0, now - entry.acceptedNanos()));
                    Duration refused = Duration.ofNanos(entry.refusedNanos(now));
                    return Optional.of(new BatchClaim(entry.job(), owner, token, entry.position, age, refused));
                }
            }
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean start(BatchClaim claim, RoutingTrace trace) {
        Objects.requireNonNull(trace, "trace");
        Instant wall = time.wall();
        return step(claim, entry -> entry.start(trace, wall));
    }

    @Override
    public boolean renew(BatchClaim claim, Duration leaseFor) {
        long until = now() + positive(leaseFor);
        return step(claim, entry -> entry.renew(until));
    }

    @Override
    public boolean complete(BatchClaim claim, byte[] result, RoutingTrace trace) {
        byte[] copy = result.clone();
        Objects.requireNonNull(trace, "trace");
        Instant wall = time.wall();
        lock.lock();
        try {
            Entry entry = shelf.find(claim.job().id());
            if (entry == null || !entry.holds(claim)) {
                return entry != null && entry.completedBy(claim);
            }
            entry.trace(trace);
            end(entry, BatchState.SUCCEEDED, copy, wall);
            return true;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean release(BatchClaim claim) {
        long now = now();
        return step(claim, entry -> entry.release(now));
    }

    @Override
    public boolean retry(BatchClaim claim, Duration delay, BatchNote note) {
        Objects.requireNonNull(note, "note");
        long now = now();
        long due = now + nanos(delay);
        return step(claim, entry -> entry.retry(now, due, note));
    }

    @Override
    public boolean bury(BatchClaim claim, BatchNote note) {
        Objects.requireNonNull(note, "note");
        Instant wall = time.wall();
        return step(claim, entry -> {
            entry.note(note);
            end(entry, BatchState.DEAD, null, wall);
        });
    }

    @Override
    public boolean cancel(String id) {
        Instant wall = time.wall();
        lock.lock();
        try {
            Entry entry = shelf.find(id);
            if (entry == null || entry.state().ended()) {
                return false;
            }
            end(entry, BatchState.CANCELLED, null, wall);
            return true;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Optional<BatchReport> find(String id) {
        long now = now();
        lock.lock();
        try {
            return Optional.ofNullable(shelf.find(id)).map(entry -> entry.report(now));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Optional<byte[]> result(String id) {
        byte[] result;
        lock.lock();
        try {
            Entry entry = shelf.find(id);
            result = entry == null ? null : entry.result();
        } finally {
            lock.unlock();
        }
        return Optional.ofNullable(result).map(byte[]::clone);
    }

    @Override
    public List<BatchReport> deadLetters(String after, int most) {
        Builder.atLeastOne("most", most);
        long now = now();
        lock.lock();
        try {
            return shelf.dead().page(shelf.find(after), most).stream()
                    .map(entry -> entry.report(now))
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean forget(String id) {
        lock.lock();
        try {
            Entry entry = shelf.find(id);
            if (entry == null || !entry.state().ended()) {
                return false;
            }
            shelf.forget(entry);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** How many jobs have not ended. */
    public int open() {
        lock.lock();
        try {
            return shelf.open();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String toString() {
        return "InMemoryBatchQueue[jobs " + open() + "/" + capacity + "]";
    }

    // under the lock

    private void end(Entry entry, BatchState how, byte @Nullable [] result, Instant wall) {
        entry.end(how, result, wall);
        shelf.end(entry);
    }

    // without the lock

    private boolean step(BatchClaim claim, Consumer<Entry> what) {
        lock.lock();
        try {
            Entry entry = shelf.find(claim.job().id());
            if (entry == null || !entry.holds(claim)) {
                return false;
            }
            what.accept(entry);
            return true;
        } finally {
            lock.unlock();
        }
    }

    private long now() {
        return time.nanos() - origin;
    }

    private static long positive(Duration leaseFor) {
        if (leaseFor.isNegative() || leaseFor.isZero()) {
            throw new IllegalArgumentException("leaseFor: " + leaseFor + " (expected: > 0)");
        }
        return nanos(leaseFor);
    }

    private static long nanos(Duration duration) {
        return duration.compareTo(Duration.ofNanos(MOST_NANOS)) > 0 ? MOST_NANOS : Math.max(0, duration.toNanos());
    }

    /** Builds an {@link InMemoryBatchQueue}. Not thread-safe. A clock that is null throws {@link NullPointerException}. */
    public static final class Builder {
        private int capacity = DEFAULT_JOBS;
        private long capacityBytes = DEFAULT_BYTES;
        private int keptEnded = DEFAULT_JOBS;
        private int keptDeadLetters = DEFAULT_JOBS;
        private long keptBytes = DEFAULT_BYTES;
        private @Nullable TimeSource timeSource;

        private Builder() {}

        /** How many jobs that have not ended it holds at most, from 1; default 1,000. */
        public Builder capacity(int jobs) {
            capacity = (int) atLeastOne("capacity", jobs);
            return this;
        }

        /** How many bytes the payloads of jobs that have not ended may have in all, from 1; default 256 MiB. */
        public Builder capacityBytes(long bytes) {
            capacityBytes = atLeastOne("capacityBytes", bytes);
            return this;
        }

        /** How many succeeded and cancelled jobs it keeps, with results and idempotency keys, from 1; default 1,000. */
        public Builder keptEnded(int jobs) {
            keptEnded = (int) atLeastOne("keptEnded", jobs);
            return this;
        }

        /** How many dead letters it keeps, from 1; default 1,000. */
        public Builder keptDeadLetters(int jobs) {
            keptDeadLetters = (int) atLeastOne("keptDeadLetters", jobs);
            return this;
        }

        /**
         * How many bytes of payloads and results the ended jobs, and again the dead letters, may have, from 1; default 256 MiB each. The
         * newest is kept whatever its size.
         */
        public Builder keptBytes(long bytes) {
            keptBytes = atLeastOne("keptBytes", bytes);
            return this;
        }

        /** The store's clock; default the machine's. */
        public Builder timeSource(TimeSource value) {
            timeSource = Objects.requireNonNull(value, "timeSource");
            return this;
        }

        /** The store, empty. */
        public InMemoryBatchQueue build() {
            return new InMemoryBatchQueue(this);
        }

        private static long atLeastOne(String name, long value) {
            if (value < 1) {
                throw new IllegalArgumentException(name + ": " + value + " (expected: >= 1)");
            }
            return value;
        }
    }
}
