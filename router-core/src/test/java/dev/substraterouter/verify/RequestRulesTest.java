package dev.substraterouter.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.model.Priority;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Role;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.SubstrateKind;
import dev.substraterouter.policy.Workload;
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

    private static Workload.Builder work() {
        return Workload.builder("work").route("a", "b");
    }

    private static Policy policy(Workload.Builder... workloads) {
        Policy.Builder policy = Policy.builder()
                .substrate(local("a").build())
                .substrate(local("b").build())
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
