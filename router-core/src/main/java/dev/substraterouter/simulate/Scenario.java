package dev.substraterouter.simulate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What happens in a run: who asks for what, how the nodes really behave, what disturbs them and what goes wrong. Immutable; the same
 * scenario and seed give the same arrivals, service times and background whatever the policy, so that policies are compared on the same
 * traffic.
 *
 * <p>Random streams of a run: 1 arrivals, 2 marks of requests (workload, class, and two draws for the service time), 3 phases of bursts,
 * for the first traffic; for traffic number k, counted from 0, 1,000,000·k less. 51 noise and loss of the regular polls of the first router and
 * 52 of its extra ones (router r: 100,000·r more). 100 + 10·i + s: episode s of node i. -1 - i: the schedule of fault i, counted from 0.
 */
public final class Scenario {
    private final String name;
    private final long seed;
    private final Duration length;
    private final List<Traffic> traffic;
    private final Map<String, ServiceTime> work;
    private final Map<String, NodeModel> nodes;
    private final Polling polling;
    private final List<Fault> faults;
    private final List<Intervention> interventions;
    private final int routers;
    private final @Nullable Duration giveUpAfter;
    private final Duration refusalCharge;

    private Scenario(Builder builder) {
        this.name = builder.name;
        this.seed = builder.seed;
        this.length = builder.length;
        this.traffic = List.copyOf(builder.traffic);
        this.work = Map.copyOf(builder.work);
        this.nodes = new LinkedHashMap<>(builder.nodes);
        this.polling = builder.polling;
        this.faults = List.copyOf(builder.faults);
        this.interventions = List.copyOf(builder.interventions);
        this.routers = builder.routers;
        this.giveUpAfter = builder.giveUpAfter;
        this.refusalCharge = builder.refusalCharge;
    }

    /** A builder. */
    public static Builder builder(String name) {
        return new Builder(name);
    }

    /** A builder that starts from this scenario. */
    public Builder toBuilder() {
        Builder builder = new Builder(name);
        builder.seed = seed;
        builder.length = length;
        builder.traffic.addAll(traffic);
        builder.work.putAll(work);
        builder.nodes.putAll(nodes);
        builder.polling = polling;
        builder.faults.addAll(faults);
        builder.interventions.addAll(interventions);
        builder.routers = routers;
        builder.giveUpAfter = giveUpAfter;
        builder.refusalCharge = refusalCharge;
        return builder;
    }

    /** The same with another seed. */
    public Scenario withSeed(long value) {
        return toBuilder().seed(value).build();
    }

    /** The same with all arrival rates multiplied; what is recorded comes so much faster. */
    public Scenario withLoad(double factor) {
        Builder builder = toBuilder();
        builder.traffic.clear();
        traffic.forEach(one -> builder.traffic(one.scaled(factor)));
        return builder.build();
    }

    /** What reports call it. */
    public String name() {
        return name;
    }

    /** The number of the run, from which every random number follows. */
    public long seed() {
        return seed;
    }

    /** How long requests arrive; then the run goes on until all are answered, for 24 hours at most: what has no answer then, failed. */
    public Duration length() {
        return length;
    }

    /** Who asks for what. */
    public List<Traffic> traffic() {
        return traffic;
    }

    /** The work of each workload: the time on a node of speed 1. */
    public Map<String, ServiceTime> work() {
        return work;
    }

    /** How nodes really behave, by substrate; a substrate of the policy that is not here behaves as {@link NodeModel#builder} says. */
    public Map<String, NodeModel> nodes() {
        return Map.copyOf(nodes);
    }

    /** The nodes in the order in which they were given. */
    List<NodeModel> nodesInOrder() {
        return List.copyOf(nodes.values());
    }

    /** How statuses reach the routers. */
    public Polling polling() {
        return polling;
    }

    /** What goes wrong. */
    public List<Fault> faults() {
        return faults;
    }

    /** What operators do. */
    public List<Intervention> interventions() {
        return interventions;
    }

    /** How many independent routers share the pool; requests go to them in turn. */
    public int routers() {
        return routers;
    }

    /** After how long the host gives up on running work; empty: never. */
    public Optional<Duration> giveUpAfter() {
        return Optional.ofNullable(giveUpAfter);
    }

    /** What a refused or failed request is charged in the penalised latency. */
    public Duration refusalCharge() {
        return refusalCharge;
    }

    /** Builds a {@link Scenario}. Not thread-safe. */
    public static final class Builder {
        private final String name;
        private long seed = 1;
        private Duration length = Duration.ofHours(6);
        private final List<Traffic> traffic = new ArrayList<>();
        private final Map<String, ServiceTime> work = new LinkedHashMap<>();
        private final Map<String, NodeModel> nodes = new LinkedHashMap<>();
        private Polling polling = Polling.EXACT;
        private final List<Fault> faults = new ArrayList<>();
        private final List<Intervention> interventions = new ArrayList<>();
        private int routers = 1;
        private @Nullable Duration giveUpAfter;
        private Duration refusalCharge = Duration.ofSeconds(300);

        private Builder(String name) {
            this.name = Objects.requireNonNull(name, "name");
        }

        /** The number of the run; default 1. */
        public Builder seed(long value) {
            seed = value;
            return this;
        }

        /** How long requests arrive; default 6 h. */
        public Builder length(Duration value) {
            Spans.positive("length of the run", value);
            length = value;
            return this;
        }

        /** One more source of requests. */
        public Builder traffic(Traffic value) {
            traffic.add(Objects.requireNonNull(value, "traffic"));
            return this;
        }

        /** The work of a workload: its time on a node of speed 1. */
        public Builder work(String workload, ServiceTime value) {
            work.put(workload, Objects.requireNonNull(value, "work"));
            return this;
        }

        /** How a node really behaves; replaces what was said of it. */
        public Builder node(NodeModel value) {
            nodes.put(value.substrate(), value);
            return this;
        }

        /** How statuses reach the routers; default {@link Polling#EXACT}. */
        public Builder polling(Polling value) {
            polling = Objects.requireNonNull(value, "polling");
            return this;
        }

        /** One more thing that goes wrong. */
        public Builder fault(Fault value) {
            faults.add(Objects.requireNonNull(value, "fault"));
            return this;
        }

        /** One more thing an operator does. */
        public Builder intervention(Intervention value) {
            interventions.add(Objects.requireNonNull(value, "intervention"));
            return this;
        }

        /** How many independent routers share the pool, 1 to 1,000; default 1. */
        public Builder routers(int value) {
            routers = (int) Spans.within("routers", value, 1, 1_000);
            return this;
        }

        /** After how long the host gives up on running work; default never. */
        public Builder giveUpAfter(Duration value) {
            Spans.positive("giveUpAfter", value);
            giveUpAfter = value;
            return this;
        }

        /** What a refused or failed request is charged; default 300 s. */
        public Builder refusalCharge(Duration value) {
            Spans.notNegative("refusalCharge", value);
            refusalCharge = value;
            return this;
        }

        /** The scenario. */
        public Scenario build() {
            if (traffic.isEmpty()) {
                throw new IllegalArgumentException("scenario '" + name + "' has no traffic (expected: at least one)");
            }
            return new Scenario(this);
        }
    }
}
