package dev.substraterouter.internal.admission;

/** A lease of which the ledger knows more than that it was taken. */
record Marked(Lease lease, int gpu, boolean seen, boolean lingering, long endedNanos) implements Held {}
