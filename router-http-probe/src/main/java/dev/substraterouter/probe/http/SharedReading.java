package dev.substraterouter.probe.http;

import dev.substraterouter.status.SubstrateStatus;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Readings of one reader for many who ask, one at a time.
 *
 * <p>A router takes an answer as knowing whatever began well before it asked. So who asks is given a reading, ended or under way, only if
 * that began at most {@code fresh} before; otherwise it gets the next one, which begins when the one under way ends, and shares that with
 * everyone who asks in the meantime. However many ask, the reader is called one at a time, and at most once in {@code fresh} if it is quick.
 *
 * <p>How the races end: all three readings (ended, under way, next) are changed under one lock, and the reader runs outside of it. Who ends
 * a reading moves the next one up in the same step, so nobody can wait for a reading that nobody runs. A reader that never returns holds
 * one daemon thread; who asks then waits no longer than it may, and not at all once the reading is older than that.
 */
final class SharedReading {
    private static final long IDLE_SECONDS = 5;

    private final Supplier<SubstrateStatus> reader;
    private final long freshNanos;
    private final long patienceNanos;
    private final LongSupplier nanos;
    private final ThreadPoolExecutor thread;

    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable Reading ended; // guarded by lock
    private @Nullable Reading running; // guarded by lock
    private @Nullable Reading next; // guarded by lock

    /** One call of the reader. */
    private static final class Reading {
        final CompletableFuture<SubstrateStatus> status = new CompletableFuture<>();
        long began; // guarded by the lock
    }

    SharedReading(Supplier<SubstrateStatus> reader, Duration fresh, Duration patience, LongSupplier nanos) {
        this.reader = reader;
        freshNanos = fresh.toNanos();
        patienceNanos = patience.toNanos();
        this.nanos = nanos;
        thread = new ThreadPoolExecutor(
                1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), Daemons.named("status-reader"));
        thread.allowCoreThreadTimeOut(true);
    }

    /**
     * A reading that is fresh now. Blocks for at most the patience.
     *
     * @throws NoStatusException if there is none in time, or the reader failed
     */
    SubstrateStatus ask() throws NoStatusException {
        try {
            return reading().status.get(patienceNanos, TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            throw new NoStatusException("no reading within " + TimeUnit.NANOSECONDS.toMillis(patienceNanos) + " ms");
        } catch (ExecutionException failed) {
            throw new NoStatusException("the reading failed: " + words(failed.getCause()));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new NoStatusException("interrupted");
        }
    }

    private Reading reading() throws NoStatusException {
        lock.lock();
        try {
            long now = nanos.getAsLong();
            Reading current = running;
            if (current == null) {
                Reading last = ended;
                return last != null && isFresh(last, now) ? last : begin(new Reading(), now);
            }
            if (isFresh(current, now)) {
                return current;
            }
            if (now - current.began > patienceNanos) {
                throw new NoStatusException(
                        "a reading still runs after " + TimeUnit.NANOSECONDS.toMillis(now - current.began) + " ms");
            }
            if (next == null) {
                next = new Reading();
            }
            return next;
        } finally {
            lock.unlock();
        }
    }

    private boolean isFresh(Reading reading, long now) {
        return now - reading.began <= freshNanos;
    }

    private Reading begin(Reading reading, long now) {
        reading.began = now;
        thread.execute(() -> run(reading)); // first: a thread that cannot be had leaves nothing running behind
        running = reading;
        return reading;
    }

    @SuppressWarnings("CatchingUnchecked") // foreign code: whatever it throws goes to those who wait
    private void run(Reading reading) {
        SubstrateStatus status = null;
        Throwable failure = null;
        try {
            status = reader.get();
        } catch (Throwable thrown) {
            failure = thrown;
        }
        end(reading);
        if (failure != null) {
            reading.status.completeExceptionally(failure);
        } else if (status == null) {
            reading.status.completeExceptionally(new IllegalStateException("the reader returned null"));
        } else {
            reading.status.complete(status);
        }
    }

    private void end(Reading reading) {
        lock.lock();
        try {
            ended = reading;
            running = null;
            Reading following = next;
            next = null;
            if (following != null) {
                begin(following, nanos.getAsLong());
            }
        } finally {
            lock.unlock();
        }
    }

    private static String words(@Nullable Throwable failure) {
        return failure == null ? "for no reason" : NvidiaSmiText.clean(failure.toString());
    }

    /** Lets the thread end as soon as it has nothing to do. Not a shutdown: who still asks is answered. */
    void close() {
        thread.setKeepAliveTime(1, TimeUnit.MILLISECONDS);
    }
}
