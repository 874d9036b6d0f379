package dev.substraterouter.infer;

import dev.substraterouter.model.Need;
import dev.substraterouter.model.PlacementMode;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.Trust;
import java.time.Duration;
import java.util.Locale;
import java.util.OptionalDouble;

/** What a clause of a sentence is about, and how its value is written as text. Thread-safe. */
public enum ClauseKind {
    /** A capability: its name. Several are all required. */
    CAPABILITY,
    /** GPU memory that the job takes: GiB, as in {@code 24}. Of several the largest is taken. */
    VRAM,
    /** Whether the memory may be spread over several GPUs: {@code true} or {@code false}; of both, {@code false}. */
    SPANS_GPUS,
    /** The codebase: its name. Of several the first is taken, since a need holds one. */
    CODEBASE,
    /** What must be reachable: {@code mcp:} and the name of an MCP server. Several are all required. */
    REACHES,
    /** The lowest trust: {@code controlled}, {@code partner} or {@code public}. Of several the strictest is taken. */
    PRIVACY,
    /** The least quality: a share, 0 to 1. Of several the highest is taken. */
    QUALITY,
    /** The longest time to an answer: a {@link Duration} as text, {@code PT30S}. Of several the shortest is taken. */
    LATENCY,
    /** How long the job takes: a {@link Duration} as text, {@code PT2H}. Of several the longest is taken. */
    DURATION,
    /** The highest cost: a number without a currency. Of several the lowest is taken. */
    COST,
    /** The least availability: a share, 0 to 1. Of several the highest is taken. */
    AVAILABILITY,
    /** The urgency: {@code high}, {@code normal} or {@code low}. Of several none is taken. */
    PRIORITY,
    /** Whether somebody waits: {@code interactive}, {@code batch} or {@code either}. Of several none is taken. */
    MODE;

    /** Whether clauses of this kind with different values hold together. */
    boolean adds() {
        return this == CAPABILITY || this == REACHES;
    }

    /** How strict a value is: of two that exclude each other the greater is taken; empty where neither is stricter. */
    OptionalDouble strictness(String value) {
        return switch (this) {
            case VRAM, QUALITY, AVAILABILITY -> OptionalDouble.of(Double.parseDouble(value));
            case COST -> OptionalDouble.of(-Double.parseDouble(value));
            case DURATION -> OptionalDouble.of((double) Duration.parse(value).toMillis());
            case LATENCY -> OptionalDouble.of((double) -Duration.parse(value).toMillis());
            case PRIVACY -> OptionalDouble.of(-Trust.valueOf(upper(value)).ordinal());
            case SPANS_GPUS -> OptionalDouble.of(value.equals("true") ? 0 : 1);
            case CODEBASE, CAPABILITY, REACHES -> OptionalDouble.of(0);
            case PRIORITY, MODE -> OptionalDouble.empty();
        };
    }

    /** Puts the value into the need; a priority and a mode are only checked, as a need holds neither. */
    void apply(Need.Builder need, String value) {
        switch (this) {
            case CAPABILITY -> need.capabilities(value);
            case VRAM -> need.vramGb(Double.parseDouble(value));
            case SPANS_GPUS -> need.spansGpus(truth(value));
            case CODEBASE -> need.codebase(value);
            case REACHES -> need.reaches(value);
            case PRIVACY -> need.privacy(Trust.valueOf(upper(value)));
            case QUALITY -> need.minQuality(Double.parseDouble(value));
            case LATENCY -> need.maxLatency(Duration.parse(value));
            case DURATION -> need.duration(Duration.parse(value));
            case COST -> need.maxCost(Double.parseDouble(value));
            case AVAILABILITY -> need.minAvailability(Double.parseDouble(value));
            case PRIORITY -> Priority.valueOf(upper(value));
            case MODE -> PlacementMode.valueOf(upper(value));
        }
    }

    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static boolean truth(String value) {
        if (!value.equals("true") && !value.equals("false")) {
            throw new IllegalArgumentException("spans gpus: " + value + " (expected: true or false)");
        }
        return value.equals("true");
    }

    private static String upper(String value) {
        return value.toUpperCase(Locale.ROOT);
    }
}
