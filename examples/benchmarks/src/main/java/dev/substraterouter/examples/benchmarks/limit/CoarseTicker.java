package dev.substraterouter.examples.benchmarks.limit;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A clock that another thread moves about once a millisecond: a read is one load. */
@State(Scope.Benchmark)
public class CoarseTicker {
    private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private volatile long now = System.nanoTime();
    private volatile boolean running;

    /** Starts the clock. */
    @Setup(Level.Trial)
    public void start() {
        running = true;
        Thread thread = new Thread(this::run, "coarse-ticker");
        thread.setDaemon(true);
        thread.start();
    }

    /** Stops it. */
    @TearDown(Level.Trial)
    public void stop() {
        running = false;
    }

    long now() {
        return now;
    }

    private void run() {
        while (running) {
            LockSupport.parkNanos(STEP_NANOS);
            now = System.nanoTime();
        }
    }
}
