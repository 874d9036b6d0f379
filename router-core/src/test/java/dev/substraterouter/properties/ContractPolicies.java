package dev.substraterouter.properties;

import dev.substraterouter.model.Measure;
import dev.substraterouter.model.Need;
import dev.substraterouter.model.PlacementMode;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.model.Trust;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.EjectionLimits;
import dev.substraterouter.policy.HealthLimits;
import dev.substraterouter.policy.OnStale;
import dev.substraterouter.policy.PinGate;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.QueueLimits;
import dev.substraterouter.policy.QueueOrder;
import dev.substraterouter.policy.Role;
import dev.substraterouter.policy.StrategyKind;
import dev.substraterouter.policy.StrategySettings;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.SubstrateKind;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.policy.WorkloadQueue;
import dev.substraterouter.status.GpuStatus;
import dev.substraterouter.status.SubstrateStatus;
import dev.substraterouter.verify.Constraints;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Policies, statuses and requests in which every clause of a contract is there or not, and met, just met or not. The figures are few and
 * round, so that limits are often met exactly, and they are sums
 * of powers of two, so that it makes no difference in which order they are added. No name is part of another one, nor of an ordinary word.
 */
final class ContractPolicies {
    static final List<String> SUBSTRATES = List.of("quartz", "basalt", "onyx", "jasper", "topaz", "garnet");
    static final List<String> WORKLOADS = List.of("weaving", "carving", "melting", "drilling", "polishing");

    private static final List<String> ROLES = List.of("captain", "rower", "diver");
    private static final List<String> GLOBS =
            List.of("ops-*", "agent-*", "*-night", "a.b*", "ops-1", "*", "a*n*t", "agent-day");
    private static final List<String> IDENTITIES = List.of(
            "ops-1", "ops-2", "agent-day", "agent-night", "a.b-1", "axb-1", "OPS-1", "ant", "anxntx", "stranger");
    private static final List<List<String>> CAPABILITIES = List.of(
            List.of("cuda", "CUDA", "Cuda"),
            List.of("large-bar", "large_bar", "Large Bar"),
            List.of("fp8-fast", "FP8_fast"));
    private static final List<List<String>> CODEBASES =
            List.of(List.of("mirage", "Mirage"), List.of("night-watch", "night_watch", "Night Watch"));
    private static final List<List<String>> REACHES =
            List.of(List.of("mcp:mirage", "MCP:mirage"), List.of("nas-one", "nas one"));

    private final Random random;

    ContractPolicies(Random random) {
        this.random = random;
    }

    Policy next() {
        boolean roles = chance(50);
        List<String> there = some(SUBSTRATES, 3, 6);
        List<String> names = some(WORKLOADS, 3, 5);
        List<String> roleNames = roles ? some(ROLES, 1, 3) : List.of();
        Policy.Builder policy = Policy.builder()
                .health(HealthLimits.builder()
                        .staleAfter(Duration.ofSeconds(chance(50) ? 15 : 120))
                        .onStale(chance(30) ? OnStale.HOLD : OnStale.CLOSED)
                        .build())
                .ejection(EjectionLimits.builder()
                        .consecutiveFaults(1 + random.nextInt(5))
                        .window(Duration.ofSeconds(1 + random.nextInt(4)))
                        .maxWindow(Duration.ofSeconds(10))
                        .ramp(Duration.ofSeconds(random.nextInt(4)))
                        .build())
                .queue(QueueLimits.builder()
                        .capacity(random.nextInt(4))
                        .maxWait(Duration.ofSeconds(random.nextInt(20)))
                        .order(pick(QueueOrder.values()))
                        .build())
                .strategy(StrategySettings.builder()
                        .defaultKind(pick(StrategyKind.values()))
                        .learn(chance(70))
                        .build());
        there.forEach(id -> policy.substrate(substrate(id, roleNames)));
        names.forEach(name -> policy.workload(workload(name, there)));
        roleNames.forEach(name -> policy.role(role(name, names)));
        return policy.build();
    }

