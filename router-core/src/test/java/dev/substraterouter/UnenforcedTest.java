package dev.substraterouter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.substraterouter.policy.NetworkScopes;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.PolicyException;
import dev.substraterouter.testkit.Policies;
import dev.substraterouter.trace.RouterEvent;
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

    static Stream<Arguments> keys() {
        return Stream.of(key(
                "network",
                p -> p.network(NetworkScopes.builder().data("10.0.0.0/8").build())));
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
