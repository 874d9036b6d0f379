package dev.substraterouter.examples.gateway;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits, with a deadline, for what other threads and processes do. */
public final class Eventually {
    /** How long a test waits for anything. */
    public static final Duration PATIENCE = Duration.ofSeconds(20);

    private Eventually() {}

    /** Waits until something holds; the words tell what did not, when it does not within {@link #PATIENCE}. */
    public static void until(String what, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("not within " + PATIENCE.toSeconds() + " s: " + what);
            }
            Thread.sleep(5);
        }
    }
}
