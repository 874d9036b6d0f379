package dev.substraterouter.examples.benchmarks.goals;

import java.util.List;

/**
 * What a figure is compared with: the sum of figures of the same run, of which one may be counted several times.
 *
 * @param words what it is, for people
 * @param parts the figures
 */
record Denominator(String words, List<Figure> parts) {
    Denominator {
        parts = List.copyOf(parts);
    }

    static Denominator of(String words, Figure... parts) {
        return new Denominator(words, List.of(parts));
    }
}
