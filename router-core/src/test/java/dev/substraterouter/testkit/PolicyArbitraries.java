package dev.substraterouter.testkit;

import dev.substraterouter.model.Priority;
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
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/**
 * Valid policies, small and with everything that decides where work goes: local substrates, pools, external ones, overflow and batch,
 * routes, pins and matched workloads, limits, roles. The figures are few and round, so that limits are often met exactly. For whoever tests
 * code that must work with any policy. Stateless and thread-safe.
 */
public final class PolicyArbitraries {
    private static final List<String> SUBSTRATES =
            List.of("mirrorforge", "legion", "quarry", "thundercompute", "archive");
    private static final List<String> WORKLOADS = List.of("flux-dev", "flux-fill", "sdxl", "upscale");
    private static final List<String> ROLES = List.of("operator", "agent");
    private static final List<String> CAPABILITIES = List.of("cuda", "fp8", "large-bar");
    private static final double VRAM_GB = 64;

    private PolicyArbitraries() {}

    /** Policies of one to five substrates, one to four workloads, and none to two roles. */
    public static Arbitrary<Policy> policies() {
        return Combinators.combine(some(SUBSTRATES, 1), some(WORKLOADS, 1), roleNames())
                .as(PolicyArbitraries::policies)
                .flatMap(Function.identity());
    }

    private static Arbitrary<List<String>> roleNames() {
        return Arbitraries.oneOf(Arbitraries.just(List.of()), some(ROLES, 1));
    }

    /** Pools of one to five substrates, the first of which is local. */
    public static Arbitrary<List<Substrate>> pools() {
        return some(SUBSTRATES, 1).flatMap(ids -> pool(ids, List.of()));
    }

    /** Substrates of an id, of any kind. */
    public static Arbitrary<Substrate> substrates(String id) {
        return Arbitraries.of(SubstrateKind.class).flatMap(kind -> substrate(id, kind, List.of()));
    }

    /** Workloads of a name over a pool: a route, a pin, or what they need and no more. */
    public static Arbitrary<Workload> workloads(String name, Collection<Substrate> pool) {
        return workload(name, pool);
    }

    private static Arbitrary<Policy> policies(List<String> ids, List<String> names, List<String> roles) {
        return pool(ids, roles)
                .flatMap(pool -> Mix.of(() -> Policy.builder().substrates(pool.toArray(Substrate[]::new)))
                        .always(
                                each(names, name -> workload(name, pool)),
                                (policy, all) -> policy.workloads(all.toArray(Workload[]::new)))
                        .always(each(roles, role -> role(role, names)), (policy, all) -> all.stream()
                                .reduce(policy, Policy.Builder::role, (one, other) -> one))
                        .maybe(health(), Policy.Builder::health)
                        .maybe(ejection(), Policy.Builder::ejection)
                        .maybe(queue(), Policy.Builder::queue)
                        .maybe(strategy(), Policy.Builder::strategy)
                        .build(Policy.Builder::build));
    }

    private static Arbitrary<List<Substrate>> pool(List<String> ids, List<String> roles) {
        return each(ids, id -> (id.equals(ids.get(0)) ? Arbitraries.just(SubstrateKind.LOCAL) : kinds())
                .flatMap(kind -> substrate(id, kind, roles)));
    }

    private static Arbitrary<SubstrateKind> kinds() {
        return Arbitraries.of(
                SubstrateKind.LOCAL,
                SubstrateKind.LOCAL,
                SubstrateKind.POOL,
                SubstrateKind.EXTERNAL,
                SubstrateKind.EXTERNAL,
                SubstrateKind.BATCH);
    }

