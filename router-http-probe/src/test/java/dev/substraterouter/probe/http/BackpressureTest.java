package dev.substraterouter.probe.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.BackpressureException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a worker's refusal is read as. */
class BackpressureTest {
    private static final Instant NOW = Instant.parse("2026-05-04T10:00:00Z");
    private static final String STATUS = "{\"running_jobs\": 2}";

    private static Optional<BackpressureException> of(int code, String retryAfter, String body) {
        return Backpressure.of(code, retryAfter, body.getBytes(StandardCharsets.UTF_8), NOW);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 | PT0S",
                "7 | PT7S",
                " 7 | PT7S",
                "3601 | PT1H",
                "99999999999999999999 | PT1H",
                "-5 | PT0S",
                "1.5 | PT0S",
                "soon | PT0S",
                "Mon, 4 May 2026 10:00:30 GMT | PT30S",
                "Mon, 04 May 2026 10:00:30 GMT | PT30S",
                "Mon, 04 May 2026 09:00:30 GMT | PT0S",
                "Tue, 05 May 2026 10:00:30 GMT | PT1H",
                "Mon, 99 May 2026 10:00:30 GMT | PT0S"
            })
    void retryAfter(String said, Duration wait) {
        assertThat(of(429, said, "").orElseThrow().retryAfter()).isEqualTo(wait);
    }

    @Test
    @DisplayName("R28: a full queue is no fault")
    void aFullWorker() {
        assertThat(of(429, null, "").orElseThrow().retryAfter()).isZero();
        assertThat(of(503, "2", "").orElseThrow().retryAfter()).hasSeconds(2);
        assertThat(of(503, null, STATUS).orElseThrow().status().orElseThrow().runningJobs())
                .hasValue(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 400, 404, 500, 502, 504})
    void everythingElse(int code) {
        assertThat(of(code, "5", STATUS)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "[]",
                "busy",
                "<html>busy</html>",
                "{\"error\":{\"message\":\"busy\"}}",
                "{\"running_jobs\":"
            })
    void aBodyThatIsNoStatus(String body) {
        assertThat(of(429, "1", body).orElseThrow().status()).isEmpty();
        assertThat(of(503, null, body)).isEmpty();
    }

    @Test
    void aBodyThatIsTooLong() {
        assertThat(of(429, "1", STATUS + " ".repeat(300_000)).orElseThrow().status())
                .isEmpty();
    }

    @Property(tries = 200)
    void anyAnswer(@ForAll int code, @ForAll String retryAfter, @ForAll byte[] body) {
        Optional<BackpressureException> any = Backpressure.of(429, retryAfter, body, NOW);
        assertThat(any.orElseThrow().retryAfter()).isBetween(Duration.ZERO, Duration.ofHours(1));
        assertThat(Backpressure.of(code, retryAfter, body, NOW).isPresent()).isEqualTo(code == 429 || code == 503);
    }
}
