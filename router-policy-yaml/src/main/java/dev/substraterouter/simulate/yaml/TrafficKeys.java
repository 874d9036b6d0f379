package dev.substraterouter.simulate.yaml;

import dev.substraterouter.internal.yaml.At;
import dev.substraterouter.internal.yaml.Draft;
import dev.substraterouter.internal.yaml.Section;
import dev.substraterouter.internal.yaml.Type;
import dev.substraterouter.internal.yaml.Types;
import dev.substraterouter.model.PlacementMode;
import dev.substraterouter.model.Priority;
import dev.substraterouter.simulate.Arrivals;
import dev.substraterouter.simulate.RequestClass;
import dev.substraterouter.simulate.Traffic;
import dev.substraterouter.simulate.replay.TraceReplay;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The keys of one traffic: when requests come, for which workloads, from which clients. */
final class TrafficKeys {
    private static final String ANY_WORKLOAD = "any";

    private record Groups(double share, int size) {}

    /** When requests come, and what is known of them where that is recorded. */
    private record Source(Arrivals arrivals, Optional<Recording> recording, Optional<TraceReplay> traces) {
        static Source of(Arrivals arrivals) {
            return new Source(arrivals, Optional.empty(), Optional.empty());
        }
    }

    private static final Type<Arrivals> POISSON = Ranges.made(
            Section.ofDraft().required("per_hour", Ranges.RATE, Draft.put("per_hour")),
            (draft, at) -> Optional.of(Arrivals.poisson(draft.get("per_hour", Double.class))));

    private static final Type<Groups> GROUPS = Ranges.made(
            Section.ofDraft()
                    .required("share", Ranges.SHARE, Draft.put("share"))
                    .required("size", Ranges.count(1, 10_000), Draft.put("size")),
            (draft, at) -> Optional.of(new Groups(draft.get("share", Double.class), draft.get("size", Integer.class))));

    private static final Type<Arrivals> BURSTS = Ranges.made(
            Section.ofDraft()
                    .required("per_hour", Ranges.RATE, Draft.put("per_hour"))
                    .key("on", Ranges.POSITIVE, Draft.put("on"))
                    .key("off", Ranges.POSITIVE, Draft.put("off"))
                    .key("on_factor", Ranges.number(0, 1_000), Draft.put("on_factor"))
                    .key("off_factor", Ranges.number(0, 1_000), Draft.put("off_factor"))
                    .key("groups", GROUPS, Draft.put("groups")),
            TrafficKeys::bursts);

    private static final Type<RequestClass> CLASS = Ranges.made(
            Section.ofDraft()
                    .key("share", Ranges.RATE, Draft.put("share"))
                    .key("identity", Ranges.NAME, Draft.put("identity"))
                    .key("priority", Types.word(Priority.class), Draft.put("priority"))
                    .key("mode", Types.word(PlacementMode.class), Draft.put("mode"))
                    .key("max_wait", Ranges.NOT_NEGATIVE, Draft.put("max_wait"))
                    .key("deadline", Ranges.POSITIVE, Draft.put("deadline"))
                    .key("idempotent", Types.FLAG, Draft.put("idempotent"))
                    .key("patience", Ranges.POSITIVE, Draft.put("patience"))
                    .key("interactive", Types.FLAG, Draft.put("interactive")),
            TrafficKeys::requestClass);

    private TrafficKeys() {}

    static Type<Traffic> type(Folder folder) {
        Type<Source> arrivals = Ranges.made(
                Section.ofDraft()
                        .key("poisson", POISSON, Draft.put("poisson"))
                        .key("bursts", BURSTS, Draft.put("bursts"))
                        .key("recorded", Ranges.read(folder::requests), Draft.put("recorded"))
                        .key("traces", Ranges.read(folder::traces), Draft.put("traces"))
                        .oneOf("poisson", "bursts", "recorded", "traces"),
                (draft, at) -> Optional.of(source(draft)));
        return Ranges.made(
                Section.ofDraft()
                        .required("arrivals", arrivals, Draft.put("arrivals"))
                        .key("workloads", Ranges.named(Ranges.RATE), Draft.put("workloads"))
                        .key("classes", Ranges.named(CLASS), Draft.put("classes")),
                TrafficKeys::traffic);
    }

    private static Source source(Draft draft) {
        Optional<Recording> recording = draft.find("recorded", Recording.class);
        Optional<TraceReplay> traces = draft.find("traces", TraceReplay.class);
        if (recording.isPresent()) {
            return new Source(Arrivals.recorded(recording.get().requests()), recording, traces);
        }
        if (traces.isPresent()) {
            return new Source(traces.get().arrivals(), recording, traces);
        }
        return Source.of(draft.find("poisson", Arrivals.class).orElseGet(() -> draft.get("bursts", Arrivals.class)));
    }