    private static Arbitrary<Substrate> substrate(String id, SubstrateKind kind, List<String> roles) {
        boolean ours = kind == SubstrateKind.LOCAL || kind == SubstrateKind.POOL;
        Arbitrary<Integer> jobs = Arbitraries.integers().between(1, 4);
        Mix<Substrate.Builder> substrate = Mix.of(
                        () -> Substrate.builder(id).kind(kind).endpoint("http://" + id + ".example:8188"))
                .maybe(ours ? 1 : 0.5, jobs, Substrate.Builder::maxConcurrentJobs)
                .maybe(ours ? 1 : 0.3, Arbitraries.of(16.0, 32.0, VRAM_GB), Substrate.Builder::vramGb)
                .maybe(0.8, names(CAPABILITIES), Substrate.Builder::capabilities)
                .maybe(names(List.of("mirage", "night-watch", "*")), Substrate.Builder::codebases)
                .maybe(names(List.of("mcp:mirage")), Substrate.Builder::reaches)
                .maybe(0.2, Arbitraries.of(Trust.class), Substrate.Builder::trust)
                .maybe(0.6, Arbitraries.of(0.0, 0.5, 2.0), Substrate.Builder::costPerHour);
        if (kind == SubstrateKind.LOCAL) {
            substrate = substrate
                    .maybe(0.3, Arbitraries.of(1, 2), Substrate.Builder::gpus)
                    .maybe(0.2, Arbitraries.of(1.0, 4.0), Substrate.Builder::keepFreeGb)
                    .maybe(0.2, Arbitraries.of(0, 1), Substrate.Builder::reserveForHigh)
                    .maybe(0.2, Arbitraries.of(1.0, 3.0), (builder, cost) -> builder.owner(15, cost));
        } else if (kind == SubstrateKind.EXTERNAL) {
            substrate = substrate.maybe(0.6, Arbitraries.just(true), Substrate.Builder::overflow);
        }
        if (!roles.isEmpty()) {
            substrate = substrate.maybe(0.3, names(roles), Substrate.Builder::acceptsRoles);
        }
        return substrate.build(Substrate.Builder::build);
    }

    private static Arbitrary<Workload> workload(String name, Collection<Substrate> pool) {
        List<String> live = ids(pool, false);
        List<String> batch = ids(pool, true);
        Mix<Workload.Builder> workload = Mix.of(() -> Workload.builder(name))
                .maybe(0.8, Arbitraries.of(2.0, 8.0, 16.0, 24.0), Workload.Builder::vramGb)
                .maybe(0.7, Arbitraries.of(Trust.PUBLIC, Trust.PUBLIC, Trust.PARTNER), Workload.Builder::privacy)
                .maybe(0.1, names(CAPABILITIES), Workload.Builder::capabilities)
                .maybe(0.2, Arbitraries.of(0.5, 0.8), Workload.Builder::minQuality)
                .maybe(0.2, seconds(20, 60), Workload.Builder::maxLatency)
                .maybe(0.2, Arbitraries.of(0.25, 1.0), Workload.Builder::maxCost)
                .maybe(0.3, Arbitraries.of(0.5, 2.0), Workload.Builder::reviewCost)
                .maybe(0.3, Arbitraries.of(0.5, 1.0), Workload.Builder::errorCost)
                .maybe(0.3, Arbitraries.of(6.0), Workload.Builder::waitingCostPerHour)
                .maybe(0.2, seconds(10, 60), Workload.Builder::deadline)
                .maybe(Arbitraries.of(StrategyKind.class), Workload.Builder::strategy)
                .maybe(0.3, seconds(1, 5), Workload.Builder::overflowAfter)
                .maybe(0.3, workloadQueue(), Workload.Builder::queue);
        if (!live.isEmpty()) {
            workload = workload.maybe(
                    0.9,
                    Arbitraries.frequencyOf(Tuple.of(4, routes(live)), Tuple.of(1, pins(live))),
                    (builder, way) -> way.apply(builder));
        }
        if (!batch.isEmpty()) {
            workload = workload.maybe(
                    Arbitraries.of(batch).flatMap(PolicyArbitraries::candidate), Workload.Builder::batch);
        }
        return workload.build(Workload.Builder::build);
    }

    private static List<String> ids(Collection<Substrate> pool, boolean batch) {
        return pool.stream()
                .filter(substrate -> (substrate.kind() == SubstrateKind.BATCH) == batch)
                .map(Substrate::id)
                .toList();
    }

    private static Arbitrary<UnaryOperator<Workload.Builder>> routes(List<String> ids) {
        return some(ids, 1)
                .flatMap(some -> each(some, PolicyArbitraries::candidate))
                .map(candidates -> builder -> builder.route(candidates.toArray(Candidate[]::new)));
    }

    private static Arbitrary<UnaryOperator<Workload.Builder>> pins(List<String> ids) {
        return Combinators.combine(
                        Arbitraries.of(ids).flatMap(PolicyArbitraries::candidate), Arbitraries.of(PinGate.class))
                .as((candidate, gate) -> builder -> builder.pin(candidate).pinGate(gate));
    }

