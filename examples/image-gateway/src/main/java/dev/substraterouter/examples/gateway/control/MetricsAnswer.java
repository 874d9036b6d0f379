package dev.substraterouter.examples.gateway.control;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** The metrics in the Prometheus text format. Thread-safe. */
final class MetricsAnswer {
    private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";

    private final PrometheusMeterRegistry registry;

    MetricsAnswer(PrometheusMeterRegistry registry) {
        this.registry = registry;
    }

    void scrape(Call call) throws IOException {
        call.answer(200, TEXT, registry.scrape(TEXT).getBytes(StandardCharsets.UTF_8));
    }
}
