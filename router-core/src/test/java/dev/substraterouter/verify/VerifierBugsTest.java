package dev.substraterouter.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.model.Priority;
import dev.substraterouter.model.Trust;
import dev.substraterouter.planted.Bug;
import dev.substraterouter.planted.Planted;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Role;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.SubstrateKind;
import dev.substraterouter.policy.Workload;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The verifier asks the production decision, and knows better: with a bug planted in the decision, it finds it by the right check. */
public class VerifierBugsTest {
    private static final String DECIDE = "dev/substraterouter/internal/decide/";
    private static final String GATE = "dev/substraterouter/internal/gate/";
    private static final String PLAN = "dev/substraterouter/internal/plan/";

    @TempDir
    Path folder;

    /** A bug and the check that finds it. */
    record Case(String check, Bug bug) {
        @Override
        public String toString() {
            return bug + " by " + check;
        }
    }

    static List<Case> cases() {
        return List.of(
                bug(
                        "constraint",
                        "privacy-of-fallbacks",
                        PLAN + "ContractCheck.java",
                        "if (substrate.trust.compareTo(contract.privacy) > 0) {",
                        "if (candidate.primary && substrate.trust.compareTo(contract.privacy) > 0) {"),
                bug(
                        "constraint",
                        "quality-exclusive",
                        PLAN + "ContractCheck.java",
                        "} else if (quality < contract.minQuality) {",
                        "} else if (quality <= contract.minQuality) {"),
                bug(
                        "constraint",
                        "load-time-forgotten",
                        PLAN + "ContractCheck.java",
                        "long takes = candidate.latencyNanos + candidate.loadNanos;",
                        "long takes = candidate.latencyNanos;"),
                bug(
                        "constraint",
                        "memory-of-all-gpus",
                        PLAN + "SubstratePlan.java",
                        "return spansGpus ? usable : usable / gpus;",
                        "return usable;"),
                bug(
                        "constraint",
                        "agents-go-outside",
                        PLAN + "RoleSet.java",
                        "boolean reaches = !external || role.external();",
                        "boolean reaches = true;"),
                bug(
                        "access",
                        "any-priority",
                        PLAN + "RoleSet.java",
                        "return asked.isEmpty() || !asked.get().outranks(role.maxPriority());",
                        "return true;"),
                bug(
                        "access",
                        "any-need",
                        PLAN + "RoleSet.java",
                        "boolean subject = workload == null ? role.adhoc() : anyOrNamed(role.workloads(), workload);",
                        "boolean subject = workload == null || anyOrNamed(role.workloads(), workload);"),
                bug(
                        "order",
                        "overflow-in-its-place",
                        PLAN + "Planner.java",
                        "for (boolean overflow : new boolean[] {false, true}) {",
                        "for (boolean overflow : new boolean[] {true, false}) {"),
                bug(
                        "order",
                        "prefer-crosses-tiers",
                        DECIDE + "Decider.java",
                        "if (candidate.substrate.overflow == overflow\n"
                                + "                            && candidate.substrate.id.equals(substrateId) == wanted) {",
                        "if (candidate.substrate.id.equals(substrateId) == wanted && overflow == !wanted) {"),
                bug(
                        "refusal",
                        "only-routes-of-one",
                        DECIDE + "Decider.java",
                        "if (order.length == 0) {",
                        "if (order.length != 1) {"),
                bug(
                        "answer",
                        "last-never-looked-at",
                        DECIDE + "Decider.java",
                        "if (at == order.length - 1 && same(states, order, passed, order.length)) {",
                        "if (at >= order.length - 2 && same(states, order, passed, at + 1)) {"),
                bug(
                        "answer",
                        "waits-for-the-impossible",
                        DECIDE + "FallbackMachine.java",
                        "if (!couldCome) {",
                        "if (!couldCome && !mayWait) {"),
                bug(
                        "answer",
                        "full-means-wait",
                        DECIDE + "FallbackMachine.java",
                        "case NONE -> Answer.REFUSE_FULL;",
                        "case NONE -> Answer.WAIT;"),
                bug(
                        "admission",
                        "cordon-ignored",
                        GATE + "GateState.java",
                        "if (cordon != null) {",
                        "if (cordon != null && factsOnly) {"),
                bug(
                        "admission",
                        "ejection-ignored",
                        GATE + "GateState.java",
                        "Reason out = ejected(now);",
                        "Reason out = null;"),
                bug(
                        "admission",
                        "health-ignored",
                        DECIDE + "Check.java",
                        "Reason unhealthy = health(state, candidate, now);",
                        "Reason unhealthy = null;"),
                bug(
                        "admission",
                        "every-candidate-a-pin",
                        DECIDE + "Check.java",
                        "return state.gate.objection(now, candidate.factsOnly, perGpu);",
                        "return state.gate.objection(now, true, perGpu);"),
                bug(
                        "admission",
                        "avoid-ignored",
                        DECIDE + "Check.java",
                        "if (!ask.avoid().isEmpty() && ask.avoid().contains(id)) {",
                        "if (ask.avoid().size() > 99) {"),
                bug(
                        "admission",
                        "failed-before-ignored",
                        DECIDE + "Check.java",
                        "if (exclusion.forGood()) {",
                        "if (exclusion.until() < 0) {"),
                bug(
                        "admission",
                        "one-job-too-many",
                        DECIDE + "Check.java",
                        "if (taken >= state.plan.maxJobs) {",
                        "if (taken > state.plan.maxJobs) {"),
                bug(
                        "admission",
                        "reserve-for-all-but-low",
                        DECIDE + "Check.java",
                        "if (ask.declared != Priority.HIGH && taken + 1",
                        "if (ask.declared == Priority.LOW && taken + 1"),
                bug(
                        "admission",
                        "memory-ignored",
                        DECIDE + "Check.java",
                        "return reason != null ? reason : memory(state, candidate, now);",
                        "return reason;"),
                bug(
                        "admission",
                        "claims-ignored",
                        DECIDE + "Check.java",
                        "if (before.claimed(substrate)) {",
                        "if (before.claimed(substrate) && before.wanted(substrate)) {"),
                bug(
                        "admission",
                        "overflow-at-once",
                        DECIDE + "Check.java",
                        "now - ask.arrivalNanos < route.overflowAfterNanos",
                        "now - ask.arrivalNanos < 0"),
                bug(
                        "refusal",
                        "overflow-never",
                        DECIDE + "Check.java",
                        "now - ask.arrivalNanos < route.overflowAfterNanos",
                        "now - ask.arrivalNanos <= route.overflowAfterNanos"),
                bug(
                        "refusal",
                        "everybody-is-low",
                        DECIDE + "Check.java",
                        "boolean low = ask.priorityClass(now, agesAfterNanos) >= Waiter.rank(Priority.LOW);",
                        "boolean low = true;"),
                bug(
                        "answer",
                        "out-is-for-good",
                        DECIDE + "Check.java",
                        "case TOO_SMALL, AVOIDED, FAILED_BEFORE -> true;",
                        "case TOO_SMALL, AVOIDED, FAILED_BEFORE, EJECTED, BUSY, GPU_UTIL -> true;"),
                bug(
                        "answer",
                        "beyond-any-wait",
                        DECIDE + "FallbackMachine.java",
                        "none.allOutFor() > waitNanos",
                        "none.allOutFor() >= 0"),
                bug("refusal", "nothing-matches", PLAN + "Planner.java", "fits.add(plan);", "fits.clear();"),
                bug(
                        "order",
                        "widest-fit-first",
                        PLAN + "Planner.java",
                        "Comparator.comparingLong(substrate -> most(substrate, false))",
                        "Comparator.comparingLong(substrate -> -most(substrate, false))"),
                bug(
                        "constraint",
                        "third-candidate-lost",
                        PLAN + "Planner.java",
                        "for (int at = 0; at < spec.declared().size(); at++) {",
                        "for (int at = 0; at < Math.min(2, spec.declared().size()); at++) {"),
                bug(
                        "refusal",
                        "batch-path-lost",
                        PLAN + "Planner.java",
                        "return route(spec, plans, batch(spec, best, roles), roles);",
                        "return route(spec, plans, null, roles);"),
                bug(
                        "admission",
                        "overflow-after-lost",
                        PLAN + "RoutePlan.java",
                        "this.overflowAfterNanos = spec.overflowAfterNanos();",
                        "this.overflowAfterNanos = 0;"),
                bug(
                        "answer",
                        "batch-path-for-everybody",
                        DECIDE + "FallbackMachine.java",
                        "return mode == PlacementMode.EITHER && priority == Priority.LOW;",
                        "return priority == Priority.LOW;"));
    }

