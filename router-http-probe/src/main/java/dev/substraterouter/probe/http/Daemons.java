package dev.substraterouter.probe.http;

import java.lang.reflect.InvocationTargetException;
import java.net.http.HttpClient;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The threads of a probe: how they are named and how they end. */
final class Daemons {
    private static final int WORKERS = 2;
    private static final int LOOKUPS = 4;
    private static final int NAMES = 2;
    private static final int LOOKUP_IDLE_SECONDS = 10;
    private static final long LAST_IDLE_MILLIS = 50;

    private Daemons() {}

    /** Daemon threads with numbered names. */
    static ThreadFactory named(String prefix) {
        AtomicInteger count = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, prefix + "-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    /** The few threads that read answers. What waits there is bounded by one question in flight for each address. */
    static ThreadPoolExecutor workers(String name) {
        return new ThreadPoolExecutor(
                WORKERS,
                WORKERS,
                LAST_IDLE_MILLIS,
                TimeUnit.MILLISECONDS,
                new LinkedBlockingQueue<>(),
                named(name + "-worker"));
    }

    /** The few threads on which names are looked up and token files are read; each ends after some seconds without work. */
    static ThreadPoolExecutor lookups(String name) {
        return expiring(LOOKUPS, name + "-lookup");
    }

    /** The two threads on which the names of endpoints are looked up, apart from what polls wait for. */
    static ThreadPoolExecutor names(String name) {
        return expiring(NAMES, name + "-names");
    }

    private static ThreadPoolExecutor expiring(int threads, String name) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                threads, threads, LOOKUP_IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), named(name));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /**
     * Lets the threads of a pool end as soon as they have nothing to do. Not a shutdown: the HTTP client still sweeps up after what was
     * called off, and would take a refusal badly.
     */
    static void expire(ThreadPoolExecutor pool) {
        pool.allowCoreThreadTimeOut(true);
    }

    /** Tells a client to end, where the JDK has a way to (21 and later). */
    static void endNow(HttpClient client) {
        try {
            HttpClient.class.getMethod("shutdownNow").invoke(client);
        } catch (NoSuchMethodException before21) {
            // its thread ends when the client is collected
        } catch (IllegalAccessException | InvocationTargetException failed) {
            System.getLogger(HttpStatusProbe.class.getName())
                    .log(System.Logger.Level.WARNING, "the HTTP client could not be ended", failed);
        }
    }
}
