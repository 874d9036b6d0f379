package dev.substraterouter.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.testkit.BatchQueueContract;
import dev.substraterouter.testkit.HandDrivenTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class InMemoryBatchQueueTest extends BatchQueueContract {
    private static final Duration LEASE = Duration.ofSeconds(60);
    /** The clock wraps during the tests. */
    private final HandDrivenTime time =
            new HandDrivenTime(Long.MAX_VALUE - Duration.ofSeconds(20).toNanos());

    @Override
    protected BatchQueue store(int capacity) {
        return InMemoryBatchQueue.builder().capacity(capacity).timeSource(time).build();
    }

    @Override
    protected void pass(Duration by) {
        time.advance(by);
    }

    private static BatchJob job(String id, int bytes) {
        return BatchJob.of(id, RouteRequest.workload("sdxl"), new byte[bytes], "key of " + id, 0, Instant.EPOCH);
    }

    @Test
    void boundsTheBytesOfPayloads() {
        InMemoryBatchQueue store =
                InMemoryBatchQueue.builder().capacityBytes(100).timeSource(time).build();
        store.offer(job("a", 60));
        assertThatThrownBy(() -> store.offer(job("b", 41)))
                .isInstanceOf(BatchFullException.class)
                .hasMessage("batch store full: jobs 1/1000, payloads 60/100 bytes (this one: 41)");
        store.offer(job("c", 40));
        store.cancel("a");
        store.offer(job("b", 41));
        assertThat(store).hasToString("InMemoryBatchQueue[jobs 2/1000]");
    }

    @Test
    void letsTheOldestEndedJobsGoWithTheirKeys() {
        InMemoryBatchQueue store = InMemoryBatchQueue.builder()
                .keptEnded(2)
                .keptDeadLetters(1)
                .timeSource(time)
                .build();
        for (int n = 0; n < 4; n++) {
            store.offer(job("done" + n, 1));
            store.complete(store.claim("me", LEASE, 0).orElseThrow(), new byte[1], trace("x"));
            store.offer(job("dead" + n, 1));
            BatchNote note = new BatchNote("poison", Optional.empty(), true);
            store.bury(store.claim("me", LEASE, 0).orElseThrow(), note);
        }
        assertThat(store.find("done1")).isEmpty();
        assertThat(store.result("done1")).isEmpty();
        assertThat(store.find("done2")).isPresent();
        assertThat(store.deadLetters("", 10))
                .singleElement()
                .satisfies(letter -> assertThat(letter.job().id()).isEqualTo("dead3"));
        assertThat(store.offer(job("done1", 1)).id()).isEqualTo("done1");
        assertThat(store.open()).isEqualTo(1);
    }

    @Test
    void boundsTheBytesOfResultsButKeepsTheNewest() {
        InMemoryBatchQueue store =
                InMemoryBatchQueue.builder().keptBytes(100).timeSource(time).build();
        for (String id : new String[] {"a", "b", "c"}) {
            store.offer(job(id, 10));
            store.complete(store.claim("me", LEASE, 0).orElseThrow(), new byte[id.equals("c") ? 200 : 40], trace("x"));
            assertThat(store.result(id)).isPresent();
        }
        assertThat(store.result("a")).isEmpty();
        assertThat(store.result("b")).isEmpty();
    }

    @Test
    void keepsTheLastOfManyReasons() {
        InMemoryBatchQueue store = InMemoryBatchQueue.create();
        store.offer(job("a", 1));
        for (int n = 0; n < 20; n++) {
            BatchNote note = new BatchNote("reason " + n, Optional.of(trace("x")), false);
            store.retry(store.claim("me", LEASE, 0).orElseThrow(), Duration.ZERO, note);
        }
        BatchReport report = store.find("a").orElseThrow();
        assertThat(report.reasons()).hasSize(16).endsWith("reason 19");
        assertThat(report.attempts()).hasSize(16);
    }

    @Test
    void refusesSettingsThatMakeNoSense() {
        InMemoryBatchQueue.Builder builder = InMemoryBatchQueue.builder();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.capacity(0))
                .withMessage("capacity: 0 (expected: >= 1)");
        assertThatIllegalArgumentException().isThrownBy(() -> builder.keptBytes(-1));
        BatchQueue store = builder.build();
        assertThatIllegalArgumentException().isThrownBy(() -> store.claim("me", Duration.ZERO, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> job("", 1));
        assertThatIllegalArgumentException().isThrownBy(() -> job("x".repeat(257), 1));
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> BatchJob.of("a", RouteRequest.workload("sdxl"), new byte[0], null, -1, Instant.EPOCH));
    }
}