    private static Optional<Arrivals> bursts(Draft draft, At at) {
        Arrivals.Bursts.Builder bursts = Arrivals.bursts(draft.get("per_hour", Double.class));
        Arrivals.Bursts defaults = bursts.build();
        draft.find("groups", Groups.class).ifPresent(groups -> bursts.groups(groups.share(), groups.size()));
        return Optional.of(bursts.phases(
                        draft.find("on", Duration.class).orElse(defaults.on()),
                        draft.find("off", Duration.class).orElse(defaults.off()))
                .factors(
                        draft.find("on_factor", Double.class).orElse(defaults.onFactor()),
                        draft.find("off_factor", Double.class).orElse(defaults.offFactor()))
                .build());
    }

    private static Optional<RequestClass> requestClass(Draft draft, At at) {
        RequestClass.Builder builder = RequestClass.builder(
                at.label(), draft.find("share", Double.class).orElse(1.0));
        draft.find("identity", String.class).ifPresent(builder::identity);
        draft.find("priority", Priority.class).ifPresent(builder::priority);
        draft.find("mode", PlacementMode.class).ifPresent(builder::mode);
        draft.find("max_wait", Duration.class).ifPresent(builder::maxWait);
        draft.find("deadline", Duration.class).ifPresent(builder::deadline);
        draft.find("idempotent", Boolean.class).ifPresent(builder::idempotent);
        draft.find("patience", Duration.class).ifPresent(builder::patience);
        draft.find("interactive", Boolean.class).ifPresent(builder::interactive);
        RequestClass made = builder.build();
        made.request(ANY_WORKLOAD); // a request that cannot be asked is found here and not in the run
        return Optional.of(made);
    }

    private static Optional<Traffic> traffic(Draft draft, At at) {
        Source source = draft.get("arrivals", Source.class);
        Optional<Map<String, Double>> workloads = workloads(draft, at, source);
        Optional<Collection<RequestClass>> classes = classes(draft, at, source);
        if (workloads.isEmpty() || classes.isEmpty()) {
            return Optional.empty();
        }
        Traffic.Builder builder = Traffic.builder(source.arrivals());
        workloads.get().forEach(builder::workload);
        classes.get().forEach(builder::requestClass);
        return Optional.of(builder.build());
    }

    /** What the file says, or else what a record says; a record may not name others. */
    private static Optional<Map<String, Double>> workloads(Draft draft, At at, Source source) {
        if (!draft.has("workloads")) {
            Map<String, Double> shares = new LinkedHashMap<>();
            recorded(source).forEach((workload, count) -> shares.put(workload, (double) count));
            if (shares.isEmpty()) {
                at.missing("workloads");
                return Optional.empty();
            }
            return Optional.of(shares);
        }
        if (source.traces().isPresent()) {
            return Times.doesNotApply("workloads", "without traces, which name them", at);
        }
        Map<String, Double> shares = draft.map("workloads", Double.class);
        return areAllIn(shares.keySet(), "workload", recorded(source).keySet(), at)
                ? Optional.of(shares)
                : Optional.empty();
    }

    private static Map<String, Long> recorded(Source source) {
        return source.recording()
                .map(Recording::workloads)
                .or(() -> source.traces().map(TraceReplay::workloads))
                .orElse(Map.of());
    }

    private static Optional<Collection<RequestClass>> classes(Draft draft, At at, Source source) {
        Map<String, Long> recorded = source.recording().map(Recording::classes).orElse(Map.of());
        if (!draft.has("classes")) {
            return Optional.of(source.traces().map(TraceReplay::classes).orElseGet(() -> recorded.entrySet().stream()
                    .map(one ->
                            RequestClass.builder(one.getKey(), one.getValue()).build())
                    .toList()));
        }
        if (source.traces().isPresent()) {
            return Times.doesNotApply("classes", "without traces, which tell them", at);
        }
        Collection<RequestClass> classes =
                draft.map("classes", RequestClass.class).values();
        List<String> names = classes.stream().map(RequestClass::name).toList();
        return areAllIn(names, "class", recorded.keySet(), at) ? Optional.of(classes) : Optional.empty();
    }

    private static boolean areAllIn(Collection<String> known, String what, Collection<String> named, At at) {
        At record = at.key("arrivals").key("recorded");
        List<String> unknown =
                named.stream().filter(name -> !known.contains(name)).limit(5).toList();
        if (!unknown.isEmpty()) {
            record.report(
                    "unknown-" + what,
                    at.problems().place(record.path()),
                    "recorded: the " + what + " " + unknown + " in the file (expected: only those listed here)");
        }
        return unknown.isEmpty();
    }
}
