package dev.substraterouter.infer;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A length of time in a sentence: of a range the longer. */
record TimeSpan(Duration length, int from, int to) {
    private static final double MAX_SECONDS = Duration.ofDays(365).toSeconds();
    private static final Map<String, Double> UNITS = Map.ofEntries(
            Map.entry("ms", 0.001),
            Map.entry("millisecond", 0.001),
            Map.entry("milliseconds", 0.001),
            Map.entry("millis", 0.001),
            Map.entry("s", 1.0),
            Map.entry("sec", 1.0),
            Map.entry("secs", 1.0),
            Map.entry("second", 1.0),
            Map.entry("seconds", 1.0),
            Map.entry("min", 60.0),
            Map.entry("mins", 60.0),
            Map.entry("minute", 60.0),
            Map.entry("minutes", 60.0),
            Map.entry("h", 3600.0),
            Map.entry("hr", 3600.0),
            Map.entry("hrs", 3600.0),
            Map.entry("hour", 3600.0),
            Map.entry("hours", 3600.0),
            Map.entry("day", 86400.0),
            Map.entry("days", 86400.0),
            Map.entry("week", 604800.0),
            Map.entry("weeks", 604800.0));
    private static final Set<String> RANGES = Set.of("to", "-", "or");

    /** The time that begins here, above 0 and at most a year; null: none does. */
    static @Nullable TimeSpan at(Sentence sentence, int from) {
        Part part = part(sentence, from);
        if (part == null) {
            return null;
        }
        double seconds = part.seconds;
        int end = part.to;
        Part more = part(sentence, sentence.at(end).equals("and") ? end + 1 : end);
        if (more != null && more.unit < part.unit) {
            seconds += more.seconds;
            end = more.to;
        } else if (sentence.says(end, List.of("and", "a", "half"))) {
            seconds += part.unit / 2;
            end += 3;
        }
        long millis = Math.round(seconds * 1000);
        return millis > 0 && seconds <= MAX_SECONDS ? new TimeSpan(Duration.ofMillis(millis), from, end) : null;
    }

    private static @Nullable Part part(Sentence sentence, int from) {
        if (sentence.is(from, Set.of("a", "an", "half"))) {
            return words(sentence, from);
        }
        Quantity first = Quantity.at(sentence, from);
        if (first == null) {
            return null;
        }
        int next = from + first.length();
        Double unit = unit(sentence, from, next);
        if (unit != null) {
            return longer(sentence, new Part(first.value() * unit, unit, next + 1));
        }
        Quantity second = sentence.is(next, RANGES) ? Quantity.at(sentence, next + 1) : null;
        Double shared = second == null ? null : UNITS.get(sentence.at(next + 1 + second.length()));
        return second == null || shared == null
                ? null
                : new Part(Math.max(first.value(), second.value()) * shared, shared, next + 2 + second.length());
    }

    /** "30 minutes to 2 hours". */
    private static Part longer(Sentence sentence, Part part) {
        if (!sentence.at(part.to).equals("to") && !sentence.at(part.to).equals("-")) {
            return part;
        }
        Quantity high = Quantity.at(sentence, part.to + 1);
        Double unit = high == null ? null : UNITS.get(sentence.at(part.to + 1 + high.length()));
        return high == null || unit == null
                ? part
                : new Part(Math.max(part.seconds, high.value() * unit), unit, part.to + 2 + high.length());
    }

    /** "an hour", "half an hour", "half a minute". */
    private static @Nullable Part words(Sentence sentence, int from) {
        boolean half = sentence.at(from).equals("half");
        int unitAt = half ? from + 2 : from + 1;
        Double unit = sentence.at(unitAt).length() > 2 ? UNITS.get(sentence.at(unitAt)) : null;
        return unit == null ? null : new Part(half ? unit / 2 : unit, unit, unitAt + 1);
    }

    /** A bare "m" is minutes only in "1h30m": "30 m" may be metres. */
    private static @Nullable Double unit(Sentence sentence, int from, int at) {
        if (sentence.at(at).equals("m")
                && sentence.joined(from - 1, from)
                && sentence.at(from - 1).equals("h")) {
            return 60.0;
        }
        return UNITS.get(sentence.at(at));
    }

    private record Part(double seconds, double unit, int to) {}
}
