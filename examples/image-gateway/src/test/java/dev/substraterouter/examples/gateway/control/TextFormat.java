package dev.substraterouter.examples.gateway.control;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A strict reader of the Prometheus text format 0.0.4: what a scraper may take in silence, or drop, is a fault here. A family is told once
 * and as a whole, by HELP and TYPE before its samples; no series twice; counters end in {@code _total}; the buckets of a histogram are
 * cumulative and end with {@code +Inf}, which is its count.
 */
public final class TextFormat {
    private static final Pattern NAME = Pattern.compile("[a-zA-Z_:][a-zA-Z0-9_:]*");
    private static final Pattern SAMPLE = Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)})? (\\S+)");
    private static final Pattern LABEL =
            Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\\n]|\\\\[\\\\\"n])*)\"(,|$)");
    private static final Set<String> TYPES = Set.of("counter", "gauge", "histogram", "summary", "untyped");
    private static final Map<String, List<String>> SUFFIXES =
            Map.of("histogram", List.of("_bucket", "_sum", "_count"), "summary", List.of("", "_sum", "_count"));

    private final List<String> faults = new ArrayList<>();
    private final Map<String, String> types = new LinkedHashMap<>();
    private final Set<String> helped = new HashSet<>();
    private final Set<String> series = new HashSet<>();
    /** By the series of a histogram without its bound, its buckets in their order. */
    private final Map<String, Map<Double, Double>> buckets = new LinkedHashMap<>();

    private final Map<String, Double> counts = new LinkedHashMap<>();
    private String family = "";

    private TextFormat() {}

    /** Everything that is wrong with a text; empty: nothing. */
    public static List<String> faults(String text) {
        TextFormat reader = new TextFormat();
        reader.read(text);
        return reader.faults;
    }

    private void read(String text) {
        if (!text.endsWith("\n") || text.contains("\r")) {
            faults.add("does not end with a line feed, or has carriage returns");
        }
        text.lines().filter(line -> !line.isEmpty()).forEach(this::line);
        buckets.forEach(this::histogram);
    }

    private void line(String line) {
        if (line.startsWith("# HELP ") || line.startsWith("# TYPE ")) {
            described(line.substring(2, 6), line.substring(7).split(" ", 2), line);
        } else if (!line.startsWith("#")) {
            sample(line);
        }
    }

    private void described(String what, String[] parts, String line) {
        String name = parts[0];
        if (!NAME.matcher(name).matches() || parts.length < 2) {
            faults.add("no name or nothing after it: " + line);
            return;
        }
        if (what.equals("HELP")) {
            check(helped.add(name) && !types.containsKey(name), "HELP twice, or after TYPE: " + line);
            check(parts[1].replaceAll("\\\\[\\\\n]", "").indexOf('\\') < 0, "not escaped: " + line);
        } else {
            check(types.put(name, parts[1]) == null, "TYPE twice: " + line);
            check(TYPES.contains(parts[1]), "unknown type: " + line);
            check(helped.contains(name), "TYPE without HELP before it: " + line);
            check(
                    !parts[1].equals("counter") || name.endsWith("_total"),
                    "a counter that does not end in _total: " + line);
        }
        family = name;
    }

    private void sample(String line) {
        Matcher parts = SAMPLE.matcher(line);
        if (!parts.matches()) {
            faults.add("no sample: " + line);
            return;
        }
        String name = parts.group(1);
        Map<String, String> labels = labels(parts.group(2) == null ? "" : parts.group(2), line);
        check(belongs(name), "outside of its family " + family + ": " + line);
        check(series.add(name + labels), "twice: " + line);
        double value = value(parts.group(3), line);
        if ("histogram".equals(types.get(family))) {
            bucket(name, new TreeMap<>(labels), value, line);
        }
        if ("counter".equals(types.get(family))) {
            check(value >= 0, "a counter below zero: " + line);
        }
    }

    private boolean belongs(String name) {
        String type = types.get(family);
        return type != null
                && SUFFIXES.getOrDefault(type, List.of("")).stream().anyMatch(suffix -> name.equals(family + suffix));
    }

    private void bucket(String name, TreeMap<String, String> labels, double value, String line) {
        String bound = labels.remove("le");
        String key = family + labels;
        if (name.endsWith("_bucket")) {
            check(bound != null, "a bucket without a bound: " + line);
            buckets.computeIfAbsent(key, any -> new LinkedHashMap<>())
                    .put(bound == null ? Double.NaN : value(bound, line), value);
        } else if (name.endsWith("_count")) {
            counts.put(key, value);
        }
    }

    private void histogram(String key, Map<Double, Double> all) {
        double bound = Double.NEGATIVE_INFINITY;
        double count = 0;
        for (Map.Entry<Double, Double> bucket : all.entrySet()) {
            check(
                    bucket.getKey() > bound && bucket.getValue() >= count,
                    "not cumulative: " + key + " at " + bucket.getKey());
            bound = bucket.getKey();
            count = bucket.getValue();
        }
        check(bound == Double.POSITIVE_INFINITY, "no +Inf: " + key);
        check(
                counts.getOrDefault(key, Double.NaN) == count,
                "+Inf is " + count + ", _count " + counts.get(key) + ": " + key);
    }

    private Map<String, String> labels(String text, String line) {
        Map<String, String> labels = new TreeMap<>();
        Matcher label = LABEL.matcher(text);
        int end = 0;
        while (label.find() && label.start() == end) {
            check(labels.put(label.group(1), label.group(2)) == null, "a label twice: " + line);
            end = label.end();
        }
        check(end == text.length(), "no labels from character " + end + " on: " + line);
        return labels;
    }

    private double value(String text, String line) {
        try {
            return switch (text) {
                case "+Inf" -> Double.POSITIVE_INFINITY;
                case "-Inf" -> Double.NEGATIVE_INFINITY;
                default -> Double.parseDouble(text);
            };
        } catch (NumberFormatException e) {
            faults.add("no number (" + e.getMessage() + "): " + line);
            return Double.NaN;
        }
    }

    private void check(boolean right, String fault) {
        if (!right) {
            faults.add(fault);
        }
    }
}
