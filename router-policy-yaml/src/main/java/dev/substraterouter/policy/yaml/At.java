package dev.substraterouter.policy.yaml;

import dev.substraterouter.policy.yaml.Node.Entry;
import dev.substraterouter.policy.yaml.Node.Place;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where in the policy a value is being read.
 *
 * @param problems where problems go
 * @param path its path, for example {@code workloads.sdxl.route[0]}; empty at the top
 * @param label what messages call it, for example {@code route[0]}
 * @param hidden whether messages must not repeat values from here, as somebody may have put a token there
 */
record At(Problems problems, String path, String label, boolean hidden) {
    /** The longest key: no name may be longer, and a path that repeats it thousands of times must not fill the memory. */
    private static final int MAX_KEY = 128;

    static At top(Problems problems) {
        return new At(problems, "", "the policy", false);
    }

    At key(String key) {
        return new At(problems, path.isEmpty() ? key : path + "." + key, key, hidden);
    }

    At item(int index) {
        return new At(problems, path + "[" + index + "]", label + "[" + index + "]", hidden);
    }

    At hiding() {
        return new At(problems, path, label, true);
    }

    /** Notes where its value stands, where no key says so. */
    At standsAt(Place place) {
        problems.value(path, place);
        return this;
    }

    /** The entries of a map by key, each noted with its place; those too long or not the first of their key are reported. */
    Map<String, Entry> entries(Node.Mapping mapping) {
        Map<String, Entry> entries = new LinkedHashMap<>();
        for (Entry entry : mapping.entries()) {
            if (entry.key().length() > MAX_KEY) {
                reportKey("bad-name", entry, " has too many characters (expected: at most " + MAX_KEY + ")");
                continue;
            }
            Entry first = entries.putIfAbsent(entry.key(), entry);
            if (first == null) {
                problems.entry(
                        key(entry.key()).path, entry.place(), entry.value().place());
            } else {
                reportKey(
                        "duplicate",
                        entry,
                        " is declared twice, in line " + first.place().line() + " and in line "
                                + entry.place().line() + " (expected: once)");
            }
        }
        return entries;
    }

    /** Reports a key, by name unless that is hidden. */
    void reportKey(String code, Entry entry, String what) {
        At at = hidden ? this : key(Node.shortened(entry.key()));
        problems.reportKey(code, at.path, entry.place(), (hidden ? label + ": a key" : "'" + at.label + "'") + what);
    }

    /** Reports a value of the wrong type. */
    <V> Optional<V> wrong(Node node, String expected) {
        return refuse("wrong-type", node, expected);
    }

    /** Reports a value. */
    <V> Optional<V> refuse(String code, Node node, String expected) {
        return refuse(code, node, hidden && node instanceof Node.Scalar ? "a text" : node.shown(), expected);
    }

    /** Reports a value in other words than its own. */
    <V> Optional<V> refuse(String code, Node node, String shown, String expected) {
        report(code, node.place(), Node.shortened(label) + ": " + shown + " (expected: " + expected + ")");
        return Optional.empty();
    }

    void report(String code, Place place, String message) {
        problems.report(code, path, place, message);
    }

    /** Drops what the policy's own check says of it. */
    void ignore() {
        problems.ignore(path);
    }

    /** Reports that a key is not there. */
    void missing(String key) {
        At at = key(key);
        at.report("missing", problems.place(at.path), key + ": absent (expected: a value)");
    }

    /** Reports that of some keys not exactly one is there. */
    void conflict(String given, List<String> oneOf) {
        report(
                "conflict",
                problems.place(path),
                label + ": " + given + " (expected: one of " + String.join(", ", oneOf) + ")");
    }
}