    private Substrate substrate(String id, List<String> roles) {
        SubstrateKind kind = pick(
                SubstrateKind.LOCAL,
                SubstrateKind.LOCAL,
                SubstrateKind.LOCAL,
                SubstrateKind.POOL,
                SubstrateKind.EXTERNAL,
                SubstrateKind.EXTERNAL,
                SubstrateKind.BATCH);
        boolean own = kind == SubstrateKind.LOCAL || kind == SubstrateKind.POOL;
        Substrate.Builder substrate = Substrate.builder(id).kind(kind).gpus(id.length() == 6 ? 2 : 1);
        if (own || chance(50)) {
            substrate.maxConcurrentJobs(1 + random.nextInt(5));
        }
        if (kind == SubstrateKind.LOCAL || chance(50)) {
            substrate
                    .vramGb(pick(8, 16, 24, 32, 64))
                    .gpus(id.length() == 6 ? 2 : 1)
                    .keepFreeGb(pick(0, 0, 1, 4));
        }
        maybe(80, () -> substrate.endpoint("http://" + id + ".example:8000"));
        maybe(
                15,
                () -> substrate.health(
                        HealthLimits.builder().require(new Measure[0]).build()));
        maybe(70, () -> substrate.trust(pick(Trust.CONTROLLED, Trust.CONTROLLED, Trust.PARTNER, Trust.PUBLIC)));
        maybe(80, () -> substrate.costPerHour(pick(45, 90)));
        maybe(30, () -> substrate.overflow(true));
        maybe(15, () -> substrate.owner(15, 3));
        maybe(10, () -> substrate.reserveForHigh(1));
        maybe(90, () -> substrate.capabilities(spelt(CAPABILITIES, 2, 3)));
        maybe(60, () -> substrate.codebases(chance(20) ? new String[] {"*"} : spelt(CODEBASES, 1, 2)));
        maybe(60, () -> substrate.reaches(spelt(REACHES, 1, 2)));
        if (!roles.isEmpty() && chance(40)) {
            substrate.acceptsRoles(some(roles, 0, roles.size()).toArray(String[]::new));
        }
        return substrate.build();
    }

    private Workload workload(String name, List<String> there) {
        Workload.Builder workload =
                Workload.builder(name).privacy(pick(Trust.CONTROLLED, Trust.PARTNER, Trust.PUBLIC, Trust.PUBLIC));
        boolean routed = chance(85);
        maybe(70, () -> workload.vramGb(pick(2, 2, 4, 8, 12, 24)));
        maybe(25, () -> workload.capabilities(spelt(CAPABILITIES, 1, 1)));
        maybe(routed ? 30 : 5, () -> workload.minQuality(pick(0.5, 0.75, 0.875)));
        maybe(routed ? 35 : 5, () -> workload.maxLatency(seconds(pick(20, 30, 40, 50))));
        maybe(routed ? 40 : 5, () -> workload.maxCost(pick(0.25, 0.375, 0.5, 0.75, 1.0)));
        maybe(40, () -> workload.reviewCost(pick(1.0, 2.0)));
        maybe(40, () -> workload.errorCost(pick(0.5, 1.0)));
        maybe(30, () -> workload.waitingCostPerHour(6));
        maybe(30, () -> workload.overflowAfter(seconds(1 + random.nextInt(3))));
        maybe(70, () -> workload.strategy(pick(StrategyKind.values())));
        maybe(30, () -> workload.deadline(seconds(pick(10, 60))));
        maybe(
                30,
                () -> workload.queue(WorkloadQueue.builder()
                        .capacity(random.nextInt(3))
                        .maxWait(seconds(random.nextInt(15)))
                        .build()));
        maybe(45, () -> workload.batch(candidate(name + "-later", pick(there))));
        if (routed && chance(15)) {
            workload.pin(candidate(name + "-pinned", pick(there)));
            maybe(50, () -> workload.pinGate(PinGate.FULL));
        } else if (routed) {
            List<String> route = new ArrayList<>(some(there, 2, there.size()));
            maybe(15, () -> route.add(route.get(0)));
            for (int at = 0; at < route.size(); at++) {
                workload.route(candidate(name + "-" + at, route.get(at)));
            }
        }
        return workload.build();
    }

    /** A candidate whose model nobody else has, so that an attempt tells which one it was. */
    private Candidate candidate(String model, String on) {
        Candidate.Builder candidate = Candidate.builder(on).model(model);
        maybe(90, () -> candidate.expectedLatency(seconds(pick(10, 20, 30))));
        maybe(30, () -> candidate.loadTime(seconds(10)));
        maybe(90, () -> candidate.quality(pick(0.5, 0.75, 0.875, 1.0)));
        maybe(90, () -> candidate.reviewRate(pick(0.0, 0.125, 0.25)));
        maybe(40, () -> candidate.costPerJob(pick(0.125, 0.25)));
        maybe(25, () -> candidate.spansGpus(true));
        maybe(30, () -> candidate.endpoint("http://" + on + ".example:9000/" + model));
        if (chance(30)) {
            int whole = pick(4, 8, 16, 40);
            candidate.vramGb(whole).jobVramGb(chance(50) ? whole : 1);
        }
        return candidate.build();
    }

    private Role role(String name, List<String> workloads) {
        return Role.builder(name)
                .identities(some(GLOBS, 1, 3).toArray(String[]::new))
                .capabilities(chance(60) ? new String[] {"*"} : spelt(CAPABILITIES, 0, 3))
                .workloads(
                        chance(60)
                                ? new String[] {"*"}
                                : some(workloads, 1, workloads.size()).toArray(String[]::new))
                .adhoc(chance(60))
                .maxPriority(pick(Priority.HIGH, Priority.HIGH, Priority.NORMAL, Priority.LOW))
                .external(chance(50))
                .build();
    }

