package dev.substraterouter.properties;

import dev.substraterouter.model.Measure;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.EjectionLimits;
import dev.substraterouter.policy.HealthLimits;
import dev.substraterouter.policy.OnStale;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.QueueLimits;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.policy.WorkloadQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Policies in which everything may be otherwise each time: who is there, what runs where, and every limit. */
final class WildPolicies implements PolicyDraw {
    private final Random random;

    WildPolicies(Random random) {
        this.random = random;
    }

    @Override
    public double gb(String id) {
        return switch (id) {
            case "a" -> 32;
            case "b" -> 24;
            default -> 16;
        };
    }

    @Override
    public Policy first() {
        return next();
    }

    @Override
    public Policy next() {
        Policy.Builder policy = Policy.builder()
                .health(health().requireAttributes(Map.of("owner_busy", "false"))
                        .build())
                .ejection(EjectionLimits.builder()
                        .consecutiveFaults(1 + random.nextInt(3))
                        .faultsOfLast(2 + random.nextInt(3), 5 + random.nextInt(4))
                        .window(seconds(1, 5))
                        .maxWindow(seconds(6, 20))
                        .trialTimeout(seconds(1, 9))
                        .ramp(Duration.ofMillis(random.nextInt(12_000)))
                        .forgetAfter(seconds(20, 200))
                        .build())
                .queue(QueueLimits.builder()
                        .capacity(random.nextInt(6))
                        .maxWait(seconds(0, 20))
                        .agesAfter(seconds(1, 20))
                        .holdAfter(seconds(0, 12))
                        .build());
        List<String> there = new ArrayList<>(List.of("a", "b", "c"));
        Collections.shuffle(there, random);
        there = new ArrayList<>(there.subList(0, 1 + random.nextInt(3)));
        for (String id : there) {
            policy.substrate(substrate(id));
        }
        for (String name : List.of("big", "resident", "pinned", "queued", "steady")) {
            if (name.equals("steady") || random.nextInt(6) > 0) {
                policy.workload(workload(name, there));
            }
        }
        return policy.build();
    }

    private HealthLimits.Builder health() {
        return HealthLimits.builder()
                .maxGpuUtilPct(60 + random.nextInt(20))
                .gpuUtilMarginPct(random.nextInt(6))
                .degradedAfter(1 + random.nextInt(3))
                .healthyAfter(1 + random.nextInt(3))
                .recoveryWindow(seconds(0, 4));
    }

    private Substrate substrate(String id) {
        int jobs = 1 + random.nextInt(5);
        Substrate.Builder substrate = Substrate.builder(id)
                .status("http://" + id + ":9100/status")
                .vramGb(gb(id))
                .keepFreeGb(random.nextInt(3))
                .maxConcurrentJobs(jobs)
                .reserveForHigh(random.nextInt(4) == 0 ? random.nextInt(jobs + 1) : 0)
                .utilPerJobPct(random.nextInt(60))
                .overflow(random.nextInt(3) == 0);
        if (random.nextInt(2) == 0) {
            HealthLimits.Builder own = health().onStale(random.nextInt(2) == 0 ? OnStale.HOLD : OnStale.CLOSED);
            if (random.nextInt(2) == 0) {
                own.require(random.nextBoolean() ? new Measure[0] : new Measure[] {Measure.RUNNING_JOBS})
                        .requireAttributes(Map.of());
            }
            substrate.health(own.build());
        }
        return substrate.build();
    }

    private Workload workload(String name, List<String> there) {
        Workload.Builder workload =
                Workload.builder(name).vramGb(1 + random.nextInt(14)).overflowAfter(seconds(0, 4));
        if (name.equals("pinned")) {
            return workload.pin(there.get(0)).build();
        }
        if (random.nextInt(3) == 0) {
            workload.queue(WorkloadQueue.builder()
                    .capacity(random.nextInt(4))
                    .maxWait(seconds(0, 20))
                    .build());
        }
        List<String> route = new ArrayList<>(there);
        Collections.shuffle(route, random);
        return workload.route(route.subList(0, 1 + random.nextInt(route.size())).stream()
                        .map(this::candidate)
                        .toArray(Candidate[]::new))
                .build();
    }

    private Candidate candidate(String id) {
        Candidate.Builder candidate = Candidate.builder(id).loadTime(Duration.ofMillis(250L * random.nextInt(16)));
        if (random.nextInt(2) == 0) {
            candidate.model(random.nextInt(4) > 0 ? "m1" : "m2").vramGb(9).jobVramGb(random.nextInt(9));
        }
        if (random.nextInt(2) == 0) {
            candidate.expectedLatency(seconds(1, 9));
        }
        return candidate.build();
    }

    private Duration seconds(int least, int most) {
        return Duration.ofSeconds(least + random.nextInt(most - least + 1));
    }
}
