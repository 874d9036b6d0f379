package dev.substraterouter.metrics;

import dev.substraterouter.model.Priority;
import dev.substraterouter.trace.ServingPath;
import dev.substraterouter.trace.WaitEnd;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** What is counted of one workload. Thread-safe. Lives as long as policies have the workload, one after the other. */
final class WorkloadMeters {
    private static final String[] PRIORITIES = Ending.words(Priority.values());
    private static final String[] ENDS = Ending.words(WaitEnd.values());

    private final String workload;
    private final Tags common;
    private final Tagged.Newcomers newcomers;
    /** By substrates of the policy only. */
    private final Map<String, Spot> spots = new ConcurrentHashMap<>();

    private final Spot unplaced = new Spot(this, Names.NONE);
    private final FallbackShare fallbacks = new FallbackShare();
    private final AtomicReferenceArray<Times> decisions = new AtomicReferenceArray<>(Ending.PATHS.length);
    private final AtomicReferenceArray<Times> waits = new AtomicReferenceArray<>(PRIORITIES.length * ENDS.length);

    WorkloadMeters(String workload, Tags common, Tagged.Newcomers newcomers) {
        this.workload = workload;
        this.common = common;
        this.newcomers = newcomers;
    }

    String workload() {
        return workload;
    }

    Tagged.Newcomers newcomers() {
        return newcomers;
    }

    /** The tags of one of its meters. */
    Tags tags(String... more) {
        return common.and("workload", workload).and(more);
    }

    /** Its meter that is there from the beginning. */
    Entry share() {
        return new Entry(registry -> Gauge.builder(Meters.FALLBACK_SHARE.meterName(), fallbacks, FallbackShare::share)
                .description(Meters.FALLBACK_SHARE.description())
                .tags(tags())
                .register(registry));
    }

    /** What is counted of it on a substrate; what a policy does not name counts as one. */
    Spot on(String substrate, Names names) {
        Spot known = spots.get(substrate);
        return known != null ? known : spots.computeIfAbsent(names.substrate(substrate), name -> new Spot(this, name));
    }

    Spot unplaced() {
        return unplaced;
    }

    void placed(boolean onPrimary) {
        fallbacks.add(!onPrimary);
    }

    void decided(ServingPath path, long nanos) {
        at(decisions, path.ordinal(), Meters.DECISION, "path", Ending.PATHS[path.ordinal()])
                .record(nanos);
    }

    void waited(Priority priority, WaitEnd end, long nanos) {
        String urgency = PRIORITIES[priority.ordinal()];
        String outcome = ENDS[end.ordinal()];
        at(
                        waits,
                        priority.ordinal() * ENDS.length + end.ordinal(),
                        Meters.WAIT,
                        "priority",
                        urgency,
                        "outcome",
                        outcome)
                .record(nanos);
    }

    private Times at(AtomicReferenceArray<Times> all, int place, Meters meter, String... tags) {
        if (all.get(place) == null) {
            all.compareAndSet(place, null, new Times(this, meter, Names.NONE, tags));
        }
        return Objects.requireNonNull(all.get(place));
    }

    /** Forgets what has names that the policy does not have any more. */
    void keepOnly(Names names) {
        spots.keySet().removeIf(substrate -> !names.hasSubstrate(substrate));
        spots.values().forEach(spot -> spot.keepOnly(names));
        unplaced.keepOnly(names);
    }
}
