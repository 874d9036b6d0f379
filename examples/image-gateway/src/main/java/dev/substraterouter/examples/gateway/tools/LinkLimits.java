package dev.substraterouter.examples.gateway.tools;

import java.time.Duration;

/**
 * How much {@link Links} keep.
 *
 * @param count how many answers at most, those included that are being written; from 1
 * @param each how many bytes one answer may have; from 1
 * @param all how many bytes they may have in all; at least {@code each}
 * @param keep how long one is kept; above zero
 */
public record LinkLimits(int count, long each, long all, Duration keep) {
    /** 256 answers of up to 256 MiB each and 2 GiB in all, for 10 minutes. */
    public static final LinkLimits STANDARD = new LinkLimits(256, 256L << 20, 2L << 30, Duration.ofMinutes(10));

    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException if one is out of range
     */
    public LinkLimits {
        check("count", count, 1);
        check("each", each, 1);
        check("all", all, each);
        if (keep.compareTo(Duration.ZERO) <= 0) {
            throw new IllegalArgumentException("keep: " + keep + " (expected: above 0)");
        }
    }

    private static void check(String name, long value, long least) {
        if (value < least) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: >= " + least + ")");
        }
    }
}
