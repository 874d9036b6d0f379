package dev.substraterouter.probe.http;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A page of metrics in Prometheus' text format (0.0.4; what OpenMetrics adds is passed over), read once from its bytes. Only the wanted
 * families are kept, by their whole names.
 *
 * <p>Lenient: a line that cannot be read costs that line only, so one broken value never hides the others. Bounded in lines, in their
 * length, in labels and in kept samples. Never throws. A family of which the page has no sample is empty, which is unknown and not zero.
 */
final class PrometheusText {
    static final int MAX_LINES = 200_000;
    static final int MAX_SAMPLES = 10_000;

    private final Map<String, List<Sample>> families = new HashMap<>();
    private int lines;
    private int kept;
    private boolean metrics;
    private boolean cut;

    private PrometheusText() {}

    /** One sample: its labels and its value, which may be infinite or not a number. */
    record Sample(Map<String, String> labels, double value) {
        /** The value of a label; empty when it has none. */
        String label(String name) {
            return labels.getOrDefault(name, "");
        }
    }

    /** Reads a page. */
    static PrometheusText read(byte[] body, Set<String> wanted) {
        PrometheusText page = new PrometheusText();
        int from = 0;
        while (from < body.length && !page.cut) {
            int end = from;
            while (end < body.length && body[end] != '\n') {
                end++;
            }
            page.line(body, from, end, wanted);
            from = end + 1;
        }
        return page;
    }

    private void line(byte[] body, int from, int end, Set<String> wanted) {
        if (++lines > MAX_LINES) {
            cut = true;
            return;
        }
        PrometheusLine line = new PrometheusLine(body, from, end);
        if (line.isBlank()) {
            return;
        }
        if (line.isComment()) {
            metrics |= line.isKnownComment();
            return;
        }
        Sample sample = line.sample(wanted);
        metrics |= line.isSample();
        if (sample != null) {
            keep(line.name(), sample);
        }
    }

    private void keep(String name, Sample sample) {
        if (++kept > MAX_SAMPLES) {
            cut = true;
        } else {
            families.computeIfAbsent(name, any -> new ArrayList<>()).add(sample);
        }
    }

    /** True if at least one line was a sample, or said what a family is. */
    boolean isMetrics() {
        return metrics;
    }

    /** True if the page has more lines or wanted samples than are read: a sum over it would be short. */
    boolean cut() {
        return cut;
    }

    /** The samples of the first of the given names that has any, in the order of the page. */
    List<Sample> samples(String... names) {
        for (String name : names) {
            List<Sample> found = families.get(name);
            if (found != null) {
                return found;
            }
        }
        return List.of();
    }

    /**
     * The sum over the series of the first of the given names that has any. Series that differ in nothing but the given labels tell the
     * same thing several times: the largest of them counts once. {@code NaN} when there is none; {@link #told} tells that apart.
     */
    double sum(Set<String> replicas, String... names) {
        Map<String, Double> largest = new HashMap<>();
        for (Sample sample : samples(names)) {
            largest.merge(key(sample, replicas), sample.value(), Math::max);
        }
        return largest.isEmpty()
                ? Double.NaN
                : largest.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    /** One text for each set of labels: unlike the set itself it can be compared, so that labels made to collide cost no more than others. */
    private static String key(Sample sample, Set<String> replicas) {
        StringBuilder key = new StringBuilder();
        new TreeMap<>(sample.labels()).forEach((label, value) -> {
            if (!replicas.contains(label)) {
                key.append(label.length()).append(' ').append(label);
                key.append(value.length()).append(' ').append(value);
            }
        });
        return key.toString();
    }

    /** The largest value of the first of the given names that has any; {@code NaN} when there is none. */
    double max(String... names) {
        return samples(names).stream().mapToDouble(Sample::value).max().orElse(Double.NaN);
    }

    /** True if one of the given names has a sample. */
    boolean told(String... names) {
        return !samples(names).isEmpty();
    }

    /** The values of a label over the samples of the given names, none of them blank, each once, in the order of the page. */
    List<String> labels(String label, String... names) {
        Set<String> seen = new HashSet<>();
        return Arrays.stream(names)
                .flatMap(name -> samples(name).stream())
                .map(sample -> sample.label(label))
                .filter(value -> !value.isBlank() && seen.add(value))
                .toList();
    }

    /** A label's value, or null when the sample has none or it is blank. */
    static @Nullable String said(Sample sample, String... labels) {
        return Arrays.stream(labels)
                .map(sample::label)
                .filter(value -> !value.isBlank())
                .findFirst()
                .orElse(null);
    }
}
