package dev.substraterouter.policy.yaml;

import dev.substraterouter.model.Measure;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.StatusAddress;
import dev.substraterouter.model.Trust;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.EjectionLimits;
import dev.substraterouter.policy.HealthLimits;
import dev.substraterouter.policy.IdleVram;
import dev.substraterouter.policy.NetworkScopes;
import dev.substraterouter.policy.OnStale;
import dev.substraterouter.policy.Operation;
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
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Builders;
import net.jqwik.api.Builders.BuilderCombinator;
import net.jqwik.api.Combinators;

/** Random valid policies: every key now and then, names and texts of the nasty sort, figures within the limits of each other. */
final class PolicyArbitraries {
    private static final double SOMETIMES = 0.4;
    private static final double VRAM_GB = 64;
    private static final int MAX_JOBS = 8;

    /** Texts that are something else, or end something, if they are written carelessly. */
    private static final String[] NASTY = {
        "no",
        "No",
        "on",
        "y",
        "true",
        "False",
        "null",
        "NULL",
        "~",
        "1",
        "1e3",
        "0x1F",
        "0o17",
        "-1",
        "+1",
        ".5",
        "1.",
        ".inf",
        ".NaN",
        "nan",
        "12:30:45",
        "2026-05-04",
        "2026-05-04 10:00:00",
        "1_000",
        "a: b",
        "a:",
        ":a",
        "a #b",
        "#x",
        "a#b",
        "- a",
        "-",
        "--- a",
        "---",
        "...",
        "? a",
        "?",
        "[a",
        "a]",
        "{a",
        "a}",
        "a, b",
        ",",
        "&a",
        "*a",
        "*",
        "!a",
        "|",
        ">",
        "%a",
        "@a",
        "`a",
        "'a'",
        "\"a\"",
        "a'b\"c",
        "a\\b",
        " a",
        "a ",
        "a  b",
        "<<",
        "=",
        "5s",
        "3m",
        "1h",
        "a.b",
        "a[0]",
        "10.0.0.0/8",
        "http://x:80/y",
        "gr\u00fc\u00df dich",
        "\u65e5\u672c",
        "\uD83D\uDE80",
        "a\u2028b",
        "\uFEFFa",
        "\u0661",
        "\u00a0",
        "on:",
        "version",
        "2 x V100 32 GB",
        "ops-*",
        "mcp:mirage"
    };

    private PolicyArbitraries() {}

    static Arbitrary<Policy> policies() {
        return names().set().ofMinSize(1).ofMaxSize(4).flatMap(ids -> names().set()
                .ofMaxSize(4)
                .flatMap(names -> names().set().ofMaxSize(3).flatMap(roles -> policies(ids, names, roles))));
    }

    private static Arbitrary<Policy> policies(Set<String> ids, Set<String> names, Set<String> roles) {
        return Mix.of(Policy::builder)
                .always(each(ids, id -> substrates(id, roles)), (b, all) -> b.substrates(all.toArray(Substrate[]::new)))
                .always(
                        each(names, name -> workloads(name, ids)),
                        (b, all) -> b.workloads(all.toArray(Workload[]::new)))
                .always(each(roles, role -> roles(role, names)), (b, all) -> all.stream()
                        .reduce(b, Policy.Builder::role, (one, other) -> one))
                .maybe(health(), Policy.Builder::health)
                .maybe(ejection(), Policy.Builder::ejection)
                .maybe(queue(), Policy.Builder::queue)
                .maybe(poll(), Policy.Builder::poll)
                .maybe(strategy(), Policy.Builder::strategy)
                .maybe(network(), Policy.Builder::network)
                .build(Policy.Builder::build);
    }

    /** Builders on which setters have been called, or not. */
    private record Mix<B>(BuilderCombinator<B> builders) {
        static <B> Mix<B> of(Supplier<B> start) {
            return new Mix<>(Builders.withBuilder(start));
        }

        <T> Mix<B> maybe(Arbitrary<T> values, BiFunction<B, T, B> setter) {
            return new Mix<>(builders.use(values).withProbability(SOMETIMES).in(setter));
        }

