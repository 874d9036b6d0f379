package dev.substraterouter.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substraterouter.batch.BatchClaim;
import dev.substraterouter.batch.BatchFullException;
import dev.substraterouter.batch.BatchJob;
import dev.substraterouter.batch.BatchNote;
import dev.substraterouter.batch.BatchQueue;
import dev.substraterouter.batch.BatchReport;
import dev.substraterouter.batch.BatchState;
import dev.substraterouter.model.Need;
import dev.substraterouter.model.PlacementMode;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.trace.RefusalReason;
import dev.substraterouter.trace.RoutingTrace;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What every {@link BatchQueue} must keep. Extend it for a store of your own. */
public abstract class BatchQueueContract {
    private static final Duration LEASE = Duration.ofSeconds(60);
    private static final RouteRequest REQUEST = RouteRequest.workload("sdxl");

    /** A new, empty store that holds at most so many jobs that have not ended. */
    protected abstract BatchQueue store(int capacity);

    /** Lets the store's clock go on. */
    protected abstract void pass(Duration time);

    /** A trace to hand in. */
    protected static RoutingTrace trace(String id) {
        return trace(id, Optional.empty());
    }

    private static RoutingTrace refusal(String id) {
        return trace(id, Optional.of(RefusalReason.UNKNOWN_WORKLOAD));
    }

    private static RoutingTrace trace(String id, Optional<RefusalReason> refusal) {
        return new RoutingTrace(
                id,
                "sdxl",
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Priority.LOW,
                Map.of(),
                Instant.EPOCH,
                1,
                List.of(),
                List.of(),
                refusal,
                Duration.ZERO,
                false,
                false,
                false,
                Optional.empty());
    }

    private static BatchJob job(String id) {
        return job(id, REQUEST, null);
    }

    private static BatchJob job(String id, RouteRequest request, String key) {
        return BatchJob.of(id, request, new byte[] {1, 2, 3}, key, 0, Instant.EPOCH);
    }

    private static BatchNote note(String reason, boolean counted) {
        return new BatchNote(reason, Optional.of(trace(reason)), counted);
    }

    private static BatchClaim claim(BatchQueue store) {
        return store.claim("me", LEASE, 0).orElseThrow();
    }

    @Test
    void handsOutInTheOrderOfAcceptanceAndEachJobOnce() {
        BatchQueue store = store(3);
        List.of("a", "b", "c").forEach(id -> store.offer(job(id)));
        assertThat(claim(store).job().id()).isEqualTo("a");
        assertThat(claim(store).job().id()).isEqualTo("b");
        assertThat(claim(store).job().id()).isEqualTo("c");
        assertThat(store.claim("me", LEASE, 0)).isEmpty();
    }

    @Test
    void goesOnBehindAPosition() {
        BatchQueue store = store(3);
        List.of("a", "b", "c").forEach(id -> store.offer(job(id)));
        BatchClaim first = claim(store);
        assertThat(store.release(first)).isTrue();
        BatchClaim second = store.claim("me", LEASE, first.position()).orElseThrow();
        assertThat(second.job().id()).isEqualTo("b");
        assertThat(store.claim("me", LEASE, second.position())
                        .orElseThrow()
                        .job()
                        .id())
                .isEqualTo("c");
        assertThat(claim(store).job().id()).isEqualTo("a");
    }

