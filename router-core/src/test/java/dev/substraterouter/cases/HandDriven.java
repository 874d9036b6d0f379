package dev.substraterouter.cases;

import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.testkit.HandDrivenTime;
import java.util.function.Consumer;

/** Routers of which nobody has reported anything. */
final class HandDriven {
    private HandDriven() {}

    static void withoutStatuses(Policy.Builder policy, Consumer<SubstrateRouter> body) {
        try (SubstrateRouter router = SubstrateRouter.builder()
                .policy(policy.build())
                .timeSource(new HandDrivenTime())
                .executor(Runnable::run)
                .build()) {
            body.accept(router);
        }
    }
}
