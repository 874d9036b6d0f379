package dev.substraterouter.examples.gateway;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A few threads for what the router tells others. The common pool of a machine with two processors has one thread, on which listeners that all have something to
 * do would wait for each other. Threads that have nothing to do end. Thread-safe.
 */
final class Threads implements Executor, AutoCloseable {
    private static final long IDLE_SECONDS = 30;

    private final ThreadPoolExecutor pool;

    Threads(String name, int most) {
        AtomicInteger number = new AtomicInteger();
        pool = new ThreadPoolExecutor(most, most, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
            Thread thread = new Thread(task, name + "-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
        pool.allowCoreThreadTimeOut(true);
    }

    @Override
    public void execute(Runnable task) {
        pool.execute(task);
    }

    /** Ends when what it was given is done; does not wait for it. */
    @Override
    public void close() {
        pool.shutdown();
    }
}