    private static Arbitrary<Candidate> candidate(String on) {
        return Mix.of(() -> Candidate.builder(on))
                .maybe(Arbitraries.of("flux1-dev", "sdxl-base"), Candidate.Builder::model)
                .maybe(0.8, seconds(5, 60), Candidate.Builder::expectedLatency)
                .maybe(0.3, seconds(1, 15), Candidate.Builder::loadTime)
                .maybe(0.8, Arbitraries.of(0.5, 0.8, 0.95), Candidate.Builder::quality)
                .maybe(0.8, Arbitraries.of(0.0, 0.125), Candidate.Builder::reviewRate)
                .maybe(0.3, Arbitraries.of(0.0, 0.25), Candidate.Builder::costPerJob)
                .maybe(0.2, Arbitraries.of(false, true), Candidate.Builder::spansGpus)
                .maybe(0.2, Arbitraries.of(4.0, 16.0), (builder, gb) -> builder.vramGb(gb)
                        .jobVramGb(1))
                .build(Candidate.Builder::build);
    }

    private static Arbitrary<Role> role(String name, List<String> workloads) {
        return Mix.of(() -> Role.builder(name).identities(name + "-*"))
                .always(everythingOr(names(workloads)), Role.Builder::workloads)
                .always(everythingOr(names(CAPABILITIES)), Role.Builder::capabilities)
                .maybe(0.6, Arbitraries.just(true), Role.Builder::adhoc)
                .maybe(Arbitraries.of(Priority.class), Role.Builder::maxPriority)
                .maybe(0.6, Arbitraries.just(true), Role.Builder::external)
                .build(Role.Builder::build);
    }

    private static Arbitrary<String[]> everythingOr(Arbitrary<String[]> some) {
        return Arbitraries.frequencyOf(Tuple.of(3, Arbitraries.just(new String[] {"*"})), Tuple.of(1, some));
    }

    private static Arbitrary<HealthLimits> health() {
        return Mix.of(HealthLimits::builder)
                .maybe(Arbitraries.of(60.0, 80.0, 101.0), HealthLimits.Builder::maxGpuUtilPct)
                .maybe(Arbitraries.of(70.0, 90.0), HealthLimits.Builder::maxGpuTempC)
                .maybe(Arbitraries.integers().between(1, 3), HealthLimits.Builder::degradedAfter)
                .maybe(Arbitraries.integers().between(1, 3), HealthLimits.Builder::healthyAfter)
                .maybe(seconds(0, 5), HealthLimits.Builder::recoveryWindow)
                .maybe(seconds(10, 60), HealthLimits.Builder::staleAfter)
                .maybe(Arbitraries.of(OnStale.class), HealthLimits.Builder::onStale)
                .build(HealthLimits.Builder::build);
    }

    private static Arbitrary<EjectionLimits> ejection() {
        return Mix.of(EjectionLimits::builder)
                .maybe(Arbitraries.integers().between(1, 4), EjectionLimits.Builder::consecutiveFaults)
                .maybe(seconds(1, 5), EjectionLimits.Builder::window)
                .maybe(seconds(0, 10), EjectionLimits.Builder::ramp)
                .build(EjectionLimits.Builder::build);
    }

    private static Arbitrary<QueueLimits> queue() {
        return Mix.of(QueueLimits::builder)
                .maybe(Arbitraries.integers().between(0, 4), QueueLimits.Builder::capacity)
                .maybe(seconds(0, 30), QueueLimits.Builder::maxWait)
                .maybe(Arbitraries.of(QueueOrder.class), QueueLimits.Builder::order)
                .build(QueueLimits.Builder::build);
    }

    private static Arbitrary<WorkloadQueue> workloadQueue() {
        return Mix.of(WorkloadQueue::builder)
                .maybe(Arbitraries.integers().between(0, 3), WorkloadQueue.Builder::capacity)
                .maybe(seconds(0, 20), WorkloadQueue.Builder::maxWait)
                .build(WorkloadQueue.Builder::build);
    }

    private static Arbitrary<StrategySettings> strategy() {
        return Arbitraries.of(StrategyKind.class)
                .map(kind -> StrategySettings.builder().defaultKind(kind).build());
    }

    private static Arbitrary<Duration> seconds(int least, int most) {
        return Arbitraries.integers().between(least, most).map(Duration::ofSeconds);
    }

    private static Arbitrary<String[]> names(List<String> from) {
        return some(from, 1).map(some -> some.toArray(String[]::new));
    }

    /** So many of them and more, in any order. */
    private static Arbitrary<List<String>> some(List<String> from, int least) {
        return Arbitraries.of(from).list().uniqueElements().ofMinSize(least).ofMaxSize(from.size());
    }

    private static <T> Arbitrary<List<T>> each(List<String> names, Function<String, Arbitrary<T>> arbitrary) {
        return Combinators.combine(names.stream().map(arbitrary).collect(Collectors.toList()))
                .as(Function.<List<T>>identity()::apply);
    }
}
