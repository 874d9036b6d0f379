package dev.substraterouter.probe.http;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One line of a page of metrics, and how far it has been read. Bytes and no text, so that a line that is not wanted costs little. */
final class PrometheusLine {
    private static final int LONGEST = 64 * 1024;
    private static final int MAX_LABELS = 64;
    private static final int MAX_NAME = 256;

    private final byte[] body;
    private final int end;
    private int at;
    private String name = "";
    private boolean sample;

    /** The line of these bytes, without its line feed. */
    PrometheusLine(byte[] body, int from, int end) {
        this.body = body;
        this.at = from;
        this.end = end > from && body[end - 1] == '\r' ? end - 1 : end;
        skipBlanks();
    }

    boolean isBlank() {
        return at == end;
    }

    boolean isComment() {
        return peek() == '#';
    }

    /** True for a comment that only metrics have. */
    boolean isKnownComment() {
        return startsWith("# HELP ") || startsWith("# TYPE ") || startsWith("# UNIT ") || startsWith("# EOF");
    }

    private boolean startsWith(String text) {
        if (end - at < text.length()) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (body[at + i] != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** The name of the sample that was read. */
    String name() {
        return name;
    }

    /** True if the line that was read is a sample, wanted or not. */
    boolean isSample() {
        return sample;
    }

    /** The sample, if the line is one and its name is wanted. */
    PrometheusText.@Nullable Sample sample(Set<String> wanted) {
        if (end - at > LONGEST || !readName()) {
            return null;
        }
        Map<String, String> labels = wanted.contains(name) ? new HashMap<>() : null;
        skipBlanks();
        if (peek() == '{' && !readLabels(labels)) {
            return null;
        }
        skipBlanks();
        OptionalDouble value = Decimals.of(token());
        sample = value.isPresent() && isRestFine();
        return sample && labels != null ? new PrometheusText.Sample(Map.copyOf(labels), value.getAsDouble()) : null;
    }

    /** After the value there may be a time, and after that what OpenMetrics adds. */
    private boolean isRestFine() {
        skipBlanks();
        if (at < end && peek() != '#' && Decimals.of(token()).isEmpty()) {
            return false;
        }
        skipBlanks();
        return at == end || peek() == '#';
    }

    private boolean readName() {
        int from = at;
        while (at < end && isNamePart(body[at], at == from)) {
            at++;
        }
        if (at == from || at - from > MAX_NAME) {
            return false;
        }
        name = new String(body, from, at - from, StandardCharsets.ISO_8859_1);
        return true;
    }

    private static boolean isNamePart(byte one, boolean first) {
        return (one >= 'a' && one <= 'z')
                || (one >= 'A' && one <= 'Z')
                || one == '_'
                || one == ':'
                || (!first && one >= '0' && one <= '9');
    }

    private boolean readLabels(@Nullable Map<String, String> into) {
        at++;
        for (int n = 0; n <= MAX_LABELS; n++) {
            skipBlanks();
            if (take('}')) {
                return true;
            }
            if (!readLabel(into)) {
                return false;
            }
            skipBlanks();
            if (!take(',') && peek() != '}') {
                return false;
            }
        }
        return false;
    }

    private boolean readLabel(@Nullable Map<String, String> into) {
        int from = at;
        while (at < end && isNamePart(body[at], at == from)) {
            at++;
        }
        int nameEnd = at;
        skipBlanks();
        if (nameEnd == from || !take('=')) {
            return false;
        }
        skipBlanks();
        if (!take('"')) {
            return false;
        }
        int valueFrom = at;
        boolean escaped = skipValue();
        if (!take('"')) {
            return false;
        }
        if (into != null) {
            String value = new String(body, valueFrom, at - 1 - valueFrom, StandardCharsets.UTF_8);
            into.put(
                    new String(body, from, nameEnd - from, StandardCharsets.ISO_8859_1),
                    escaped ? unescaped(value) : value);
        }
        return true;
    }

    /** To the closing quote, or to the end; true if there is an escape on the way. */
    private boolean skipValue() {
        boolean escaped = false;
        while (at < end && body[at] != '"') {
            if (body[at] == '\\') {
                escaped = true;
                at++;
            }
            at++;
        }
        at = Math.min(at, end);
        return escaped;
    }

    private static String unescaped(String value) {
        StringBuilder plain = new StringBuilder(value.length());
        for (int i = 0; i < value.length(); i++) {
            char one = value.charAt(i);
            if (one != '\\' || i + 1 == value.length()) {
                plain.append(one);
                continue;
            }
            char next = value.charAt(++i);
            switch (next) {
                case 'n' -> plain.append('\n');
                case '\\', '"' -> plain.append(next);
                default -> plain.append(one).append(next);
            }
        }
        return plain.toString();
    }

    private String token() {
        int from = at;
        while (at < end && body[at] != ' ' && body[at] != '\t') {
            at++;
        }
        return new String(body, from, Math.min(at - from, MAX_NAME), StandardCharsets.ISO_8859_1);
    }

    private boolean take(char wanted) {
        if (peek() != wanted) {
            return false;
        }
        at++;
        return true;
    }

    private int peek() {
        return at < end ? body[at] : -1;
    }

    private void skipBlanks() {
        while (at < end && (body[at] == ' ' || body[at] == '\t')) {
            at++;
        }
    }
}
