package dev.substraterouter.examples.gateway.mcp;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Ends the thread on which a transport of the SDK looks for sessions that nobody uses. The SDK starts one that is not a daemon and calls off what
 * runs on it when it is closed, but never ends it (2.1.0): the process would live on for its sake. Thread-safe.
 */
final class Sweepers implements AutoCloseable {
    private static final String NAME = "session-sweeper";

    private final List<ScheduledExecutorService> threads = new CopyOnWriteArrayList<>();

    /** What is built by this, on this thread, has its sweeper ended with these. */
    <T> T noting(Supplier<T> build) {
        String key = Sweepers.class.getName() + "@" + System.identityHashCode(this);
        Thread builder = Thread.currentThread();
        Schedulers.addExecutorServiceDecorator(key, (scheduler, thread) -> {
            if (Thread.currentThread() == builder && isSweeper(scheduler)) {
                threads.add(thread);
            }
            return thread;
        });
        try {
            return build.get();
        } finally {
            Schedulers.removeExecutorServiceDecorator(key);
        }
    }

    private static boolean isSweeper(Scheduler scheduler) {
        return scheduler.toString().contains(NAME);
    }

    @Override
    public void close() {
        threads.forEach(ScheduledExecutorService::shutdownNow);
    }
}
