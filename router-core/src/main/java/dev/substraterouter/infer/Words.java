package dev.substraterouter.infer;

import java.util.List;
import java.util.Set;

/** Reads a set of words that is written as text. */
final class Words {
    private Words() {}

    /** The words, which spaces and lines divide. */
    static Set<String> set(String text) {
        return Set.copyOf(List.of(text.strip().split("\\s+", -1)));
    }
}
