package dev.substraterouter.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substraterouter.Placement;
import dev.substraterouter.RoutingException;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.model.Need;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.EjectionLimits;
import dev.substraterouter.policy.HealthLimits;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.PolicyException;
import dev.substraterouter.policy.PolicyProblem;
import dev.substraterouter.policy.PolicySink;
import dev.substraterouter.policy.PolicySource;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.testkit.HandDrivenTime;
import dev.substraterouter.testkit.LeakCheck;
import dev.substraterouter.testkit.Statuses;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.config.MeterFilterReply;
import io.micrometer.core.instrument.cumulative.CumulativeTimer;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.core.instrument.distribution.pause.PauseDetector;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RouterMetricsTest {
    private static final Logger LOG = Logger.getLogger("dev.substraterouter");
    private static final String PREFIX = "substrate.router.";
    private static final RouteRequest FLUX = RouteRequest.workload("flux");

    private final HandDrivenTime time = new HandDrivenTime();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final SubstrateRouter router = router(policy("a", "b"));
    private Level before;

    @BeforeEach
    void silence() {
        before = LOG.getLevel();
        LOG.setLevel(Level.OFF);
    }

    @AfterEach
    void close() {
        router.close();
        LOG.setLevel(before);
    }

    private SubstrateRouter router(Policy policy) {
        SubstrateRouter made = SubstrateRouter.builder()
                .policy(policy)
                .timeSource(time)
                .executor(Runnable::run)
                .log(false)
                .build();
        policy.substrates().forEach(one -> made.reportStatus(one.id(), Statuses.idle(24)));
        return made;
    }

    private static Policy policy(String... ids) {
        Policy.Builder policy = Policy.builder()
                .health(HealthLimits.builder().staleAfter(Duration.ofDays(1)).build())
                .ejection(EjectionLimits.builder().consecutiveFaults(1).build());
        Candidate[] route = new Candidate[ids.length];
        for (int at = 0; at < ids.length; at++) {
            policy.substrate(Substrate.builder(ids[at])
                    .vramGb(24)
                    .capabilities("cuda")
                    .maxConcurrentJobs(1)
                    .build());
            route[at] = Candidate.builder(ids[at])
                    .model("m-" + ids[at])
                    .expectedLatency(Duration.ofSeconds(10))
                    .build();
        }
        return policy.workload(Workload.builder("flux").vramGb(8).route(route).build())
                .build();
    }

    private double gauge(String name, String... tags) {
        time.advance(Duration.ofSeconds(1)); // figures are shared for a tenth of a second
        return registry.get(PREFIX + name).tags(tags).gauge().value();
    }

    private double decisions(String... tags) {
        return registry.find(PREFIX + "decisions").tags(tags).functionCounters().stream()
                .mapToDouble(counter -> counter.count())
                .sum();
    }

    @Test
    void theTableOfTheDocumentationIsWhatIsRegistered() throws IOException {
        String source = Files.readString(Path.of("src/main/java/dev/substraterouter/metrics/RouterMetrics.java"));
        Set<String> documented = new TreeSet<>();
        Matcher rows = Pattern.compile("<tr><td>\\{@code ([a-z.]+)}</td><td>(\\w+)(?:, (\\w+))?</td><td>([^<]*)</td>")
                .matcher(source);
        while (rows.find()) {
            Set<String> tags = new TreeSet<>(List.of(
                    rows.group(4).isEmpty() ? new String[0] : rows.group(4).split(", ")));
            documented.add(rows.group(1) + " " + rows.group(2) + " " + tags);
        }
        RouterMetrics.of(router).bindTo(registry);
        useEverything();

        Set<String> registered = registry.getMeters().stream()
                .map(Meter::getId)
                .map(id -> id.getName().substring(PREFIX.length()) + " "
                        + id.getType().name().toLowerCase(Locale.ROOT) + " "
                        + id.getTags().stream().map(tag -> tag.getKey()).collect(Collectors.toCollection(TreeSet::new)))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(registered).isEqualTo(documented);
        assertThat(registry.getMeters())
                .allSatisfy(meter -> assertThat(meter.getId().getDescription()).isNotBlank());
    }

    private void useEverything() {
        Placement one = router.tryPlace(FLUX).orElseThrow();
        Placement two = router.tryPlace(FLUX).orElseThrow();
        CompletableFuture<Placement> waits = router.placeAsync(FLUX);
        one.succeed();
        two.succeed();
        waits.join().succeed();
    }

    @Test
    void aFallbackSaysWhy() {
        RouterMetrics.of(router).bindTo(registry);
        router.reportStatus("a", Statuses.loaded(24));

        router.tryPlace(FLUX).orElseThrow().succeed();

        assertThat(decisions(
                        "workload",
                        "flux",
                        "substrate",
                        "b",
                        "path",
                        "fallback",
                        "model",
                        "m-b",
                        "outcome",
                        "succeeded",
                        "reason",
                        "gpu_util"))
                .isEqualTo(1);
        assertThat(gauge("fallback.share", "workload", "flux")).isEqualTo(1);
        assertThat(gauge("substrate.gate", "substrate", "a")).isZero();
        assertThat(gauge("substrate.gate", "substrate", "b")).isEqualTo(1);
    }

    @Test
    void gaugesFollowTheRouter() throws Exception {
        RouterMetrics.of(router).bindTo(registry);
        Placement held = router.tryPlace(FLUX).orElseThrow();
        Placement other = router.tryPlace(FLUX).orElseThrow();
        CompletableFuture<Placement> waits =
                router.placeAsync(FLUX.priority(Priority.HIGH).maxWait(Duration.ofHours(1)));

        assertThat(gauge("substrate.leases", "substrate", "a")).isEqualTo(1);
        assertThat(gauge("substrate.slots.free", "substrate", "a")).isZero();
        assertThat(gauge("substrate.gate", "substrate", "a")).isEqualTo(1);
        assertThat(gauge("queue.waiting", "priority", "high")).isEqualTo(1);
        assertThat(gauge("queue.waiting", "priority", "low")).isZero();
        assertThat(gauge("queue.places.taken", "queue", "(shared)")).isEqualTo(1);
        assertThat(gauge("queue.places", "queue", "(shared)")).isEqualTo(4);
        assertThat(gauge("substrate.status.age", "substrate", "a")).isGreaterThanOrEqualTo(7);
        waits.cancel(true);
        assertThat(decisions("outcome", "withdrawn", "path", "none", "workload", "flux"))
                .isEqualTo(1);

        held.nodeFault(new IOException("boom"));
        assertThat(gauge("substrate.ejected", "substrate", "a", "state", "out")).isEqualTo(1);
        router.cordon("b");
        assertThat(gauge("substrate.cordoned", "substrate", "b")).isEqualTo(1);
        other.succeed();
        router.reload(policy("a", "b"));
        assertThat(gauge("policy.revision")).isEqualTo(2);
        assertThat(reloads("accepted")).isEqualTo(1);
    }

    @Test
    void aRejectedPolicyShowsUntilAGoodOneComes() {
        HandSource source = new HandSource();
        try (SubstrateRouter fed = SubstrateRouter.builder()
                .policySource(source)
                .timeSource(time)
                .executor(Runnable::run)
                .log(false)
                .build()) {
            RouterMetrics.of(fed).bindTo(registry);
            source.sink.rejected(new PolicyException(List.of(PolicyProblem.of("bad", "", "bad"))));
            assertThat(gauge("reload.rejected")).isEqualTo(1);
            assertThat(reloads("rejected")).isEqualTo(1);
            assertThat(reloads("accepted")).isZero();

            source.sink.changed(policy("a", "b"));
            assertThat(gauge("reload.rejected")).isZero();
            assertThat(reloads("accepted")).isEqualTo(1);
        }
    }

    private double reloads(String result) {
        return registry.get(PREFIX + "reloads")
                .tag("result", result)
                .functionCounter()
                .count();
    }

    /** Brings policies when the test does. */
    private static final class HandSource implements PolicySource {
        private PolicySink sink;

        @Override
        public Policy current() {
            return policy("a", "b");
        }

        @Override
        public void start(PolicySink given) {
            sink = given;
        }

        @Override
        public void close() {}
    }

    @Test
    void driftIsTold() {
        RouterMetrics.of(router).bindTo(registry);
        assertThat(gauge("drift", "workload", "flux", "substrate", "a", "model", "m-a"))
                .isNaN();
        for (int success = 0; success < 12; success++) {
            Placement placement = router.tryPlace(FLUX).orElseThrow();
            time.advance(Duration.ofSeconds(30));
            placement.succeed();
        }
        assertThat(gauge("drift", "workload", "flux", "substrate", "a", "model", "m-a"))
                .isEqualTo(3);
    }

    @Test
    void theMeterCountIsFlatWhateverCallersMakeUp() {
        RouterMetrics.of(router).bindTo(registry);
        Random random = new Random(7);
        int meters = 0;
        for (int request = 0; request < 10_000; request++) {
            ask(random);
            if (request == 2_000) {
                meters = registry.getMeters().size();
            }
        }
        assertThat(registry.getMeters()).hasSize(meters).hasSizeLessThan(200);
        assertThat(decisions()).isEqualTo(10_000);
    }

    private void ask(Random random) {
        String made = Long.toHexString(random.nextLong());
        RouteRequest request =
                switch (random.nextInt(3)) {
                    case 0 -> RouteRequest.workload("w" + made);
                    case 1 ->
                        RouteRequest.need(Need.builder()
                                .capabilities("cuda")
                                .vramGb(1 + random.nextInt(500) / 100.0)
                                .build());
                    default -> FLUX;
                };
        try {
            Placement placement = router.tryPlace(
                            request.identity(made).requestId(made).attribute(made, made))
                    .orElseThrow();
            if (random.nextBoolean()) {
                placement.served("model-" + made, made);
            }
            placement.succeed();
        } catch (RoutingException refused) {
            assertThat(request.workload()).startsWith("w");
        }
    }

    @Test
    void aReloadTakesMetersAwayAndBringsOthers() {
        RouterMetrics.of(router).bindTo(registry);
        Placement late = router.tryPlace(FLUX).orElseThrow();
        router.tryPlace(FLUX).orElseThrow().succeed();
        assertThat(tagged("substrate", "b")).isPositive();

        router.reload(policy("c"));

        assertThat(tagged("substrate", "a")).isZero();
        assertThat(tagged("substrate", "b")).isZero();
        assertThat(tagged("model", "m-b")).isZero();
        assertThat(gauge("substrate.leases", "substrate", "c")).isZero();
        late.succeed();
        assertThat(tagged("substrate", "a")).isZero();
        assertThat(decisions("substrate", "other", "model", "other", "workload", "flux"))
                .isEqualTo(1);

        router.reload(policy("a", "c"));
        assertThat(decisions("substrate", "a")).isZero();
        router.reportStatus("a", Statuses.idle(24));
        router.tryPlace(FLUX).orElseThrow().succeed();
        assertThat(decisions("substrate", "a")).isEqualTo(1);
    }

    private long tagged(String key, String value) {
        return registry.getMeters().stream()
                .filter(meter -> value.equals(meter.getId().getTag(key)))
                .count();
    }

    @Test
    void severalRegistriesShowTheSame() {
        PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        RouterMetrics metrics = RouterMetrics.of(router, Tags.of("router", "r1"));
        metrics.bindTo(registry);
        metrics.bindTo(prometheus);
        metrics.bindTo(prometheus);
        router.tryPlace(FLUX).orElseThrow().succeed();

        assertThat(decisions("router", "r1")).isEqualTo(1);
        assertThat(prometheus.scrape())
                .contains("substrate_router_decisions_total{model=\"m-a\",outcome=\"succeeded\",path=\"primary\","
                        + "reason=\"none\",router=\"r1\",substrate=\"a\",workload=\"flux\"} 1.0")
                .contains("substrate_router_service_seconds_count{path=\"primary\",router=\"r1\",substrate=\"a\"")
                .contains("substrate_router_substrate_status_age_seconds{");
        assertThat(registry.getMeters()).hasSameSizeAs(prometheus.getMeters());

        metrics.close();
        metrics.close();
        assertThat(registry.getMeters()).isEmpty();
        assertThat(prometheus.getMeters()).isEmpty();
        router.tryPlace(FLUX).orElseThrow().succeed();
        assertThat(registry.getMeters()).isEmpty();
        assertThatThrownBy(() -> metrics.bindTo(registry)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aRegistryThatThrowsHurtsNobody() {
        MeterRegistry broken = new SimpleMeterRegistry();
        broken.config().meterFilter(new MeterFilter() {
            @Override
            public MeterFilterReply accept(Meter.Id id) {
                throw new AssertionError("broken");
            }
        });
        RouterMetrics metrics = RouterMetrics.of(router);
        metrics.bindTo(broken);
        metrics.bindTo(registry);
        assertThat(gauge("fallback.share", "workload", "flux")).isNaN();

        router.tryPlace(FLUX).orElseThrow().succeed();
        router.reload(policy("a", "b", "c"));

        assertThat(decisions()).isEqualTo(1);
        assertThat(registry.get(PREFIX + "service").timer().count()).isEqualTo(1);
        metrics.close();
    }

    @Test
    void aTimerThatThrowsHidesNoOther() {
        RouterMetrics metrics = RouterMetrics.of(router);
        metrics.bindTo(new ThrowingTimers());
        metrics.bindTo(registry);

        for (int request = 0; request < 3; request++) {
            router.tryPlace(FLUX).orElseThrow().succeed();
        }

        assertThat(decisions()).isEqualTo(3);
        assertThat(registry.get(PREFIX + "service").timer().count()).isEqualTo(3);
        assertThat(registry.get(PREFIX + "decision").timer().count()).isEqualTo(1);
        assertThat(gauge("fallback.share", "workload", "flux")).isZero();
    }

    private static final class ThrowingTimers extends SimpleMeterRegistry {
        @Override
        protected Timer newTimer(Meter.Id id, DistributionStatisticConfig config, PauseDetector pauses) {
            return new CumulativeTimer(id, clock, config, pauses, TimeUnit.SECONDS) {
                @Override
                protected void recordNonNegative(long amount, TimeUnit unit) {
                    throw new IllegalStateException("broken");
                }
            };
        }
    }

    /** A registry that takes for ever to take a timer: requests and futures go on, nothing piles up, counters lose nothing. */
    @Test
    void aSlowRegistryHoldsUpNobody() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        registry.config().meterFilter(new MeterFilter() {
            @Override
            public MeterFilterReply accept(Meter.Id id) {
                if (id.getName().equals(PREFIX + "service")) {
                    asked.countDown();
                    awaited(go);
                }
                return MeterFilterReply.NEUTRAL;
            }
        });
        try (SubstrateRouter pooled = SubstrateRouter.builder()
                .policy(policy("a"))
                .timeSource(time)
                .log(false)
                .build()) {
            pooled.reportStatus("a", Statuses.idle(24));
            RouterMetrics metrics = RouterMetrics.of(pooled);
            metrics.bindTo(registry);
            pooled.tryPlace(FLUX).orElseThrow().succeed();
            awaited(asked);
            for (int request = 1; request < 100_000; request++) {
                pooled.tryPlace(FLUX).orElseThrow().succeed();
            }
            for (int reload = 0; reload < 100; reload++) {
                pooled.reload(policy("a"));
            }
            assertThat(metrics.pending()).isLessThan(10);
            Placement held = pooled.tryPlace(FLUX).orElseThrow();
            CompletableFuture<Placement> waits = pooled.placeAsync(FLUX.maxWait(Duration.ofHours(1)));
            held.close();
            waits.get(10, TimeUnit.SECONDS).close();
            assertThat(registry.find(PREFIX + "service").timer()).isNull();

            go.countDown();
            metrics.bindTo(registry); // waits for what is under way, and does what was left
            assertThat(registry.get(PREFIX + "service").timer().count()).isEqualTo(Times.EARLY);
            pooled.tryPlace(FLUX).orElseThrow().succeed();
            assertThat(registry.get(PREFIX + "service").timer().count()).isEqualTo(Times.EARLY + 1);
            assertThat(decisions()).isEqualTo(100_003);
            assertThat(registry.find(PREFIX + "wait").timer()).isNotNull();
        } finally {
            go.countDown();
        }
    }

    private static void awaited(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException("interrupted", interrupted);
        }
    }

    @Test
    void workloadsThatAreAskedForByTurnsAreAllMeasured() {
        for (int turns = 2; turns <= 64; turns *= 2) {
            int[] measured = new int[turns];
            for (int number = 1; number <= 64 * 100 * turns; number++) {
                if (RouterMetrics.measured(number)) {
                    measured[number % turns]++;
                }
            }
            assertThat(IntStream.of(measured)).allSatisfy(one -> assertThat(one).isBetween(80, 120));
        }
        assertThat(RouterMetrics.measured(1)).isTrue();
    }

    @Test
    void waitsAndServiceAreMeasured() {
        RouterMetrics.of(router).bindTo(registry);
        Placement held = router.tryPlace(FLUX).orElseThrow();
        Placement other = router.tryPlace(FLUX).orElseThrow();
        CompletableFuture<Placement> waits = router.placeAsync(FLUX);
        time.advance(Duration.ofSeconds(3));
        held.succeed();
        waits.join().succeed();
        other.close();

        assertThat(registry.get(PREFIX + "wait")
                        .tags("workload", "flux", "priority", "normal", "outcome", "placed")
                        .timer()
                        .totalTime(TimeUnit.SECONDS))
                .isEqualTo(3);
        assertThat(registry.get(PREFIX + "service")
                        .tags("substrate", "a", "path", "primary")
                        .timer()
                        .count())
                .isEqualTo(2);
        assertThat(decisions("outcome", "neutral")).isEqualTo(1);
        assertThat(registry.get(PREFIX + "decision").timer().count()).isEqualTo(1); // of three: the first of 64
    }

    /** Requests of several threads, registries that come meanwhile, and reloads: what keeps its name keeps its count. */
    @Test
    void nothingIsLostBetweenThreads() throws Exception {
        SubstrateRouter wide = router(Policy.builder()
                .health(HealthLimits.builder().staleAfter(Duration.ofDays(1)).build())
                .substrate(
                        Substrate.builder("a").vramGb(24).maxConcurrentJobs(100).build())
                .workload(Workload.builder("flux").route("a").build())
                .build());
        RouterMetrics metrics = RouterMetrics.of(wide);
        metrics.bindTo(registry);
        List<Thread> threads = new ArrayList<>();
        for (int thread = 0; thread < 4; thread++) {
            threads.add(new Thread(() -> {
                for (int request = 0; request < 500; request++) {
                    try (Placement placement = wide.tryPlace(FLUX).orElseThrow()) {
                        if (placement.attempt() == 1) {
                            placement.succeed();
                        }
                    }
                }
            }));
        }
        threads.forEach(Thread::start);
        metrics.bindTo(new SimpleMeterRegistry());
        for (int reload = 0; reload < 20; reload++) {
            wide.reload(wide.policy());
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(decisions("workload", "flux", "substrate", "a", "outcome", "succeeded"))
                .isEqualTo(2_000);
        assertThat(registry.get(PREFIX + "service").timer().count()).isEqualTo(2_000);
        metrics.close();
        wide.close();
        assertThat(registry.getMeters()).isEmpty();
    }

    @Test
    void nothingIsLeftBehind() throws Exception {
        LeakCheck leaks = LeakCheck.begin("router");
        RouterMetrics metrics = RouterMetrics.of(router);
        metrics.bindTo(registry);
        router.tryPlace(FLUX).orElseThrow().succeed();
        router.close();
        metrics.close();
        leaks.assertNone(router, Duration.ofSeconds(10));
        assertThat(LeakCheck.scheduled(time)).isEmpty();
    }
}
