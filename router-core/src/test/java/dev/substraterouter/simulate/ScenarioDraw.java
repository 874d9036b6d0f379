package dev.substraterouter.simulate;

import dev.substraterouter.model.PlacementMode;
import dev.substraterouter.model.Priority;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.SubstrateKind;
import dev.substraterouter.policy.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;

/**
 * Random scenarios: a policy and what happens to it, both from one seed. Each request has an id that tells its class and the order of its
 * arrival, so that whoever watches knows what it asks for.
 */
final class ScenarioDraw {
    private static final double SECONDS_PER_HOUR = 3600;
    /** One in so many is drawn so that the earliest finish alone decides. */
    private static final int FINISH_EVERY = 10;

    private final Draw draw;
    private final DrawnPolicies policies;
    private final Policy policy;
    private final Duration length;
    private long requests;

    private ScenarioDraw(long seed) {
        this.draw = new Draw(seed);
        this.policies = new DrawnPolicies(draw);
        this.policy = policies.first();
        this.length = Duration.ofSeconds(draw.between(120, 720));
    }

    /** A policy and a scenario. */
    record Drawn(long seed, Policy policy, Scenario scenario) {}

    static Drawn of(long seed) {
        if (seed % FINISH_EVERY == 5) {
            return FinishDraw.of(seed);
        }
        ScenarioDraw drawing = new ScenarioDraw(seed);
        return new Drawn(seed, drawing.policy, drawing.scenario(seed));
    }

    /** The name of a request's class. */
    static String className(String requestId) {
        return requestId.substring(0, requestId.indexOf('#'));
    }

    /** Where a request comes in the order of arrival. */
    static long order(String requestId) {
        return Long.parseLong(requestId.substring(requestId.indexOf('#') + 1));
    }

    private Scenario scenario(long seed) {
        Scenario.Builder scenario = Scenario.builder("seed " + seed)
                .seed(seed)
                .length(length)
                .routers(draw.pick(1, 1, 1, 1, 2, 3))
                .polling(polling())
                .traffic(traffic());
        for (Workload workload : policy.workloads()) {
            double mean = draw.real(3, 40);
            scenario.work(
                    workload.name(),
                    draw.chance(70)
                            ? ServiceTime.lognormal(Duration.ofMillis((long) (1000 * mean)), draw.real(0, 1))
                            : ServiceTime.exponential(Duration.ofMillis((long) (1000 * mean))));
        }
        policy.substrates().forEach(substrate -> scenario.node(node(substrate)));
        for (int count = draw.chance(60) ? draw.between(1, 4) : 0; count > 0; count--) {
            scenario.fault(fault());
        }
        if (draw.chance(30)) {
            scenario.giveUpAfter(draw.seconds(20, 200));
        }
        operators().forEach(scenario::intervention);
        return scenario.build();
    }

    private Polling polling() {
        return new Polling(
                Duration.ZERO,
                draw.chance(40) ? Duration.ZERO : draw.seconds(0.005, 0.8),
                draw.chance(50) ? 0 : draw.real(1, 15),
                draw.chance(60) ? 0 : draw.real(0.01, 0.4));
    }

    private Traffic traffic() {
        double seconds = Spans.seconds(length);
        double perHour = draw.between(30, 180) / seconds * SECONDS_PER_HOUR;
        Arrivals arrivals = draw.chance(50)
                ? Arrivals.poisson(perHour)
                : Arrivals.bursts(perHour)
                        .groups(draw.chance(50) ? 0.2 : 0, draw.between(2, 6))
                        .build();
        Traffic.Builder traffic = Traffic.builder(arrivals);
        policy.workloads().forEach(workload -> traffic.workload(workload.name(), draw.real(0.2, 2)));
        int count = draw.between(1, 4);
        for (int at = 0; at < count; at++) {
            traffic.requestClass(requestClass("c" + at));
        }
        return traffic.build();
    }

