package dev.substraterouter.infer;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A number in digits or in words, and how many words it took. */
record Quantity(double value, int length) {
    private static final Map<String, Integer> UNITS = Map.ofEntries(
            Map.entry("one", 1),
            Map.entry("two", 2),
            Map.entry("three", 3),
            Map.entry("four", 4),
            Map.entry("five", 5),
            Map.entry("six", 6),
            Map.entry("seven", 7),
            Map.entry("eight", 8),
            Map.entry("nine", 9),
            Map.entry("ten", 10),
            Map.entry("eleven", 11),
            Map.entry("twelve", 12),
            Map.entry("fifteen", 15),
            Map.entry("sixteen", 16));
    private static final Map<String, Integer> TENS = Map.of(
            "twenty", 20, "thirty", 30, "forty", 40, "fifty", 50, "sixty", 60, "seventy", 70, "eighty", 80, "ninety",
            90);

    static @Nullable Quantity at(Sentence sentence, int index) {
        if (sentence.isNumber(index)) {
            return new Quantity(Double.parseDouble(sentence.at(index)), 1);
        }
        Integer tens = TENS.get(sentence.at(index));
        if (tens != null) {
            Integer units = UNITS.get(sentence.at(index + 1));
            return units != null && units < 10 ? new Quantity(tens + units, 2) : new Quantity(tens, 1);
        }
        Integer units = UNITS.get(sentence.at(index));
        return units == null ? null : new Quantity(units, 1);
    }

    /** Whether it can be a number of GPUs. */
    boolean isCount() {
        return value >= 2 && value <= 64 && value == Math.rint(value);
    }
}
