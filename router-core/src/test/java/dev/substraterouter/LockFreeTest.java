package dev.substraterouter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.testkit.HandDrivenTime;
import dev.substraterouter.testkit.Policies;
import dev.substraterouter.testkit.Statuses;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

/** While nobody waits, a request goes in and out without the queue's lock: somebody else may hold it for ever. */
class LockFreeTest {
    @Test
    void takesNoLockWhileNobodyWaits() throws Exception {
        ExecutorService other = Executors.newSingleThreadExecutor();
        try (SubstrateRouter router = SubstrateRouter.builder()
                .policy(Policies.smallest())
                .timeSource(new HandDrivenTime())
                .executor(Runnable::run)
                .build()) {
            router.reportStatus("mirrorforge", Statuses.idle(64));
            router.reportStatus("legion", Statuses.idle(32));
            ReentrantLock lock = engine(router).waiting().queue().lock();
            lock.lock();
            try {
                Future<Integer> placed = other.submit(() -> goesInAndOut(router));
                assertThat(placed.get(30, TimeUnit.SECONDS)).isEqualTo(3 * 100);
                assertThat(lock.hasQueuedThreads()).isFalse();
            } finally {
                lock.unlock();
            }
        } finally {
            other.shutdownNow();
        }
    }

    private static int goesInAndOut(SubstrateRouter router) {
        int placed = 0;
        for (int round = 0; round < 100; round++) {
            try (Placement first =
                            router.tryPlace(RouteRequest.workload("flux-fill")).orElseThrow();
                    Placement fallback =
                            router.tryPlace(RouteRequest.workload("flux-fill")).orElseThrow();
                    Placement third =
                            router.tryPlace(RouteRequest.workload("flux-fill")).orElseThrow()) {
                placed += 3;
                Optional<Placement> none = router.tryPlace(RouteRequest.workload("flux-fill"));
                assertThat(none).isEmpty();
                first.succeed();
                fallback.fail(new IllegalStateException("the request's own fault"));
                assertThat(third.degraded()).isNotEmpty();
            }
        }
        return placed;
    }

    private static Engine engine(SubstrateRouter router) throws ReflectiveOperationException {
        var field = SubstrateRouter.class.getDeclaredField("engine");
        field.setAccessible(true);
        return (Engine) field.get(router);
    }
}
