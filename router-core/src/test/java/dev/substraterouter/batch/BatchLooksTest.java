package dev.substraterouter.batch;

import static dev.substraterouter.batch.BatchRig.BIG;
import static dev.substraterouter.batch.BatchRig.SMALL;
import static dev.substraterouter.batch.BatchRig.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substraterouter.Placement;
import dev.substraterouter.RouterClosedException;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.Workload;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which jobs a dispatcher gets to, when, and what it gives up. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BatchLooksTest {
    private static final byte[] PAYLOAD = bytes("a cat");

    private final BatchRig rig = new BatchRig(1_000);
    private final BatchRig.Tasks clerk = new BatchRig.Tasks();
    private final List<String> places = new ArrayList<>();

    @BeforeEach
    void silence() {
        BatchRig.LOG.setUseParentHandlers(false);
    }

    @AfterEach
    void speak() {
        rig.close();
        BatchRig.LOG.setUseParentHandlers(true);
    }

    private byte[] draw(Placement placement, BatchJob job) {
        places.add(placement.substrateId());
        return job.payload();
    }

    private void offer(String id, RouteRequest request) {
        rig.store.offer(BatchJob.of(id, request, PAYLOAD, null, 0, rig.time.wall()));
    }

    private BatchState state(String id) {
        return rig.store.find(id).orElseThrow().state();
    }

    @Test
    void aLookThatIsDueAgainWaitsBehindWhatTheClerkWasGivenMeanwhile() {
        List<String> order = new ArrayList<>();
        AtomicBoolean first = new AtomicBoolean(true);
        List<BatchDispatcher> batches = new ArrayList<>();
        BatchQueue store = new ForwardingBatchQueue(rig.store) {
            @Override
            public Optional<BatchClaim> claim(String owner, Duration leaseFor, long after) {
                order.add("look");
                if (first.getAndSet(false)) {
                    clerk.execute(() -> order.add("renewal"));
                    batches.get(0).submit(SMALL, PAYLOAD);
                }
                return Optional.empty();
            }
        };
        try (BatchDispatcher batch = BatchDispatcher.builder(rig.router, store, this::draw)
                .timeSource(rig.time)
                .executor(Runnable::run)
                .storeExecutor(clerk)
                .build()) {
            batches.add(batch);
            clerk.all();
            assertThat(order).containsExactly("look", "renewal", "look");
        }
    }

    @Test
    void aLookEndsInAShareOfTheTimeOfAClaim() {
        AtomicInteger claims = new AtomicInteger();
        BatchQueue slow = new ForwardingBatchQueue(rig.store) {
            @Override
            public Optional<BatchClaim> claim(String owner, Duration leaseFor, long after) {
                claims.incrementAndGet();
                rig.seconds(1);
                return super.claim(owner, leaseFor, after);
            }
        };
        try (BatchDispatcher batch = BatchDispatcher.builder(rig.router, slow, this::draw)
                        .timeSource(rig.time)
                        .executor(Runnable::run)
                        .storeExecutor(clerk)
                        .every(Duration.ofHours(1))
                        .build();
                Placement other = rig.router.tryPlace(BIG).orElseThrow()) {
            for (int n = 0; n < 100; n++) {
                offer("big" + n, BIG);
            }
            clerk.next();
            assertThat(claims).hasValueBetween(7, 9);
            assertThat(batch.running()).isZero();
            other.succeed();
        }
    }

    @Test
    void jobsBehindManyThatFindNoPlaceRunOneAfterTheOther() {
        try (BatchDispatcher batch =
                        rig.manual(this::draw).every(Duration.ofSeconds(1)).build();
                Placement other = rig.router.tryPlace(BIG).orElseThrow()) {
            for (int n = 0; n < 640; n++) {
                offer("big" + n, BIG);
            }
            for (int n = 0; n < 170; n++) {
                offer("small" + n, SMALL);
            }
            for (int second = 0; second < 10; second++) {
                rig.seconds(1);
            }
            int ends = 0;
            while (rig.work.size() > 0) { // each end of a run has a look find the next
                rig.work.next();
                ends++;
            }
            assertThat(ends).isEqualTo(170);
            assertThat(batch.running()).isZero();
            other.succeed();
        }
    }

    @Test
    void whatARunHasFreedBelongsToTheOldest() {
        try (BatchDispatcher batch = rig.manual(this::draw).build()) {
            BatchTicket first = batch.submit(BIG, PAYLOAD);
            BatchTicket second = batch.submit(BIG, PAYLOAD);
            for (int n = 0; n < 200; n++) {
                offer("big" + n, BIG);
            }
            rig.seconds(1);
            rig.work.next();
            assertThat(first.state()).isEqualTo(BatchState.SUCCEEDED);
            assertThat(second.state()).isEqualTo(BatchState.RUNNING);
            rig.work.all();
        }
    }

    @Test
    void theRouterIsAskedOnceForJobsOfOneKind() {
        AtomicInteger asked = new AtomicInteger();
        try (SubstrateRouter router = SubstrateRouter.builder()
                        .policy(BatchRig.policy())
                        .timeSource(rig.time)
                        .executor(Runnable::run)
                        .authorizer(access -> {
                            asked.incrementAndGet();
                            return Optional.empty();
                        })
                        .build();
                Placement other = router.tryPlace(BIG).orElseThrow();
                BatchDispatcher batch = BatchDispatcher.builder(router, rig.store, this::draw)
                        .timeSource(rig.time)
                        .executor(Runnable::run)
                        .storeExecutor(Runnable::run)
                        .build()) {
            for (int n = 0; n < 100; n++) {
                offer("big" + n, BIG);
            }
            asked.set(0);
            rig.seconds(1);
            assertThat(asked).hasValue(1);
            assertThat(batch.running()).isZero();
            other.succeed();
        }
    }

    @Test
    void aWorkloadThatIsAwayForAWhileCostsNothingThatMustNotRunTwice() {
        try (BatchDispatcher batch = rig.direct(this::draw).build();
                Placement other = rig.router.tryPlace(BIG).orElseThrow()) {
            BatchTicket ticket = batch.submit(BIG.idempotent(false), PAYLOAD);
            rig.router.reload(BatchRig.builder()
                    .workload(Workload.builder("small").route("two").build())
                    .build());
            other.succeed();
            rig.seconds(1_000);
            assertThat(ticket.state()).isEqualTo(BatchState.QUEUED);
            assertThat(ticket.report().orElseThrow().reasons()).hasSize(1);
            rig.router.reload(BatchRig.policy());
            rig.seconds(300);
            assertThat(ticket.state()).isEqualTo(BatchState.SUCCEEDED);
        }
    }

    @Test
    void theTimeOfBeingRefusedBeginsAgainWhenAPlaceCouldCome() {
        try (BatchDispatcher batch =
                rig.direct(this::draw).refusedFor(Duration.ofMinutes(20)).build()) {
            Placement other = rig.router.tryPlace(BIG).orElseThrow();
            BatchTicket ticket = batch.submit(BIG, PAYLOAD);
            for (int n = 0; n < 4; n++) {
                rig.router.reload(BatchRig.builder()
                        .workload(Workload.builder("small").route("two").build())
                        .build());
                rig.seconds(15 * 60);
                rig.router.reload(BatchRig.policy());
                rig.seconds(6 * 60);
            }
            assertThat(ticket.state()).isEqualTo(BatchState.QUEUED);
            other.succeed();
            rig.seconds(1);
            assertThat(ticket.state()).isEqualTo(BatchState.SUCCEEDED);
        }
    }

    @Test
    void aRouterWithoutAnAnswerIsAskedAgain() {
        AtomicBoolean broken = new AtomicBoolean();
        try (SubstrateRouter router = SubstrateRouter.builder()
                        .policy(BatchRig.policy())
                        .timeSource(rig.time)
                        .executor(Runnable::run)
                        .authorizer(access -> {
                            if (broken.get()) {
                                throw new IllegalStateException("the directory is away");
                            }
                            return Optional.empty();
                        })
                        .build();
                BatchDispatcher batch = BatchDispatcher.builder(router, rig.store, this::draw)
                        .timeSource(rig.time)
                        .executor(Runnable::run)
                        .storeExecutor(Runnable::run)
                        .build()) {
            broken.set(true);
            offer("a", SMALL);
            rig.seconds(1_000);
            assertThat(state("a")).isEqualTo(BatchState.QUEUED);
            assertThat(rig.store.find("a").orElseThrow().job().attempts()).isZero();
            broken.set(false);
            rig.seconds(300);
            assertThat(state("a")).isEqualTo(BatchState.SUCCEEDED);
            assertThat(batch.running()).isZero();
        }
    }

    @Test
    void aDeadlineHoldsAlsoWhileAllThatMayRunDoes() {
        try (BatchDispatcher batch = rig.manual(this::draw).maxRunning(1).build()) {
            batch.submit(BIG, PAYLOAD);
            BatchTicket late = batch.submit(SMALL.deadline(Duration.ofSeconds(10)), PAYLOAD);
            rig.seconds(9);
            assertThat(late.state()).isEqualTo(BatchState.QUEUED);
            rig.seconds(2);
            assertThat(late.state()).isEqualTo(BatchState.DEAD);
            rig.work.all();
        }
    }

    @Test
    void aDeadlineHoldsWhileTheWorkWaitsForItsThread() {
        try (BatchDispatcher batch = rig.manual(this::draw).build()) {
            BatchTicket late = batch.submit(SMALL.deadline(Duration.ofSeconds(10)), PAYLOAD);
            assertThat(late.state()).isEqualTo(BatchState.RUNNING);
            rig.seconds(11);
            rig.work.all();
            assertThat(places).isEmpty();
            assertThat(late.state()).isEqualTo(BatchState.DEAD);
            assertThat(late.report().orElseThrow().reasons())
                    .singleElement()
                    .asString()
                    .contains("deadline");
            assertThat(late.report().orElseThrow().job().attempts()).isZero();
            assertThat(rig.idle()).isTrue();
        }
    }

    @Test
    void aKeyThatIsKnownNeedsNoPolicyAnyMore() {
        try (BatchDispatcher batch = rig.direct(this::draw).build()) {
            BatchTicket first = batch.submit(BIG, PAYLOAD, "key");
            assertThat(first.state()).isEqualTo(BatchState.SUCCEEDED);
            rig.router.reload(BatchRig.builder()
                    .workload(Workload.builder("small").route("two").build())
                    .build());
            assertThat(batch.submit(BIG, PAYLOAD, "key").id()).isEqualTo(first.id());
            assertThatThrownBy(() -> batch.submit(BIG.identity("somebody else"), PAYLOAD, "key"))
                    .isInstanceOf(dev.substraterouter.UnknownWorkloadException.class);
        }
    }

    @Test
    void anIdleDispatcherClosesWithItsRouter() {
        BatchDispatcher batch = rig.direct(this::draw).build();
        rig.router.close();
        rig.seconds(1);
        assertThat(batch).hasToString("BatchDispatcher[batch, running 0/4, closed]");
        BatchRig other = new BatchRig();
        try (other) {
            BatchDispatcher asked = other.direct(this::draw).build();
            other.router.close();
            assertThatThrownBy(() -> asked.submit(SMALL, PAYLOAD)).isInstanceOf(RouterClosedException.class);
            assertThatThrownBy(() -> asked.submit(SMALL, PAYLOAD)).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void afterAFaultOfTheSubstrateItGoesRatherElsewhere() {
        BatchWork work = (placement, job) -> {
            places.add(placement.substrateId());
            if (placement.substrateId().equals("two")) {
                throw new IOException("reset");
            }
            return job.payload();
        };
        try (BatchDispatcher batch = rig.direct(work).build()) {
            BatchTicket ticket = batch.submit(SMALL, PAYLOAD);
            rig.router.reset("two");
            rig.seconds(2);
            assertThat(places).containsExactly("two", "one");
            assertThat(ticket.state()).isEqualTo(BatchState.SUCCEEDED);
        }
    }
}
