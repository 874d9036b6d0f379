package dev.substraterouter.policy;

import dev.substraterouter.model.Trust;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;

/** A named kind of work with what it needs and where it may run: an entry of the key {@code workloads}. */
public final class Workload extends Settings {
    private Workload(Builder builder) {
        super(builder.name, builder);
    }

    /** A builder for a workload that needs nothing yet and has no route. */
    public static Builder builder(String name) {
        return new Builder(name);
    }

    /** Its name, unique in the policy. */
    public String name() {
        return id;
    }

    /** The GPU memory a job takes, GiB; empty: memory is not judged. */
    public OptionalDouble vramGb() {
        return number("vram_gb");
    }

    /** The lowest trust that may serve it; default controlled. */
    public Trust privacy() {
        return get("privacy", Trust.class, Trust.CONTROLLED);
    }

    /** What a substrate must be able to do to serve it. */
    public List<String> capabilities() {
        return list("capabilities", String.class);
    }

    /** The least quality, 0 to 1. */
    public OptionalDouble minQuality() {
        return number("min_quality");
    }

    /** The longest service and load time by declared figures. */
    public Optional<Duration> maxLatency() {
        return Optional.ofNullable(get("max_latency", Duration.class));
    }

    /** The highest cost of one job by declared figures. */
    public OptionalDouble maxCost() {
        return number("max_cost");
    }

    /** The least share of time that a candidate has passed its gate, 0 to 1; default 0. */
    public double minAvailability() {
        return number("min_availability", 0);
    }

    /** What one review costs. */
    public OptionalDouble reviewCost() {
        return number("review_cost");
    }

    /** What one wrong answer costs. */
    public OptionalDouble errorCost() {
        return number("error_cost");
    }

    /** What an hour of waiting costs. */
    public OptionalDouble waitingCostPerHour() {
        return number("waiting_cost_per_hour");
    }

    /** By when its answers are useful, counted from asking; orders waiters, refuses nothing. */
    public Optional<Duration> deadline() {
        return Optional.ofNullable(get("deadline", Duration.class));
    }

    /** The order of its candidates; empty: the policy's. */
    public Optional<StrategyKind> strategy() {
        return Optional.ofNullable(get("strategy", StrategyKind.class));
    }

    /** How long a request waits before an overflow substrate is taken; default 0 s. */
    public Duration overflowAfter() {
        return duration("overflow_after", Duration.ZERO);
    }

    /** Its candidates, the primary first; empty when it has a pin or neither. */
    public List<Candidate> route() {
        return list("route", Candidate.class);
    }

    /** Its only candidate, when it is pinned. */
    public Optional<Candidate> pin() {
        return Optional.ofNullable(get("pin", Candidate.class));
    }

    /** How its pin is gated; default by facts only. */
    public PinGate pinGate() {
        return get("gate", PinGate.class, PinGate.FACTS);
    }

    /** The pin or the route, whichever it has. */
    public List<Candidate> candidates() {
        return pin().isPresent() ? List.of(pin().get()) : route();
    }

    /** Where its work runs later. */
    public Optional<Candidate> batch() {
        return Optional.ofNullable(get("batch", Candidate.class));
    }

    /** Its own waiting places; empty: the router's. */
    public Optional<WorkloadQueue> queue() {
        return Optional.ofNullable(get("queue", WorkloadQueue.class));
    }

    /** Why it is so, for people. */
    public Optional<String> why() {
        return Optional.ofNullable(get("why", String.class));
    }

    /** Builds a {@link Workload}. Not thread-safe. */
    public static final class Builder extends Settings.Builder<Builder> {
        private final String name;

        private Builder(String name) {
            this.name = Objects.requireNonNull(name, "name");
        }

        @Override
        Builder self() {
            return this;
        }

        /** The GPU memory a job takes, GiB. */
        public Builder vramGb(double value) {
            return set("vram_gb", value);
        }

        /** The lowest trust that may serve it. */
        public Builder privacy(Trust value) {
            return set("privacy", value);
        }

        /** What a substrate must be able to do to serve it. */
        public Builder capabilities(String... values) {
            return set("capabilities", List.of(values));
        }

        /** 0 to 1. */
        public Builder minQuality(double value) {
            return set("min_quality", value);
        }

        /** The longest service and load time. */
        public Builder maxLatency(Duration value) {
            return set("max_latency", value);
        }

        /** The highest cost of one job. */
        public Builder maxCost(double value) {
            return set("max_cost", value);
        }

        /** 0 to 1. */
        public Builder minAvailability(double value) {
            return set("min_availability", value);
        }

        /** What one review costs. */
        public Builder reviewCost(double value) {
            return set("review_cost", value);
        }

        /** What one wrong answer costs. */
        public Builder errorCost(double value) {
            return set("error_cost", value);
        }

        /** What an hour of waiting costs. */
        public Builder waitingCostPerHour(double value) {
            return set("waiting_cost_per_hour", value);
        }

        /** By when its answers are useful. */
        public Builder deadline(Duration value) {
            return set("deadline", value);
        }

        /** The order of its candidates. */
        public Builder strategy(StrategyKind value) {
            return set("strategy", value);
        }

        /** How long a request waits before an overflow substrate is taken. */
        public Builder overflowAfter(Duration value) {
            return set("overflow_after", value);
        }

        /** Its candidates by substrate id, after those named before; the first of all is the primary. */
        public Builder route(String... substrateIds) {
            List<Candidate> candidates = new ArrayList<>();
            for (String id : substrateIds) {
                candidates.add(Candidate.on(id));
            }
            return add("route", candidates);
        }

        /** Its candidates, after those named before; the first of all is the primary. */
        public Builder route(Candidate... candidates) {
            return add("route", List.of(candidates));
        }

        /** Its only candidate, by substrate id. */
        public Builder pin(String substrateId) {
            return pin(Candidate.on(substrateId));
        }

        /** Its only candidate. */
        public Builder pin(Candidate candidate) {
            return set("pin", candidate);
        }

        /** How its pin is gated. */
        public Builder pinGate(PinGate value) {
            return set("gate", value);
        }

        /** Where its work runs later. */
        public Builder batch(Candidate candidate) {
            return set("batch", candidate);
        }

        /** Its own waiting places. */
        public Builder queue(WorkloadQueue value) {
            return set("queue", value);
        }

        /** Why it is so, for people. */
        public Builder why(String value) {
            return set("why", value);
        }

        /** The workload. */
        public Workload build() {
            return new Workload(this);
        }
    }
}
