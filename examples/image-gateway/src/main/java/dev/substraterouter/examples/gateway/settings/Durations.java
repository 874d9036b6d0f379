package dev.substraterouter.examples.gateway.settings;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads durations as the policy file writes them: {@code 500ms}, {@code 5s}, {@code 2m}, {@code 1h}. Stateless. */
public final class Durations {
    private static final Pattern DURATION = Pattern.compile("([0-9]{1,9})(ms|s|m|h)");

    private Durations() {}

    /**
     * The duration.
     *
     * @throws IllegalArgumentException if it is none; the message says what was expected
     */
    public static Duration parse(String text) {
        Matcher parts = DURATION.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException("expected: a duration, for example 500ms, 5s, 2m");
        }
        long amount = Long.parseLong(parts.group(1));
        return switch (parts.group(2)) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            default -> Duration.ofHours(amount);
        };
    }
}