        <T> Mix<B> always(Arbitrary<T> values, BiFunction<B, T, B> setter) {
            return new Mix<>(builders.use(values).in(setter));
        }

        <T> Arbitrary<T> build(Function<B, T> finish) {
            return builders.build(finish);
        }
    }

    private static <T> Arbitrary<List<T>> each(Set<String> names, Function<String, Arbitrary<T>> arbitrary) {
        return Combinators.combine(names.stream().map(arbitrary).collect(Collectors.toList()))
                .as(all -> all);
    }

    static Arbitrary<String> names() {
        return Arbitraries.oneOf(
                        Arbitraries.of(NASTY),
                        Arbitraries.strings()
                                .alpha()
                                .numeric()
                                .withChars("-_.")
                                .ofMinLength(1)
                                .ofMaxLength(12),
                        Arbitraries.strings().all().ofMinLength(1).ofMaxLength(20),
                        Arbitraries.strings().alpha().ofLength(128))
                .filter(PolicyArbitraries::isName);
    }

    static boolean isName(String text) {
        return !text.isBlank() && text.length() <= 128 && text.chars().noneMatch(Character::isISOControl);
    }

    static Arbitrary<String> texts() {
        return Arbitraries.oneOf(
                Arbitraries.of(NASTY),
                Arbitraries.strings().all().ofMaxLength(30),
                Arbitraries.strings().withChars("ab \n\t\r\u0000\u0085\"\\#:").ofMaxLength(30),
                Arbitraries.strings().withCharRange('\uD800', '\uDFFF').ofMaxLength(4),
                Arbitraries.of("a", "word ").map(word -> word.repeat(300)));
    }

    private static Arbitrary<String[]> several() {
        return names().array(String[].class).ofMaxSize(3);
    }

    private static Arbitrary<URI> addresses() {
        return Combinators.combine(
                        Arbitraries.of("http", "https", "HTTP"),
                        Arbitraries.of("10.0.0.1", "gpu.example.com", "[::1]", "localhost"),
                        Arbitraries.of("", ":80", ":65535"),
                        Arbitraries.of(
                                "",
                                "/",
                                "/a/b",
                                "/a,b",
                                "/%20",
                                "/a?b=c&d",
                                "/a#b",
                                "/a:b",
                                "/a:",
                                "/(a)'",
                                "/~a",
                                "/\u00e4"))
                .as((scheme, host, port, rest) -> URI.create(scheme + "://" + host + port + rest));
    }

    private static Arbitrary<Duration> durations() {
        return Arbitraries.oneOf(
                Arbitraries.longs().between(1, 365L * 24 * 3_600_000).map(Duration::ofMillis),
                Arbitraries.longs().between(1, 600).map(Duration::ofSeconds),
                Arbitraries.longs().between(1, 600).map(Duration::ofMinutes),
                Arbitraries.longs().between(1, 600).map(Duration::ofHours));
    }

    private static Arbitrary<Duration> durationsOrNone() {
        return Arbitraries.oneOf(durations(), Arbitraries.just(Duration.ZERO));
    }

    private static Arbitrary<Double> shares() {
        return Arbitraries.oneOf(
                Arbitraries.doubles().between(0, 1).ofScale(3), Arbitraries.of(0.0, -0.0, 1.0, 1e-9, 1.0 / 3));
    }

    private static Arbitrary<Double> costs() {
        return Arbitraries.oneOf(
                Arbitraries.doubles().between(0, 1000).ofScale(2),
                Arbitraries.of(0.0, 1e-300, 1e300, 1e15, Math.nextDown(1e16)));
    }

    private static Arbitrary<Integer> counts() {
        return Arbitraries.integers().between(1, 1_000_000);
    }

