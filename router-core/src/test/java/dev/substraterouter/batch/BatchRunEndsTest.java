package dev.substraterouter.batch;

import static dev.substraterouter.batch.BatchRig.BIG;
import static dev.substraterouter.batch.BatchRig.SMALL;
import static dev.substraterouter.batch.BatchRig.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.Placement;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.time.SystemTimeSource;
import dev.substraterouter.trace.RoutingTrace;
import java.io.ByteArrayOutputStream;
import java.io.ObjectOutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How runs end when the store, an executor or a failure's own code does not behave, and who is told of it on which thread. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BatchRunEndsTest {
    private static final byte[] PAYLOAD = bytes("a cat");
    private static final RoutingTrace TRACE = trace();

    private final BatchRig rig = new BatchRig();
    private final AtomicInteger runs = new AtomicInteger();

    @BeforeEach
    void silence() {
        BatchRig.LOG.setUseParentHandlers(false);
    }

    @AfterEach
    void speak() {
        assertThat(rig.idle()).as("every lease came back").isTrue();
        rig.close();
        BatchRig.LOG.setUseParentHandlers(true);
    }

    private static RoutingTrace trace() {
        try (BatchRig other = new BatchRig();
                Placement placement = other.router.tryPlace(SMALL).orElseThrow()) {
            return placement.trace();
        }
    }

    private byte[] draw(Placement placement, BatchJob job) {
        runs.incrementAndGet();
        return job.payload();
    }

    private BatchDispatcher.Builder on(BatchQueue store) {
        return BatchDispatcher.builder(rig.router, store, this::draw)
                .timeSource(rig.time)
                .executor(rig.work)
                .storeExecutor(Runnable::run);
    }

    @Test
    void aClerkThatTookNothingForAWhileCostsNoClaim() {
        AtomicBoolean takes = new AtomicBoolean(true);
        Executor moody = task -> {
            if (!takes.get()) {
                throw new RejectedExecutionException("full");
            }
            task.run();
        };
        try (BatchDispatcher batch = rig.manual(this::draw).storeExecutor(moody).build()) {
            BatchTicket ticket = batch.submit(BIG, PAYLOAD);
            takes.set(false);
            rig.seconds(25);
            takes.set(true);
            rig.seconds(50);
            assertThat(ticket.state()).as("its claim is kept").isEqualTo(BatchState.RUNNING);
            rig.work.all();
        }
    }

    @Test
    void anErrorOfTheStoreEndsNoChainOfRenewals() {
        AtomicInteger asked = new AtomicInteger();
        BatchQueue store = new ForwardingBatchQueue(rig.store) {
            @Override
            public boolean renew(BatchClaim claim, Duration leaseFor) {
                if (asked.getAndIncrement() == 0) {
                    throw new StackOverflowError("deep");
                }
                return super.renew(claim, leaseFor);
            }
        };
        try (BatchDispatcher batch = on(store).build()) {
            BatchTicket ticket = batch.submit(BIG, PAYLOAD);
            rig.seconds(70);
            assertThat(ticket.state()).isEqualTo(BatchState.RUNNING);
            rig.work.all();
        }
    }

    @Test
    void aClerkThatTookNothingForAWhileLosesNoRecording() {
        AtomicInteger takes = new AtomicInteger(Integer.MAX_VALUE);
        AtomicBoolean away = new AtomicBoolean();
        BatchQueue store = new ForwardingBatchQueue(rig.store) {
            @Override
            protected void before() {
                if (away.get()) {
                    throw new AssertionError("away");
                }
            }
        };
        Executor moody = task -> {
            if (takes.getAndDecrement() <= 0) {
                throw new RejectedExecutionException("full");
            }
            task.run();
        };
        try (BatchDispatcher batch = on(store).storeExecutor(moody).build()) {
            BatchTicket ticket = batch.submit(BIG, PAYLOAD);
            away.set(true);
            rig.work.all();
            takes.set(0);
            rig.seconds(5);
            away.set(false);
            takes.set(Integer.MAX_VALUE);
            rig.seconds(1);
            assertThat(ticket.state()).isEqualTo(BatchState.SUCCEEDED);
            assertThat(batch.running()).isZero();
        }
    }

    @Test
    void whoHangsOnAResultMaySubmitAndWaitThoughOneRunsAtATime() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        try (SystemTimeSource time = new SystemTimeSource("ends");
                SubstrateRouter router = SubstrateRouter.builder()
                        .policy(BatchRig.policy())
                        .timeSource(time)
                        .build();
                BatchDispatcher batch = BatchDispatcher.builder(
                                router, InMemoryBatchQueue.create(), (placement, job) -> {
                                    await(go);
                                    return job.payload();
                                })
                        .maxRunning(1)
                        .build()) {
            CompletableFuture<byte[]> second = batch.submit(SMALL, PAYLOAD)
                    .result()
                    .thenApply(result -> batch.submit(SMALL, result).result().join());
            go.countDown();
            assertThat(second.get(20, TimeUnit.SECONDS)).isEqualTo(PAYLOAD);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void whatIsRecordedLaterIsToldOnTheExecutorAfterTheSlotIsFree() {
        AtomicBoolean away = new AtomicBoolean();
        BatchQueue store = new ForwardingBatchQueue(rig.store) {
            @Override
            protected void before() {
                if (away.get()) {
                    throw new IllegalStateException("away");
                }
            }
        };
        try (BatchDispatcher batch = on(store).build()) {
            AtomicReference<Integer> running = new AtomicReference<>();
            CompletableFuture<byte[]> result = batch.submit(SMALL, PAYLOAD).result();
            CompletableFuture<Void> told = result.thenRun(() -> running.set(batch.running()));
            away.set(true);
            rig.work.all();
            away.set(false);
            rig.time.advance(Duration.ofSeconds(1));
            assertThat(told).isNotDone();
            rig.work.all();
            assertThat(told).isDone();
            assertThat(running).hasValue(0);
        }
    }

    @Test
    void aFailureWhoseOwnCodeFailsIsRecorded() {
        List<Exception> failures = List.of(
                new IllegalStateException("null") {
                    private static final long serialVersionUID = 1L;

                    @Override
                    public String toString() {
                        return null;
                    }
                },
                new IllegalStateException("broken") {
                    private static final long serialVersionUID = 1L;

                    @Override
                    public String toString() {
                        throw new StackOverflowError("deep");
                    }

                    @Override
                    public synchronized Throwable getCause() {
                        throw new IllegalArgumentException("no cause");
                    }
                });
        for (Exception failure : failures) {
            try (BatchDispatcher batch = rig.direct((placement, job) -> {
                        throw failure;
                    })
                    .maxAttempts(1)
                    .build()) {
                BatchTicket ticket = batch.submit(SMALL, PAYLOAD);
                assertThat(ticket.state()).isEqualTo(BatchState.DEAD);
                assertThat(ticket.report().orElseThrow().reasons())
                        .containsExactly(failure.getClass().getName());
                assertThat(batch.running()).isZero();
            }
        }
    }

    @Test
    void aStartThatMayHaveBeenTakenIsTakenBack() {
        AtomicInteger asked = new AtomicInteger();
        BatchQueue store = new ForwardingBatchQueue(rig.store) {
            @Override
            public boolean start(BatchClaim claim, RoutingTrace trace) {
                boolean started = super.start(claim, trace);
                if (asked.getAndIncrement() == 0) {
                    throw new IllegalStateException("the answer was lost");
                }
                return started;
            }
        };
        try (BatchDispatcher batch = on(store).executor(Runnable::run).build()) {
            BatchTicket ticket = batch.submit(SMALL.idempotent(false), PAYLOAD);
            assertThat(ticket.state()).isEqualTo(BatchState.QUEUED);
            rig.seconds(2);
            assertThat(ticket.state()).isEqualTo(BatchState.SUCCEEDED);
            assertThat(ticket.report().orElseThrow().job().attempts()).isEqualTo(1);
            assertThat(runs).hasValue(1);
        }
    }

    @Test
    void aJobThatMustNotRunTwiceSaysThatNobodyKnowsHowItsRunEnded() {
        rig.store.offer(BatchJob.of("a", SMALL.idempotent(false), PAYLOAD, null, 0, rig.time.wall()));
        rig.store.start(rig.store.claim("gone", Duration.ofSeconds(1), 0).orElseThrow(), TRACE);
        rig.seconds(2);
        try (BatchDispatcher batch = rig.direct(this::draw).build()) {
            assertThat(batch.deadLetters())
                    .singleElement()
                    .satisfies(letter ->
                            assertThat(letter.reasons()).last().asString().contains("its end is not known"));
        }
    }

    @Test
    void closingLetsGoOfManyInOneTask() {
        BatchDispatcher batch = rig.manual(this::draw).maxRunning(1).build();
        batch.submit(BIG, PAYLOAD);
        List<CompletableFuture<byte[]>> results = new ArrayList<>();
        for (int n = 0; n < 50; n++) {
            results.add(batch.submit(BIG, PAYLOAD).result());
        }
        batch.close();
        assertThat(rig.work.size()).isEqualTo(2);
        rig.work.all();
        assertThat(results).allMatch(CompletableFuture::isCompletedExceptionally);
    }

    @Test
    void aClosedDispatcherAsksTheStoreForAResultOnItsExecutorAlone() {
        BatchRig.Tasks clerk = new BatchRig.Tasks();
        AtomicInteger asked = new AtomicInteger();
        BatchQueue store = new ForwardingBatchQueue(rig.store) {
            @Override
            protected void before() {
                asked.incrementAndGet();
            }
        };
        BatchDispatcher batch = on(store).storeExecutor(clerk).build();
        BatchTicket ticket = batch.submit(SMALL, PAYLOAD);
        clerk.all();
        rig.work.all();
        batch.close();
        asked.set(0);
        CompletableFuture<byte[]> late = ticket.result();
        assertThat(asked).hasValue(0);
        rig.work.all();
        assertThat(late).isCompletedWithValueMatching(result -> java.util.Arrays.equals(result, PAYLOAD));
    }

    @Test
    void futuresThatWereGivenUpAreNotKept() {
        Awaited awaited = new Awaited(rig.store, new Crew("kept", 1, rig.time, Runnable::run, rig.work));
        List<CompletableFuture<byte[]>> all = new ArrayList<>();
        for (int n = 0; n < 10; n++) {
            all.add(awaited.result("a"));
        }
        all.forEach(future -> future.cancel(true));
        assertThat(awaited.waiting()).isZero();
    }

    @Test
    void theReasonsOfADeadJobTravelWithIt() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ObjectOutputStream stream = new ObjectOutputStream(out)) {
            stream.writeObject(new BatchDeadException("a", List.of("poison")));
        }
        try (java.io.ObjectInputStream stream =
                new java.io.ObjectInputStream(new java.io.ByteArrayInputStream(out.toByteArray()))) {
            assertThat(((BatchDeadException) stream.readObject()).reasons()).containsExactly("poison");
        }
    }
}
