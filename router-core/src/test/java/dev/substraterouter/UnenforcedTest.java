package dev.substraterouter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.substraterouter.model.Trust;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.NetworkScopes;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.PolicyException;
import dev.substraterouter.policy.QueueLimits;
import dev.substraterouter.policy.QueueOrder;
import dev.substraterouter.policy.Role;
import dev.substraterouter.policy.StrategyKind;
import dev.substraterouter.policy.StrategySettings;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.SubstrateKind;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.testkit.Policies;
import dev.substraterouter.trace.RouterEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A policy that declares what is not enforced is refused as a whole, by the builder and by reload, and names the key. */
class UnenforcedTest {
    private static Arguments key(String path, UnaryOperator<Policy.Builder> change) {
        return arguments(path, change);
    }

    private static UnaryOperator<Policy.Builder> workload(UnaryOperator<Workload.Builder> change) {
        return policy -> policy.workload(
                change.apply(Workload.builder("w").route("legion")).build());
    }

    private static UnaryOperator<Policy.Builder> substrate(UnaryOperator<Substrate.Builder> change) {
        return policy -> policy.substrate(
                change.apply(Substrate.builder("s").maxConcurrentJobs(1)).build());
    }

    static Stream<Arguments> keys() {
        return Stream.of(
                key("roles", p -> p.role(Role.builder("agent").identities("*").build())),
                key(
                        "network",
                        p -> p.network(
                                NetworkScopes.builder().data("10.0.0.0/8").build())),
                key(
                        "queue.order",
                        p -> p.queue(
                                QueueLimits.builder().order(QueueOrder.WEIGHTED).build())),
                key(
                        "strategy.default",
                        p -> p.strategy(StrategySettings.builder()
                                .defaultKind(StrategyKind.HEALTHIEST)
                                .build())),
                key("substrates.s.accepts_roles", substrate(s -> s.acceptsRoles("agent"))),
                key("substrates.s.trust", substrate(s -> s.trust(Trust.PARTNER))),
                key("substrates.s.owner", substrate(s -> s.owner(15, 3))),
                key("workloads.w.privacy", workload(w -> w.privacy(Trust.PUBLIC))),
                key("workloads.w.capabilities", workload(w -> w.capabilities("cuda"))),
                key("workloads.w.min_quality", workload(w -> w.minQuality(0.5))),
                key("workloads.w.max_latency", workload(w -> w.maxLatency(Duration.ofSeconds(9)))),
                key("workloads.w.max_cost", workload(w -> w.maxCost(1))),
                key("workloads.w.min_availability", workload(w -> w.minAvailability(0.5))),
                key("workloads.w.batch", workload(w -> w.batch(Candidate.on("legion")))),
                key("workloads.w.strategy", workload(w -> w.strategy(StrategyKind.OUTCOME_COST))),
                key(
                        "workloads.w",
                        p -> p.workload(Workload.builder("w").vramGb(4).build())),
                key("workloads.w", p -> p.substrate(Substrate.builder("cloud")
                                .kind(SubstrateKind.EXTERNAL)
                                .build())
                        .workload(Workload.builder("w").route("legion", "cloud").build())));
    }

    @ParameterizedTest
    @MethodSource("keys")
    void refusesWhatItWouldNotEnforce(String path, UnaryOperator<Policy.Builder> change) {
        Policy policy = change.apply(Policies.smallestBuilder()).build();
        assertThatThrownBy(() -> SubstrateRouter.builder().policy(policy).build())
                .isInstanceOfSatisfying(PolicyException.class, refused -> assertThat(refused.problems())
                        .anySatisfy(problem -> {
                            assertThat(problem.path()).isEqualTo(path);
                            assertThat(problem.code()).isEqualTo("not-enforced");
                        }));
        List<RouterEvent> events = new ArrayList<>();
        try (SubstrateRouter router = SubstrateRouter.builder()
                .policy(Policies.smallest())
                .executor(Runnable::run)
                .listener(events::add)
                .build()) {
            assertThatThrownBy(() -> router.reload(policy)).isInstanceOf(PolicyException.class);
            assertThat(router.policy().revision()).isEqualTo(1);
            assertThat(events).hasOnlyElementsOfType(RouterEvent.ReloadRejected.class);
        }
    }
}
