package dev.substraterouter.infer;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An amount of memory: of a range or of alternatives the larger.
 *
 * @param gb GiB, of all GPUs together
 * @param gpus how many GPUs it is spread over, as far as the amount itself says so
 * @param choice whether it is the larger of two that were both said to do
 */
record Amount(double gb, int gpus, boolean choice, int from, int to) {
    private static final Map<String, Double> UNITS = Map.ofEntries(
            Map.entry("gb", 1.0),
            Map.entry("gbs", 1.0),
            Map.entry("gib", 1.0),
            Map.entry("gibs", 1.0),
            Map.entry("gigabyte", 1.0),
            Map.entry("gigabytes", 1.0),
            Map.entry("gibibyte", 1.0),
            Map.entry("gibibytes", 1.0),
            Map.entry("gig", 1.0),
            Map.entry("gigs", 1.0),
            Map.entry("g", 1.0),
            Map.entry("mb", 1.0 / 1024),
            Map.entry("mib", 1.0 / 1024),
            Map.entry("megabyte", 1.0 / 1024),
            Map.entry("megabytes", 1.0 / 1024),
            Map.entry("mebibytes", 1.0 / 1024),
            Map.entry("tb", 1024.0),
            Map.entry("tib", 1024.0),
            Map.entry("terabyte", 1024.0),
            Map.entry("terabytes", 1024.0));
    private static final Set<String> RANGES = Set.of("to", "-", "and", "or");
    private static final Set<String> NETWORKS =
            Set.of("network", "link", "uplink", "ethernet", "connection", "modem", "mobile", "signal", "lan", "nic");
    private static final Set<String> OPENS = Set.of("between", "from");
    private static final Set<String> CARDS = Set.of("card", "cards", "gpu", "gpus");

    /** The amount that begins here; null: none does. */
    static @Nullable Amount at(Sentence sentence, int from) {
        Quantity first = Quantity.at(sentence, from);
        if (first == null) {
            return null;
        }
        int next = from + first.length();
        Double unit = unit(sentence, next);
        if (unit != null) {
            Amount one = new Amount(first.value() * unit, 1, false, from, next + 1);
            return range(sentence, one);
        }
        Amount second = sentence.is(next, RANGES) ? single(sentence, next + 1) : null;
        if (second != null && (!sentence.at(next).equals("and") || opens(sentence, from))) {
            double value = first.value() * unitOf(sentence, second);
            boolean choice = sentence.at(next).equals("or") && value != second.gb;
            return new Amount(Math.max(value, second.gb), 1, choice, begin(sentence, from), second.to);
        }
        return first.isCount() ? each(sentence, from, next, (int) first.value()) : null;
    }

    /** One number and its unit: a second amount begins no range of its own, or a row of numbers would be read again and again. */
    private static @Nullable Amount single(Sentence sentence, int from) {
        Quantity number = Quantity.at(sentence, from);
        Double unit = number == null ? null : unit(sentence, from + number.length());
        return number == null || unit == null
                ? null
                : new Amount(number.value() * unit, 1, false, from, from + number.length() + 1);
    }

    /** "2 x 16 GB", "two 16 GB cards", "two A100 with 80 GB". */
    private static @Nullable Amount each(Sentence sentence, int from, int next, int count) {
        int at = next;
        boolean counted = sentence.at(at).equals("x");
        at += counted ? 1 : 0;
        Term term = Vocabulary.at(sentence, at);
        if (term != null) {
            at += term.length();
            counted = true;
        }
        while (sentence.is(
                at, Set.of("with", "of", "s", "nvidia", "card", "cards", "gpu", "gpus", ",", "having", "at"))) {
            counted |= sentence.is(at, CARDS);
            at++;
        }
        Quantity size = Quantity.at(sentence, at);
        Double unit = size == null ? null : unit(sentence, at + size.length());
        if (size == null || unit == null) {
            return null;
        }
        int end = at + size.length() + 1;
        counted |= sentence.is(end, CARDS) || sentence.is(end + 1, CARDS);
        return counted ? new Amount(count * size.value() * unit, count, false, from, end) : null;
    }

    private static Amount range(Sentence sentence, Amount low) {
        String word = sentence.at(low.to);
        boolean between = word.equals("to") || word.equals("-") || (word.equals("and") && opens(sentence, low.from));
        Amount high = between ? single(sentence, low.to + 1) : null;
        return high != null ? new Amount(Math.max(low.gb, high.gb), 1, false, begin(sentence, low.from), high.to) : low;
    }

    private static int begin(Sentence sentence, int from) {
        return opens(sentence, from) ? from - 1 : from;
    }

    private static boolean opens(Sentence sentence, int from) {
        return sentence.is(from - 1, OPENS);
    }

    private static double unitOf(Sentence sentence, Amount amount) {
        Double unit = unit(sentence, amount.to - 1);
        return unit == null ? 1 : unit;
    }

    private static @Nullable Double unit(Sentence sentence, int at) {
        return sentence.is(at + 1, NETWORKS) ? null : UNITS.get(sentence.at(at));
    }
}
