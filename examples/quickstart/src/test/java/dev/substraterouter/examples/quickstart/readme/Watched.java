package dev.substraterouter.examples.quickstart.readme;

import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.metrics.RouterMetrics;
import io.micrometer.core.instrument.MeterRegistry;

/** A router whose figures are shown. */
final class Watched {
    private Watched() {}

    static RouterMetrics watch(SubstrateRouter router, MeterRegistry registry) {
        RouterMetrics metrics = RouterMetrics.of(router);
        metrics.bindTo(registry);
        return metrics;
    }
}
