package dev.substraterouter.policy;

import dev.substraterouter.model.StatusAddress;
import dev.substraterouter.model.Trust;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** A place where work runs: an entry of the key {@code substrates}. */
public final class Substrate extends Settings {
    private Substrate(Builder builder) {
        super(builder.id, builder);
    }

    /** A builder for a local substrate with one GPU. */
    public static Builder builder(String id) {
        return new Builder(id);
    }

    /** Its id, unique in the policy. */
    public String id() {
        return id;
    }

    /** What sort of place it is; default local. */
    public SubstrateKind kind() {
        return get("kind", SubstrateKind.class, SubstrateKind.LOCAL);
    }

    /** Where work is sent; empty: the host serves it itself. */
    public Optional<URI> endpoint() {
        return Optional.ofNullable(get("endpoint", URI.class));
    }

    /** Its MCP address, told to whoever asks. */
    public Optional<URI> mcpUrl() {
        return Optional.ofNullable(get("mcp_url", URI.class));
    }

    /** Whether it exists only behind its MCP address; default false. */
    public boolean virtual() {
        return flag("virtual", false);
    }

    /** Where its status is read; empty: the host reports it. */
    public List<StatusAddress> status() {
        return list("status", StatusAddress.class);
    }

    /** What it is made of, for people. */
    public Optional<String> hardware() {
        return Optional.ofNullable(get("hardware", String.class));
    }

    /** Why it is there, for people. */
    public Optional<String> why() {
        return Optional.ofNullable(get("why", String.class));
    }

    /** What it can do. */
    public List<String> capabilities() {
        return list("capabilities", String.class);
    }

    /** The codebases it holds; {@code *}: any. */
    public List<String> codebases() {
        return list("codebases", String.class);
    }

    /** What can be reached from it. */
    public List<String> reaches() {
        return list("reaches", String.class);
    }

    /** GPU memory in all, GiB; empty: memory is not judged by the policy's figure. */
    public OptionalDouble vramGb() {
        return number("vram_gb");
    }

    /** How many GPUs it has; default 1. */
    public int gpus() {
        return count("gpus", 1);
    }

    /** GPU memory that is never given away, GiB; default 0. */
    public double keepFreeGb() {
        return number("keep_free_gb", 0);
    }

    /** How many jobs may run at once; empty: no limit of the router's. */
    public OptionalInt maxConcurrentJobs() {
        return count("max_concurrent_jobs");
    }

    /** What one of the router's jobs adds to the reported utilisation, percent; default 100 / max_concurrent_jobs. */
    public double utilPerJobPct() {
        return number(
                "util_per_job_pct", 100.0 / Math.max(1, maxConcurrentJobs().orElse(1)));
    }

    /** How the memory of idle models is counted; default held. */
    public IdleVram idleVram() {
        return get("idle_vram", IdleVram.class, IdleVram.HELD);
    }

    /** Slots that only HIGH may take; default 0. */
    public int reserveForHigh() {
        return count("reserve_for_high", 0);
    }

    /** The roles it serves; empty: every role. */
    public Optional<List<String>> acceptsRoles() {
        return has("accepts_roles") ? Optional.of(list("accepts_roles", String.class)) : Optional.empty();
    }

    /** How far it is trusted; default controlled, for an external one public. */
    public Trust trust() {
        return get("trust", Trust.class, kind() == SubstrateKind.EXTERNAL ? Trust.PUBLIC : Trust.CONTROLLED);
    }

    /** What an hour of it costs, in the policy's one currency. */
    public OptionalDouble costPerHour() {
        return number("cost_per_hour");
    }

    /** Whether it is used only when nothing else is admissible; default false. */
    public boolean overflow() {
        return flag("overflow", false);
    }

    /** Whose workstation it is; empty: nobody's. */
    public Optional<Owner> owner() {
        return Optional.ofNullable(get("owner", Owner.class));
    }

    /** What of the policy's health limits it overrides; empty: nothing. */
    public Optional<HealthLimits> health() {
        return Optional.ofNullable(get("health", HealthLimits.class));
    }

