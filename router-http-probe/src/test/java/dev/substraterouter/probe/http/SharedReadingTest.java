package dev.substraterouter.probe.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substraterouter.status.SubstrateStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who shares which reading, under hand-driven time; the reader is held by the test. */
class SharedReadingTest {
    private static final Duration FRESH = Duration.ofMillis(100);
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final AtomicLong now = new AtomicLong();
    private final AtomicInteger begun = new AtomicInteger();
    private final Semaphore go = new Semaphore(0);
    private final SharedReading readings = new SharedReading(this::reading, FRESH, PATIENCE, now::get);
    private final ExecutorService threads = Executors.newCachedThreadPool(Daemons.named("test-reading"));

    private SubstrateStatus reading() {
        int number = begun.incrementAndGet();
        go.acquireUninterruptibly();
        return SubstrateStatus.builder().runningJobs(number).build();
    }

    @AfterEach
    void end() {
        go.release(1_000);
        threads.shutdown();
        readings.close();
    }

    private List<Future<SubstrateStatus>> asking(int many) {
        List<Future<SubstrateStatus>> all = new ArrayList<>();
        List<Thread> asking = new ArrayList<>();
        for (int i = 0; i < many; i++) {
            var thread = new java.util.concurrent.CompletableFuture<Thread>();
            all.add(threads.submit(() -> {
                thread.complete(Thread.currentThread());
                return readings.ask();
            }));
            asking.add(thread.join());
        }
        Await.until("all wait", () -> asking.stream().allMatch(t -> t.getState() == Thread.State.TIMED_WAITING));
        return all;
    }

    private void advance(Duration by) {
        now.addAndGet(by.toNanos());
    }

    private static int number(Future<SubstrateStatus> answer) throws Exception {
        return answer.get(20, TimeUnit.SECONDS).runningJobs().getAsInt();
    }

    @Test
    void whoAsksAtTheSameTimeSharesOneReading() throws Exception {
        List<Future<SubstrateStatus>> answers = asking(8);
        go.release();
        for (Future<SubstrateStatus> answer : answers) {
            assertThat(number(answer)).isEqualTo(1);
        }
        assertThat(begun).hasValue(1);
    }

    @Test
    void aReadingThatBeganTooLongAgoIsNotTheAnswer() throws Exception {
        List<Future<SubstrateStatus>> early = asking(2);
        advance(FRESH.plusNanos(1));
        List<Future<SubstrateStatus>> late = asking(3);
        assertThat(begun).hasValue(1);
        go.release(2);
        assertThat(number(early.get(1))).isEqualTo(1);
        for (Future<SubstrateStatus> answer : late) {
            assertThat(number(answer)).isEqualTo(2);
        }
        assertThat(begun).hasValue(2);
    }

    @Test
    void anEndedReadingServesWhileItIsFresh() throws Exception {
        go.release(2);
        assertThat(readings.ask().runningJobs()).hasValue(1);
        advance(FRESH);
        assertThat(readings.ask().runningJobs()).hasValue(1);
        advance(Duration.ofNanos(1));
        assertThat(readings.ask().runningJobs()).hasValue(2);
    }

    @Test
    void nobodyWaitsForAReaderThatNeverReturns() {
        List<Future<SubstrateStatus>> waiting = asking(1);
        advance(PATIENCE.plusSeconds(1));
        assertThatThrownBy(readings::ask)
                .isInstanceOf(NoStatusException.class)
                .hasMessage("a reading still runs after 21000 ms");
        assertThat(waiting.get(0)).isNotDone();
    }

    @Test
    void patienceEnds() {
        SharedReading hasty = new SharedReading(this::reading, FRESH, Duration.ofMillis(20), now::get);
        assertThatThrownBy(hasty::ask).hasMessage("no reading within 20 ms");
        hasty.close();
    }

    @Test
    void whatTheReaderThrowsIsSaid() {
        SharedReading broken = new SharedReading(
                () -> {
                    throw new IllegalStateException("no card\nat all");
                },
                FRESH,
                PATIENCE,
                now::get);
        assertThatThrownBy(broken::ask)
                .hasMessage("the reading failed: java.lang.IllegalStateException: no card at all");
        advance(FRESH.plusNanos(1));
        assertThatThrownBy(broken::ask).isInstanceOf(NoStatusException.class);
        broken.close();
    }

    @Test
    @SuppressWarnings("NullAway") // what a host may do
    void aReaderThatReturnsNothing() {
        SharedReading broken = new SharedReading(() -> null, FRESH, PATIENCE, now::get);
        assertThatThrownBy(broken::ask).hasMessageContaining("the reader returned null");
        broken.close();
    }
}
