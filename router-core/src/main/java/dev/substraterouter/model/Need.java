package dev.substraterouter.model;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a request requires of whoever serves it. Immutable and thread-safe; two needs that require the same are equal.
 *
 * <p>Capabilities, codebases and reached servers compare case-insensitively with {@code _} and space as {@code -}.
 */
public final class Need {
    /** How many capabilities, and how many reached servers, a need may name. */
    public static final int MAX_NAMES = 64;
    /** How long a name may be, in characters. */
    public static final int MAX_TEXT = 256;

    private static final double MAX_GB = 1 << 20;
    private static final Duration MAX_DURATION = Duration.ofDays(365);

    private final List<String> capabilities;
    private final @Nullable Double vramGb;
    private final boolean spansGpus;
    private final @Nullable String codebase;
    private final List<String> reaches;
    private final @Nullable Trust privacy;
    private final @Nullable Double minQuality;
    private final @Nullable Duration maxLatency;
    private final @Nullable Double maxCost;
    private final double minAvailability;
    private final @Nullable Duration duration;
    private final int hash;

    private Need(Builder builder) {
        capabilities = List.copyOf(builder.capabilities);
        vramGb = builder.vramGb;
        spansGpus = builder.spansGpus;
        codebase = builder.codebase;
        reaches = List.copyOf(builder.reaches);
        privacy = builder.privacy;
        minQuality = builder.minQuality;
        maxLatency = builder.maxLatency;
        maxCost = builder.maxCost;
        minAvailability = builder.minAvailability;
        duration = builder.duration;
        hash = parts().hashCode();
    }

    /** A builder for a need that requires nothing but the default privacy. */
    public static Builder builder() {
        return new Builder();
    }

    /** A name as it is compared: lower case, with {@code -} for {@code _} and space. */
    public static String canonical(String name) {
        return name.strip().toLowerCase(Locale.ROOT).replace('_', '-').replace(' ', '-');
    }

    /** What a substrate must be able to do, in canonical form, sorted. */
    public List<String> capabilities() {
        return capabilities;
    }

    /** The GPU memory that the job takes, GiB; empty: memory is not judged. */
    public OptionalDouble vramGb() {
        return number(vramGb);
    }

    /** Whether the memory may be spread over several GPUs; default false. */
    public boolean spansGpus() {
        return spansGpus;
    }

    /** The codebase that the substrate must hold, in canonical form; empty: none. */
    public Optional<String> codebase() {
        return Optional.ofNullable(codebase);
    }

    /** What must be reachable from the substrate, in canonical form, sorted. */
    public List<String> reaches() {
        return reaches;
    }

    /** The lowest trust that may serve it; empty: {@link Trust#CONTROLLED}. */
    public Optional<Trust> privacy() {
        return Optional.ofNullable(privacy);
    }

    /** The least declared quality, 0 to 1; empty: any. */
    public OptionalDouble minQuality() {
        return number(minQuality);
    }

    /** The longest service and load time by declared figures; empty: any. */
    public Optional<Duration> maxLatency() {
        return Optional.ofNullable(maxLatency);
    }

    /** The highest cost of the job by declared figures; empty: any. */
    public OptionalDouble maxCost() {
        return number(maxCost);
    }

    /** The least share of the watched time in which the substrate passed its gate, 0 to 1; default 0. */
    public double minAvailability() {
        return minAvailability;
    }

    /** How long the job is expected to take, wherever it runs; empty: not known. */
    public Optional<Duration> duration() {
        return Optional.ofNullable(duration);
    }

