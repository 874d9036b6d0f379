package dev.substraterouter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.HealthLimits;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.testkit.HandDrivenTime;
import dev.substraterouter.testkit.Statuses;
import dev.substraterouter.time.Cancellable;
import dev.substraterouter.trace.Outcome;
import dev.substraterouter.trace.RefusalReason;
import dev.substraterouter.trace.TraceContext;
import dev.substraterouter.trace.WaitEnd;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who is told at once, and of which trace of the host's a request is. */
class InlineListenerTest {
    private static final RouteRequest FLUX = RouteRequest.workload("flux");
    private static final Logger LOG = Logger.getLogger("dev.substraterouter");

    private final HandDrivenTime time = new HandDrivenTime();
    private final List<String> heard = new ArrayList<>();
    private final List<String> logged = new ArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord line) {
            logged.add(line.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listenToTheLog() {
        LOG.addHandler(handler);
        LOG.setUseParentHandlers(false);
    }

    @AfterEach
    void leaveTheLog() {
        LOG.removeHandler(handler);
        LOG.setUseParentHandlers(true);
    }

    private SubstrateRouter router(TraceContext context) {
        SubstrateRouter.Builder builder = SubstrateRouter.builder()
                .policy(policy())
                .timeSource(time)
                .executor(Runnable::run)
                .log(false);
        if (context != null) {
            builder.traceContext(context);
        }
        SubstrateRouter router = builder.build();
        router.reportStatus("a", Statuses.idle(24));
        return router;
    }

    private static Policy policy() {
        return Policy.builder()
                .health(HealthLimits.builder().staleAfter(Duration.ofDays(1)).build())
                .substrate(
                        Substrate.builder("a").vramGb(24).maxConcurrentJobs(1).build())
                .workload(Workload.builder("flux").vramGb(8).route("a").build())
                .build();
    }

    private final class Hears implements InlineListener {
        @Override
        public void placed(PlacedAttempt attempt) {
            heard.add("placed " + attempt.requestId() + " on " + attempt.substrateId() + " " + attempt.path() + " "
                    + attempt.attempt() + " " + attempt.fallbackReason() + attempt.model() + attempt.revision());
        }

        @Override
        public void ended(PlacedAttempt attempt, Outcome outcome, long serviceNanos) {
            heard.add("ended " + attempt.requestId() + " " + outcome + " " + serviceNanos / 1_000_000_000);
        }

        @Override
        public void unplaced(String workload, Priority priority, Optional<RefusalReason> reason) {
            heard.add("unplaced " + workload + " " + priority + " "
                    + reason.map(Enum::name).orElse("given up"));
        }

        @Override
        public void waited(String workload, Priority priority, WaitEnd end, long waitedNanos) {
            heard.add("waited " + workload + " " + end + " " + waitedNanos / 1_000_000_000);
        }

        @Override
        public void reloaded(long revision) {
            heard.add("reloaded " + revision);
        }
    }

    @Test
    void everythingIsToldAtOnceAndOnce() {
        try (SubstrateRouter router = router(null)) {
            Cancellable attached = router.attach(new Hears());
            Placement one = router.tryPlace(FLUX.requestId("r1")).orElseThrow();
            router.tryPlace(FLUX);
            CompletableFuture<Placement> waits = router.placeAsync(FLUX.requestId("r2"));
            time.advance(Duration.ofSeconds(2));
            one.succeed();
            one.close();
            waits.join().close();
            router.reload(policy());
            attached.cancel();
            attached.cancel();
            router.tryPlace(FLUX).orElseThrow().succeed();

            assertThat(heard)
                    .containsExactly(
                            "placed r1 on a PRIMARY 1 Optional.emptyOptional.empty1",
                            "unplaced flux NORMAL NO_WAIT",
                            "placed r2 on a PRIMARY 1 Optional.emptyOptional.empty1",
                            "waited flux PLACED 2",
                            "ended r1 SUCCEEDED 2",
                            "ended r2 NEUTRAL 0",
                            "reloaded 2");
        }
    }

    @Test
    void oneAttachedTwiceIsToldTwiceAndDetachedOnceEach() {
        try (SubstrateRouter router = router(null)) {
            Hears hears = new Hears();
            Cancellable first = router.attach(hears);
            router.attach(hears);
            router.reload(policy());
            first.cancel();
            router.reload(policy());
            assertThat(heard).containsExactly("reloaded 2", "reloaded 2", "reloaded 3");
        }
    }

    @Test
    void oneThatThrowsHurtsNobodyAndIsLoggedOnceASecond() {
        try (SubstrateRouter router = router(null)) {
            router.attach(new InlineListener() {
                @Override
                public void placed(PlacedAttempt attempt) {
                    throw new AssertionError("broken");
                }

                @Override
                public void ended(PlacedAttempt attempt, Outcome outcome, long serviceNanos) {
                    throw new IllegalStateException("broken");
                }
            });
            router.attach(new Hears());
            for (int request = 0; request < 10; request++) {
                router.tryPlace(FLUX).orElseThrow().succeed();
            }
            assertThat(heard).hasSize(20);
            assertThat(logged).hasSize(1);
            time.advance(Duration.ofSeconds(1));
            router.tryPlace(FLUX).orElseThrow().succeed();
            assertThat(logged).hasSize(2);
            assertThat(logged.get(1)).contains("(and 19 more like it)");
        }
    }

    @Test
    void theHostsTraceStandsInTheTrace() throws Exception {
        List<Thread> asked = new ArrayList<>();
        try (SubstrateRouter router = router(() -> {
            asked.add(Thread.currentThread());
            return "0af7651916cd43dd8448eb211c80319c";
        })) {
            router.tryPlace(FLUX).orElseThrow().succeed();
            router.placeAsync(FLUX).join().succeed();
            router.call(FLUX, Placement::attempt);
            router.callAsync(FLUX, placement -> CompletableFuture.completedFuture(1))
                    .join();
            router.placeAll(FLUX).forEach(Placement::close);
            assertThat(asked).hasSize(5).containsOnly(Thread.currentThread());
            assertThat(router.recentTraces()).hasSize(5).allSatisfy(trace -> assertThat(trace.traceId())
                    .contains("0af7651916cd43dd8448eb211c80319c"));
        }
    }

    @Test
    void anIdThatIsNoneOrTooLongIsLeftOut() {
        List<String> ids = new ArrayList<>();
        try (SubstrateRouter router = router(() -> {
            if (ids.isEmpty()) {
                throw new AssertionError("broken");
            }
            return ids.remove(0);
        })) {
            for (String id : new String[] {"", "0".repeat(32), null, "x".repeat(65)}) {
                ids.add(id);
                router.tryPlace(FLUX).orElseThrow().succeed();
            }
            router.tryPlace(FLUX).orElseThrow().succeed(); // and this one throws
            assertThat(router.recentTraces()).hasSize(5).allSatisfy(trace -> assertThat(trace.traceId())
                    .isEmpty());
            assertThat(logged).hasSize(2);
        }
    }
}
