package dev.substraterouter.simulate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;

/**
 * How one substrate really behaves; the policy says what the router believes. Immutable.
 *
 * <p>n jobs on m slots run at {@code speed × min(1, m ÷ n)} each, times {@link #sharedSpeed} when n &gt; m, times what episodes and faults
 * leave of it.
 */
public final class NodeModel {
    private final String substrate;
    private final OptionalInt slots;
    private final OptionalDouble vramGb;
    private final double speed;
    private final Map<String, ServiceTime> serves;
    private final Overload overload;
    private final double sharedSpeed;
    private final Duration outOfMemoryAfter;
    private final Duration retryAfter;
    private final int residentModels;
    private final Duration loadTime;
    private final double baseUtilPct;
    private final OptionalDouble utilPerJobPct;
    private final double baseTempC;
    private final double busyKw;
    private final List<Episode> episodes;

    private NodeModel(Builder builder) {
        this.substrate = builder.substrate;
        this.slots = builder.slots;
        this.vramGb = builder.vramGb;
        this.speed = builder.speed;
        this.serves = Map.copyOf(builder.serves);
        this.overload = builder.overload;
        this.sharedSpeed = builder.sharedSpeed;
        this.outOfMemoryAfter = builder.outOfMemoryAfter;
        this.retryAfter = builder.retryAfter;
        this.residentModels = builder.residentModels;
        this.loadTime = builder.loadTime;
        this.baseUtilPct = builder.baseUtilPct;
        this.utilPerJobPct = builder.utilPerJobPct;
        this.baseTempC = builder.baseTempC;
        this.busyKw = builder.busyKw;
        this.episodes = List.copyOf(builder.episodes);
    }

    /** A builder of a node that behaves as the policy says and is never disturbed. */
    public static Builder builder(String substrate) {
        return new Builder(substrate);
    }

    /** The substrate's id in the policy. */
    public String substrate() {
        return substrate;
    }

    /** How many jobs run at full speed; empty: as many as the policy lets. */
    public OptionalInt slots() {
        return slots;
    }

    /** VRAM, GiB; empty: as the policy says. */
    public OptionalDouble vramGb() {
        return vramGb;
    }

    /** How many seconds of work one job gets done in a second, where the scenario gives the work of a workload and not a time here. */
    public double speed() {
        return speed;
    }

    /** Times of particular workloads here, which replace work ÷ speed. */
    public Map<String, ServiceTime> serves() {
        return serves;
    }

    /** What it does with more jobs than slots. */
    public Overload overload() {
        return overload;
    }

    /** The speed of each job when there are more than slots, on top of its share. */
    public double sharedSpeed() {
        return sharedSpeed;
    }

    /** After how long a job fails that does not fit into the memory. */
    public Duration outOfMemoryAfter() {
        return outOfMemoryAfter;
    }

    /** What a refusal or an out-of-memory answer says about when to come back. */
    public Duration retryAfter() {
        return retryAfter;
    }

    /**
     * How many models stay in memory; the one not used for longest goes first; 0: loading is not simulated. A model that stays takes no
     * memory from others.
     */
    public int residentModels() {
        return residentModels;
    }

    /** How long a model loads that is not in memory. */
    public Duration loadTime() {
        return loadTime;
    }

    /** Utilisation of the idle node, percent. */
    public double baseUtilPct() {
        return baseUtilPct;
    }

    /** Utilisation that one job adds, percent; empty: 100 ÷ slots. */
    public OptionalDouble utilPerJobPct() {
        return utilPerJobPct;
    }

    /** Temperature when nothing heats it, °C. */
    public double baseTempC() {
        return baseTempC;
    }

    /** Power of one busy slot, kW. */
    public double busyKw() {
        return busyKw;
    }

    /** What goes on in its background. */
    public List<Episode> episodes() {
        return episodes;
    }

    /** Builds a {@link NodeModel}. Not thread-safe. */
    public static final class Builder {
        private static final int MOST_EPISODES = 10;

        private final String substrate;
        private OptionalInt slots = OptionalInt.empty();
        private OptionalDouble vramGb = OptionalDouble.empty();
        private double speed = 1;
        private final Map<String, ServiceTime> serves = new LinkedHashMap<>();
        private Overload overload = Overload.SHARE;
        private double sharedSpeed = 0.9;
        private Duration outOfMemoryAfter = Duration.ofSeconds(2);
        private Duration retryAfter = Duration.ofSeconds(10);
        private int residentModels;
        private Duration loadTime = Duration.ZERO;
        private double baseUtilPct;
        private OptionalDouble utilPerJobPct = OptionalDouble.empty();
        private double baseTempC = 50;
        private double busyKw;
        private final List<Episode> episodes = new ArrayList<>();

