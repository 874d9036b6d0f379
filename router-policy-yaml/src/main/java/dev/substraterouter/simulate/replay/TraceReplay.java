package dev.substraterouter.simulate.replay;

import dev.substraterouter.policy.Policy;
import dev.substraterouter.simulate.Arrivals;
import dev.substraterouter.simulate.RequestClass;
import dev.substraterouter.simulate.Scenario;
import dev.substraterouter.simulate.ServiceTime;
import dev.substraterouter.trace.RoutingTrace;
import dev.substraterouter.trace.jsonl.JsonLinesTraces;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a router has recorded, to be run again: last week's requests under another policy, with a further machine, with one of them down.
 * Immutable and thread-safe.
 *
 * <pre>{@code
 * TraceReplay lastWeek = TraceReplay.read(directory);
 * Scenario asItWas = lastWeek.replay(policy).scenario();
 * Scenario withLegionDown = asItWas.toBuilder()
 *         .fault(Fault.of(Fault.Kind.CRASH, "legion", Schedule.always()))
 *         .build();
 * SimulationReport report = Simulation.of(policy, withLegionDown).run();
 * }</pre>
 *
 * <p><b>Requests</b> come when they came, for the workload and with the priority that they had, and, where the router had roles, from the
 * same identity; of more than 200 clients the later ones go into the class of their role and priority. Requests for a need without a
 * workload, and for workloads that the policy does not know, are left out, which {@link Replay#notes} tells. What a trace does not keep is
 * at its default: the mode, the patience of clients, and whether somebody waits.
 *
 * <p><b>Work</b> takes as long as it took: of each workload on each substrate, the times from placement to success are drawn from, of more
 * than {@value Sampled#MOST} a sample. They hold whatever slowed the work then: loading, neighbours, distance. So the nodes of a replay load no
 * models and have no background of their own. Where a workload was never done on a substrate, the first of these that there is: the caller's {@link
 * Fallback}; the candidate's expected latency; all times of the workload elsewhere. Slots, memory and polls are the policy's.
 *
 * <p>The traces are read once or twice by {@link Builder#read}, and again by each run. In memory are what {@link JsonLinesTraces} keeps, the
 * times of at most 1,000 pairs of workload and substrate, and, during a run, 100,000 requests that wait for older ones.
 */
public final class TraceReplay {
    private final JsonLinesTraces traces;
    private final Window window;
    private final Tally tally;
    private final long seed;
    private final int held;

    private TraceReplay(JsonLinesTraces traces, Window window, Tally tally, long seed, int held) {
        this.traces = traces;
        this.window = window;
        this.tally = tally;
        this.seed = seed;
        this.held = held;
    }

    /**
     * All traces in a file, or in the files of a sink's directory. Blocks while they are read.
     *
     * @throws IOException if they cannot be read
     */
    public static TraceReplay read(Path fileOrDirectory) throws IOException {
        return builder(fileOrDirectory).read();
    }

    /** A builder, for traces in a file, or in the files of a sink's directory. */
    public static Builder builder(Path fileOrDirectory) {
        return new Builder(fileOrDirectory);
    }

    /** How many requests named a workload. */
    public long size() {
        return tally.requests();
    }

    /** How many requests each workload had, in the order in which they come first. */
    public Map<String, Long> workloads() {
        return Collections.unmodifiableMap(tally.workloads());
    }

    /** Who asked; the shares are counts of requests. */
    public List<RequestClass> classes() {
        return tally.clients().classes();
    }

    /** When the first request came that is replayed, or as the builder says; the epoch when there is none. */
    public Instant from() {
        return window.from();
    }

    /** From then to the end of the last request's second, or as the builder says. */
    public Duration length() {
        return window.length();
    }

    /** When requests came, for a scenario of one's own with the workloads and classes of this one. */
    public Arrivals arrivals() {
        return arrivals(workload -> true);
    }

    /** How long a workload took on a substrate; empty when it was never done there. */
    public Optional<ServiceTime> observed(String workload, String substrate) {
        return tally.times(workload, substrate).map(Sampled::time);
    }

    /**
     * The scenario in which the same requests come, under a policy.
     *
     * @throws IllegalArgumentException if there is no request for any of its workloads
     */
    public Replay replay(Policy policy) {
        return replay(policy, (workload, substrate) -> Optional.empty());
    }

    /**
     * The scenario in which the same requests come, under a policy.
     *
     * @param fallback how long a workload takes where it was never done
     * @throws IllegalArgumentException if there is no request for any of its workloads
     */
    public Replay replay(Policy policy, Fallback fallback) {
        ReplayMaking making = new ReplayMaking(policy, tally, fallback);
        Scenario.Builder scenario = Scenario.builder("replay").seed(seed).length(window.length());
        scenario.traffic(making.traffic(arrivals(making.workloads()::contains), classes()));
        making.nodes().forEach(scenario::node);
        return new Replay(scenario.build(), making.notes(traces.skipped()));
    }

    private Arrivals arrivals(Predicate<String> workloads) {
        Predicate<String> counted = tally.workloads()::containsKey;
        return Arrivals.recorded(new TracedRequests(traces, window, tally.clients(), counted.and(workloads), held));
    }

    /** Tells how long a workload takes on a substrate on which it was never done. */
    @FunctionalInterface
    public interface Fallback {
        /** The time; empty: this does not tell. */
        Optional<ServiceTime> time(String workload, String substrate);
    }

    /**
     * A scenario made of traces.
     *
     * @param scenario the scenario; its name is {@code replay}
     * @param notes what differs from what was: what was left out, and whose times are not observed
     */
    public record Replay(Scenario scenario, List<String> notes) {
        /** Copies the list. */
        public Replay {
            Objects.requireNonNull(scenario, "scenario");
            notes = List.copyOf(notes);
        }
    }

    /** Builds a {@link TraceReplay}. Not thread-safe. */
    public static final class Builder {
        private final Path fileOrDirectory;
        private @Nullable Instant from;
        private @Nullable Duration length;
        private long seed = 1;
        private int held = TracedRequests.HELD;

        private Builder(Path fileOrDirectory) {
            this.fileOrDirectory = Objects.requireNonNull(fileOrDirectory, "fileOrDirectory");
        }

        /** Leaves out what came before; default: nothing. */
        public Builder from(Instant value) {
            from = Objects.requireNonNull(value, "from");
            return this;
        }

        /**
         * Leaves out what came so long after the beginning or later; default, and at most, ten years.
         *
         * @throws IllegalArgumentException if it is not above 0
         */
        public Builder length(Duration value) {
            if (value.isNegative() || value.isZero()) {
                throw new IllegalArgumentException("length: " + value + " (expected: above 0)");
            }
            length = value;
            return this;
        }

        /** The seed of the scenario, and of the samples of times; default 1. */
        public Builder seed(long value) {
            seed = value;
            return this;
        }

        /** Holds back so many requests to put them in order. */
        Builder held(int value) {
            held = value;
            return this;
        }

        /**
         * Reads the traces. Blocks meanwhile.
         *
         * @throws IOException if they cannot be read
         */
        public TraceReplay read() throws IOException {
            JsonLinesTraces traces = JsonLinesTraces.read(fileOrDirectory);
            try {
                Window window = window(traces);
                Tally tally = new Tally(seed);
                for (RoutingTrace trace : traces) {
                    if (window.has(trace.askedAt())) {
                        tally.add(trace);
                    }
                }
                return new TraceReplay(traces, window, tally, seed, held);
            } catch (UncheckedIOException e) {
                throw Objects.requireNonNull(e.getCause());
            }
        }

        private Window window(JsonLinesTraces traces) {
            if (from != null && length != null) {
                return new Window(from, length);
            }
            Instant first = from == null ? Instant.MAX : from;
            Instant last = Instant.MIN;
            for (RoutingTrace trace : traces) {
                Instant at = trace.askedAt();
                first = from == null && at.isBefore(first) ? at : first;
                last = at.isAfter(last) ? at : last;
            }
            if (first.isAfter(last)) {
                return new Window(from == null ? Instant.EPOCH : from, Duration.ofSeconds(1));
            }
            Duration all = Duration.ofSeconds(Duration.between(first, last).toSeconds() + 1);
            return new Window(first, length == null ? all : length);
        }
    }
}
