package dev.substraterouter.examples.gateway.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.testkit.HandDrivenTime;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code /metrics} answers, and that the lint of it would find what it is there to find. */
class MetricsTest {
    @Test
    void whatIsScrapedIsTheTextFormat() {
        try (Desk desk = new Desk(new HandDrivenTime())) {
            Counter.builder("substrate.router.decisions")
                    .tag("workload", "a \"quoted\" \\ and\nbroken name")
                    .register(desk.metrics)
                    .increment();
            Counter.builder("substrate.router.decisions")
                    .tag("workload", "flux-dev")
                    .register(desk.metrics);
            Gauge.builder("substrate.router.leases", () -> 2)
                    .description("leases\nopen")
                    .register(desk.metrics);
            Timer timer = Timer.builder("substrate.router.wait")
                    .serviceLevelObjectives(Duration.ofMillis(100), Duration.ofSeconds(1))
                    .register(desk.metrics);
            timer.record(Duration.ofMillis(50));
            timer.record(Duration.ofSeconds(5));

            HttpResponse<String> answer = desk.get(Desk.VIEWER, "/metrics");
            assertThat(answer.headers().firstValue("Content-Type"))
                    .hasValueSatisfying(type -> assertThat(type.replace(" ", ""))
                            .isEqualToIgnoringCase("text/plain;version=0.0.4;charset=utf-8"));
            assertThat(TextFormat.faults(answer.body())).as(answer.body()).isEmpty();
            assertThat(answer.body())
                    .contains("substrate_router_decisions_total{workload=\"flux-dev\"} 0.0")
                    .contains("substrate_router_wait_seconds_bucket{le=\"+Inf\"} 2");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "# HELP a h;# TYPE a gauge;a 1|does not end",
                "a 1;|outside of its family",
                "# TYPE a gauge;a 1;|TYPE without HELP",
                "# HELP a h;# TYPE a gauge;a 1;a 2;|twice: a 2",
                "# HELP a h;# TYPE a gauge;a{x=\"1\",y=\"2\"} 1;a{y=\"2\",x=\"1\"} 2;|twice",
                "# HELP a h;# TYPE a gauge;# HELP b h;# TYPE b gauge;b 1;a 1;|outside of its family b",
                "# HELP a h;# TYPE a gauge;# TYPE a gauge;a 1;|TYPE twice",
                "# HELP a h;# TYPE a number;a 1;|unknown type",
                "# HELP a h;# TYPE a counter;a 1;|_total",
                "# HELP a_total h;# TYPE a_total counter;a_total -1;|below zero",
                "# HELP a h;# TYPE a gauge;a{x=\"\\q\"} 1;|no labels",
                "# HELP a h;# TYPE a gauge;a{x=\"1\",x=\"2\"} 1;|a label twice",
                "# HELP a h;# TYPE a gauge;a one;|no number",
                "# HELP a h;# TYPE a gauge;a-b 1;|no sample",
                "# HELP a h;# TYPE a histogram;a_bucket{le=\"1\"} 2;a_bucket{le=\"+Inf\"} 1;a_sum 1;a_count 1;|not cumulative",
                "# HELP a h;# TYPE a histogram;a_bucket{le=\"1\"} 1;a_sum 1;a_count 1;|no +Inf",
                "# HELP a h;# TYPE a histogram;a_bucket{le=\"+Inf\"} 1;a_sum 1;a_count 2;|_count 2.0"
            })
    void theLintFindsFaults(String text, String fault) {
        assertThat(TextFormat.faults(text.replace(';', '\n'))).anyMatch(found -> found.contains(fault));
    }
}
