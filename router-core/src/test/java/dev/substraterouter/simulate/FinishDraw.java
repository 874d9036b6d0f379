package dev.substraterouter.simulate;

import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.PollSettings;
import dev.substraterouter.policy.QueueLimits;
import dev.substraterouter.policy.StrategyKind;
import dev.substraterouter.policy.StrategySettings;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.SubstrateKind;
import dev.substraterouter.policy.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Random scenarios in which nothing but the earliest finish decides: healthy machines of unequal speed whose figures are known, and
 * clients that may wait.
 */
final class FinishDraw {
    private final Draw draw;
    private final List<Substrate> substrates = new ArrayList<>();
    private final List<Double> speeds = new ArrayList<>();
    private long requests;

    private FinishDraw(long seed) {
        this.draw = new Draw(seed);
        int count = draw.between(2, 3);
        for (int at = 0; at < count; at++) {
            substrates.add(Substrate.builder("s" + at)
                    .kind(SubstrateKind.LOCAL)
                    .maxConcurrentJobs(draw.pick(1, 1, 1, 2))
                    .vramGb(64)
                    .utilPerJobPct(100)
                    .build());
            speeds.add(draw.real(0.3, 1.5));
        }
    }

    static ScenarioDraw.Drawn of(long seed) {
        FinishDraw drawing = new FinishDraw(seed);
        Policy.Builder policy = Policy.builder()
                .poll(PollSettings.builder().every(drawing.draw.seconds(1, 3)).build())
                .strategy(StrategySettings.builder()
                        .defaultKind(StrategyKind.EARLIEST_FINISH)
                        .finishMargin(drawing.draw.pick(1.0, 1.25, 1.5, 1.5, 2.0))
                        .learn(false)
                        .build())
                .queue(QueueLimits.builder()
                        .capacity(drawing.draw.between(1, 4))
                        .maxWait(drawing.draw.seconds(30, 120))
                        .build());
        drawing.substrates.forEach(policy::substrate);
        Scenario.Builder scenario =
                Scenario.builder("seed " + seed).seed(seed).length(Duration.ofSeconds(drawing.draw.between(200, 400)));
        Traffic.Builder traffic = Traffic.builder(Arrivals.poisson(drawing.draw.between(200, 900)));
        int kinds = drawing.draw.between(1, 2);
        for (int at = 0; at < kinds; at++) {
            String name = "w" + at;
            int usual = drawing.draw.between(5, 20);
            policy.workload(drawing.workload(name, usual));
            scenario.work(name, ServiceTime.lognormal(Duration.ofMillis(900L * usual), drawing.draw.real(0, 0.2)));
            traffic.workload(name, 1);
        }
        scenario.traffic(traffic.requestClass(RequestClass.builder("c", 1)
                        .identity("somebody")
                        .with(request -> request.requestId("c#" + drawing.requests++))
                        .build())
                .build());
        for (int at = 0; at < drawing.substrates.size(); at++) {
            scenario.node(NodeModel.builder(drawing.substrates.get(at).id())
                    .speed(drawing.speeds.get(at))
                    .build());
        }
        return new ScenarioDraw.Drawn(seed, policy.build(), scenario.build());
    }

    private Workload workload(String name, int usualSeconds) {
        Workload.Builder workload = Workload.builder(name).vramGb(draw.between(2, 8));
        Candidate[] route = new Candidate[substrates.size()];
        for (int at = 0; at < route.length; at++) {
            long millis = (long) (1000 * usualSeconds / speeds.get(at));
            route[at] = Candidate.builder(substrates.get(at).id())
                    .expectedLatency(Duration.ofMillis(millis))
                    .build();
        }
        return workload.route(route).build();
    }
}