    private static Arbitrary<HealthLimits> health() {
        return Mix.of(HealthLimits::builder)
                .maybe(Arbitraries.doubles().between(50, 101), HealthLimits.Builder::maxGpuUtilPct)
                .maybe(Arbitraries.doubles().between(50, 200), HealthLimits.Builder::maxGpuTempC)
                .maybe(Arbitraries.doubles().between(0, 49), HealthLimits.Builder::gpuUtilMarginPct)
                .maybe(Arbitraries.doubles().between(0, 49), HealthLimits.Builder::gpuTempMarginC)
                .maybe(counts(), HealthLimits.Builder::degradedAfter)
                .maybe(counts(), HealthLimits.Builder::healthyAfter)
                .maybe(durationsOrNone(), HealthLimits.Builder::recoveryWindow)
                .maybe(
                        durations().map(stale -> stale.plusHours(1)).filter(stale -> stale.toDays() < 365),
                        HealthLimits.Builder::staleAfter)
                .maybe(Arbitraries.of(OnStale.class), HealthLimits.Builder::onStale)
                .maybe(Arbitraries.of(Measure.class).array(Measure[].class).ofMaxSize(4), HealthLimits.Builder::require)
                .maybe(Arbitraries.of(Measure.class).array(Measure[].class).ofMaxSize(4), HealthLimits.Builder::ignore)
                .maybe(Arbitraries.maps(names(), texts()).ofMaxSize(3), HealthLimits.Builder::requireAttributes)
                .build(HealthLimits.Builder::build);
    }

    private static Arbitrary<EjectionLimits> ejection() {
        Arbitrary<Integer> outcomes = Arbitraries.integers().between(1, 64);
        return Mix.of(EjectionLimits::builder)
                .maybe(counts(), EjectionLimits.Builder::consecutiveFaults)
                .maybe(
                        outcomes.tuple2(),
                        (b, two) -> b.faultsOfLast(Math.min(two.get1(), two.get2()), Math.max(two.get1(), two.get2())))
                .maybe(
                        durations().tuple2().filter(two -> two.get1().compareTo(two.get2()) <= 0),
                        (b, two) -> b.window(two.get1()).maxWindow(two.get2()))
                .maybe(durations(), EjectionLimits.Builder::trialTimeout)
                .maybe(durationsOrNone(), EjectionLimits.Builder::ramp)
                .maybe(durations(), EjectionLimits.Builder::forgetAfter)
                .build(EjectionLimits.Builder::build);
    }

    private static Arbitrary<QueueLimits> queue() {
        Arbitrary<Double> weights = Arbitraries.doubles().between(0.01, 1_000_000);
        return Mix.of(QueueLimits::builder)
                .maybe(Arbitraries.integers().between(0, 100_000), QueueLimits.Builder::capacity)
                .maybe(durations(), QueueLimits.Builder::retryEvery)
                .maybe(durationsOrNone(), QueueLimits.Builder::maxWait)
                .maybe(durations(), QueueLimits.Builder::agesAfter)
                .maybe(durationsOrNone(), QueueLimits.Builder::holdAfter)
                .maybe(Arbitraries.of(QueueOrder.class), QueueLimits.Builder::order)
                .maybe(weights.tuple2(), (b, two) -> b.weights(two.get1(), two.get2()))
                .build(QueueLimits.Builder::build);
    }

    private static Arbitrary<PollSettings> poll() {
        return Mix.of(PollSettings::builder)
                .maybe(Arbitraries.longs().between(10, 7_500).map(Duration::ofMillis), PollSettings.Builder::every)
                .maybe(durations(), PollSettings.Builder::timeout)
                .build(PollSettings.Builder::build);
    }

    private static Arbitrary<StrategySettings> strategy() {
        return Mix.of(StrategySettings::builder)
                .maybe(Arbitraries.of(StrategyKind.class), StrategySettings.Builder::defaultKind)
                .maybe(Arbitraries.doubles().between(1, 100), StrategySettings.Builder::finishMargin)
                .maybe(durationsOrNone(), StrategySettings.Builder::unhealthyWait)
                .maybe(Arbitraries.of(true, false), StrategySettings.Builder::learn)
                .maybe(Arbitraries.doubles().between(1.1, 100), StrategySettings.Builder::driftFactor)
                .build(StrategySettings.Builder::build);
    }

