package dev.substraterouter.examples.gateway.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.substraterouter.examples.gateway.control.History.Hour;
import dev.substraterouter.examples.gateway.control.History.Span;
import dev.substraterouter.testkit.HandDrivenTime;
import dev.substraterouter.trace.ServingPath;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HistoryTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final HandDrivenTime time =
            new HandDrivenTime(Long.MAX_VALUE - Duration.ofMinutes(5).toNanos()); // it wraps
    private final History history = new History(time);

    @Test
    void anHourWithoutAnythingSaysSo() {
        Hour hour = history.hour();
        assertThat(hour.minutes()).hasSize(60);
        assertThat(hour.all().fallbackShare()).isEmpty();
        assertThat(hour.all().paths().get("primary")).isEqualTo(new History.Served(0, 0, empty(), empty()));
        assertThat(hour.minutes().get(59).at()).isEqualTo(time.wall());
        assertThat(hour.minutes().get(0).at()).isEqualTo(time.wall().minus(Duration.ofMinutes(58)));
    }

    @Test
    void aMinuteThatIsOverKeepsItsEnd() {
        Instant start = time.wall();
        time.advance(MINUTE.multipliedBy(2).plusSeconds(7));
        for (int step = 0; step < 5; step++) {
            List<Instant> ends = history.hour().minutes().stream().map(Span::at).toList();
            assertThat(ends.get(59)).isEqualTo(time.wall());
            assertThat(ends.get(58)).isEqualTo(start.plus(MINUTE.multipliedBy(2)));
            assertThat(ends.get(57)).isEqualTo(start.plus(MINUTE));
            assertThat(ends.get(0)).isEqualTo(start.minus(MINUTE.multipliedBy(56)));
            time.advance(Duration.ofSeconds(13));
        }
    }

    @Test
    void countsByPathAndTellsTheShareThatWasElsewhere() {
        history.accept(Traces.done(ServingPath.PRIMARY, Duration.ofSeconds(40)));
        history.accept(Traces.done(ServingPath.FALLBACK, Duration.ofSeconds(15)));
        history.accept(Traces.done(ServingPath.OVERFLOW, Duration.ofSeconds(15)));
        history.accept(Traces.failed(ServingPath.PRIMARY));
        history.accept(Traces.done(ServingPath.BATCH, Duration.ofSeconds(90)));
        history.accept(Traces.refused());
        Span now = history.hour().minutes().get(59);
        assertThat(now.refused()).isEqualTo(1);
        assertThat(now.fallbackShare()).hasValue(0.5);
        assertThat(now.paths().get("primary").count()).isEqualTo(2);
        assertThat(now.paths().get("primary").failed()).isEqualTo(1);
        assertThat(now.paths().get("primary").p50Seconds().orElseThrow()).isCloseTo(40, within(2.0));
        assertThat(now.paths().get("batch").count()).isEqualTo(1);
    }

    @Test
    void whatIsOlderThanAnHourIsForgotten() {
        history.accept(Traces.refused());
        time.advance(Duration.ofMinutes(59));
        assertThat(history.hour().minutes().get(0).refused()).isEqualTo(1);
        time.advance(MINUTE);
        assertThat(history.hour().all().refused()).isZero();
        history.accept(Traces.refused());
        time.advance(Duration.ofDays(400));
        assertThat(history.hour().all().refused()).isZero();
    }

    /** Against a list of everything that was ever told. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void isWhatANaiveHistoryWouldBe(long seed) {
        Random random = new Random(seed);
        List<long[]> all = new ArrayList<>(); // minute, path or -1, millis
        long start = time.nanos();
        for (int step = 0; step < 400; step++) {
            time.advance(Duration.ofMillis(random.nextInt(40_000)));
            long minute = (time.nanos() - start) / MINUTE.toNanos();
            int path = random.nextInt(5) - 1;
            long millis = (long) Math.exp(random.nextDouble() * 14) + 1;
            history.accept(
                    path < 0 ? Traces.refused() : Traces.done(ServingPath.values()[path], Duration.ofMillis(millis)));
            all.add(new long[] {minute, path, millis});
            Hour hour = history.hour();
            assertThat(hour.all().refused()).as("seed " + seed).isEqualTo(count(all, minute, -1));
            check(hour, all, minute, random.nextInt(4));
        }
    }

    private static void check(Hour hour, List<long[]> all, long minute, int path) {
        String name = ControlJson.code(ServingPath.values()[path]);
        assertThat(hour.all().paths().get(name).count()).isEqualTo(count(all, minute, path));
        long summed = hour.minutes().stream()
                .mapToLong(span -> span.paths().get(name).count())
                .sum();
        assertThat(summed).isEqualTo(count(all, minute, path));
        double[] sorted = all.stream()
                .filter(one -> one[1] == path && one[0] > minute - 60)
                .mapToDouble(one -> one[2] / 1e3)
                .sorted()
                .toArray();
        if (sorted.length > 0) {
            double p95 = sorted[(int) Math.ceil(0.95 * sorted.length) - 1];
            assertThat(hour.all().paths().get(name).p95Seconds().orElseThrow()).isCloseTo(p95, within(0.051 * p95));
        }
    }

    private static long count(List<long[]> all, long minute, int path) {
        return all.stream()
                .filter(one -> one[1] == path && one[0] > minute - 60)
                .count();
    }

    private static OptionalDouble empty() {
        return OptionalDouble.empty();
    }
}
