package dev.substraterouter.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.model.Priority;
import dev.substraterouter.model.Trust;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Role;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.SubstrateKind;
import dev.substraterouter.policy.Workload;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Rules about requests speak of those who may ask, and of the batch path only where it is meant. */
class RequestRulesTest {
    @Test
    @DisplayName("firstOn means neither those who may not ask nor requests for the batch path")
    void firstOn() {
        Policy policy = policy(work().batch(Candidate.on("night")));

        assertThat(PolicyVerifier.verify(policy, PolicyRule.workload("work").firstOn("a")))
                .isEmpty();
        assertThat(PolicyVerifier.verify(policy, PolicyRule.workload("work").firstOn("b")))
                .extracting(PolicyFinding::rule)
                .containsExactly("work on b whenever it is free");
    }

    @Test
    @DisplayName("served means those who may ask, and that there are some")
    void served() {
        Policy policy = policy(work());
        Policy forNobody = policy(work(), Workload.builder("other").route("a"));

        assertThat(PolicyVerifier.verify(
                        policy,
                        PolicyRule.workload("work").served(),
                        PolicyRule.role("user").served()))
                .isEmpty();
        assertThat(PolicyVerifier.verify(forNobody, PolicyRule.workload("other").served()))
                .extracting(PolicyFinding::message)
                .containsExactly("nobody may ask for anything that it speaks of");
    }

    @Test
    @DisplayName("served is broken where somebody may ask for what nothing can serve")
    void unservable() {
        Policy policy = policy(work().capabilities("none-has-it"));

        assertThat(PolicyVerifier.verify(policy, PolicyRule.workload("work").served()))
                .extracting(PolicyFinding::rule)
                .containsExactly("work served while everything is free");
    }

    @Test
    @DisplayName("a need for which no batch queue is good enough is refused when it asks for one, and rightly")
    void needWithoutBatchPath() {
        Policy policy = Policy.builder()
                .substrate(local("a").capabilities("cuda").build())
                .substrate(Substrate.builder("night").kind(SubstrateKind.BATCH).build())
                .build();

        assertThat(PolicyVerifier.verify(policy)).isEmpty();
    }

    @Test
    @DisplayName(
            "served of a role means workloads that it may ask for, not needs, and later only what has a batch path")
    void servedOfARole() {
        Policy policy = policy(Role.builder("user")
                .identities("user-*")
                .workloads("work", "matched")
                .capabilities("cuda")
                .adhoc(true)
                .maxPriority(Priority.LOW)
                .build());

        assertThat(PolicyVerifier.verify(
                        policy,
                        PolicyRule.role("user").served(),
                        PolicyRule.workload("matched").served()))
                .isEmpty();
    }

    private static Policy policy(Role role) {
        return Policy.builder()
                .substrate(local("a").capabilities("cuda").vramGb(8).build())
                .substrate(local("b").vramGb(8).build())
                .substrate(Substrate.builder("public")
                        .kind(SubstrateKind.POOL)
                        .trust(Trust.PUBLIC)
                        .vramGb(80)
                        .maxConcurrentJobs(1)
                        .build())
                .substrate(Substrate.builder("night").kind(SubstrateKind.BATCH).build())
                .workload(work().build())
                .workload(Workload.builder("matched").capabilities("cuda").build())
                .workload(Workload.builder("other").route("public").build())
                .role(role)
                .build();
    }

    @Test
    @DisplayName("whileFree does not mean requests for the batch path, which take nothing else")
    void whileFree() {
        Policy policy = policy(work().batch(Candidate.on("night")));

        assertThat(PolicyVerifier.verify(
                        policy, PolicyRule.workload("work").never("night").whileFree("a")))
                .isEmpty();
        assertThat(PolicyVerifier.verify(
                        policy, PolicyRule.workload("work").never("b").whileFree("a")))
                .isEmpty();
        assertThat(PolicyVerifier.verify(
                        policy, PolicyRule.workload("work").never("a").whileFree("b")))
                .extracting(PolicyFinding::rule)
                .containsExactly("work never on a while b is free");
    }

    @Test
    @DisplayName("a rule about a substrate being free objects to a policy in which none of its routes has it")
    void outOfReach() {
        Policy policy = policy(
                work().batch(Candidate.on("night")),
                Workload.builder("other").route("elsewhere"),
                Workload.builder("third").route("a"));

        for (PolicyRule rule : List.of(
                PolicyRule.workload("work").firstOn("elsewhere"),
                PolicyRule.role("user").firstOn("elsewhere"),
                PolicyRule.workload("work").never("b").whileFree("elsewhere"),
                PolicyRule.role("user").never("b").whileFree("elsewhere"))) {
            assertThat(rule.objection(policy))
                    .as(rule.name())
                    .contains("substrate: 'elsewhere', which none of its routes has (expected: one of a, b, night)");
        }
        assertThat(PolicyRule.workload("other").firstOn("elsewhere").objection(policy))
                .isEmpty();
        assertThat(PolicyRule.workload("work").never("b").whileFree("night").objection(policy))
                .isEmpty();
        assertThat(PolicyRule.role("user").never("b").whileFree("a").objection(policy))
                .isEmpty();
    }

    private static Workload.Builder work() {
        return Workload.builder("work").route("a", "b");
    }

    private static Policy policy(Workload.Builder... workloads) {
        Policy.Builder policy = Policy.builder()
                .substrate(local("a").build())
                .substrate(local("b").build())
                .substrate(local("elsewhere").build())
                .substrate(Substrate.builder("night").kind(SubstrateKind.BATCH).build())
                .role(Role.builder("user")
                        .identities("user-*")
                        .workloads("work")
                        .capabilities("*")
                        .maxPriority(Priority.NORMAL)
                        .build());
        for (Workload.Builder workload : workloads) {
            policy.workload(workload.build());
        }
        return policy.build();
    }

    private static Substrate.Builder local(String id) {
        return Substrate.builder(id).maxConcurrentJobs(2);
    }
}
