package dev.substraterouter.policy;

import java.net.URI;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;

/** One substrate as it would serve one workload: an entry of a route, a pin, or a batch path. */
public final class Candidate extends Settings {
    private Candidate(Builder builder) {
        super(builder.on, builder);
    }

    /**
     * A builder for a candidate on a substrate.
     *
     * @param on the substrate's id
     */
    public static Builder builder(String on) {
        return new Builder(on);
    }

    /** A candidate on a substrate, with everything else left open. */
    public static Candidate on(String substrateId) {
        return builder(substrateId).build();
    }

    /** The substrate's id. */
    public String on() {
        return id;
    }

    /** The model that serves; empty when not declared. */
    public Optional<String> model() {
        return Optional.ofNullable(get("model", String.class));
    }

    /** The model's version. */
    public Optional<String> modelVersion() {
        return Optional.ofNullable(get("model_version", String.class));
    }

    /** The model's format, for example {@code q4_k_s}. */
    public Optional<String> format() {
        return Optional.ofNullable(get("format", String.class));
    }

    /** The GPU memory it takes with its model, GiB; empty: the workload's. */
    public OptionalDouble vramGb() {
        return number("vram_gb");
    }

    /** The GPU memory a job takes when the model is resident already, GiB; empty: as {@link #vramGb()}. */
    public OptionalDouble jobVramGb() {
        return number("job_vram_gb");
    }

    /** How long a job is expected to take. */
    public Optional<Duration> expectedLatency() {
        return Optional.ofNullable(get("expected_latency", Duration.class));
    }

    /** How long loading the model takes; default 0 s. */
    public Duration loadTime() {
        return duration("load_time", Duration.ZERO);
    }

    /** How good its answers are, 0 to 1. */
    public OptionalDouble quality() {
        return number("quality");
    }

    /** The share of its answers that need review, 0 to 1. */
    public OptionalDouble reviewRate() {
        return number("review_rate");
    }

    /** What one job costs; replaces the substrate's hourly figure. */
    public OptionalDouble costPerJob() {
        return number("cost_per_job");
    }

    /** Whether one job may use the memory of several GPUs; default false. */
    public boolean spansGpus() {
        return flag("spans_gpus", false);
    }

    /** Its own endpoint; empty: the substrate's. */
    public Optional<URI> endpoint() {
        return Optional.ofNullable(get("endpoint", URI.class));
    }

    /** Why it stands there, for people. */
    public Optional<String> why() {
        return Optional.ofNullable(get("why", String.class));
    }

    /** Builds a {@link Candidate}. Not thread-safe. */
    public static final class Builder extends Settings.Builder<Builder> {
        private final String on;

        private Builder(String on) {
            this.on = Objects.requireNonNull(on, "on");
        }

        @Override
        Builder self() {
            return this;
        }

        /** The model that serves. */
        public Builder model(String value) {
            return set("model", value);
        }

        /** The model's version. */
        public Builder modelVersion(String value) {
            return set("model_version", value);
        }

        /** The model's format. */
        public Builder format(String value) {
            return set("format", value);
        }

        /** GPU memory with its model, GiB. */
        public Builder vramGb(double value) {
            return set("vram_gb", value);
        }

        /** GPU memory of a job when the model is resident, GiB. */
        public Builder jobVramGb(double value) {
            return set("job_vram_gb", value);
        }

        /** How long a job is expected to take. */
        public Builder expectedLatency(Duration value) {
            return set("expected_latency", value);
        }

        /** How long loading the model takes. */
        public Builder loadTime(Duration value) {
            return set("load_time", value);
        }

        /** 0 to 1. */
        public Builder quality(double value) {
            return set("quality", value);
        }

        /** 0 to 1. */
        public Builder reviewRate(double value) {
            return set("review_rate", value);
        }

        /** In the policy's one currency. */
        public Builder costPerJob(double value) {
            return set("cost_per_job", value);
        }

        /** Whether one job may use the memory of several GPUs. */
        public Builder spansGpus(boolean value) {
            return set("spans_gpus", value);
        }

        /** Its own endpoint. */
        public Builder endpoint(URI value) {
            return set("endpoint", value);
        }

        /**
         * Its own endpoint.
         *
         * @throws IllegalArgumentException if it is no URI
         */
        public Builder endpoint(String value) {
            return endpoint(URI.create(value));
        }

        /** Why it stands there, for people. */
        public Builder why(String value) {
            return set("why", value);
        }

        /** The candidate. */
        public Candidate build() {
            return new Candidate(this);
        }
    }
}
