package dev.substraterouter.infer;

/** How a sentence stands to a thing that it names, and the words that say so, the thing's own among them. */
record Verdict(Stance stance, int from, int to) {}