    private RequestClass requestClass(String name) {
        RequestClass.Builder one = RequestClass.builder(name, draw.real(0.2, 2)).identity("somebody");
        if (draw.chance(60)) {
            one.priority(draw.pick(Priority.values()));
        }
        if (draw.chance(30)) {
            one.mode(draw.pick(PlacementMode.INTERACTIVE, PlacementMode.INTERACTIVE, PlacementMode.BATCH));
        }
        if (draw.chance(30)) {
            one.maxWait(draw.chance(20) ? Duration.ZERO : draw.seconds(1, 60));
        }
        if (draw.chance(25)) {
            one.patience(draw.seconds(5, 90));
        }
        one.idempotent(draw.chance(80));
        String prefer = draw.chance(10) ? draw.pick(policy.substrates()).id() : null;
        String avoid = draw.chance(10) ? draw.pick(policy.substrates()).id() : null;
        return one.with(request -> {
                    var asked = request.requestId(name + "#" + requests++);
                    asked = prefer == null ? asked : asked.prefer(prefer);
                    return avoid == null ? asked : asked.avoid(avoid);
                })
                .build();
    }

    private NodeModel node(Substrate substrate) {
        NodeModel.Builder node = NodeModel.builder(substrate.id())
                .speed(draw.real(0.4, 2))
                .overload(draw.pick(Overload.values()))
                .baseUtilPct(draw.pick(0, 5, 20));
        if (draw.chance(25)) {
            node.slots(draw.between(1, 4));
        }
        if (draw.chance(20)) {
            node.retryAfter(draw.seconds(0, 20));
        }
        if (draw.chance(30)) {
            node.models(draw.between(1, 3), draw.seconds(0, 10));
        }
        if (substrate.kind() == SubstrateKind.LOCAL) {
            for (int count = draw.chance(50) ? draw.between(1, 3) : 0; count > 0; count--) {
                node.episode(episode("e" + count));
            }
        }
        return node.build();
    }

    private Episode episode(String name) {
        Episode.Builder episode = Episode.builder(name, schedule()).utilPct(draw.pick(0, 30, 60, 95));
        if (draw.chance(40)) {
            episode.vramGb(draw.between(2, 20));
        }
        if (draw.chance(30)) {
            episode.jobs(draw.between(1, 2));
        }
        if (draw.chance(20)) {
            episode.tempC(draw.between(60, 90));
        }
        return episode.speed(draw.real(0.4, 1))
                .owner(draw.chance(20))
                .unavailable(draw.chance(20))
                .build();
    }

    private Schedule schedule() {
        return draw.chance(60)
                ? Schedule.alternating(draw.seconds(5, 200), draw.seconds(20, 300))
                : Schedule.once(draw.seconds(10, 600), draw.seconds(5, 300));
    }

    private Fault fault() {
        String on = draw.pick(policy.substrates()).id();
        Schedule schedule = draw.chance(40)
                ? Schedule.alternating(draw.seconds(3, 60), draw.seconds(60, 400))
                : Schedule.once(draw.seconds(10, 600), draw.seconds(3, 120));
        Fault.Kind kind = draw.pick(Fault.Kind.values());
        OptionalInt router = kind == Fault.Kind.PARTITION && draw.chance(50) ? OptionalInt.of(0) : OptionalInt.empty();
        return new Fault(kind, on, schedule, kind == Fault.Kind.SLOW ? draw.real(0.1, 0.8) : 1, router);
    }

    private List<Intervention> operators() {
        List<Intervention> all = new ArrayList<>();
        Policy newest = policy;
        for (int count = draw.chance(40) ? draw.between(1, 5) : 0; count > 0; count--) {
            Duration at = draw.seconds(10.0, Spans.seconds(length)).plusNanos(draw.between(1, 900_000));
            String id = draw.pick(policy.substrates()).id();
            switch (draw.between(0, 3)) {
                case 0 -> {
                    all.add(new Intervention(at, "cordon " + id, router -> router.cordon(id)));
                    all.add(new Intervention(back(at), "uncordon " + id, router -> router.uncordon(id)));
                }
                case 1 -> {
                    all.add(new Intervention(at, "drain " + id, router -> router.drain(id)));
                    all.add(new Intervention(back(at), "uncordon " + id, router -> router.uncordon(id)));
                }
                case 2 -> all.add(new Intervention(at, "reset " + id, router -> router.reset(id)));
                default -> {
                    Policy next = policies.after(newest);
                    newest = next;
                    all.add(new Intervention(at, "reload", router -> router.reload(next)));
                }
            }
        }
        all.sort(Comparator.comparing(Intervention::at));
        return all;
    }

    private Duration back(Duration at) {
        return at.plus(draw.seconds(5, 120)).plusNanos(draw.between(1, 900_000));
    }
}
