package dev.substraterouter.simulate;

import java.util.Objects;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * Something in the background of a node that has nothing to do with the router: a training run, a developer at work, a hot summer day.
 * Immutable.
 */
public final class Episode {
    private final String name;
    private final Schedule schedule;
    private final double utilPct;
    private final double vramGb;
    private final int jobs;
    private final double speed;
    private final OptionalDouble tempC;
    private final boolean unavailable;
    private final boolean owner;
    private final OptionalInt stream;

    private Episode(Builder builder) {
        this.name = builder.name;
        this.schedule = builder.schedule;
        this.utilPct = builder.utilPct;
        this.vramGb = builder.vramGb;
        this.jobs = builder.jobs;
        this.speed = builder.speed;
        this.tempC = builder.tempC;
        this.unavailable = builder.unavailable;
        this.owner = builder.owner;
        this.stream = builder.stream;
    }

    /** A builder of an episode that so far changes nothing. */
    public static Builder builder(String name, Schedule schedule) {
        return new Builder(name, schedule);
    }

    /** What reports call it. */
    public String name() {
        return name;
    }

    /** When it is on. */
    public Schedule schedule() {
        return schedule;
    }

    /** GPU utilisation that it adds, percent. */
    public double utilPct() {
        return utilPct;
    }

    /** VRAM that it takes, GiB. */
    public double vramGb() {
        return vramGb;
    }

    /** Jobs of others that run, and are reported as running. */
    public int jobs() {
        return jobs;
    }

    /** By what the speed of routed jobs is multiplied; 1: it does not slow them. */
    public double speed() {
        return speed;
    }

    /** The temperature it brings the node to, °C; empty: as it is. */
    public OptionalDouble tempC() {
        return tempC;
    }

    /** Whether a placement while it is on counts as one on an unavailable node. */
    public boolean unavailable() {
        return unavailable;
    }

    /** Whether a routed job while it is on disturbs the node's owner. */
    public boolean owner() {
        return owner;
    }

    /** The number of its random stream within its node, 0 to 9; empty: its place among the node's episodes. */
    public OptionalInt stream() {
        return stream;
    }

    /** Builds an {@link Episode}. Not thread-safe. */
    public static final class Builder {
        private final String name;
        private final Schedule schedule;
        private double utilPct;
        private double vramGb;
        private int jobs;
        private double speed = 1;
        private OptionalDouble tempC = OptionalDouble.empty();
        private boolean unavailable;
        private boolean owner;
        private OptionalInt stream = OptionalInt.empty();

        private Builder(String name, Schedule schedule) {
            this.name = Objects.requireNonNull(name, "name");
            this.schedule = Objects.requireNonNull(schedule, "schedule");
        }

        /** GPU utilisation that it adds, 0 to 100 percent; default 0. */
        public Builder utilPct(double value) {
            utilPct = Spans.within("util_pct of '" + name + "'", value, 0, 100);
            return this;
        }

        /** VRAM that it takes, GiB; default 0. */
        public Builder vramGb(double value) {
            vramGb = Spans.within("vram_gb of '" + name + "'", value, 0, 1e6);
            return this;
        }

        /** Jobs of others that it runs; default 0. */
        public Builder jobs(int value) {
            jobs = (int) Spans.within("jobs of '" + name + "'", value, 0, 10_000);
            return this;
        }

        /** By what the speed of routed jobs is multiplied, above 0 to 1; default 1. */
        public Builder speed(double value) {
            speed = Spans.within("speed of '" + name + "'", value, 1e-6, 1);
            return this;
        }

        /** The temperature it brings the node to, °C; default as it is. */
        public Builder tempC(double value) {
            tempC = OptionalDouble.of(Spans.within("temp_c of '" + name + "'", value, -50, 200));
            return this;
        }

        /** Whether a placement while it is on counts as one on an unavailable node; default false. */
        public Builder unavailable(boolean value) {
            unavailable = value;
            return this;
        }

        /** Whether a routed job while it is on disturbs the node's owner; default false. */
        public Builder owner(boolean value) {
            owner = value;
            return this;
        }

        /** The number of its random stream within its node, 0 to 9; default its place among the node's episodes. */
        public Builder stream(int value) {
            stream = OptionalInt.of((int) Spans.within("stream of '" + name + "'", value, 0, 9));
            return this;
        }

        /** The episode. */
        public Episode build() {
            return new Episode(this);
        }
    }
}