    @Test
    void tellsHowLongAJobHasBeenThere() {
        BatchQueue store = store(1);
        store.offer(job("a"));
        pass(Duration.ofSeconds(30));
        assertThat(claim(store).age()).isGreaterThanOrEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void refusesWhatDoesNotFitAndTakesAgainWhenThereIsRoom() {
        BatchQueue store = store(2);
        store.offer(job("a"));
        store.offer(job("b"));
        assertThatThrownBy(() -> store.offer(job("c")))
                .isInstanceOf(BatchFullException.class)
                .hasMessageContaining("2/2");
        assertThat(store.find("c")).isEmpty();
        store.complete(claim(store), new byte[0], trace("a"));
        assertThat(store.offer(job("c")).id()).isEqualTo("c");
    }

    @Test
    void knowsAJobByItsIdAndByItsKeyEvenWhenFull() {
        BatchQueue store = store(1);
        store.offer(job("a", REQUEST, "key"));
        assertThat(store.offer(job("a")).id()).isEqualTo("a");
        assertThat(store.offer(job("b", REQUEST, "key")).id()).isEqualTo("a");
        store.complete(claim(store), new byte[] {7}, trace("a"));
        assertThat(store.offer(job("c", REQUEST, "key")).id()).isEqualTo("a");
        assertThat(store.claim("me", LEASE, 0)).isEmpty();
    }

    @Test
    void keepsTheKeysOfIdentitiesApart() {
        BatchQueue store = store(2);
        store.offer(job("a", REQUEST.identity("alice"), "key"));
        assertThat(store.offer(job("b", REQUEST.identity("bob"), "key")).id()).isEqualTo("b");
    }

    @Test
    void copiesWhatItIsGiven() {
        BatchQueue store = store(1);
        store.offer(job("a"));
        byte[] result = {7};
        BatchClaim claim = claim(store);
        assertThat(claim.job().payload()).containsExactly(1, 2, 3);
        store.complete(claim, result, trace("a"));
        result[0] = 8;
        store.result("a").orElseThrow()[0] = 9;
        assertThat(store.result("a"))
                .hasValueSatisfying(kept -> assertThat(kept).containsExactly(7));
    }

    @Test
    void keepsARequestWhole() {
        RouteRequest whole = RouteRequest.workload("sdxl")
                .identity("alice")
                .priority(Priority.HIGH)
                .mode(PlacementMode.BATCH)
                .maxWait(Duration.ofSeconds(7))
                .deadline(Duration.ofMinutes(3))
                .idempotent(false)
                .prefer("left")
                .avoid("right", "middle")
                .requestId("order 66")
                .attribute("tenant", "blue");
        Need need = Need.builder().capabilities("cuda").vramGb(12).build();
        BatchQueue store = store(2);
        Instant submitted = Instant.parse("2026-05-04T10:00:00Z");
        store.offer(BatchJob.of("a", whole, new byte[] {1}, "key", 0, submitted));
        store.offer(job("b", RouteRequest.need(need), null));
        for (BatchJob kept :
                List.of(claim(store).job(), store.find("a").orElseThrow().job())) {
            RouteRequest request = kept.request();
            assertThat(kept.idempotencyKey()).contains("key");
            assertThat(kept.submittedAt()).isEqualTo(submitted);
            assertThat(request.workload()).isEqualTo("sdxl");
            assertThat(request.need()).isEmpty();
            assertThat(request.identity()).contains("alice");
            assertThat(request.priority()).contains(Priority.HIGH);
            assertThat(request.mode()).isEqualTo(PlacementMode.BATCH);
            assertThat(request.maxWait()).contains(Duration.ofSeconds(7));
            assertThat(request.deadline()).contains(Duration.ofMinutes(3));
            assertThat(request.idempotent()).isFalse();
            assertThat(request.prefer()).contains("left");
            assertThat(request.avoid()).containsExactlyInAnyOrder("right", "middle");
            assertThat(request.requestId()).contains("order 66");
            assertThat(request.attributes()).isEqualTo(Map.of("tenant", "blue"));
        }
        RouteRequest other = claim(store).job().request();
        assertThat(other.need()).contains(need);
        assertThat(other.idempotent()).isTrue();
        assertThat(other.priority()).isEmpty();
    }

    @Test
    void findsAJobByItsKeyRunningOrEnded() {
        BatchQueue store = store(2);
        store.offer(job("a", REQUEST.identity("alice"), "key"));
        assertThat(store.known(Optional.of("alice"), "key"))
                .hasValueSatisfying(known -> assertThat(known.id()).isEqualTo("a"));
        store.complete(claim(store), new byte[0], trace("a"));
        assertThat(store.known(Optional.of("alice"), "key")).isPresent();
        assertThat(store.known(Optional.of("bob"), "key")).isEmpty();
        assertThat(store.known(Optional.empty(), "key")).isEmpty();
        store.forget("a");
        assertThat(store.known(Optional.of("alice"), "key")).isEmpty();
    }

    @Test
    void tellsForHowLongAJobHasOnlyBeenRefused() {
        BatchQueue store = store(1);
        store.offer(job("a"));
        BatchNote refused = new BatchNote("refused", Optional.of(refusal("a")), false);
        BatchClaim first = claim(store);
        assertThat(first.refused()).isZero();
        store.retry(first, Duration.ofSeconds(10), refused);
        pass(Duration.ofSeconds(10));
        BatchClaim second = claim(store);
        assertThat(second.refused()).isBetween(Duration.ofSeconds(10), Duration.ofSeconds(30));
        store.release(second);
        store.retry(claim(store), Duration.ofSeconds(10), refused);
        pass(Duration.ofSeconds(10));
        BatchClaim third = claim(store);
        assertThat(third.refused()).isBetween(Duration.ofSeconds(20), Duration.ofSeconds(40));
        assertThat(third.job().attempts()).isZero();
        store.retry(third, Duration.ZERO, note("no place", false));
        BatchClaim fourth = claim(store);
        assertThat(fourth.refused()).isZero();
        store.retry(fourth, Duration.ofSeconds(10), refused);
        pass(Duration.ofSeconds(10));
        store.start(claim(store), trace("a"));
        pass(LEASE.plusSeconds(1));
        assertThat(claim(store).refused()).isZero();
    }

    @Test
    void givesDeadLettersPageByPage() {
        BatchQueue store = store(5);
        for (String id : List.of("a", "b", "c", "d", "e")) {
            store.offer(job(id));
            store.bury(claim(store), note("poison", true));
        }
        assertThat(ids(store.deadLetters("", 2))).containsExactly("a", "b");
        assertThat(ids(store.deadLetters("b", 2))).containsExactly("c", "d");
        assertThat(ids(store.deadLetters("d", 2))).containsExactly("e");
        assertThat(store.deadLetters("e", 2)).isEmpty();
        assertThat(ids(store.deadLetters("nobody", 1))).containsExactly("a");
        assertThatThrownBy(() -> store.deadLetters("", 0)).isInstanceOf(IllegalArgumentException.class);
    }

    private static List<String> ids(List<BatchReport> reports) {
        return reports.stream().map(report -> report.job().id()).toList();
    }

    @Test
    void aStartThatIsTakenBackLeavesTheRunBefore() {
        BatchQueue store = store(1);
        store.offer(job("a"));
        BatchClaim claim = claim(store);
        store.start(claim, trace("a"));
        store.retry(claim, Duration.ZERO, note("failed", true));
        Optional<Instant> before = store.find("a").orElseThrow().startedAt();
        pass(Duration.ofSeconds(5));
        BatchClaim again = claim(store);
        store.start(again, trace("b"));
        store.release(again);
        assertThat(store.find("a").orElseThrow().startedAt()).isEqualTo(before).isPresent();
    }

    @Test
    void aRunThatNeverBeganDoesNotCountWhenItIsGivenUp() {
        BatchQueue store = store(1);
        store.offer(job("a"));
        BatchClaim claim = claim(store);
        store.start(claim, trace("a"));
        store.bury(claim, note("too late", false));
        assertThat(store.find("a").orElseThrow().job().attempts()).isZero();
    }

    @Test
    void tellsWhatHasBecomeOfAJob() {
        BatchQueue store = store(1);
        store.offer(job("a"));
        assertThat(store.find("a").orElseThrow().state()).isEqualTo(BatchState.QUEUED);
        assertThat(store.find("a").orElseThrow().startedAt()).isEmpty();
        BatchClaim claim = claim(store);
        assertThat(store.find("a").orElseThrow().state()).isEqualTo(BatchState.QUEUED);
        store.start(claim, trace("start"));
        BatchReport running = store.find("a").orElseThrow();
        assertThat(running.state()).isEqualTo(BatchState.RUNNING);
        assertThat(running.job().attempts()).isEqualTo(1);
        assertThat(running.startedAt()).isPresent();
        assertThat(running.attempts()).containsExactly(trace("start"));
        store.complete(claim, new byte[0], trace("end"));
        BatchReport ended = store.find("a").orElseThrow();
        assertThat(ended.state()).isEqualTo(BatchState.SUCCEEDED);
        assertThat(ended.endedAt()).isPresent();
        assertThat(ended.attempts()).containsExactly(trace("end"));
        assertThat(store.find("nobody")).isEmpty();
    }

    @Test
    void recordsASuccessOnce() {
        BatchQueue store = store(1);
        store.offer(job("a"));
        BatchClaim claim = claim(store);
        assertThat(store.complete(claim, new byte[] {1}, trace("a"))).isTrue();
        assertThat(store.complete(claim, new byte[] {2}, trace("a")))
                .as("said again")
                .isTrue();
        assertThat(store.result("a").orElseThrow()).containsExactly(1);
        assertThat(store.start(claim, trace("a"))).isFalse();
        assertThat(store.retry(claim, Duration.ZERO, note("x", true))).isFalse();
        assertThat(store.bury(claim, note("x", true))).isFalse();
        assertThat(store.renew(claim, LEASE)).isFalse();
        assertThat(store.release(claim)).isFalse();
        assertThat(store.cancel("a")).isFalse();
        assertThat(store.find("a").orElseThrow().state()).isEqualTo(BatchState.SUCCEEDED);
    }

    @Test
    void aClaimLastsAsLongAsItIsRenewed() {
        BatchQueue store = store(1);
        store.offer(job("a"));
        BatchClaim claim = claim(store);
        pass(LEASE.dividedBy(2));
        assertThat(store.renew(claim, LEASE)).isTrue();
        pass(LEASE.dividedBy(2));
        assertThat(store.claim("other", LEASE, 0)).isEmpty();
        pass(LEASE);
        BatchClaim other = store.claim("other", LEASE, 0).orElseThrow();
        assertThat(other.token()).isGreaterThan(claim.token());
        assertThat(store.renew(claim, LEASE)).isFalse();
        assertThat(store.start(claim, trace("a"))).isFalse();
        assertThat(store.complete(claim, new byte[0], trace("a"))).isFalse();
        assertThat(store.complete(other, new byte[0], trace("a"))).isTrue();
        assertThat(store.complete(claim, new byte[0], trace("a"))).isFalse();
    }

    @Test
    void aClaimThatNobodyElseTookStaysGoodHoweverLate() {
        BatchQueue store = store(1);
        store.offer(job("a"));
        BatchClaim claim = claim(store);
        store.start(claim, trace("a"));
        pass(LEASE.multipliedBy(3));
        assertThat(store.find("a").orElseThrow().state()).isEqualTo(BatchState.QUEUED);
        assertThat(store.complete(claim, new byte[0], trace("a"))).isTrue();
        assertThat(store.claim("other", LEASE, 0)).isEmpty();
    }

    @Test
    void countsARunThatNeverReportedItsEnd() {
        BatchQueue store = store(1);
        store.offer(job("a"));
        store.start(claim(store), trace("a"));
        pass(LEASE.plusSeconds(1));
        BatchClaim next = claim(store);
        assertThat(next.job().attempts()).isEqualTo(1);
        assertThat(store.find("a").orElseThrow().reasons()).hasSize(1);
        assertThat(store.find("a").orElseThrow().attempts()).hasSize(1);
    }

    @Test
    void aReleasedJobIsAsIfItHadNeverBeenClaimed() {
        BatchQueue store = store(1);
        store.offer(job("a"));
        BatchClaim claim = claim(store);
        store.start(claim, trace("a"));
        assertThat(store.release(claim)).isTrue();
        assertThat(store.release(claim)).isFalse();
        BatchReport report = store.find("a").orElseThrow();
        assertThat(report.state()).isEqualTo(BatchState.QUEUED);
        assertThat(report.startedAt()).isEmpty();
        assertThat(report.attempts()).isEmpty();
        assertThat(claim(store).job().attempts()).isZero();
    }

    @Test
    void triesAgainAfterItsPause() {
        BatchQueue store = store(1);
        store.offer(job("a"));
        BatchClaim claim = claim(store);
        store.start(claim, trace("a"));
        assertThat(store.retry(claim, Duration.ofSeconds(10), note("failed", true)))
                .isTrue();
        assertThat(store.claim("me", LEASE, 0)).isEmpty();
        pass(Duration.ofSeconds(10));
        BatchClaim again = claim(store);
        assertThat(again.job().attempts()).isEqualTo(1);
        store.start(again, trace("a"));
        store.retry(again, Duration.ZERO, note("no room", false));
        assertThat(store.find("a").orElseThrow().reasons()).containsExactly("failed", "no room");
        BatchClaim third = claim(store);
        assertThat(third.job().attempts()).isEqualTo(1);
        store.retry(third, Duration.ZERO, note("refused", true));
        assertThat(claim(store).job().attempts()).isEqualTo(2);
        assertThat(store.find("a").orElseThrow().attempts()).hasSize(3);
    }

    @Test
    void keepsDeadLettersWithTheirReasons() {
        BatchQueue store = store(1);
        store.offer(job("a"));
        BatchClaim claim = claim(store);
        store.start(claim, trace("a"));
        assertThat(store.bury(claim, note("poison", true))).isTrue();
        assertThat(store.deadLetters("", 10)).singleElement().satisfies(letter -> {
            assertThat(letter.state()).isEqualTo(BatchState.DEAD);
            assertThat(letter.reasons()).containsExactly("poison");
            assertThat(letter.attempts()).hasSize(1);
            assertThat(letter.job().payload()).containsExactly(1, 2, 3);
        });
        assertThat(store.claim("me", LEASE, 0)).isEmpty();
        assertThat(store.cancel("a")).isFalse();
        assertThat(store.forget("a")).isTrue();
        assertThat(store.deadLetters("", 10)).isEmpty();
    }

    @Test
    void cancelsOnceAndMakesTheClaimVoid() {
        BatchQueue store = store(2);
        store.offer(job("a"));
        store.offer(job("b"));
        BatchClaim claim = claim(store);
        store.start(claim, trace("a"));
        assertThat(store.cancel("a")).isTrue();
        assertThat(store.cancel("a")).isFalse();
        assertThat(store.renew(claim, LEASE)).isFalse();
        assertThat(store.complete(claim, new byte[0], trace("a"))).isFalse();
        assertThat(store.find("a").orElseThrow().state()).isEqualTo(BatchState.CANCELLED);
        assertThat(store.cancel("b")).isTrue();
        assertThat(store.claim("me", LEASE, 0)).isEmpty();
        assertThat(store.cancel("nobody")).isFalse();
    }

    @Test
    void forgetsOnlyWhatHasEnded() {
        BatchQueue store = store(1);
        store.offer(job("a", REQUEST, "key"));
        assertThat(store.forget("a")).isFalse();
        store.cancel("a");
        assertThat(store.forget("a")).isTrue();
        assertThat(store.forget("a")).isFalse();
        assertThat(store.offer(job("b", REQUEST, "key")).id()).isEqualTo("b");
    }

    @Test
    void givesAJobToOneOfManyWhoAskAtOnce() throws InterruptedException {
        int jobs = 200;
        BatchQueue store = store(jobs);
        for (int n = 0; n < jobs; n++) {
            store.offer(job("job" + n));
        }
        Set<String> claimed = ConcurrentHashMap.newKeySet();
        AtomicInteger twice = new AtomicInteger();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        CountDownLatch start = new CountDownLatch(1);
        for (int n = 0; n < 4; n++) {
            threads.execute(() -> {
                awaitQuietly(start);
                Optional<BatchClaim> claim;
                while ((claim = store.claim("me", LEASE, 0)).isPresent()) {
                    if (!claimed.add(claim.get().job().id())) {
                        twice.incrementAndGet();
                    }
                }
            });
        }
        start.countDown();
        threads.shutdown();
        assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        assertThat(twice).hasValue(0);
        assertThat(claimed).hasSize(jobs);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
