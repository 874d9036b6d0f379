package dev.substraterouter.examples.benchmarks.limit;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Closed by whoever comes first, from any thread; every later close does nothing. */
abstract class OnceLease {
    private static final VarHandle CLOSED;

    static {
        try {
            CLOSED = MethodHandles.lookup().findVarHandle(OnceLease.class, "closed", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Written through {@link #CLOSED}. */
    @SuppressWarnings("UnusedVariable")
    private volatile int closed;

    /** Whether this caller is the one that closes. */
    final boolean firstToClose() {
        return CLOSED.compareAndSet(this, 0, 1);
    }
}
