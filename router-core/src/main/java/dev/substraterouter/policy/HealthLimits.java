package dev.substraterouter.policy;

import dev.substraterouter.model.Measure;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Up to where a substrate counts as healthy: the key {@code health} of the policy or of one substrate. */
public final class HealthLimits extends Settings {
    private HealthLimits(Builder builder) {
        super(builder);
    }

    /** A builder in which everything is at its default. */
    public static Builder builder() {
        return new Builder();
    }

    /** These limits, with what they leave open taken from {@code base}. */
    public HealthLimits over(HealthLimits base) {
        Builder merged = builder();
        merged.declared.putAll(base.declared());
        merged.declared.putAll(declared());
        return merged.build();
    }

    /** Healthy while the utilisation by others is below, percent; default 70. */
    public double maxGpuUtilPct() {
        return number("max_gpu_util_pct", 70);
    }

    /** Healthy while the temperature is below, °C; default 80. */
    public double maxGpuTempC() {
        return number("max_gpu_temp_c", 80);
    }

    /** Once degraded, healthy again below the limit minus this, points; default 5; 0 = off. */
    public double gpuUtilMarginPct() {
        return number("gpu_util_margin_pct", 5);
    }

    /** Once degraded, healthy again below the limit minus this, °C; default 2; 0 = off. */
    public double gpuTempMarginC() {
        return number("gpu_temp_margin_c", 2);
    }

    /** How many bad statuses in a row degrade it; default 1. */
    public int degradedAfter() {
        return count("degraded_after", 1);
    }

    /** How many good statuses in a row make it healthy again; default 1. */
    public int healthyAfter() {
        return count("healthy_after", 1);
    }

    /** How long it must have been good to be healthy again; default 0 s. */
    public Duration recoveryWindow() {
        return duration("recovery_window", Duration.ZERO);
    }

    /** How old a status may be; default 15 s. */
    public Duration staleAfter() {
        return duration("stale_after", Duration.ofSeconds(15));
    }

    /** What a status that is too old means; default closed. */
    public OnStale onStale() {
        return get("on_stale", OnStale.class, OnStale.CLOSED);
    }

    /** The measures that must be known; empty: not declared, so all four for a local substrate or a pool and none for others. */
    public Optional<List<Measure>> require() {
        return has("require") ? Optional.of(list("require", Measure.class)) : Optional.empty();
    }

    /**
     * The measures that must be known on a substrate, when these are the limits of every substrate: on an external or batch one those that
     * it declares itself, since it has no default to override.
     */
    public Set<Measure> requiredOn(Substrate substrate) {
        HealthLimits limits = substrate.health().orElse(null);
        Optional<List<Measure>> own = limits == null ? Optional.empty() : limits.require();
        boolean ours = substrate.kind() == SubstrateKind.LOCAL || substrate.kind() == SubstrateKind.POOL;
        List<Measure> general = ours ? require().orElse(List.of(Measure.values())) : List.of();
        return Set.copyOf(own.orElse(general));
    }

    /** The measures that are never judged. */
    public List<Measure> ignore() {
        return list("ignore", Measure.class);
    }

    /** Attributes that the status must carry with exactly these values. */
    public Map<String, String> requireAttributes() {
        Map<String, String> typed = new LinkedHashMap<>();
        Map<?, ?> declared = get("require_attributes", Map.class, Map.of());
        for (Map.Entry<?, ?> one : declared.entrySet()) {
            typed.put((String) one.getKey(), (String) one.getValue());
        }
        return Collections.unmodifiableMap(typed);
    }

    /** Builds {@link HealthLimits}. Not thread-safe. */
    public static final class Builder extends Settings.Builder<Builder> {
        private Builder() {}

        @Override
        Builder self() {
            return this;
        }

        /** Healthy while below, percent. */
        public Builder maxGpuUtilPct(double value) {
            return set("max_gpu_util_pct", value);
        }

        /** Healthy while below, °C. */
        public Builder maxGpuTempC(double value) {
            return set("max_gpu_temp_c", value);
        }

        /** Margin of the utilisation limit, points. */
        public Builder gpuUtilMarginPct(double value) {
            return set("gpu_util_margin_pct", value);
        }

        /** Margin of the temperature limit, °C. */
        public Builder gpuTempMarginC(double value) {
            return set("gpu_temp_margin_c", value);
        }

        /** Bad statuses in a row, 1 or more. */
        public Builder degradedAfter(int value) {
            return set("degraded_after", value);
        }

        /** Good statuses in a row, 1 or more. */
        public Builder healthyAfter(int value) {
            return set("healthy_after", value);
        }

        /** Time of staying good. */
        public Builder recoveryWindow(Duration value) {
            return set("recovery_window", value);
        }

        /** Greatest age of a status, at least twice the polling interval. */
        public Builder staleAfter(Duration value) {
            return set("stale_after", value);
        }

        /** What a status that is too old means. */
        public Builder onStale(OnStale value) {
            return set("on_stale", value);
        }

        /** The measures that must be known; none: nothing need be. */
        public Builder require(Measure... values) {
            return set("require", List.of(values));
        }

        /** The measures that are never judged. */
        public Builder ignore(Measure... values) {
            return set("ignore", List.of(values));
        }

        /** Attributes that the status must carry with exactly these values. */
        public Builder requireAttributes(Map<String, String> values) {
            return set("require_attributes", Collections.unmodifiableMap(new LinkedHashMap<>(values)));
        }

        /** The limits. */
        public HealthLimits build() {
            return new HealthLimits(this);
        }
    }
}
