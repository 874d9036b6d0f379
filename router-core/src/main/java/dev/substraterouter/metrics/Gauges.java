package dev.substraterouter.metrics;

import dev.substraterouter.RouterFigures;
import dev.substraterouter.RouterFigures.CandidateFigures;
import dev.substraterouter.RouterFigures.QueueFigures;
import dev.substraterouter.RouterFigures.SubstrateFigures;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.model.Priority;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * What is read when somebody looks: how the router stands. Gauges share figures that are at most a tenth of a second old, by the router's
 * time source; so a look at a registry that is done sooner shows one moment, or two where the figures become too old meanwhile, and one that
 * takes longer shows several. Thread-safe.
 */
final class Gauges {
    private static final Duration SHARED = Duration.ofMillis(100);
    private static final String SHARED_QUEUE = "(shared)";

    private final SubstrateRouter router;
    private final Tags common;
    private volatile @Nullable Index last;

    Gauges(SubstrateRouter router, Tags common) {
        this.router = router;
        this.common = common;
    }

    /** Figures by name: a gauge must not look through all of them. */
    private record Index(
            RouterFigures figures,
            Map<String, SubstrateFigures> substrates,
            Map<String, QueueFigures> queues,
            Map<String, CandidateFigures> candidates) {
        static Index of(RouterFigures figures) {
            Map<String, SubstrateFigures> substrates = new HashMap<>();
            figures.substrates().forEach(one -> substrates.put(one.id(), one));
            Map<String, QueueFigures> queues = new HashMap<>();
            figures.queues().forEach(one -> queues.put(queue(one), one));
            Map<String, CandidateFigures> candidates = new HashMap<>();
            figures.candidates().forEach(one -> candidates.putIfAbsent(candidate(one), one));
            return new Index(figures, substrates, queues, candidates);
        }
    }

    @SuppressWarnings("ReferenceEquality") // the same figures, not equal ones
    private Index index() {
        RouterFigures figures = router.figures(SHARED);
        Index known = last;
        if (known == null || known.figures() != figures) {
            known = Index.of(figures);
            last = known;
        }
        return known;
    }

    private static String queue(QueueFigures queue) {
        return queue.workload().orElse(SHARED_QUEUE);
    }

    private static String candidate(CandidateFigures one) {
        return one.workload() + '\n' + one.substrateId() + '\n' + one.model().orElse(Names.NONE);
    }

    /** The gauges that the router has as it stands, by what they are of. */
    Map<String, List<Entry>> entries(Map<String, List<Entry>> known) {
        Index now = Index.of(router.figures());
        Map<String, List<Entry>> entries = new LinkedHashMap<>();
        keep(entries, known, "router", this::ofRouter);
        now.queues().keySet().forEach(name -> keep(entries, known, "queue " + name, () -> ofQueue(name)));
        now.substrates().keySet().forEach(id -> keep(entries, known, "substrate " + id, () -> ofSubstrate(id)));
        now.candidates().forEach((key, one) -> keep(entries, known, "candidate " + key, () -> drift(key, one)));
        return entries;
    }

    private static void keep(
            Map<String, List<Entry>> entries, Map<String, List<Entry>> known, String what, Supplier<List<Entry>> made) {
        List<Entry> before = known.get(what);
        entries.put(what, before != null ? before : made.get());
    }

    private List<Entry> ofRouter() {
        List<Entry> entries = new ArrayList<>();
        for (Priority priority : Priority.values()) {
            String urgency = Ending.words(new Priority[] {priority})[0];
            entries.add(gauge(
                    Meters.QUEUE_WAITING,
                    null,
                    now -> now.figures().waiting().getOrDefault(priority, 0),
                    "priority",
                    urgency));
        }
        entries.add(gauge(Meters.REVISION, null, now -> now.figures().revision()));
        entries.add(
                gauge(Meters.RELOAD_REJECTED, null, now -> flag(now.figures().rejected())));
        entries.add(counter(Meters.RELOADS, now -> now.figures().reloads(), "result", "accepted"));
        entries.add(counter(Meters.RELOADS, now -> now.figures().rejectedReloads(), "result", "rejected"));
        entries.add(counter(Meters.DROPPED, now -> now.figures().droppedEvents(), "what", "events"));
        entries.add(counter(Meters.DROPPED, now -> now.figures().droppedTraces(), "what", "traces"));
        return entries;
    }

    private List<Entry> ofQueue(String name) {
        return List.of(
                gauge(
                        Meters.QUEUE_TAKEN,
                        null,
                        now -> of(now.queues().get(name), QueueFigures::waiting),
                        "queue",
                        name),
                gauge(
                        Meters.QUEUE_PLACES,
                        null,
                        now -> of(now.queues().get(name), QueueFigures::capacity),
                        "queue",
                        name));
    }

    private List<Entry> ofSubstrate(String id) {
        return List.of(
                substrate(Meters.LEASES, id, SubstrateFigures::leases),
                substrate(
                        Meters.FREE_SLOTS,
                        id,
                        one -> one.freeSlots().isPresent() ? one.freeSlots().getAsInt() : Double.NaN),
                gauge(Meters.STATUS_AGE, "seconds", now -> of(now.substrates().get(id), Gauges::age), "substrate", id),
                substrate(Meters.GATE, id, one -> flag(one.passes())),
                substrate(Meters.EJECTED, id, one -> flag(one.ejected()), "state", "out"),
                substrate(Meters.EJECTED, id, one -> flag(one.trial()), "state", "trial"),
                substrate(Meters.CORDONED, id, one -> flag(one.cordoned())),
                substrate(Meters.SUSPECT, id, one -> flag(one.suspect())));
    }

    private List<Entry> drift(String key, CandidateFigures one) {
        return List.of(gauge(
                Meters.DRIFT,
                null,
                now -> of(now.candidates().get(key), candidate -> orNan(candidate.drift())),
                "workload",
                one.workload(),
                "substrate",
                one.substrateId(),
                "model",
                one.model().orElse(Names.NONE)));
    }

    private Entry substrate(Meters meter, String id, ToDoubleFunction<SubstrateFigures> value, String... more) {
        String[] tags = new String[more.length + 2];
        tags[0] = "substrate";
        tags[1] = id;
        System.arraycopy(more, 0, tags, 2, more.length);
        return gauge(meter, null, now -> of(now.substrates().get(id), value), tags);
    }

    private Entry gauge(Meters meter, @Nullable String unit, ToDoubleFunction<Index> value, String... tags) {
        return new Entry(
                registry -> Gauge.builder(meter.meterName(), this, gauges -> value.applyAsDouble(gauges.index()))
                        .description(meter.description())
                        .baseUnit(unit)
                        .tags(common.and(tags))
                        .register(registry));
    }

    private Entry counter(Meters meter, ToDoubleFunction<Index> value, String... tags) {
        return new Entry(registry -> FunctionCounter.builder(
                        meter.meterName(), this, gauges -> value.applyAsDouble(gauges.index()))
                .description(meter.description())
                .tags(common.and(tags))
                .register(registry));
    }

    /** NaN while a reload takes it away. */
    private static <T> double of(@Nullable T figures, ToDoubleFunction<T> value) {
        return figures == null ? Double.NaN : value.applyAsDouble(figures);
    }

    private static double age(SubstrateFigures one) {
        return one.statusAge().map(age -> age.toNanos() / 1e9).orElse(Double.NaN);
    }

    private static double orNan(OptionalDouble value) {
        return value.orElse(Double.NaN);
    }

    private static double flag(boolean set) {
        return set ? 1 : 0;
    }
}
