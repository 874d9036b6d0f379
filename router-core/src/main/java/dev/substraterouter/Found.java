package dev.substraterouter;

/** What came of looking for a place: it is placed, turned down, or in the queue, where it may have been resolved already. */
sealed interface Found permits HeldPlacement, Refusal, Pending {}
