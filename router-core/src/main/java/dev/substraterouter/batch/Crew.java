package dev.substraterouter.batch;

import dev.substraterouter.time.SystemTimeSource;
import dev.substraterouter.time.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * On whose threads a dispatcher works: the work on one executor, the store and the router on another that work never keeps busy, so that
 * claims are renewed whatever the work does. What was not given is the dispatcher's own: daemon threads that end when idle.
 */
final class Crew {
    private static final long IDLE_SECONDS = 10;

    private final List<ThreadPoolExecutor> own = new ArrayList<>();
    private final @Nullable SystemTimeSource ownTime;
    private final TimeSource time;
    private final Executor work;
    private final Executor clerk;

    Crew(String name, int maxRunning, @Nullable TimeSource time, @Nullable Executor work, @Nullable Executor clerk) {
        ownTime = time == null ? new SystemTimeSource(name + "-scheduler") : null;
        this.time = time == null ? java.util.Objects.requireNonNull(ownTime) : time;
        this.work = work != null ? work : own(many(name + "-work", maxRunning));
        this.clerk = clerk != null ? clerk : own(one(name + "-store"));
    }

    TimeSource time() {
        return time;
    }

    Executor work() {
        return work;
    }

    /** Runs something that asks the store or the router; false when the executor takes nothing, which is logged. */
    @SuppressWarnings("CatchingUnchecked") // an executor that takes nothing must not end the scheduler's thread
    boolean clerk(Runnable task) {
        try {
            clerk.execute(task);
            return true;
        } catch (RuntimeException | Error refused) {
            BatchLog.debug("the store executor takes nothing", refused);
            return false;
        }
    }

    /** Runs something that tells the host; on this thread when the executor takes nothing. */
    @SuppressWarnings("CatchingUnchecked") // an executor that takes nothing must not leave anybody waiting
    void onExecutor(Runnable task) {
        if (!tell(task)) {
            task.run();
        }
    }

    /** Runs something that tells the host; false when the executor takes nothing. */
    @SuppressWarnings("CatchingUnchecked")
    boolean tell(Runnable task) {
        try {
            work.execute(task);
            return true;
        } catch (RuntimeException | Error refused) {
            BatchLog.debug("the executor takes nothing", refused);
            return false;
        }
    }

    /**
     * Ends the threads that are its own, once what was handed over is done. Never blocks. Whoever asks a closed dispatcher for a result is still
     * answered, by a thread that lives for that.
     */
    void free() {
        own.forEach(executor -> executor.setKeepAliveTime(1, TimeUnit.MILLISECONDS));
        if (ownTime != null) {
            ownTime.close();
        }
    }

    private Executor own(ThreadPoolExecutor executor) {
        own.add(executor);
        return executor;
    }

    /** A thread for each run, and one for telling what has ended elsewhere. */
    private static ThreadPoolExecutor many(String name, int maxRunning) {
        return pool(name, maxRunning == Integer.MAX_VALUE ? maxRunning : maxRunning + 1);
    }

    private static ThreadPoolExecutor one(String name) {
        return pool(name, 1);
    }

    private static ThreadPoolExecutor pool(String name, int most) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                most, most, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), named(name));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    private static ThreadFactory named(String name) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        };
    }
}
