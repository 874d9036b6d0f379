package dev.substraterouter.simulate;

import dev.substraterouter.model.Measure;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.Trust;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.EjectionLimits;
import dev.substraterouter.policy.HealthLimits;
import dev.substraterouter.policy.IdleVram;
import dev.substraterouter.policy.OnStale;
import dev.substraterouter.policy.PinGate;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.PollSettings;
import dev.substraterouter.policy.QueueLimits;
import dev.substraterouter.policy.QueueOrder;
import dev.substraterouter.policy.Role;
import dev.substraterouter.policy.StrategyKind;
import dev.substraterouter.policy.StrategySettings;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.SubstrateKind;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.policy.WorkloadQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Small policies in which everything may be otherwise each time, and others like them for reloads. */
final class DrawnPolicies {
    private final Draw draw;
    private final List<Substrate> substrates = new ArrayList<>();
    private final List<Workload> workloads = new ArrayList<>();

    DrawnPolicies(Draw draw) {
        this.draw = draw;
        boolean batch = draw.chance(15);
        int count = draw.between(1, 4);
        for (int at = 0; at < count; at++) {
            substrates.add(substrate("s" + at, at == 0 ? SubstrateKind.LOCAL : kind()));
        }
        if (batch) {
            substrates.add(Substrate.builder("later")
                    .kind(SubstrateKind.BATCH)
                    .trust(draw.pick(Trust.CONTROLLED, Trust.PARTNER))
                    .build());
        }
        List<String> live = substrates.stream()
                .filter(it -> it.kind() != SubstrateKind.BATCH)
                .map(Substrate::id)
                .toList();
        int kinds = draw.between(1, 4);
        for (int at = 0; at < kinds; at++) {
            workloads.add(workload("w" + at, live, batch));
        }
    }

    private SubstrateKind kind() {
        return draw.pick(
                SubstrateKind.LOCAL,
                SubstrateKind.LOCAL,
                SubstrateKind.LOCAL,
                SubstrateKind.POOL,
                SubstrateKind.EXTERNAL);
    }

    private Policy.Builder frame() {
        Policy.Builder policy = Policy.builder()
                .health(HealthLimits.builder()
                        .maxGpuUtilPct(draw.between(50, 80))
                        .gpuUtilMarginPct(draw.between(0, 10))
                        .degradedAfter(draw.between(1, 3))
                        .healthyAfter(draw.between(1, 3))
                        .recoveryWindow(draw.chance(70) ? Duration.ZERO : draw.seconds(1, 12))
                        .staleAfter(draw.chance(50) ? Duration.ofSeconds(15) : draw.seconds(10, 40))
                        .onStale(draw.chance(20) ? OnStale.HOLD : OnStale.CLOSED)
                        .build())
                .ejection(EjectionLimits.builder()
                        .consecutiveFaults(draw.between(1, 4))
                        .window(draw.seconds(2, 8))
                        .maxWindow(draw.seconds(10, 60))
                        .trialTimeout(draw.seconds(5, 60))
                        .ramp(draw.chance(30) ? Duration.ZERO : draw.seconds(2, 40))
                        .build())
                .poll(PollSettings.builder().every(draw.seconds(1, 5)).build())
                .strategy(StrategySettings.builder()
                        .defaultKind(draw.pick(StrategyKind.values()))
                        .learn(draw.chance(25))
                        .build())
                .queue(queue());
        if (draw.chance(20)) {
            policy.role(Role.builder("staff")
                    .identities("*")
                    .workloads("*")
                    .capabilities("*")
                    .maxPriority(draw.pick(Priority.HIGH, Priority.HIGH, Priority.NORMAL, Priority.LOW))
                    .external(draw.chance(50))
                    .build());
        }
        return policy;
    }

    private QueueLimits queue() {
        return QueueLimits.builder()
                .capacity(draw.between(0, 5))
                .maxWait(draw.seconds(2, 60))
                .agesAfter(draw.seconds(5, 60))
                .holdAfter(draw.seconds(2, 60))
                .order(draw.pick(QueueOrder.ARRIVAL, QueueOrder.ARRIVAL, QueueOrder.WEIGHTED, QueueOrder.DEADLINE))
                .build();
    }

    /** The policy to begin with. */
    Policy first() {
        Policy.Builder policy = frame();
        substrates.forEach(policy::substrate);
        workloads.forEach(policy::workload);
        return policy.build();
    }

    /** A policy to put in force after another: other limits of the queue, other slots, and at times a shorter route. */
    Policy after(Policy before) {
        Policy.Builder policy = Policy.builder()
                .health(before.health())
                .ejection(before.ejection())
                .poll(before.poll())
                .strategy(before.strategy())
                .queue(queue());
        before.roles().forEach(policy::role);
        before.substrates().forEach(substrate -> policy.substrate(changed(substrate)));
        before.workloads().forEach(workload -> policy.workload(changed(workload)));
        return policy.build();
    }

    private Substrate changed(Substrate before) {
        if (before.maxConcurrentJobs().isEmpty() || draw.chance(50)) {
            return before;
        }
        int jobs = draw.between(1, 4);
        return substrates.stream()
                .filter(it -> it.id().equals(before.id()))
                .findFirst()
                .map(it -> copy(it).maxConcurrentJobs(jobs)
                        .reserveForHigh(Math.min(jobs, it.reserveForHigh()))
                        .build())
                .orElse(before);
    }

