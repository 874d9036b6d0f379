/** The decision: a pure function of a revision, a snapshot of gate and ledger, a request and the time; and the one atomic it is committed to. */
@NullMarked
package dev.substraterouter.internal.decide;

import org.jspecify.annotations.NullMarked;