    /** Scopes that hold every address that these policies may have. */
    private static Arbitrary<NetworkScopes> network() {
        return Mix.of(NetworkScopes::builder)
                .maybe(scopeEntries(), NetworkScopes.Builder::control)
                .always(scopeEntries(), NetworkScopes.Builder::data)
                .always(scopeEntries(), NetworkScopes.Builder::external)
                .build(NetworkScopes.Builder::build);
    }

    private static Arbitrary<String[]> scopeEntries() {
        return Arbitraries.of("gpu.example.com", "localhost", "10.40.10.0/29", "127.0.0.1", "fd00:40::/64", "x_y.z")
                .list()
                .ofMaxSize(3)
                .map(more -> Stream.concat(Stream.of("0.0.0.0/0", "::/0"), more.stream())
                        .toArray(String[]::new));
    }

    private static Arbitrary<StatusAddress> statusAddresses() {
        Arbitrary<Optional<String>> token = texts().optional(0.5);
        return Combinators.combine(addresses(), Arbitraries.oneOf(Arbitraries.just("substrate"), texts()), token, token)
                .as((url, format, env, file) ->
                        new StatusAddress(url, format, env, env.isPresent() ? Optional.empty() : file));
    }

    private static Arbitrary<Substrate> substrates(String id, Set<String> roles) {
        Arbitrary<String[]> accepted = roles.isEmpty()
                ? Arbitraries.just(new String[0])
                : Arbitraries.of(roles).array(String[].class).ofMaxSize(3);
        Arbitrary<Double> upToVram = Arbitraries.doubles().between(0, VRAM_GB);
        return Mix.of(() -> Substrate.builder(id).vramGb(VRAM_GB).maxConcurrentJobs(MAX_JOBS))
                .maybe(Arbitraries.of(SubstrateKind.class), Substrate.Builder::kind)
                .maybe(addresses(), Substrate.Builder::endpoint)
                .maybe(addresses(), Substrate.Builder::mcpUrl)
                .maybe(Arbitraries.of(true, false), Substrate.Builder::virtual)
                .maybe(statusAddresses().list().ofMinSize(1).ofMaxSize(3), (b, all) -> all.stream()
                        .reduce(b, Substrate.Builder::status, (one, other) -> one))
                .maybe(texts(), Substrate.Builder::hardware)
                .maybe(texts(), Substrate.Builder::why)
                .maybe(several(), Substrate.Builder::capabilities)
                .maybe(several(), Substrate.Builder::codebases)
                .maybe(several(), Substrate.Builder::reaches)
                .maybe(Arbitraries.integers().between(1, 64), Substrate.Builder::gpus)
                .maybe(upToVram, Substrate.Builder::keepFreeGb)
                .maybe(Arbitraries.doubles().between(0, 100), Substrate.Builder::utilPerJobPct)
                .maybe(Arbitraries.of(IdleVram.class), Substrate.Builder::idleVram)
                .maybe(Arbitraries.integers().between(0, MAX_JOBS), Substrate.Builder::reserveForHigh)
                .maybe(accepted, Substrate.Builder::acceptsRoles)
                .maybe(Arbitraries.of(Trust.class), Substrate.Builder::trust)
                .maybe(costs(), Substrate.Builder::costPerHour)
                .maybe(Arbitraries.of(true, false), Substrate.Builder::overflow)
                .maybe(costs().tuple2(), (b, two) -> b.owner(Math.min(100, two.get1()), two.get2()))
                .maybe(health(), Substrate.Builder::health)
                .build(Substrate.Builder::build);
    }

