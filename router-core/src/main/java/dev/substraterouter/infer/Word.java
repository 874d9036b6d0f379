package dev.substraterouter.infer;

/** A word, a number or a mark, as it is compared, and where it stands in the text. */
record Word(String text, int start, int end, boolean number) {}
