package dev.substraterouter.internal.yaml;

import dev.substraterouter.internal.yaml.Node.Entry;
import dev.substraterouter.internal.yaml.Node.Kind;
import dev.substraterouter.internal.yaml.Node.Mapping;
import dev.substraterouter.internal.yaml.Node.Scalar;
import dev.substraterouter.internal.yaml.Node.Sequence;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/**
 * Writes nodes as YAML: the sections below one another, and within them on one line what fits on one.
 *
 * <p>A text is put in quotes unless it is plainly one: it stays what it is for readers of YAML 1.1 and 1.2, within brackets and outside.
 */
public final class YamlWriter {
    private static final int WIDTH = 120;

    /** Words that some reader of YAML takes for something else than a text. */
    private static final Set<String> RESERVED =
            Set.of("y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf", "infinity");

    /** Those of them that are keys of the format, and stand in every file as they are. */
    private static final Set<String> WORDS_OF_THE_FORMAT = Set.of("on", "n");

    /** Marks that mean nothing to YAML, but for some at the beginning. */
    private static final String HARMLESS = "_/.+-()=;%@* ";

    /** What numbers, dates and times never have, not even hexadecimal ones: one of these makes a text of what begins with a digit. */
    private static final String NO_NUMBER = "ghijklmnpqrsuvwy/";

    private static final Pattern PLAIN_ADDRESS = Pattern.compile("https?://[A-Za-z0-9._~/:-]*[A-Za-z0-9_~/]");

    private YamlWriter() {}

    /** The text of a document. */
    public static String write(Mapping root) {
        StringBuilder text = new StringBuilder();
        for (Entry section : root.entries()) {
            if (isIndivisible(section.value())) {
                text.append(onOneLine(section)).append('\n');
            } else {
                below(key(section.key()), block(section.value(), WIDTH - 2))
                        .forEach(line -> text.append(line).append('\n'));
            }
        }
        return text.toString();
    }

    /** The lines of a list or map, each entry and item on a line of its own or on several. */
    private static List<String> block(Node node, int width) {
        List<String> lines = new ArrayList<>();
        if (isIndivisible(node)) {
            lines.add(inBrackets(node));
        } else if (node instanceof Mapping mapping) {
            mapping.entries().forEach(entry -> lines.addAll(entry(entry, width)));
        } else if (node instanceof Sequence sequence) {
            sequence.items().forEach(item -> lines.addAll(item(item, width)));
        }
        return lines;
    }

    /** What is written on one line however long that gets. */
    private static boolean isIndivisible(Node node) {
        return node instanceof Scalar
                || (node instanceof Sequence sequence && sequence.items().isEmpty())
                || (node instanceof Mapping mapping && mapping.entries().isEmpty());
    }

    private static List<String> entry(Entry entry, int width) {
        String line = onOneLine(entry);
        return line.length() <= width || isIndivisible(entry.value())
                ? List.of(line)
                : below(key(entry.key()), block(entry.value(), width - 2));
    }

    private static List<String> item(Node item, int width) {
        String line = inBrackets(item);
        if (line.length() + 2 <= width || isIndivisible(item)) {
            return List.of("- " + line);
        }
        List<String> lines = new ArrayList<>();
        block(item, width - 2).forEach(more -> lines.add((lines.isEmpty() ? "- " : "  ") + more));
        return lines;
    }

    private static List<String> below(String key, List<String> lines) {
        List<String> all = new ArrayList<>(List.of(key));
        lines.forEach(line -> all.add("  " + line));
        return all;
    }

    private static String onOneLine(Entry entry) {
        boolean plainAddress = entry.value() instanceof Scalar scalar
                && PLAIN_ADDRESS.matcher(scalar.content()).matches();
        return key(entry.key()) + " " + (plainAddress ? ((Scalar) entry.value()).content() : inBrackets(entry.value()));
    }

    private static String inBrackets(Node node) {
        if (node instanceof Scalar scalar) {
            return scalar.kind() == Kind.TEXT ? text(scalar.content()) : scalar.content();
        }
        if (node instanceof Sequence sequence) {
            return sequence.items().stream().map(YamlWriter::inBrackets).collect(Collectors.joining(", ", "[", "]"));
        }
        List<Entry> entries = ((Mapping) node).entries();
        return entries.isEmpty()
                ? "{}"
                : entries.stream()
                        .map(entry -> key(entry.key()) + " " + inBrackets(entry.value()))
                        .collect(Collectors.joining(", ", "{ ", " }"));
    }

    private static String key(String key) {
        return (WORDS_OF_THE_FORMAT.contains(key) ? key : text(key)) + ":";
    }

    private static String text(String text) {
        return isPlain(text) ? text : quoted(text);
    }

    private static boolean isPlain(String text) {
        if (text.isEmpty() || text.endsWith(" ") || RESERVED.contains(text.toLowerCase(Locale.ROOT))) {
            return false;
        }
        return beginsPlain(text)
                && text.codePoints()
                        .allMatch(point -> Character.isLetterOrDigit(point) || HARMLESS.indexOf(point) >= 0);
    }

    private static boolean beginsPlain(String text) {
        if (Character.isDigit(text.codePointAt(0))) {
            return text.toLowerCase(Locale.ROOT).chars().anyMatch(letter -> NO_NUMBER.indexOf(letter) >= 0);
        }
        return Character.isLetter(text.codePointAt(0)) || text.startsWith("_") || text.startsWith("/");
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.codePoints().forEach(point -> {
            if (point == '"' || point == '\\') {
                quoted.append('\\').append((char) point);
            } else if (isVisible(point)) {
                quoted.appendCodePoint(point);
            } else {
                quoted.append(String.format(point > 0xFFFF ? "\\U%08X" : "\\u%04X", point));
            }
        });
        return quoted.append('"').toString();
    }

    /** Whether a character can stand in a line as it is: neither a control character nor one that breaks or begins lines for somebody. */
    private static boolean isVisible(int point) {
        return StreamReader.isPrintable(point)
                && !Character.isISOControl(point)
                && point != 0x2028
                && point != 0x2029
                && point != 0xFEFF;
    }
}