    /** Builds a {@link Substrate}. Not thread-safe. */
    public static final class Builder extends Settings.Builder<Builder> {
        private final String id;

        private Builder(String id) {
            this.id = Objects.requireNonNull(id, "id");
        }

        @Override
        Builder self() {
            return this;
        }

        /** What sort of place it is. */
        public Builder kind(SubstrateKind value) {
            return set("kind", value);
        }

        /** Where work is sent. */
        public Builder endpoint(URI value) {
            return set("endpoint", value);
        }

        /**
         * Where work is sent.
         *
         * @throws IllegalArgumentException if it is no URI
         */
        public Builder endpoint(String value) {
            return endpoint(URI.create(value));
        }

        /** Its MCP address. */
        public Builder mcpUrl(URI value) {
            return set("mcp_url", value);
        }

        /**
         * Its MCP address.
         *
         * @throws IllegalArgumentException if it is no URI
         */
        public Builder mcpUrl(String value) {
            return mcpUrl(URI.create(value));
        }

        /** Whether it exists only behind its MCP address. */
        public Builder virtual(boolean value) {
            return set("virtual", value);
        }

        /**
         * One more address where its status is read, in the router's own format.
         *
         * @throws IllegalArgumentException if it is no URI
         */
        public Builder status(String url) {
            return status(StatusAddress.of(URI.create(url)));
        }

        /** One more address where its status is read. */
        public Builder status(StatusAddress address) {
            return add("status", List.of(address));
        }

        /** What it is made of, for people. */
        public Builder hardware(String value) {
            return set("hardware", value);
        }

        /** Why it is there, for people. */
        public Builder why(String value) {
            return set("why", value);
        }

        /** What it can do. */
        public Builder capabilities(String... values) {
            return set("capabilities", List.of(values));
        }

        /** The codebases it holds. */
        public Builder codebases(String... values) {
            return set("codebases", List.of(values));
        }

        /** What can be reached from it. */
        public Builder reaches(String... values) {
            return set("reaches", List.of(values));
        }

        /** GPU memory in all, GiB. */
        public Builder vramGb(double value) {
            return set("vram_gb", value);
        }

        /** How many GPUs it has, 1 to 64. */
        public Builder gpus(int value) {
            return set("gpus", value);
        }

        /** GPU memory that is never given away, GiB. */
        public Builder keepFreeGb(double value) {
            return set("keep_free_gb", value);
        }

        /** How many jobs may run at once, 1 to 1,000,000; required for a local substrate and a pool. */
        public Builder maxConcurrentJobs(int value) {
            return set("max_concurrent_jobs", value);
        }

        /** What one of the router's jobs adds to the reported utilisation, 0 to 100 percent. */
        public Builder utilPerJobPct(double value) {
            return set("util_per_job_pct", value);
        }

        /** How the memory of idle models is counted. */
        public Builder idleVram(IdleVram value) {
            return set("idle_vram", value);
        }

        /** Slots that only HIGH may take. */
        public Builder reserveForHigh(int value) {
            return set("reserve_for_high", value);
        }

        /** The roles it serves. */
        public Builder acceptsRoles(String... values) {
            return set("accepts_roles", List.of(values));
        }

        /** How far it is trusted. */
        public Builder trust(Trust value) {
            return set("trust", value);
        }

        /** What an hour of it costs. */
        public Builder costPerHour(double value) {
            return set("cost_per_hour", value);
        }

        /** Whether it is used only when nothing else is admissible. */
        public Builder overflow(boolean value) {
            return set("overflow", value);
        }

        /** Whose workstation it is. */
        public Builder owner(double backgroundUtilPct, double costPerHour) {
            return set("owner", new Owner(backgroundUtilPct, costPerHour));
        }

        /** What of the policy's health limits it overrides. */
        public Builder health(HealthLimits value) {
            return set("health", value);
        }

        /** The substrate. */
        public Substrate build() {
            return new Substrate(this);
        }
    }
}