    private static Case bug(String check, String name, String file, String text, String instead) {
        return new Case(check, new Bug(name, name, file, text, instead));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void isFound(Case planted) throws Exception {
        try (Planted library = Planted.with(planted.bug(), folder)) {
            Object rules = library.loadClass(VerifierBugsTest.class.getName())
                    .getDeclaredMethod("broken")
                    .invoke(null);

            assertThat(rules)
                    .asInstanceOf(InstanceOfAssertFactories.list(String.class))
                    .contains(planted.check());
        }
    }

    @Test
    void nothingIsFoundWithoutABug() {
        assertThat(broken()).isEmpty();
    }

    /** What the verifier finds in a policy in which everything occurs: the names of the checks, so that they can leave their loader. */
    public static List<String> broken() {
        return PolicyVerifier.verify(everything()).stream()
                .map(PolicyFinding::rule)
                .toList();
    }

    private static Policy everything() {
        return Policy.builder()
                .substrates(
                        Substrate.builder("mirrorforge")
                                .capabilities("cuda")
                                .vramGb(64)
                                .gpus(2)
                                .maxConcurrentJobs(2)
                                .reserveForHigh(1)
                                .costPerHour(0.12)
                                .build(),
                        Substrate.builder("legion")
                                .capabilities("cuda", "blackwell")
                                .vramGb(24)
                                .maxConcurrentJobs(1)
                                .costPerHour(0.30)
                                .build(),
                        Substrate.builder("cloud")
                                .kind(SubstrateKind.EXTERNAL)
                                .overflow(true)
                                .endpoint("https://gpu.example.com")
                                .capabilities("cuda")
                                .vramGb(80)
                                .maxConcurrentJobs(8)
                                .costPerHour(1.90)
                                .build(),
                        Substrate.builder("archive")
                                .kind(SubstrateKind.BATCH)
                                .capabilities("cuda")
                                .costPerHour(0.05)
                                .build())
                .workloads(
                        Workload.builder("flux-dev")
                                .vramGb(12)
                                .minQuality(0.8)
                                .maxLatency(Duration.ofSeconds(55))
                                .route(
                                        candidate("mirrorforge", 0.8).build(),
                                        candidate("legion", 0.9)
                                                .expectedLatency(Duration.ofSeconds(50))
                                                .build(),
                                        candidate("cloud", 0.9).build())
                                .batch(candidate("archive", 0.8).build())
                                .build(),
                        Workload.builder("flux-fill")
                                .vramGb(24)
                                .privacy(Trust.PUBLIC)
                                .overflowAfter(Duration.ofSeconds(2))
                                .route("cloud", "legion", "mirrorforge")
                                .build(),
                        Workload.builder("huge")
                                .vramGb(40)
                                .privacy(Trust.PUBLIC)
                                .route("mirrorforge", "cloud")
                                .build(),
                        Workload.builder("embed").capabilities("cuda").vramGb(4).build())
                .role(Role.builder("operator")
                        .identities("ops-*")
                        .capabilities("*")
                        .workloads("*")
                        .adhoc(true)
                        .maxPriority(Priority.HIGH)
                        .external(true)
                        .build())
                .role(Role.builder("agent")
                        .identities("agent-*")
                        .capabilities("cuda")
                        .workloads("flux-dev", "flux-fill", "huge")
                        .build())
                .build();
    }

    private static Candidate.Builder candidate(String on, double quality) {
        return Candidate.builder(on)
                .model("flux1")
                .quality(quality)
                .expectedLatency(Duration.ofSeconds(40))
                .loadTime(Duration.ofSeconds(15));
    }
}
