package dev.substraterouter.kit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substraterouter.model.Priority;
import dev.substraterouter.model.Trust;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Role;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.SubstrateKind;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.testkit.Policies;
import dev.substraterouter.testkit.PolicyContract;
import dev.substraterouter.verify.PolicyRule;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Group;
import org.junit.jupiter.api.Test;

/** The contract as hosts have it run: jqwik finds what an implementation inherits, in groups too. */
class PolicyContractTest {
    private static final PolicyRule FILL =
            PolicyRule.workload("flux-fill").never("mirrorforge").whileFree("legion");

    @Group
    class TheSmallest implements PolicyContract {
        @Override
        public Policy policy() {
            return Policies.smallest();
        }

        @Override
        public List<PolicyRule> rules() {
            return List.of(FILL);
        }
    }

    /** Every way there is: route, pin, need, overflow and batch, under limits and roles. */
    @Group
    class WithEverything implements PolicyContract {
        @Override
        public Policy policy() {
            return everything();
        }

        @Override
        public List<PolicyRule> rules() {
            return List.of(FILL, PolicyRule.role("agent").never("thundercompute"));
        }
    }

    private static Policy everything() {
        return Policies.smallestBuilder()
                .substrates(
                        Substrate.builder("thundercompute")
                                .kind(SubstrateKind.EXTERNAL)
                                .endpoint("https://gpu.example.com")
                                .overflow(true)
                                .capabilities("cuda")
                                .vramGb(80)
                                .maxConcurrentJobs(8)
                                .costPerHour(1.90)
                                .build(),
                        Substrate.builder("archive")
                                .kind(SubstrateKind.BATCH)
                                .costPerHour(0.05)
                                .build())
                .workloads(
                        Workload.builder("upscale").vramGb(6).pin("mirrorforge").build(),
                        Workload.builder("embed").vramGb(4).build(),
                        Workload.builder("poster")
                                .vramGb(24)
                                .privacy(Trust.PUBLIC)
                                .minQuality(0.8)
                                .maxLatency(Duration.ofMinutes(2))
                                .route(posters("legion", 40), posters("thundercompute", 45))
                                .batch(posters("archive", 60))
                                .build())
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
                        .workloads("flux-dev", "poster")
                        .build())
                .build();
    }

    private static Candidate posters(String on, int seconds) {
        return Candidate.builder(on)
                .expectedLatency(Duration.ofSeconds(seconds))
                .quality(0.9)
                .build();
    }

    /** A policy of one workload, which needs more memory than there is. */
    private record Hopeless(Set<String> toleratedLint) implements PolicyContract {
        @Override
        public Policy policy() {
            return Policy.builder()
                    .substrate(Substrate.builder("legion")
                            .vramGb(32)
                            .maxConcurrentJobs(1)
                            .build())
                    .workload(
                            Workload.builder("video").vramGb(48).route("legion").build())
                    .build();
        }

        @Override
        public List<PolicyRule> rules() {
            return List.of(PolicyRule.workload("video").onlyOn("mirrorforge"));
        }
    }

    @Test
    void aPolicyThatBreaksItIsTold() {
        PolicyContract broken = new Hopeless(Set.of());
        assertThatThrownBy(broken::everyWorkloadIsServedWhenAllIsWell)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("while every substrate is healthy and idle (1):")
                .hasMessageContaining("nobody is served 'video'");
        assertThatThrownBy(broken::theLintFindsNothing)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("video");
        assertThatThrownBy(broken::theVerifierFindsNothing)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("the policy has no substrate 'mirrorforge'");
    }
}
