package dev.substraterouter.internal.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.internal.plan.CandidatePlan;
import dev.substraterouter.internal.plan.CompiledPolicy;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.StrategySettings;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is learned of latencies: from enough successes only, robust, bounded, and over reloads. */
class LearnedTest {
    private static final long SECOND = 1_000_000_000;

    private static Learned learned() {
        return new Learned(new LatencyBook.Subject(
                "w", "s", Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), false));
    }

    @Property(tries = 200)
    void theMedianLiesInItsIntervalAndAmongTheValues(@ForAll @Size(min = 1, max = 64) long[] values) {
        Learned learned = learned();
        long[] positive = LongStream.of(values)
                .map(value -> (value >>> 2) & (Long.MAX_VALUE >> 2))
                .toArray();
        LongStream.of(positive).forEach(nanos -> learned.add(nanos, 0));

        Learned.Summary summary = learned.summary();

        long[] sorted = LongStream.of(positive).sorted().toArray();
        assertThat(summary.count()).isEqualTo(positive.length);
        assertThat(summary.low()).isBetween(sorted[0], summary.median());
        assertThat(summary.high()).isBetween(summary.median(), sorted[sorted.length - 1]);
        long below =
                LongStream.of(sorted).filter(value -> value < summary.median()).count();
        long above =
                LongStream.of(sorted).filter(value -> value > summary.median()).count();
        assertThat(below).isLessThanOrEqualTo((positive.length + 1) / 2);
        assertThat(above).isLessThanOrEqualTo((positive.length + 1) / 2);
    }

    @Property(tries = 50)
    void nothingIsBelievedBeforeThereIsEnough(@ForAll @LongRange(min = 1, max = 1_000_000_000_000L) long nanos) {
        Learned learned = learned();
        for (int seen = 0; seen < Learned.ENOUGH; seen++) {
            assertThat(learned.expected()).isEqualTo(-1);
            learned.add(nanos, seen * SECOND);
        }
        assertThat(learned.expected()).isEqualTo(nanos);
    }

    @Test
    @DisplayName("a third of values that are far out does not move the median, and what is long past is forgotten")
    void robustAndForgetful() {
        Learned learned = learned();
        Random random = new Random(7);
        for (int seen = 0; seen < 60; seen++) {
            learned.add(seen % 3 == 0 ? 10_000 * SECOND : (40 + random.nextInt(3)) * SECOND, seen * SECOND);
        }
        assertThat(learned.expected()).isBetween(40 * SECOND, 42 * SECOND);
        for (int seen = 0; seen < 64; seen++) {
            learned.add(90 * SECOND, (60 + seen) * SECOND);
        }
        assertThat(learned.expected()).isEqualTo(90 * SECOND);
        assertThat(learned.summary().low()).isEqualTo(90 * SECOND);
    }

    @Test
    @DisplayName(
            "where successes come by the thousand, the median is brought up to date every few milliseconds, not with each")
    void sortsSeldomWhereWorkIsShort() {
        Learned learned = learned();
        for (int seen = 0; seen < 64; seen++) {
            learned.add(1_000, seen);
        }
        for (int seen = 64; seen < 10_000; seen++) {
            learned.add(2_000, seen);
        }
        assertThat(learned.expected()).as("all within 10 us").isEqualTo(1_000);
        for (int seen = 0; seen < 16; seen++) {
            learned.add(2_000, 20_000_000 + seen);
        }
        assertThat(learned.expected()).isEqualTo(2_000);
    }

    @Test
    @DisplayName("many threads write at once: every value that is read was measured, and the median is one of theirs")
    void concurrent() throws InterruptedException {
        Learned learned = learned();
        CountDownLatch start = new CountDownLatch(1);
        Thread[] threads = new Thread[4];
        for (int at = 0; at < threads.length; at++) {
            long own = (at + 1) * SECOND;
            threads[at] = new Thread(() -> {
                await(start);
                for (int seen = 0; seen < 10_000; seen++) {
                    learned.add(own, seen * SECOND);
                }
            });
            threads[at].start();
        }
        start.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        Learned.Summary summary = learned.summary();
        assertThat(summary.count()).isEqualTo(64);
        assertThat(summary.low()).isBetween(SECOND, 4 * SECOND);
        assertThat(learned.expected()).isBetween(SECOND, 4 * SECOND);
    }

    @Test
    @DisplayName("what is known of a candidate survives a reload that leaves its model, and goes with the model")
    void reload() {
        CompiledPolicy before = compiled("flux", true);
        LatencyBook book = LatencyBook.of(before, null);
        CandidatePlan candidate = candidate(before);
        for (int seen = 0; seen < Learned.ENOUGH; seen++) {
            book.succeeded("w", candidate, 90 * SECOND, seen * SECOND);
        }
        assertThat(book.expected(candidate)).isEqualTo(90 * SECOND);

        CompiledPolicy same = compiled("flux", true);
        assertThat(LatencyBook.of(same, book).expected(candidate(same))).isEqualTo(90 * SECOND);
        CompiledPolicy other = compiled("flux-2", true);
        assertThat(LatencyBook.of(other, book).expected(candidate(other))).isEqualTo(40 * SECOND);
        CompiledPolicy deaf = compiled("flux", false);
        assertThat(LatencyBook.of(deaf, book).expected(candidate(deaf))).isEqualTo(40 * SECOND);
    }

    private static CandidatePlan candidate(CompiledPolicy policy) {
        return policy.routes().iterator().next().candidates[1];
    }

    private static CompiledPolicy compiled(String model, boolean learn) {
        return new CompiledPolicy(Policy.builder()
                .strategy(StrategySettings.builder().learn(learn).build())
                .substrates(
                        Substrate.builder("a").maxConcurrentJobs(1).build(),
                        Substrate.builder("b").maxConcurrentJobs(1).build())
                .workload(Workload.builder("w")
                        .route("a")
                        .route(Candidate.builder("b")
                                .model(model)
                                .expectedLatency(Duration.ofSeconds(40))
                                .build())
                        .build())
                .build());
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
