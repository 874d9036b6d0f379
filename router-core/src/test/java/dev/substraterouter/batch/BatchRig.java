package dev.substraterouter.batch;

import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.HealthLimits;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.testkit.HandDrivenTime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.logging.Logger;

/** A router of two local substrates that need no status, time that is driven by hand, and executors that do so too. */
final class BatchRig implements AutoCloseable {
    /** What the library logs is not read in these tests. */
    static final Logger LOG = Logger.getLogger("dev.substraterouter");

    static final RouteRequest SMALL = RouteRequest.workload("small");
    static final RouteRequest BIG = RouteRequest.workload("big");

    final HandDrivenTime time = new HandDrivenTime();
    final Tasks work = new Tasks();
    final SubstrateRouter router;
    final InMemoryBatchQueue store;

    BatchRig() {
        this(100);
    }

    BatchRig(int capacity) {
        router = router(time);
        store = InMemoryBatchQueue.builder().capacity(capacity).timeSource(time).build();
    }

    /** Substrate {@code one} takes a job, {@code two} takes two; {@code big} runs on the first, {@code small} on either, the second first. */
    static Policy policy() {
        return builder()
                .workloads(
                        Workload.builder("big").route("one").build(),
                        Workload.builder("small").route("two", "one").build())
                .build();
    }

    static Policy.Builder builder() {
        return Policy.builder()
                .health(HealthLimits.builder().require().build())
                .substrates(
                        Substrate.builder("one")
                                .endpoint("http://one:1")
                                .maxConcurrentJobs(1)
                                .build(),
                        Substrate.builder("two")
                                .endpoint("http://two:1")
                                .maxConcurrentJobs(2)
                                .build());
    }

    static SubstrateRouter router(HandDrivenTime time) {
        return SubstrateRouter.builder()
                .policy(policy())
                .timeSource(time)
                .executor(Runnable::run)
                .seed(1)
                .build();
    }

    /** A dispatcher whose work waits to be run by the test. */
    BatchDispatcher.Builder manual(BatchWork doing) {
        return BatchDispatcher.builder(router, store, doing)
                .timeSource(time)
                .executor(work)
                .storeExecutor(Runnable::run)
                .seed(1);
    }

    /** A dispatcher whose work is done at once. */
    BatchDispatcher.Builder direct(BatchWork doing) {
        return manual(doing).executor(Runnable::run);
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    void seconds(double seconds) {
        time.advance(Duration.ofNanos((long) (seconds * 1e9)));
    }

    boolean idle() {
        return router.substrates().stream().allMatch(view -> view.leases() == 0);
    }

    @Override
    public void close() {
        router.close();
    }

    /** Tasks that a test runs one by one, or never. */
    static final class Tasks implements Executor {
        final Deque<Runnable> tasks = new ArrayDeque<>();

        @Override
        public void execute(Runnable task) {
            tasks.add(task);
        }

        int size() {
            return tasks.size();
        }

        void next() {
            tasks.remove().run();
        }

        void all() {
            while (!tasks.isEmpty()) {
                next();
            }
        }
    }
}