    private static Substrate.Builder copy(Substrate it) {
        Substrate.Builder copy = Substrate.builder(it.id())
                .kind(it.kind())
                .trust(it.trust())
                .overflow(it.overflow())
                .keepFreeGb(it.keepFreeGb())
                .gpus(it.gpus())
                .utilPerJobPct(it.utilPerJobPct())
                .idleVram(it.idleVram());
        it.vramGb().ifPresent(copy::vramGb);
        it.costPerHour().ifPresent(copy::costPerHour);
        it.owner().ifPresent(owner -> copy.owner(owner.backgroundUtilPct(), owner.costPerHour()));
        it.health().ifPresent(copy::health);
        return copy;
    }

    private Workload changed(Workload before) {
        if (before.route().size() < 2 || draw.chance(60)) {
            return before;
        }
        List<Candidate> route = before.route().subList(0, before.route().size() - 1);
        Workload.Builder copy = Workload.builder(before.name())
                .privacy(before.privacy())
                .overflowAfter(before.overflowAfter())
                .route(route.toArray(Candidate[]::new));
        before.vramGb().ifPresent(copy::vramGb);
        before.strategy().ifPresent(copy::strategy);
        before.maxLatency().ifPresent(copy::maxLatency);
        before.deadline().ifPresent(copy::deadline);
        before.queue().ifPresent(copy::queue);
        before.batch().ifPresent(copy::batch);
        return copy.build();
    }

    private Substrate substrate(String id, SubstrateKind kind) {
        int jobs = draw.between(1, 4);
        boolean own = kind != SubstrateKind.EXTERNAL;
        Substrate.Builder substrate = Substrate.builder(id)
                .kind(kind)
                .trust(draw.pick(
                        Trust.CONTROLLED, Trust.CONTROLLED, own ? Trust.CONTROLLED : Trust.PUBLIC, Trust.PARTNER))
                .costPerHour(draw.between(1, 20))
                .overflow(draw.chance(own ? 10 : 50));
        if (own || draw.chance(60)) {
            substrate.maxConcurrentJobs(jobs);
        }
        if (own) {
            substrate
                    .vramGb(draw.between(16, 48))
                    .keepFreeGb(draw.between(0, 3))
                    .utilPerJobPct(draw.pick(0, 30, 50, 100))
                    .reserveForHigh(draw.chance(15) ? draw.between(0, jobs) : 0)
                    .gpus(draw.chance(10) ? 2 : 1)
                    .idleVram(draw.chance(15) ? IdleVram.EVICTABLE : IdleVram.HELD);
            if (draw.chance(10)) {
                substrate.owner(15, draw.between(1, 50));
            }
            if (draw.chance(10)) {
                substrate.health(HealthLimits.builder().require(new Measure[0]).build());
            }
        }
        return substrate.build();
    }

    private Workload workload(String name, List<String> live, boolean batch) {
        Workload.Builder workload = Workload.builder(name)
                .vramGb(draw.between(2, 16))
                .privacy(draw.pick(Trust.CONTROLLED, Trust.PARTNER, Trust.PUBLIC, Trust.PUBLIC));
        Duration usual = Duration.ofSeconds(draw.between(4, 25));
        if (draw.chance(70)) {
            workload.strategy(draw.chance(25) ? StrategyKind.EARLIEST_FINISH : draw.pick(StrategyKind.values()));
        }
        if (draw.chance(20)) {
            workload.maxLatency(Duration.ofSeconds(draw.between(10, 60)));
        }
        if (draw.chance(15)) {
            workload.maxCost(draw.real(0.001, 0.2));
        }
        if (draw.chance(15)) {
            workload.minQuality(0.75);
        }
        if (draw.chance(20)) {
            workload.overflowAfter(draw.seconds(0, 10));
        }
        if (draw.chance(30)) {
            workload.deadline(draw.seconds(20, 120));
        }
        if (draw.chance(20)) {
            workload.queue(WorkloadQueue.builder()
                    .capacity(draw.between(0, 3))
                    .maxWait(draw.seconds(0, 40))
                    .build());
        }
        if (batch && draw.chance(60)) {
            workload.batch(Candidate.on("later"));
        }
        if (draw.chance(10)) {
            return workload.pin(candidate(name, draw.pick(live), usual))
                    .pinGate(draw.pick(PinGate.values()))
                    .build();
        }
        return workload.route(draw.some(live, 1, live.size()).stream()
                        .map(id -> candidate(name, id, usual))
                        .toArray(Candidate[]::new))
                .build();
    }

    private Candidate candidate(String name, String on, Duration usual) {
        Candidate.Builder candidate = Candidate.builder(on).quality(draw.pick(0.5, 0.75, 1.0));
        if (draw.chance(85)) {
            candidate.expectedLatency(
                    usual.multipliedBy(draw.pick(10, 10, 12, 14, 20, 30)).dividedBy(10));
        }
        if (draw.chance(40)) {
            candidate.model(name + "-" + on).loadTime(Duration.ofSeconds(draw.between(0, 8)));
        }
        if (draw.chance(10)) {
            candidate.vramGb(draw.between(3, 12)).jobVramGb(draw.between(1, 3));
        }
        return candidate.build();
    }
}
