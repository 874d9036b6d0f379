package dev.substraterouter.properties;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.Placement;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.internal.plan.CandidatePlan;
import dev.substraterouter.internal.plan.CompiledPolicy;
import dev.substraterouter.internal.plan.RoutePlan;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.IdleVram;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.PolicyProblem;
import dev.substraterouter.policy.Role;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.status.SubstrateStatus;
import dev.substraterouter.verify.PolicyLint;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.statistics.Statistics;

/** What lint says of policies in which everything may be otherwise, against what the router would do. */
class PolicyLintPropertyTest {

    @Property(tries = 300)
    void neverThrowsAndSaysTheSameTwice(@ForAll long seed) {
        for (Policy policy : List.of(wild(seed), contract(seed))) {
            List<PolicyProblem> problems = PolicyLint.lint(policy);

            assertThat(PolicyLint.lint(policy)).isEqualTo(problems);
            assertThat(problems).doesNotHaveDuplicates().allSatisfy(PolicyLintPropertyTest::isReadable);
        }
    }

    @Property(tries = 300)
    void aWorkloadIsUnservableExactlyWhenTheRouterHasNobodyForIt(@ForAll long seed) {
        Policy policy = contract(seed);
        CompiledPolicy compiled = new CompiledPolicy(policy.withRevision(1));

        Set<String> nobody = policy.workloads().stream()
                .filter(workload -> serving(compiled.route(workload.name())).isEmpty())
                .map(workload -> "workloads." + workload.name())
                .collect(Collectors.toSet());

        assertThat(paths(policy, "unservable-workload")).isEqualTo(nobody);
    }

    /** Somebody who has all roles at once may use no more than what one of them may. */
    @Property(tries = 300)
    void whatIsUnreachableIsReachedByNobody(@ForAll long seed) {
        Policy policy = withOneIdentityForAll(contract(seed));
        CompiledPolicy compiled = new CompiledPolicy(policy.withRevision(1));
        Set<String> unreachable = paths(policy, "unreachable-substrate").stream()
                .map(path -> path.split("\\.")[1])
                .collect(Collectors.toSet());
        Set<String> forNobody = paths(policy, "workload-for-nobody");

        for (Workload workload : policy.workloads()) {
            RoutePlan route =
                    compiled.route(RouteRequest.workload(workload.name()).identity("everybody"));
            List<CandidatePlan> serving = route == null || policy.roles().isEmpty() ? List.of() : serving(route);

            assertThat(serving)
                    .filteredOn(PolicyLintPropertyTest::hasSlotsForAll)
                    .noneMatch(candidate -> unreachable.contains(candidate.substrate.id));
            if (forNobody.contains("workloads." + workload.name())) {
                assertThat(serving).noneMatch(PolicyLintPropertyTest::hasSlotsForAll);
            }
        }
    }

    /** Each sort of candidate twice on one substrate, in any order, and any statuses: the later one is never taken. */
    @Property(tries = 1_000)
    void whatIsShadowedIsNeverTaken(@ForAll long seed) {
        Random random = new Random(seed);
        Candidate first = twice(random, "first");
        Candidate second = twice(random, "second");
        Policy policy = Policy.builder()
                .substrate(Substrate.builder("a")
                        .vramGb(16)
                        .gpus(1 + random.nextInt(2))
                        .maxConcurrentJobs(3)
                        .idleVram(random.nextBoolean() ? IdleVram.EVICTABLE : IdleVram.HELD)
                        .build())
                .workload(Workload.builder("w").route(first, second).build())
                .build();
        boolean shadowed = !paths(policy, "shadowed-candidate").isEmpty();
        Statistics.collect(shadowed);

        try (SubstrateRouter router = SubstrateRouter.builder().policy(policy).build()) {
            for (int step = 0; shadowed && step < 20; step++) {
                router.reportStatus("a", status(random));
                Optional<Placement> placed = router.tryPlace(RouteRequest.workload("w"));
                placed.ifPresent(
                        placement -> assertThat(placement.candidate().format()).hasValue("first"));
                if (random.nextBoolean()) {
                    placed.ifPresent(Placement::succeed);
                }
            }
        }
    }

    private static Candidate twice(Random random, String format) {
        Candidate.Builder candidate = Candidate.builder("a").format(format).spansGpus(random.nextInt(4) == 0);
        if (random.nextBoolean()) {
            candidate.model(random.nextBoolean() ? "m" : "n");
        }
        if (random.nextInt(3) > 0) {
            int whole = 1 + random.nextInt(8);
            candidate.vramGb(whole).jobVramGb(random.nextBoolean() ? whole : random.nextInt(whole + 1));
        }
        return candidate.build();
    }

    private static SubstrateStatus status(Random random) {
        return SubstrateStatus.builder()
                .gpuUtilPct(random.nextInt(75))
                .gpuTempC(50)
                .runningJobs(random.nextInt(3))
                .vramUsedGb(random.nextInt(17))
                .vramTotalGb(16)
                .loadedModels(random.nextBoolean() ? new String[] {"m"} : new String[] {"n"})
                .build();
    }

    private static boolean hasSlotsForAll(CandidatePlan candidate) {
        return candidate.substrate.reserveForHigh < candidate.substrate.maxJobs;
    }

    private static Policy withOneIdentityForAll(Policy policy) {
        Policy.Builder all = Policy.builder();
        policy.substrates().forEach(all::substrate);
        policy.workloads().forEach(all::workload);
        for (Role role : policy.roles()) {
            all.role(Role.builder(role.name())
                    .identities("everybody")
                    .capabilities(role.capabilities().toArray(String[]::new))
                    .workloads(role.workloads().toArray(String[]::new))
                    .adhoc(role.adhoc())
                    .maxPriority(role.maxPriority())
                    .external(role.external())
                    .build());
        }
        return all.build();
    }

    private static List<CandidatePlan> serving(RoutePlan route) {
        Stream<CandidatePlan> batch = route.batch == null ? Stream.of() : Arrays.stream(route.batch.candidates);
        return Stream.concat(Arrays.stream(route.candidates), batch)
                .filter(candidate -> candidate.unusable == null)
                .toList();
    }

    private static Set<String> paths(Policy policy, String code) {
        return PolicyLint.lint(policy).stream()
                .filter(problem -> problem.code().equals(code))
                .map(PolicyProblem::path)
                .collect(Collectors.toSet());
    }

    private static void isReadable(PolicyProblem problem) {
        assertThat(problem.message()).matches("[a-z_]+: .+ \\(expected: .+\\)").hasSizeLessThan(2_000);
        assertThat(problem.path()).matches("(health|queue|strategy|substrates|workloads|roles)(\\.[^.]+)+");
        assertThat(problem.line()).isZero();
    }

    private static Policy wild(long seed) {
        return new WildPolicies(new Random(seed)).next();
    }

    private static Policy contract(long seed) {
        return new ContractPolicies(new Random(seed)).next();
    }
}
