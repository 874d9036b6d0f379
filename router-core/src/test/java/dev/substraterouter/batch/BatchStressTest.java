package dev.substraterouter.batch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.time.SystemTimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two dispatchers on two routers and one store, on their own threads and the machine's time, while tickets are cancelled. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BatchStressTest {
    private static final int JOBS = 2_000;

    @BeforeEach
    void silence() {
        BatchRig.LOG.setUseParentHandlers(false);
    }

    @AfterEach
    void speak() {
        BatchRig.LOG.setUseParentHandlers(true);
    }

    @Test
    void everyJobEndsOnceAndNoneRunsAfterItsSuccess() throws Exception {
        InMemoryBatchQueue store =
                InMemoryBatchQueue.builder().capacity(200).keptEnded(JOBS).build();
        Map<String, AtomicInteger> running = new ConcurrentHashMap<>();
        Set<String> done = ConcurrentHashMap.newKeySet();
        AtomicInteger wrong = new AtomicInteger();
        BatchWork work = (placement, job) -> {
            String id = job.id();
            if (done.contains(id)
                    || running.computeIfAbsent(id, unused -> new AtomicInteger())
                                    .incrementAndGet()
                            > 1) {
                wrong.incrementAndGet();
            }
            try {
                if (ThreadLocalRandom.current().nextInt(5) == 0) {
                    throw new IllegalArgumentException("this time");
                }
                return job.payload();
            } finally {
                running.get(id).decrementAndGet();
            }
        };
        BatchQueue watched = new ForwardingBatchQueue(store) {
            @Override
            public boolean complete(BatchClaim claim, byte[] result, dev.substraterouter.trace.RoutingTrace trace) {
                boolean recorded = super.complete(claim, result, trace);
                if (recorded) {
                    done.add(claim.job().id());
                }
                return recorded;
            }
        };
        try (SystemTimeSource time = new SystemTimeSource("stress");
                SubstrateRouter left = router(time);
                SubstrateRouter right = router(time);
                BatchDispatcher one = dispatcher(left, watched, work);
                BatchDispatcher two = dispatcher(right, watched, work)) {
            List<BatchTicket> tickets = submit(List.of(one, two));
            Map<BatchState, Integer> ends = awaitEnds(tickets);
            assertThat(wrong).hasValue(0);
            assertThat(ends.values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(JOBS);
            assertThat(ends).containsKey(BatchState.SUCCEEDED).containsKey(BatchState.CANCELLED);
            assertThat(ends).doesNotContainKeys(BatchState.QUEUED, BatchState.RUNNING, BatchState.FORGOTTEN);
            assertThat(store.open()).isZero();
            assertThat(left.shutdown(Duration.ofSeconds(10))).isTrue();
            assertThat(right.shutdown(Duration.ofSeconds(10))).isTrue();
        }
    }

    @Test
    void anEndedDispatcherLeavesNoThread() throws Exception {
        try (SystemTimeSource time = new SystemTimeSource("stress");
                SubstrateRouter router = router(time)) {
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch go = new CountDownLatch(1);
            InMemoryBatchQueue store = InMemoryBatchQueue.create();
            BatchDispatcher batch = BatchDispatcher.builder(router, store, (placement, job) -> {
                        begun.countDown();
                        go.await();
                        return job.payload();
                    })
                    .name("ended")
                    .build();
            BatchTicket ticket = batch.submit(BatchRig.BIG, new byte[1]);
            begun.await();
            batch.close();
            go.countDown();
            assertThat(ticket.result().get(10, TimeUnit.SECONDS)).hasSize(1);
            for (Thread thread : Thread.getAllStackTraces().keySet()) {
                if (thread.getName().startsWith("ended-")) {
                    thread.join(10_000);
                    assertThat(thread.isAlive()).as(thread.getName()).isFalse();
                }
            }
        }
    }

    private static SubstrateRouter router(SystemTimeSource time) {
        return SubstrateRouter.builder()
                .policy(BatchRig.policy())
                .timeSource(time)
                .build();
    }

    private static BatchDispatcher dispatcher(SubstrateRouter router, BatchQueue store, BatchWork work) {
        return BatchDispatcher.builder(router, store, work)
                .every(Duration.ofMillis(10))
                .backoff(Duration.ofMillis(1), Duration.ofMillis(5))
                .maxAttempts(12)
                .build();
    }

    private static List<BatchTicket> submit(List<BatchDispatcher> dispatchers) throws InterruptedException {
        List<BatchTicket> tickets = new ArrayList<>();
        while (tickets.size() < JOBS) {
            BatchDispatcher batch = dispatchers.get(tickets.size() % 2);
            try {
                BatchTicket ticket = batch.submit(tickets.size() % 3 == 0 ? BatchRig.BIG : BatchRig.SMALL, new byte[1]);
                tickets.add(ticket);
                if (tickets.size() % 7 == 0) {
                    ticket.cancel();
                }
            } catch (BatchFullException full) {
                tickets.get(tickets.size() - 100)
                        .result()
                        .handle((result, failure) -> result)
                        .join();
            }
        }
        return tickets;
    }

    private static Map<BatchState, Integer> awaitEnds(List<BatchTicket> tickets) {
        Map<BatchState, Integer> ends = new HashMap<>();
        for (BatchTicket ticket : tickets) {
            ticket.result().handle((result, failure) -> result).join();
            ends.merge(ticket.state(), 1, Integer::sum);
        }
        return ends;
    }
}
