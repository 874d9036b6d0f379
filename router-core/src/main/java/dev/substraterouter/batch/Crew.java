package dev.substraterouter.batch;

import dev.substraterouter.time.SystemTimeSource;
import dev.substraterouter.time.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
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

    private final List<ExecutorService> own = new ArrayList<>();
    private final @Nullable SystemTimeSource ownTime;
    private final TimeSource time;
    private final Executor work;
    private final Executor clerk;

    Crew(String name, @Nullable TimeSource time, @Nullable Executor work, @Nullable Executor clerk) {
        ownTime = time == null ? new SystemTimeSource(name + "-scheduler") : null;
        this.time = time == null ? java.util.Objects.requireNonNull(ownTime) : time;
        this.work = work != null ? work : own(many(name + "-work"));
        this.clerk = clerk != null ? clerk : own(one(name + "-store"));
    }

    TimeSource time() {
        return time;
    }

    Executor work() {
        return work;
    }

    /** Runs something that asks the store or the router. What refuses is logged: there is another look. */
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
        try {
            work.execute(task);
        } catch (RuntimeException | Error refused) {
            BatchLog.debug("the executor takes nothing", refused);
            task.run();
        }
    }

    /** Ends what is its own, once what was handed over is done. Never blocks. */
    void free() {
        own.forEach(ExecutorService::shutdown);
        if (ownTime != null) {
            ownTime.close();
        }
    }

    private Executor own(ExecutorService executor) {
        own.add(executor);
        return executor;
    }

    private static ThreadPoolExecutor many(String name) {
        return new ThreadPoolExecutor(
                0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), named(name));
    }

    private static ThreadPoolExecutor one(String name) {
        ThreadPoolExecutor one =
                new ThreadPoolExecutor(1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), named(name));
        one.allowCoreThreadTimeOut(true);
        return one;
    }

    private static ThreadFactory named(String name) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        };
    }
}