    private static Arbitrary<Workload> workloads(String name, Set<String> ids) {
        Arbitrary<List<Candidate>> routes =
                Arbitraries.of(ids).set().ofMinSize(1).flatMap(on -> each(on, PolicyArbitraries::candidates));
        return Mix.of(() -> Workload.builder(name).vramGb(VRAM_GB))
                .maybe(several(), Workload.Builder::capabilities)
                .maybe(Arbitraries.of(Trust.class), Workload.Builder::privacy)
                .maybe(shares(), Workload.Builder::minQuality)
                .maybe(durations(), Workload.Builder::maxLatency)
                .maybe(costs(), Workload.Builder::maxCost)
                .maybe(shares(), Workload.Builder::minAvailability)
                .maybe(costs(), Workload.Builder::reviewCost)
                .maybe(costs(), Workload.Builder::errorCost)
                .maybe(costs(), Workload.Builder::waitingCostPerHour)
                .maybe(durations(), Workload.Builder::deadline)
                .maybe(Arbitraries.of(StrategyKind.class), Workload.Builder::strategy)
                .maybe(durationsOrNone(), Workload.Builder::overflowAfter)
                .always(Arbitraries.oneOf(routes.map(PolicyArbitraries::route), pins(ids)), (b, way) -> way.apply(b))
                .maybe(Arbitraries.of(ids).flatMap(PolicyArbitraries::candidates), Workload.Builder::batch)
                .maybe(workloadQueue(), Workload.Builder::queue)
                .maybe(texts(), Workload.Builder::why)
                .build(Workload.Builder::build);
    }

    private static UnaryOperator<Workload.Builder> route(List<Candidate> candidates) {
        return builder -> builder.route(candidates.toArray(Candidate[]::new));
    }

    private static Arbitrary<UnaryOperator<Workload.Builder>> pins(Set<String> ids) {
        return Combinators.combine(
                        Arbitraries.of(ids).flatMap(PolicyArbitraries::candidates),
                        Arbitraries.of(PinGate.class).optional(0.5))
                .as((candidate, gate) -> builder -> {
                    builder.pin(candidate);
                    return gate.map(builder::pinGate).orElse(builder);
                });
    }

    private static Arbitrary<Candidate> candidates(String on) {
        return Mix.of(() -> Candidate.builder(on))
                .maybe(texts(), Candidate.Builder::model)
                .maybe(texts(), Candidate.Builder::modelVersion)
                .maybe(texts(), Candidate.Builder::format)
                .maybe(Arbitraries.doubles().between(32, VRAM_GB), Candidate.Builder::vramGb)
                .maybe(Arbitraries.doubles().between(0, 32), Candidate.Builder::jobVramGb)
                .maybe(durations(), Candidate.Builder::expectedLatency)
                .maybe(durationsOrNone(), Candidate.Builder::loadTime)
                .maybe(shares(), Candidate.Builder::quality)
                .maybe(shares(), Candidate.Builder::reviewRate)
                .maybe(costs(), Candidate.Builder::costPerJob)
                .maybe(Arbitraries.of(true, false), Candidate.Builder::spansGpus)
                .maybe(addresses(), Candidate.Builder::endpoint)
                .maybe(texts(), Candidate.Builder::why)
                .build(Candidate.Builder::build);
    }

    private static Arbitrary<WorkloadQueue> workloadQueue() {
        return Mix.of(WorkloadQueue::builder)
                .maybe(Arbitraries.integers().between(0, 100_000), WorkloadQueue.Builder::capacity)
                .maybe(durationsOrNone(), WorkloadQueue.Builder::maxWait)
                .build(WorkloadQueue.Builder::build);
    }

    private static Arbitrary<Role> roles(String name, Set<String> workloads) {
        Arbitrary<String> allowed = workloads.isEmpty() ? Arbitraries.just("*") : Arbitraries.of(workloads);
        return Mix.of(() -> Role.builder(name))
                .always(texts().array(String[].class).ofMinSize(1).ofMaxSize(3), Role.Builder::identities)
                .maybe(several(), Role.Builder::capabilities)
                .maybe(allowed.array(String[].class).ofMaxSize(3), Role.Builder::workloads)
                .maybe(Arbitraries.of(true, false), Role.Builder::adhoc)
                .maybe(Arbitraries.of(Priority.class), Role.Builder::maxPriority)
                .maybe(Arbitraries.of(true, false), Role.Builder::external)
                .maybe(Arbitraries.of(Operation.class).array(Operation[].class).ofMaxSize(6), Role.Builder::operate)
                .build(Role.Builder::build);
    }
}