    /** A builder that starts from this need. */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.capabilities.addAll(capabilities);
        builder.vramGb = vramGb;
        builder.spansGpus = spansGpus;
        builder.codebase = codebase;
        builder.reaches.addAll(reaches);
        builder.privacy = privacy;
        builder.minQuality = minQuality;
        builder.maxLatency = maxLatency;
        builder.maxCost = maxCost;
        builder.minAvailability = minAvailability;
        builder.duration = duration;
        return builder;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Need need && hash == need.hash && parts().equals(need.parts());
    }

    @Override
    public int hashCode() {
        return hash;
    }

    /** What it requires, in words. */
    @Override
    public String toString() {
        List<String> words = new ArrayList<>(capabilities);
        if (vramGb != null) {
            words.add(trimmed(vramGb) + " GB" + (spansGpus ? " over several GPUs" : ""));
        }
        if (codebase != null) {
            words.add("codebase " + codebase);
        }
        reaches.forEach(name -> words.add("reaches " + name));
        if (privacy != null) {
            words.add("privacy " + privacy.name().toLowerCase(Locale.ROOT));
        }
        if (minQuality != null) {
            words.add("quality >= " + trimmed(minQuality));
        }
        if (maxLatency != null) {
            words.add("latency <= " + seconds(maxLatency));
        }
        if (maxCost != null) {
            words.add("cost <= " + trimmed(maxCost));
        }
        if (minAvailability > 0) {
            words.add("availability >= " + trimmed(minAvailability));
        }
        if (duration != null) {
            words.add("takes " + seconds(duration));
        }
        return words.isEmpty() ? "need of anything" : "need of " + String.join(", ", words);
    }

    private List<Object> parts() {
        List<Object> parts = new ArrayList<>();
        parts.add(capabilities);
        parts.add(vramGb());
        parts.add(spansGpus);
        parts.add(codebase());
        parts.add(reaches);
        parts.add(privacy());
        parts.add(minQuality());
        parts.add(maxLatency());
        parts.add(maxCost());
        parts.add(minAvailability);
        parts.add(duration());
        return parts;
    }

    private static OptionalDouble number(@Nullable Double value) {
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    private static String trimmed(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : Double.toString(value);
    }

    private static String seconds(Duration value) {
        return trimmed(value.toMillis() / 1000.0) + " s";
    }

    /** Builds a {@link Need}. A setter refuses what is out of range with {@link IllegalArgumentException}. Not thread-safe. */
    public static final class Builder {
        private final Set<String> capabilities = new java.util.TreeSet<>();
        private @Nullable Double vramGb;
        private boolean spansGpus;
        private @Nullable String codebase;
        private final Set<String> reaches = new java.util.TreeSet<>();
        private @Nullable Trust privacy;
        private @Nullable Double minQuality;
        private @Nullable Duration maxLatency;
        private @Nullable Double maxCost;
        private double minAvailability;
        private @Nullable Duration duration;

        private Builder() {}

        /** What a substrate must be able to do, in addition to what was named before. */
        public Builder capabilities(String... names) {
            addAll("capabilities", capabilities, names);
            return this;
        }

        /** The GPU memory that the job takes, GiB, above 0. */
        public Builder vramGb(double value) {
            if (!(value > 0 && value <= MAX_GB)) {
                throw new IllegalArgumentException("vramGb: " + value + " (expected: above 0, at most " + MAX_GB + ")");
            }
            vramGb = value;
            return this;
        }

        /** Whether the memory may be spread over several GPUs. */
        public Builder spansGpus(boolean value) {
            spansGpus = value;
            return this;
        }

        /** The codebase that the substrate must hold. */
        public Builder codebase(String name) {
            codebase = name("codebase", name);
            return this;
        }

        /** What must be reachable from the substrate, in addition to what was named before. */
        public Builder reaches(String... names) {
            addAll("reaches", reaches, names);
            return this;
        }

        /** The lowest trust that may serve it. */
        public Builder privacy(Trust value) {
            privacy = Objects.requireNonNull(value, "privacy");
            return this;
        }

        /** The least declared quality, 0 to 1. */
        public Builder minQuality(double value) {
            minQuality = share("minQuality", value);
            return this;
        }

        /** The longest service and load time by declared figures. */
        public Builder maxLatency(Duration value) {
            maxLatency = positive("maxLatency", value);
            return this;
        }

        /** The highest cost of the job by declared figures, 0 or more. */
        public Builder maxCost(double value) {
            if (!(value >= 0 && value <= Double.MAX_VALUE)) {
                throw new IllegalArgumentException("maxCost: " + value + " (expected: >= 0)");
            }
            maxCost = value;
            return this;
        }

        /** The least share of the watched time in which the substrate passed its gate, 0 to 1. */
        public Builder minAvailability(double value) {
            minAvailability = share("minAvailability", value);
            return this;
        }

        /** How long the job is expected to take, wherever it runs. */
        public Builder duration(Duration value) {
            duration = positive("duration", value);
            return this;
        }

        /** The need. */
        public Need build() {
            return new Need(this);
        }

        private static void addAll(String what, Set<String> all, String... names) {
            Set<String> more = new LinkedHashSet<>();
            for (String name : names) {
                more.add(name(what, name));
            }
            more.addAll(all);
            if (more.size() > MAX_NAMES) {
                throw new IllegalArgumentException(
                        what + ": " + more.size() + " names (expected: at most " + MAX_NAMES + ")");
            }
            all.addAll(more);
        }

        private static String name(String what, String name) {
            String canonical = canonical(name);
            if (canonical.isEmpty() || canonical.length() > MAX_TEXT) { // some characters grow when they become small
                throw new IllegalArgumentException(what + ": "
                        + (canonical.isEmpty() ? "blank" : canonical.length() + " characters") + " (expected: 1 to "
                        + MAX_TEXT + " characters)");
            }
            return canonical;
        }

        private static double share(String what, double value) {
            if (!(value >= 0 && value <= 1)) {
                throw new IllegalArgumentException(what + ": " + value + " (expected: 0 to 1)");
            }
            return value;
        }

        private static Duration positive(String what, Duration value) {
            if (value.compareTo(Duration.ZERO) <= 0 || value.compareTo(MAX_DURATION) > 0) {
                throw new IllegalArgumentException(what + ": " + value + " (expected: above 0, at most 365 days)");
            }
            return value;
        }
    }
}
