package dev.substraterouter.examples.benchmarks.goals;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** What was measured: any number of values for each figure, of which the median counts. Not thread-safe. */
final class Figures {
    private final Map<Figure, List<Double>> values = new HashMap<>();

    /** Adds a value. */
    void add(Figure figure, double value) {
        values.computeIfAbsent(figure, absent -> new ArrayList<>()).add(value);
    }

    /** The median of a figure's values; empty when it was not measured. */
    OptionalDouble of(Figure figure) {
        List<Double> sorted = new ArrayList<>(values.getOrDefault(figure, List.of()));
        if (sorted.isEmpty()) {
            return OptionalDouble.empty();
        }
        Collections.sort(sorted);
        int middle = sorted.size() / 2;
        return OptionalDouble.of(
                sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2);
    }

    /** The sum that a figure is compared with; empty when a part of it was not measured. */
    OptionalDouble of(Denominator denominator) {
        double sum = 0;
        for (Figure part : denominator.parts()) {
            OptionalDouble value = of(part);
            if (value.isEmpty()) {
                return value;
            }
            sum += value.getAsDouble();
        }
        return OptionalDouble.of(sum);
    }
}