    /** A request that a policy may know, mostly. */
    RouteRequest request(Policy policy) {
        RouteRequest request = chance(25)
                ? RouteRequest.need(need())
                : RouteRequest.workload(
                        chance(2)
                                ? "no such thing"
                                : chance(5)
                                        ? pick(WORKLOADS)
                                        : pick(policy.workloads()).name());
        if (chance(92)) {
            request = request.identity(
                    chance(30) || policy.roles().isEmpty() ? pick(IDENTITIES) : knownTo(pick(policy.roles())));
        }
        if (chance(60)) {
            request = request.priority(pick(Priority.HIGH, Priority.NORMAL, Priority.NORMAL, Priority.LOW));
        }
        request = request.mode(
                pick(PlacementMode.EITHER, PlacementMode.EITHER, PlacementMode.INTERACTIVE, PlacementMode.BATCH));
        if (chance(20)) {
            request = request.prefer(pick(SUBSTRATES));
        }
        if (chance(20)) {
            request = request.avoid(some(SUBSTRATES, 1, 3).toArray(String[]::new));
        }
        if (chance(15)) {
            request = request.deadline(seconds(random.nextInt(12)));
        }
        if (chance(40)) {
            request = request.maxWait(seconds(random.nextInt(12)));
        }
        return request.idempotent(chance(85));
    }

    private String knownTo(Role role) {
        String glob = pick(role.identities());
        return pick(IDENTITIES.stream()
                .filter(identity -> Constraints.matches(glob, identity))
                .toList());
    }

    private Need need() {
        Need.Builder need = Need.builder();
        maybe(35, () -> need.capabilities(spelt(CAPABILITIES, 1, 1)));
        maybe(60, () -> need.vramGb(pick(2, 4, 8, 16, 24)));
        maybe(30, () -> need.spansGpus(true));
        maybe(15, () -> need.codebase(spelt(CODEBASES, 1, 1)[0]));
        maybe(15, () -> need.reaches(spelt(REACHES, 1, 1)));
        maybe(80, () -> need.privacy(pick(Trust.values())));
        maybe(5, () -> need.minQuality(0.5));
        maybe(70, () -> need.duration(seconds(pick(10, 20, 30))));
        maybe(25, () -> need.maxLatency(seconds(pick(10, 20, 30))));
        maybe(25, () -> need.maxCost(pick(0.125, 0.25, 0.375, 0.5)));
        return need.build();
    }

    /** A status that is good, mostly. */
    SubstrateStatus status(Substrate substrate) {
        double total = substrate.vramGb().orElse(24);
        boolean good = chance(75);
        SubstrateStatus.Builder status = SubstrateStatus.builder()
                .reachable(good || chance(85))
                .gpuTempC(good ? 45 : pick(45, 79, 80))
                .runningJobs(good ? 0 : random.nextInt(4));
        maybe(40, () -> status.loadedModels(pick(WORKLOADS) + "-" + random.nextInt(3), pick(WORKLOADS) + "-pinned"));
        if (chance(50) && substrate.gpus() > 1) {
            for (int index = 0; index < substrate.gpus(); index++) {
                status.gpu(GpuStatus.builder(index)
                        .utilPct(good ? 3 : pick(3, 69, 70, 95))
                        .tempC(45)
                        .vramUsedGb(good ? 0 : total / substrate.gpus() * random.nextInt(5) / 4)
                        .vramTotalGb(total / substrate.gpus())
                        .build());
            }
        } else {
            status.gpuUtilPct(good ? 3 : pick(3, 69, 70, 95))
                    .vramUsedGb(good ? 0 : total * random.nextInt(5) / 4)
                    .vramTotalGb(total);
        }
        return status.build();
    }

    boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    @SafeVarargs
    final <T> T pick(T... from) {
        return from[random.nextInt(from.length)];
    }

    <T> T pick(List<T> from) {
        return from.get(random.nextInt(from.size()));
    }

    private void maybe(int percent, Runnable then) {
        if (chance(percent)) {
            then.run();
        }
    }

    private <T> List<T> some(List<T> from, int least, int most) {
        List<T> all = new ArrayList<>(from);
        Collections.shuffle(all, random);
        return List.copyOf(all.subList(0, least + random.nextInt(Math.min(most, all.size()) - least + 1)));
    }

    /** Some names, each in one of its spellings. */
    private String[] spelt(List<List<String>> names, int least, int most) {
        return some(names, least, most).stream()
                .map(spellings -> pick(spellings))
                .toArray(String[]::new);
    }

    private static Duration seconds(int seconds) {
        return Duration.ofSeconds(seconds);
    }
}
