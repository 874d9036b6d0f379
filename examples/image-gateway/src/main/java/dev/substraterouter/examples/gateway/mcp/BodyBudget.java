package dev.substraterouter.examples.gateway.mcp;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How many bytes of requests may be in memory together. A request's bytes count from before they are read until it is answered, as a call holds
 * its arguments that long. Who finds no room is turned away and does not wait: waiting requests would be as many. Thread-safe; never blocks.
 */
final class BodyBudget {
    private final long most;
    private final AtomicLong taken = new AtomicLong();

    BodyBudget(long most) {
        this.most = most;
    }

    /** Whether there is room for so many bytes; if so, they are taken, and must be given back. */
    boolean take(long bytes) {
        long before = taken.getAndUpdate(now -> now + bytes <= most ? now + bytes : now);
        return before + bytes <= most;
    }

    void giveBack(long bytes) {
        taken.addAndGet(-bytes);
    }

    @Override
    public String toString() {
        return taken + " of " + most + " bytes";
    }
}
