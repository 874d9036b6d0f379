package dev.substraterouter.time;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The machine's own time, with one daemon thread that is started by the first scheduled task and ended by {@link #close()}. Thread-safe.
 */
public final class SystemTimeSource implements TimeSource, AutoCloseable {
    private static final long MAX_DELAY_NANOS = TimeUnit.DAYS.toNanos(365);

    private final ScheduledThreadPoolExecutor scheduler;

    /**
     * Time with a scheduler thread of the given name.
     *
     * @param threadName the name of the scheduler thread
     */
    public SystemTimeSource(String threadName) {
        scheduler = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, threadName);
            thread.setDaemon(true);
            return thread;
        });
        scheduler.setRemoveOnCancelPolicy(true);
        scheduler.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public Instant wall() {
        return Instant.now();
    }

    /** Schedules a task; after {@link #close()} it is never run. */
    @Override
    public Cancellable schedule(Duration delay, Runnable task) {
        long nanos = delay.compareTo(Duration.ofNanos(MAX_DELAY_NANOS)) > 0 ? MAX_DELAY_NANOS : delay.toNanos();
        try {
            ScheduledFuture<?> future = scheduler.schedule(task, nanos, TimeUnit.NANOSECONDS);
            return () -> future.cancel(false);
        } catch (RejectedExecutionException closed) {
            return () -> {}; // closed: nothing will run, so there is nothing to call off
        }
    }

    /** Drops what is scheduled and ends the thread. Never blocks. */
    @Override
    public void close() {
        scheduler.shutdownNow();
    }
}