        private Builder(String substrate) {
            this.substrate = Objects.requireNonNull(substrate, "substrate");
        }

        /** How many jobs run at full speed, 1 to 10,000. */
        public Builder slots(int value) {
            slots = OptionalInt.of((int) Spans.within("slots of '" + substrate + "'", value, 1, 10_000));
            return this;
        }

        /** VRAM, GiB. */
        public Builder vramGb(double value) {
            vramGb = OptionalDouble.of(Spans.within("vram_gb of '" + substrate + "'", value, 0, 1e6));
            return this;
        }

        /** Work per second of one job; default 1. */
        public Builder speed(double value) {
            speed = Spans.within("speed of '" + substrate + "'", value, 1e-6, 1e6);
            return this;
        }

        /** The time of a workload here. */
        public Builder serves(String workload, ServiceTime time) {
            serves.put(workload, Objects.requireNonNull(time, "time"));
            return this;
        }

        /** What it does with more jobs than slots; default {@link Overload#SHARE}. */
        public Builder overload(Overload value) {
            overload = Objects.requireNonNull(value, "overload");
            return this;
        }

        /** The speed of each job when there are more than slots, above 0 to 1; default 0.9. */
        public Builder sharedSpeed(double value) {
            sharedSpeed = Spans.within("shared_speed of '" + substrate + "'", value, 1e-6, 1);
            return this;
        }

        /** After how long a job fails that does not fit into the memory; default 2 s. */
        public Builder outOfMemoryAfter(Duration value) {
            Spans.notNegative("out_of_memory_after of '" + substrate + "'", value);
            outOfMemoryAfter = value;
            return this;
        }

        /** What a refusal says about when to come back; default 10 s. */
        public Builder retryAfter(Duration value) {
            Spans.notNegative("retry_after of '" + substrate + "'", value);
            retryAfter = value;
            return this;
        }

        /** How many models stay in memory, and how long one loads; default: not simulated. */
        public Builder models(int resident, Duration load) {
            residentModels = (int) Spans.within("resident_models of '" + substrate + "'", resident, 0, 10_000);
            Spans.notNegative("load_time of '" + substrate + "'", load);
            loadTime = load;
            return this;
        }

        /** Utilisation of the idle node, percent; default 0. */
        public Builder baseUtilPct(double value) {
            baseUtilPct = Spans.within("base_util_pct of '" + substrate + "'", value, 0, 100);
            return this;
        }

        /** Utilisation that one job adds, percent; default 100 ÷ slots. */
        public Builder utilPerJobPct(double value) {
            utilPerJobPct = OptionalDouble.of(Spans.within("util_per_job_pct of '" + substrate + "'", value, 0, 100));
            return this;
        }

        /** Temperature when nothing heats it, °C; default 50. */
        public Builder baseTempC(double value) {
            baseTempC = Spans.within("base_temp_c of '" + substrate + "'", value, -50, 200);
            return this;
        }

        /** Power of one busy slot, kW; default 0. */
        public Builder busyKw(double value) {
            busyKw = Spans.within("busy_kw of '" + substrate + "'", value, 0, 1e6);
            return this;
        }

        /** One more thing in its background. */
        public Builder episode(Episode value) {
            episodes.add(Objects.requireNonNull(value, "episode"));
            return this;
        }

        /**
         * The model.
         *
         * @throws IllegalArgumentException if there are more than 10 episodes, or two have the same random stream
         */
        public NodeModel build() {
            Set<Integer> streams = new HashSet<>();
            for (int at = 0; at < episodes.size(); at++) {
                int stream = episodes.get(at).stream().orElse(at);
                if (stream > MOST_EPISODES - 1 || !streams.add(stream)) {
                    throw new IllegalArgumentException(
                            "episode '" + episodes.get(at).name() + "' of '" + substrate
                                    + "' has random stream " + stream + " (expected: one of its own, 0 to "
                                    + (MOST_EPISODES - 1)
                                    + ")");
                }
            }
            return new NodeModel(this);
        }
    }
}
