package dev.substraterouter.trace.jsonl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.Placement;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.testkit.Policies;
import dev.substraterouter.testkit.Statuses;
import dev.substraterouter.trace.Observation;
import dev.substraterouter.trace.PathReport;
import dev.substraterouter.trace.ServingPath;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of {@link JsonLinesTraceSink}, with work. */
class RouterWithSinkTest {
    @TempDir
    private Path directory;

    @Test
    void whatTheRouterDidIsInTheReport() throws Exception {
        Policy policy = Policies.smallest();
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try (JsonLinesTraceSink sink = JsonLinesTraceSink.open(directory)) {
            try (SubstrateRouter router = SubstrateRouter.builder()
                    .policy(policy)
                    .executor(executor)
                    .traceSink(sink)
                    .build()) {
                route(router);
            }
            executor.shutdown(); // what the router has handed over is still written
            executor.awaitTermination(10, TimeUnit.SECONDS);
        }
        JsonLinesTraces traces = JsonLinesTraces.read(directory);
        assertThat(traces.size()).isEqualTo(2);
        PathReport report = PathReport.of(traces);
        assertThat(report.byPath())
                .extracting(row -> row.key().path().orElseThrow())
                .containsExactly(ServingPath.PRIMARY, ServingPath.FALLBACK);
        assertThat(report.byPath()).allSatisfy(row -> assertThat(row.latency()).isPresent());
    }

    private static void route(SubstrateRouter router) {
        router.reportStatus("mirrorforge", Statuses.idle(64));
        router.reportStatus("legion", Statuses.idle(32));
        Placement primary = router.tryPlace(RouteRequest.workload("flux-fill")).orElseThrow();
        Placement fallback = router.tryPlace(RouteRequest.workload("flux-fill")).orElseThrow();
        primary.succeed();
        fallback.succeed();
    }

    @Test
    void theSinkHearsObservationsAsTheRouterTellsThem() throws Exception {
        try (JsonLinesTraceSink sink = JsonLinesTraceSink.open(directory)) {
            sink.accept(TraceFormatTest.EXAMPLE);
            sink.observed(
                    TraceFormatTest.EXAMPLE.requestId(),
                    Observation.builder().reviewed(false).build());
        }
        assertThat(JsonLinesTraces.read(directory).stream()
                        .findFirst()
                        .orElseThrow()
                        .observation())
                .contains(Observation.builder().reviewed(false).build());
    }
}
