package dev.substraterouter.simulate.yaml;

import dev.substraterouter.internal.yaml.At;
import dev.substraterouter.internal.yaml.Draft;
import dev.substraterouter.internal.yaml.Section;
import dev.substraterouter.internal.yaml.Type;
import dev.substraterouter.internal.yaml.Types;
import dev.substraterouter.simulate.Fault;
import dev.substraterouter.simulate.NodeModel;
import dev.substraterouter.simulate.Polling;
import dev.substraterouter.simulate.Scenario;
import dev.substraterouter.simulate.ServiceTime;
import dev.substraterouter.simulate.Traffic;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The keys of a scenario's file, version 1. */
final class ScenarioKeys {
    /** The version of the format. */
    static final int VERSION = 1;

    private static final Type<Polling> POLL = Ranges.made(
            Section.ofDraft()
                    .key("every", Ranges.NOT_NEGATIVE, Draft.put("every"))
                    .key("delay", Ranges.NOT_NEGATIVE, Draft.put("delay"))
                    .key("noise_pct", Ranges.PERCENT, Draft.put("noise_pct"))
                    .key("loss", Ranges.SHARE, Draft.put("loss")),
            (draft, at) -> Optional.of(new Polling(
                    draft.find("every", Duration.class).orElse(Polling.EXACT.every()),
                    draft.find("delay", Duration.class).orElse(Polling.EXACT.delay()),
                    draft.find("noise_pct", Double.class).orElse(Polling.EXACT.noisePct()),
                    draft.find("loss", Double.class).orElse(Polling.EXACT.loss()))));

    private ScenarioKeys() {}

    static Type<Scenario> type(Folder folder) {
        Type<ServiceTime> time = Times.type(folder);
        return Ranges.made(
                Section.ofDraft()
                        .required("version", Types.COUNT, Draft.put("version"))
                        .required("name", Ranges.NAME, Draft.put("name"))
                        .key("length", Ranges.POSITIVE, Draft.put("length"))
                        .key("seed", Ranges.SEED, Draft.put("seed"))
                        .key("refusal_charge", Ranges.NOT_NEGATIVE, Draft.put("refusal_charge"))
                        .key("give_up_after", Ranges.POSITIVE, Draft.put("give_up_after"))
                        .key("routers", Ranges.count(1, 1_000), Draft.put("routers"))
                        .key("poll", POLL, Draft.put("poll"))
                        .required("traffic", Types.listOf(TrafficKeys.type(folder)), Draft.put("traffic"))
                        .key("work", Ranges.named(time), Draft.put("work"))
                        .key("nodes", Ranges.named(NodeKeys.type(time)), Draft.put("nodes"))
                        .key("faults", Types.listOf(FaultKeys.FAULT), Draft.put("faults")),
                ScenarioKeys::scenario);
    }

    private static Optional<Scenario> scenario(Draft draft, At at) {
        int before = at.problems().count();
        if (draft.list("traffic", Traffic.class).isEmpty()) {
            At traffic = at.key("traffic");
            traffic.report(
                    "missing",
                    at.problems().place(traffic.path()),
                    "traffic: an empty list (expected: at least one item with arrivals and workloads)");
        }
        int routers = draft.find("routers", Integer.class).orElse(1);
        List<Fault> faults = draft.list("faults", Fault.class);
        for (int index = 0; index < faults.size(); index++) {
            checkRouter(faults.get(index), routers, at.key("faults").item(index).key("router"));
        }
        return at.problems().count() > before ? Optional.empty() : Optional.of(made(draft, routers, faults));
    }

    private static Scenario made(Draft draft, int routers, List<Fault> faults) {
        Scenario.Builder scenario =
                Scenario.builder(draft.get("name", String.class)).routers(routers);
        draft.find("length", Duration.class).ifPresent(scenario::length);
        draft.find("seed", Long.class).ifPresent(scenario::seed);
        draft.find("refusal_charge", Duration.class).ifPresent(scenario::refusalCharge);
        draft.find("give_up_after", Duration.class).ifPresent(scenario::giveUpAfter);
        draft.find("poll", Polling.class).ifPresent(scenario::polling);
        draft.list("traffic", Traffic.class).forEach(scenario::traffic);
        draft.map("work", ServiceTime.class).forEach(scenario::work);
        draft.map("nodes", NodeModel.class).values().forEach(scenario::node);
        faults.forEach(scenario::fault);
        return scenario.build();
    }

    private static void checkRouter(Fault fault, int routers, At at) {
        if (fault.router().orElse(0) >= routers) {
            at.report(
                    "out-of-range",
                    at.problems().place(at.path()),
                    "router: " + fault.router().getAsInt() + " (expected: below routers, which is " + routers + ")");
        }
    }
}
