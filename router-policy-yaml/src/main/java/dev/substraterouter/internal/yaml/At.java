package dev.substraterouter.internal.yaml;

import dev.substraterouter.internal.yaml.Node.Entry;
import dev.substraterouter.internal.yaml.Node.Place;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where in the file a value is being read.
 *
 * @param problems where problems go
 * @param path its path, for example {@code workloads.sdxl.route[0]}; empty at the top
 * @param label what messages call it, for example {@code route[0]}
 * @param hidden whether messages must not repeat values from here, as somebody may have put a token there
 */
public record At(Problems problems, String path, String label, boolean hidden) {
    /** The longest key: no name may be longer, and a path that repeats it thousands of times must not fill the memory. */
    private static final int MAX_KEY = 128;

    /** At the top of a file, all of which messages call by the label, for example {@code the policy}. */
    public static At top(Problems problems, String label) {
        return new At(problems, "", label, false);
    }

    /** The value of a key. */
    public At key(String key) {
        return new At(problems, path.isEmpty() ? key : path + "." + key, key, hidden);
    }

    /** An item of a list. */
    public At item(int index) {
        return new At(problems, path + "[" + index + "]", label + "[" + index + "]", hidden);
    }

    /** The same place, with messages that do not repeat values. */
    public At hiding() {
        return new At(problems, path, label, true);
    }

    /** Notes where its value stands, where no key says so. */
    public At standsAt(Place place) {
        problems.value(path, place);
        return this;
    }

    /** The entries of a map by key, each noted with its place; those too long or not the first of their key are reported. */
    public Map<String, Entry> entries(Node.Mapping mapping) {
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
    public void reportKey(String code, Entry entry, String what) {
        At at = hidden ? this : key(Node.shortened(entry.key()));
        problems.reportKey(code, at.path, entry.place(), (hidden ? label + ": a key" : "'" + at.label + "'") + what);
    }

    /** Reports a value of the wrong type. */
    public <V> Optional<V> wrong(Node node, String expected) {
        return refuse("wrong-type", node, expected);
    }

    /** Reports a value. */
    public <V> Optional<V> refuse(String code, Node node, String expected) {
        return refuse(code, node, hidden && node instanceof Node.Scalar ? "a text" : node.shown(), expected);
    }

    /** Reports a value in other words than its own. */
    public <V> Optional<V> refuse(String code, Node node, String shown, String expected) {
        report(code, node.place(), Node.shortened(label) + ": " + shown + " (expected: " + expected + ")");
        return Optional.empty();
    }

    /** Reports something about what stands here. */
    public void report(String code, Place place, String message) {
        problems.report(code, path, place, message);
    }

    /** Drops what the model's own check says of it. */
    public void ignore() {
        problems.ignore(path);
    }

    /** Reports that a key is not there. */
    public void missing(String key) {
        At at = key(key);
        at.report("missing", problems.place(at.path), key + ": absent (expected: a value)");
    }

    /** Reports that of some keys not exactly one is there. */
    public void conflict(String given, List<String> oneOf) {
        report(
                "conflict",
                problems.place(path),
                label + ": " + given + " (expected: one of " + String.join(", ", oneOf) + ")");
    }
}
