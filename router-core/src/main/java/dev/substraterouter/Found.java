package dev.substraterouter;

/**
 * What came of looking for a place: it is placed, granted one by the queue, turned down, or waits; who waits is told by whoever serves it,
 * and by nobody else.
 */
sealed interface Found permits HeldPlacement, Grant, Refusal, Pending {}
