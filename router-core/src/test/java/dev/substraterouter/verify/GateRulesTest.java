package dev.substraterouter.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.model.Trust;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.PinGate;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.SubstrateKind;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.status.SubstrateStatus;
import dev.substraterouter.testkit.Statuses;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Whether a substrate is open at a status is what the decision says of the workloads that may run there. */
class GateRulesTest {
    private static final SubstrateStatus BUSY =
            Statuses.healthy(32).gpuUtilPct(99).build();
    private static final SubstrateStatus FULL =
            Statuses.healthy(32).vramUsedGb(32).build();
    private static final SubstrateStatus HALF =
            Statuses.healthy(32).vramUsedGb(20).build();

    @Test
    @DisplayName("a pin is judged by facts, so that a busy substrate is not closed to it")
    void pin() {
        Policy facts = policy(routed(8), Workload.builder("pinned").vramGb(4).pin("a"));
        Policy full =
                policy(routed(8), Workload.builder("pinned").vramGb(4).pin("a").pinGate(PinGate.FULL));

        assertThat(closed(BUSY).objection(facts)).contains("a is open: placed there is pinned");
        assertThat(open(BUSY).objection(facts)).isEmpty();
        assertThat(closed(BUSY).objection(full)).isEmpty();
        assertThat(open(BUSY).objection(full)).hasValueSatisfying(message -> assertThat(message)
                .startsWith("a is closed: [GPU_UTIL] for routed, gpu util 99")
                .contains("; [GPU_UTIL] for pinned, gpu util 99"));
    }

    @Test
    @DisplayName("a substrate without the memory that every workload takes is closed, and open to one that takes less")
    void memory() {
        Policy policy = policy(routed(24));

        assertThat(closed(FULL).objection(policy)).isEmpty();
        assertThat(closed(HALF).objection(policy)).isEmpty();
        assertThat(open(HALF).objection(policy)).contains("a is closed: [VRAM] for routed, vram free 12.0 < 24.0 GB");
        assertThat(open(HALF)
                        .objection(policy(
                                routed(24), Workload.builder("small").vramGb(12).route("b", "a"))))
                .isEmpty();
    }

    @Test
    @DisplayName("the batch path, and an overflow that is for those who have waited, count")
    void otherWays() {
        Policy.Builder policy = Policy.builder()
                .substrate(local("b").build())
                .substrate(Substrate.builder("a")
                        .kind(SubstrateKind.BATCH)
                        .vramGb(32)
                        .build())
                .workload(Workload.builder("w")
                        .vramGb(16)
                        .route("b")
                        .batch(Candidate.on("a"))
                        .build());
        Policy overflow = Policy.builder()
                .substrates(local("b").build(), local("a").overflow(true).build())
                .workload(routed(8).overflowAfter(Duration.ofSeconds(5)).build())
                .build();

        assertThat(open(Statuses.idle(32)).objection(policy.build())).isEmpty();
        assertThat(closed(FULL).objection(policy.build())).isEmpty();
        assertThat(open(Statuses.idle(32)).objection(overflow)).isEmpty();
    }

    @Test
    @DisplayName("where no workload could ever run, the gate for everybody is meant")
    void nobody() {
        Policy none = policy(Workload.builder("w").route("b"));
        Policy unfit = Policy.builder()
                .substrates(local("a").trust(Trust.PUBLIC).build(), local("b").build())
                .workload(routed(8).build())
                .build();

        for (Policy policy : new Policy[] {none, unfit}) {
            assertThat(closed(BUSY).objection(policy)).isEmpty();
            assertThat(open(BUSY).objection(policy)).contains("a is closed: [GPU_UTIL]");
            assertThat(closed(HALF).objection(policy)).contains("a is open");
            assertThat(open(HALF).objection(policy)).isEmpty();
        }
    }

    private static PolicyRule closed(SubstrateStatus status) {
        return PolicyRule.substrate("a").closedAt(status);
    }

    private static PolicyRule open(SubstrateStatus status) {
        return PolicyRule.substrate("a").openAt(status);
    }

    private static Policy policy(Workload.Builder... workloads) {
        Policy.Builder policy =
                Policy.builder().substrates(local("a").build(), local("b").build());
        for (Workload.Builder workload : workloads) {
            policy.workload(workload.build());
        }
        return policy.build();
    }

    private static Workload.Builder routed(double gb) {
        return Workload.builder("routed").vramGb(gb).route("a", "b");
    }

    private static Substrate.Builder local(String id) {
        return Substrate.builder(id).vramGb(32).maxConcurrentJobs(2);
    }
}
