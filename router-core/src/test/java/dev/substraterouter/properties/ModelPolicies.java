package dev.substraterouter.properties;

import dev.substraterouter.model.Measure;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.EjectionLimits;
import dev.substraterouter.policy.HealthLimits;
import dev.substraterouter.policy.OnStale;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.QueueLimits;
import dev.substraterouter.policy.StrategySettings;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.policy.WorkloadQueue;
import java.time.Duration;
import java.util.Map;
import java.util.Random;

/** Policies for {@link ModelTest}: always the same names, limits that change from one to the next. */
final class ModelPolicies implements PolicyDraw {
    private final Random random;

    ModelPolicies(Random random) {
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
        return policy(true, true);
    }

    @Override
    public Policy next() {
        return policy(random.nextInt(5) > 0, random.nextInt(8) > 0);
    }

    private Policy policy(boolean withC, boolean withSteady) {
        Policy.Builder policy = Policy.builder()
                .strategy(StrategySettings.builder().learn(false).build()) // the model knows declared latencies only
                .health(HealthLimits.builder()
                        .maxGpuUtilPct(random.nextInt(3) > 0 ? 70 : 66)
                        .degradedAfter(1 + random.nextInt(2))
                        .healthyAfter(1 + random.nextInt(2))
                        .recoveryWindow(Duration.ofSeconds(random.nextInt(2)))
                        .requireAttributes(Map.of("owner_busy", "false"))
                        .build())
                .ejection(EjectionLimits.builder()
                        .consecutiveFaults(2 + random.nextInt(2))
                        .faultsOfLast(3, 5)
                        .window(Duration.ofSeconds(4))
                        .maxWindow(Duration.ofSeconds(12))
                        .trialTimeout(Duration.ofSeconds(5))
                        .ramp(Duration.ofSeconds(10))
                        .forgetAfter(Duration.ofMinutes(2))
                        .build())
                .queue(QueueLimits.builder()
                        .capacity(random.nextInt(5))
                        .maxWait(Duration.ofSeconds(12))
                        .agesAfter(Duration.ofSeconds(7))
                        .holdAfter(Duration.ofSeconds(6))
                        .build())
                .substrate(Substrate.builder("a")
                        .status("http://a:9100/status")
                        .vramGb(gb("a"))
                        .keepFreeGb(1)
                        .maxConcurrentJobs(2 + random.nextInt(3))
                        .reserveForHigh(random.nextInt(2))
                        .utilPerJobPct(random.nextInt(4) == 0 ? 10 : 30)
                        .build())
                .substrate(Substrate.builder("b")
                        .status("http://b:9100/status")
                        .vramGb(gb("b"))
                        .maxConcurrentJobs(1 + random.nextInt(2))
                        .health(HealthLimits.builder()
                                .onStale(random.nextInt(3) == 0 ? OnStale.HOLD : OnStale.CLOSED)
                                .build())
                        .build());
        if (withC) {
            policy.substrate(Substrate.builder("c")
                    .status("http://c:9100/status")
                    .vramGb(gb("c"))
                    .maxConcurrentJobs(4)
                    .overflow(true)
                    .utilPerJobPct(10)
                    .health(HealthLimits.builder()
                            .require(random.nextBoolean() ? new Measure[0] : new Measure[] {Measure.VRAM})
                            .requireAttributes(Map.of())
                            .build())
                    .build());
        }
        Candidate big = Candidate.builder("a")
                .loadTime(Duration.ofSeconds(3))
                .expectedLatency(Duration.ofSeconds(4))
                .build();
        Candidate small = Candidate.builder("b").vramGb(8).build();
        Candidate resident = Candidate.builder("a")
                .model("m1")
                .vramGb(9)
                .jobVramGb(2)
                .loadTime(Duration.ofSeconds(1))
                .build();
        Candidate alike = Candidate.builder("b")
                .model("m1")
                .loadTime(Duration.ofMillis(500))
                .build();
        policy.workload(Workload.builder("big")
                        .vramGb(12)
                        .overflowAfter(Duration.ofSeconds(random.nextInt(2) * 3))
                        .route(withC ? new Candidate[] {big, small, Candidate.on("c")} : new Candidate[] {big, small})
                        .build())
                .workload(Workload.builder("resident")
                        .vramGb(7)
                        .route(resident, alike)
                        .build())
                .workload(Workload.builder("pinned").vramGb(4).pin("b").build())
                .workload(Workload.builder("queued")
                        .vramGb(20)
                        .route(random.nextBoolean() ? new String[] {"b", "a"} : new String[] {"a", "b"})
                        .queue(WorkloadQueue.builder()
                                .capacity(1 + random.nextInt(2))
                                .maxWait(Duration.ofSeconds(20))
                                .build())
                        .build());
        if (withSteady) {
            policy.workload(Workload.builder("steady")
                    .vramGb(5)
                    .route(withC ? new String[] {"c", "b"} : new String[] {"b"})
                    .build());
        }
        return policy.build();
    }
}
