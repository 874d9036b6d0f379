package dev.substraterouter.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

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

    private static void assertBetween(Duration least, Duration most, Duration actual) {
        assertTrue(
                actual.compareTo(least) >= 0 && actual.compareTo(most) <= 0,
                () -> actual + " (expected: " + least + " to " + most + ")");
    }

    private static BatchClaim claim(BatchQueue store) {
        return store.claim("me", LEASE, 0).orElseThrow();
    }

    @Test
    void handsOutInTheOrderOfAcceptanceAndEachJobOnce() {
        BatchQueue store = store(3);
        List.of("a", "b", "c").forEach(id -> store.offer(job(id)));
        assertEquals("a", claim(store).job().id());
        assertEquals("b", claim(store).job().id());
        assertEquals("c", claim(store).job().id());
        assertEquals(Optional.empty(), store.claim("me", LEASE, 0));
    }

    @Test
    void goesOnBehindAPosition() {
        BatchQueue store = store(3);
        List.of("a", "b", "c").forEach(id -> store.offer(job(id)));
        BatchClaim first = claim(store);
        assertTrue(store.release(first));
        BatchClaim second = store.claim("me", LEASE, first.position()).orElseThrow();
        assertEquals("b", second.job().id());
        assertEquals(
                "c",
                store.claim("me", LEASE, second.position()).orElseThrow().job().id());
        assertEquals("a", claim(store).job().id());
    }

    @Test
    void tellsHowLongAJobHasBeenThere() {
        BatchQueue store = store(1);
        store.offer(job("a"));
        pass(Duration.ofSeconds(30));
        Duration age = claim(store).age();
        assertTrue(age.compareTo(Duration.ofSeconds(30)) >= 0, () -> "age: " + age + " (expected: >= PT30S)");
    }

    @Test
    void refusesWhatDoesNotFitAndTakesAgainWhenThereIsRoom() {
        BatchQueue store = store(2);
        store.offer(job("a"));
        store.offer(job("b"));
        String message = assertThrows(BatchFullException.class, () -> store.offer(job("c")))
                .getMessage();
        assertTrue(message.contains("2/2"), message);
        assertEquals(Optional.empty(), store.find("c"));
        store.complete(claim(store), new byte[0], trace("a"));
        assertEquals("c", store.offer(job("c")).id());
    }

    @Test
    void knowsAJobByItsIdAndByItsKeyEvenWhenFull() {
        BatchQueue store = store(1);
        store.offer(job("a", REQUEST, "key"));
        assertEquals("a", store.offer(job("a")).id());
        assertEquals("a", store.offer(job("b", REQUEST, "key")).id());
        store.complete(claim(store), new byte[] {7}, trace("a"));
        assertEquals("a", store.offer(job("c", REQUEST, "key")).id());
        assertEquals(Optional.empty(), store.claim("me", LEASE, 0));
    }

    @Test
    void keepsTheKeysOfIdentitiesApart() {
        BatchQueue store = store(2);
        store.offer(job("a", REQUEST.identity("alice"), "key"));
        assertEquals("b", store.offer(job("b", REQUEST.identity("bob"), "key")).id());
    }

    @Test
    void copiesWhatItIsGiven() {
        BatchQueue store = store(1);
        store.offer(job("a"));
        byte[] result = {7};
        BatchClaim claim = claim(store);
        assertArrayEquals(new byte[] {1, 2, 3}, claim.job().payload());
        store.complete(claim, result, trace("a"));
        result[0] = 8;
        store.result("a").orElseThrow()[0] = 9;
        assertArrayEquals(new byte[] {7}, store.result("a").orElseThrow());
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
            assertEquals(Optional.of("key"), kept.idempotencyKey());
            assertEquals(submitted, kept.submittedAt());
            assertEquals("sdxl", request.workload());
            assertEquals(Optional.empty(), request.need());
            assertEquals(Optional.of("alice"), request.identity());
            assertEquals(Optional.of(Priority.HIGH), request.priority());
            assertEquals(PlacementMode.BATCH, request.mode());
            assertEquals(Optional.of(Duration.ofSeconds(7)), request.maxWait());
            assertEquals(Optional.of(Duration.ofMinutes(3)), request.deadline());
            assertFalse(request.idempotent());
            assertEquals(Optional.of("left"), request.prefer());
            assertEquals(Set.of("right", "middle"), request.avoid());
            assertEquals(Optional.of("order 66"), request.requestId());
            assertEquals(Map.of("tenant", "blue"), request.attributes());
        }
        RouteRequest other = claim(store).job().request();
        assertEquals(Optional.of(need), other.need());
        assertTrue(other.idempotent());
        assertEquals(Optional.empty(), other.priority());
    }

    @Test
    void findsAJobByItsKeyRunningOrEnded() {
        BatchQueue store = store(2);
        store.offer(job("a", REQUEST.identity("alice"), "key"));
        assertEquals("a", store.known(Optional.of("alice"), "key").orElseThrow().id());
        store.complete(claim(store), new byte[0], trace("a"));
        assertTrue(store.known(Optional.of("alice"), "key").isPresent());
        assertEquals(Optional.empty(), store.known(Optional.of("bob"), "key"));
        assertEquals(Optional.empty(), store.known(Optional.empty(), "key"));
        store.forget("a");
        assertEquals(Optional.empty(), store.known(Optional.of("alice"), "key"));
    }

    @Test
    void tellsForHowLongAJobHasOnlyBeenRefused() {
        BatchQueue store = store(1);
        store.offer(job("a"));
        BatchNote refused = new BatchNote("refused", Optional.of(refusal("a")), false);
        BatchClaim first = claim(store);
        assertEquals(Duration.ZERO, first.refused());
        store.retry(first, Duration.ofSeconds(10), refused);
        pass(Duration.ofSeconds(10));
        BatchClaim second = claim(store);
        assertBetween(Duration.ofSeconds(10), Duration.ofSeconds(30), second.refused());
        store.release(second);
        store.retry(claim(store), Duration.ofSeconds(10), refused);
        pass(Duration.ofSeconds(10));
        BatchClaim third = claim(store);
        assertBetween(Duration.ofSeconds(20), Duration.ofSeconds(40), third.refused());
        assertEquals(0, third.job().attempts());
        store.retry(third, Duration.ZERO, note("no place", false));
        BatchClaim fourth = claim(store);
        assertEquals(Duration.ZERO, fourth.refused());
        store.retry(fourth, Duration.ofSeconds(10), refused);
        pass(Duration.ofSeconds(10));
        store.start(claim(store), trace("a"));
        pass(LEASE.plusSeconds(1));
        assertEquals(Duration.ZERO, claim(store).refused());
    }

    @Test
    void givesDeadLettersPageByPage() {
        BatchQueue store = store(5);
        for (String id : List.of("a", "b", "c", "d", "e")) {
            store.offer(job(id));
            store.bury(claim(store), note("poison", true));
        }
        assertEquals(List.of("a", "b"), ids(store.deadLetters("", 2)));
        assertEquals(List.of("c", "d"), ids(store.deadLetters("b", 2)));
        assertEquals(List.of("e"), ids(store.deadLetters("d", 2)));
        assertEquals(List.of(), store.deadLetters("e", 2));
        assertEquals(List.of("a"), ids(store.deadLetters("nobody", 1)));
        assertThrows(IllegalArgumentException.class, () -> store.deadLetters("", 0));
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
        assertTrue(before.isPresent());
        assertEquals(before, store.find("a").orElseThrow().startedAt());
    }

    @Test
    void aRunThatNeverBeganDoesNotCountWhenItIsGivenUp() {
        BatchQueue store = store(1);
        store.offer(job("a"));
        BatchClaim claim = claim(store);
        store.start(claim, trace("a"));
        store.bury(claim, note("too late", false));
        assertEquals(0, store.find("a").orElseThrow().job().attempts());
    }

    @Test
    void tellsWhatHasBecomeOfAJob() {
        BatchQueue store = store(1);
        store.offer(job("a"));
        assertEquals(BatchState.QUEUED, store.find("a").orElseThrow().state());
        assertEquals(Optional.empty(), store.find("a").orElseThrow().startedAt());
        BatchClaim claim = claim(store);
        assertEquals(BatchState.QUEUED, store.find("a").orElseThrow().state());
        store.start(claim, trace("start"));
        BatchReport running = store.find("a").orElseThrow();
        assertEquals(BatchState.RUNNING, running.state());
        assertEquals(1, running.job().attempts());
        assertTrue(running.startedAt().isPresent());
        assertEquals(List.of(trace("start")), running.attempts());
        store.complete(claim, new byte[0], trace("end"));
        BatchReport ended = store.find("a").orElseThrow();
        assertEquals(BatchState.SUCCEEDED, ended.state());
        assertTrue(ended.endedAt().isPresent());
        assertEquals(List.of(trace("end")), ended.attempts());
        assertEquals(Optional.empty(), store.find("nobody"));
    }

    @Test
    void recordsASuccessOnce() {
        BatchQueue store = store(1);
        store.offer(job("a"));
        BatchClaim claim = claim(store);
        assertTrue(store.complete(claim, new byte[] {1}, trace("a")));
        assertTrue(store.complete(claim, new byte[] {2}, trace("a")));
        assertArrayEquals(new byte[] {1}, store.result("a").orElseThrow());
        assertFalse(store.start(claim, trace("a")));
        assertFalse(store.retry(claim, Duration.ZERO, note("x", true)));
        assertFalse(store.bury(claim, note("x", true)));
        assertFalse(store.renew(claim, LEASE));
        assertFalse(store.release(claim));
        assertFalse(store.cancel("a"));
        assertEquals(BatchState.SUCCEEDED, store.find("a").orElseThrow().state());
    }

    @Test
    void aClaimLastsAsLongAsItIsRenewed() {
        BatchQueue store = store(1);
        store.offer(job("a"));
        BatchClaim claim = claim(store);
        pass(LEASE.dividedBy(2));
        assertTrue(store.renew(claim, LEASE));
        pass(LEASE.dividedBy(2));
        assertEquals(Optional.empty(), store.claim("other", LEASE, 0));
        pass(LEASE);
        BatchClaim other = store.claim("other", LEASE, 0).orElseThrow();
        assertTrue(
                other.token() > claim.token(),
                () -> "token: " + other.token() + " (expected: > " + claim.token() + ")");
        assertFalse(store.renew(claim, LEASE));
        assertFalse(store.start(claim, trace("a")));
        assertFalse(store.complete(claim, new byte[0], trace("a")));
        assertTrue(store.complete(other, new byte[0], trace("a")));
        assertFalse(store.complete(claim, new byte[0], trace("a")));
    }

    @Test
    void aClaimThatNobodyElseTookStaysGoodHoweverLate() {
        BatchQueue store = store(1);
        store.offer(job("a"));
        BatchClaim claim = claim(store);
        store.start(claim, trace("a"));
        pass(LEASE.multipliedBy(3));
        assertEquals(BatchState.QUEUED, store.find("a").orElseThrow().state());
        assertTrue(store.complete(claim, new byte[0], trace("a")));
        assertEquals(Optional.empty(), store.claim("other", LEASE, 0));
    }

    @Test
    void countsARunThatNeverReportedItsEnd() {
        BatchQueue store = store(1);
        store.offer(job("a"));
        store.start(claim(store), trace("a"));
        pass(LEASE.plusSeconds(1));
        BatchClaim next = claim(store);
        assertEquals(1, next.job().attempts());
        assertEquals(1, store.find("a").orElseThrow().reasons().size());
        assertEquals(1, store.find("a").orElseThrow().attempts().size());
    }

    @Test
    void aReleasedJobIsAsIfItHadNeverBeenClaimed() {
        BatchQueue store = store(1);
        store.offer(job("a"));
        BatchClaim claim = claim(store);
        store.start(claim, trace("a"));
        assertTrue(store.release(claim));
        assertFalse(store.release(claim));
        BatchReport report = store.find("a").orElseThrow();
        assertEquals(BatchState.QUEUED, report.state());
        assertEquals(Optional.empty(), report.startedAt());
        assertEquals(List.of(), report.attempts());
        assertEquals(0, claim(store).job().attempts());
    }

    @Test
    void triesAgainAfterItsPause() {
        BatchQueue store = store(1);
        store.offer(job("a"));
        BatchClaim claim = claim(store);
        store.start(claim, trace("a"));
        assertTrue(store.retry(claim, Duration.ofSeconds(10), note("failed", true)));
        assertEquals(Optional.empty(), store.claim("me", LEASE, 0));
        pass(Duration.ofSeconds(10));
        BatchClaim again = claim(store);
        assertEquals(1, again.job().attempts());
        store.start(again, trace("a"));
        store.retry(again, Duration.ZERO, note("no room", false));
        assertEquals(List.of("failed", "no room"), store.find("a").orElseThrow().reasons());
        BatchClaim third = claim(store);
        assertEquals(1, third.job().attempts());
        store.retry(third, Duration.ZERO, note("refused", true));
        assertEquals(2, claim(store).job().attempts());
        assertEquals(3, store.find("a").orElseThrow().attempts().size());
    }

    @Test
    void keepsDeadLettersWithTheirReasons() {
        BatchQueue store = store(1);
        store.offer(job("a"));
        BatchClaim claim = claim(store);
        store.start(claim, trace("a"));
        assertTrue(store.bury(claim, note("poison", true)));
        List<BatchReport> letters = store.deadLetters("", 10);
        assertEquals(1, letters.size());
        BatchReport letter = letters.get(0);
        assertEquals(BatchState.DEAD, letter.state());
        assertEquals(List.of("poison"), letter.reasons());
        assertEquals(1, letter.attempts().size());
        assertArrayEquals(new byte[] {1, 2, 3}, letter.job().payload());
        assertEquals(Optional.empty(), store.claim("me", LEASE, 0));
        assertFalse(store.cancel("a"));
        assertTrue(store.forget("a"));
        assertEquals(List.of(), store.deadLetters("", 10));
    }

    @Test
    void cancelsOnceAndMakesTheClaimVoid() {
        BatchQueue store = store(2);
        store.offer(job("a"));
        store.offer(job("b"));
        BatchClaim claim = claim(store);
        store.start(claim, trace("a"));
        assertTrue(store.cancel("a"));
        assertFalse(store.cancel("a"));
        assertFalse(store.renew(claim, LEASE));
        assertFalse(store.complete(claim, new byte[0], trace("a")));
        assertEquals(BatchState.CANCELLED, store.find("a").orElseThrow().state());
        assertTrue(store.cancel("b"));
        assertEquals(Optional.empty(), store.claim("me", LEASE, 0));
        assertFalse(store.cancel("nobody"));
    }

    @Test
    void forgetsOnlyWhatHasEnded() {
        BatchQueue store = store(1);
        store.offer(job("a", REQUEST, "key"));
        assertFalse(store.forget("a"));
        store.cancel("a");
        assertTrue(store.forget("a"));
        assertFalse(store.forget("a"));
        assertEquals("b", store.offer(job("b", REQUEST, "key")).id());
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
        assertTrue(threads.awaitTermination(30, TimeUnit.SECONDS));
        assertEquals(0, twice.get());
        assertEquals(jobs, claimed.size());
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
