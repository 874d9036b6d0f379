package dev.substraterouter.properties;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.internal.plan.CandidatePlan;
import dev.substraterouter.internal.plan.CompiledPolicy;
import dev.substraterouter.internal.plan.RoutePlan;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.PolicyProblem;
import dev.substraterouter.policy.Role;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.verify.PolicyLint;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

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
