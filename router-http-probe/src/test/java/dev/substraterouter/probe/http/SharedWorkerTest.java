package dev.substraterouter.probe.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import dev.substraterouter.BackpressureException;
import dev.substraterouter.Placement;
import dev.substraterouter.RoutingException;
import dev.substraterouter.SubstrateFaultException;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.PollSettings;
import dev.substraterouter.policy.QueueLimits;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.status.SubstrateStatus;
import dev.substraterouter.testkit.Recorder;
import dev.substraterouter.trace.RouterEvent;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Three routers, each with a probe of its own, share one worker over real sockets. None knows of the others but by what the worker says. */
class SharedWorkerTest {
    private static final int LIMIT = 2;
    private static final int ROUTERS = 3;
    private static final int CALLERS = 3;
    private static final Duration LOAD = Duration.ofMillis(700);
    /** Less than the second after which a worker may be asked again: a request that it refused ends there, and the next one begins. */
    private static final Duration WAIT = Duration.ofMillis(800);

    private static final int JOB_MILLIS = 10;
    private static final int FIRST_JOBS_MILLIS = 500;

    private final WorkerGate gate = WorkerGate.limit(LIMIT);
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final AtomicInteger done = new AtomicInteger();
    private final AtomicInteger refusals = new AtomicInteger();
    private final HttpClient http = HttpClient.newHttpClient();
    private final CountDownLatch never = new CountDownLatch(1);
    private final CountDownLatch firstRefusal = new CountDownLatch(1);

    /** How a request ended. */
    private enum Outcome {
        SERVED,
        REFUSED,
        WORKER_REFUSED
    }

    /** The job, and a count of its own of how many run at once. */
    private void work(HttpExchange exchange) throws IOException {
        most.accumulateAndGet(inside.incrementAndGet(), Math::max);
        try {
            exchange.getRequestBody().readAllBytes();
            firstRefusal.await(FIRST_JOBS_MILLIS, TimeUnit.MILLISECONDS); // so that the others run into them
            never.await(JOB_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        } finally {
            inside.decrementAndGet();
        }
        done.incrementAndGet();
        Net.reply(exchange, 200, "done");
    }

    /** What a host does: sends the work, and tells the router what the worker's answer means. */
    private Outcome send(Placement placement)
            throws IOException, InterruptedException, BackpressureException, SubstrateFaultException {
        HttpRequest job = HttpRequest.newBuilder(placement.endpoint())
                .POST(BodyPublishers.ofString("a picture"))
                .timeout(Duration.ofSeconds(20))
                .build();
        HttpResponse<byte[]> answer = http.send(job, BodyHandlers.ofByteArray());
        var full = Backpressure.of(answer);
        if (full.isPresent()) {
            refusals.incrementAndGet();
            firstRefusal.countDown();
            throw full.get();
        }
        if (answer.statusCode() >= 500) {
            throw new SubstrateFaultException("status " + answer.statusCode());
        }
        return Outcome.SERVED;
    }

    private Outcome request(SubstrateRouter router) throws Exception {
        try {
            return router.<Outcome, Exception>call(RouteRequest.workload("picture"), this::send);
        } catch (RoutingException refused) {
            assertThat(refused).hasMessageContaining("'picture'");
            return Outcome.REFUSED;
        } catch (BackpressureException full) {
            assertThat(full.status().orElseThrow().runningJobs().orElse(99)).isLessThanOrEqualTo(LIMIT);
            assertThat(full.getSuppressed()).hasAtLeastOneElementOfType(RoutingException.class);
            return Outcome.WORKER_REFUSED;
        }
    }

    private static Policy policy(URI work, URI status) {
        return Policy.builder()
                .substrate(Substrate.builder("shared")
                        .endpoint(work)
                        .status(status.toString())
                        .vramGb(32)
                        .maxConcurrentJobs(LIMIT)
                        .build())
                .workload(Workload.builder("picture").vramGb(2).route("shared").build())
                .poll(PollSettings.builder()
                        .every(Duration.ofMillis(250))
                        .timeout(Duration.ofSeconds(5))
                        .build())
                .queue(QueueLimits.builder().maxWait(WAIT).build())
                .build();
    }

    private static Supplier<SubstrateStatus> card() {
        SubstrateStatus idle = SubstrateStatus.builder()
                .gpuUtilPct(20)
                .gpuUtilOtherPct(0)
                .gpuTempC(50)
                .vramUsedGb(4)
                .vramTotalGb(32)
                .build();
        return () -> idle;
    }

    @Test
    @DisplayName(
            "R52: several routers and one worker: it never runs more than its limit, nothing is ejected, nobody is left without an answer")
    void threeRoutersShareOneWorker() throws Exception {
        List<SubstrateRouter> routers = new ArrayList<>();
        List<Recorder> recorders = new ArrayList<>();
        ExecutorService callers = Executors.newCachedThreadPool(Daemons.named("test-caller"));
        try (Net net = new Net();
                StatusServer server = StatusServer.start(Net.loopback(), gate.status(card()))) {
            URI work = net.http(gate.guard(this::work, card()));
            URI status = Net.uri("http", server.address().getPort());
            for (int i = 0; i < ROUTERS; i++) {
                recorders.add(new Recorder());
                routers.add(SubstrateRouter.builder()
                        .name("router-" + i)
                        .policy(policy(work, status))
                        .statusSource(HttpStatusProbe.create())
                        .listener(recorders.get(i))
                        .build());
            }
            int[] outcomes = load(routers, callers);

            assertThat(most.get()).isBetween(1, LIMIT);
            assertThat(outcomes[Outcome.SERVED.ordinal()]).isPositive().isEqualTo(done.get());
            assertThat(refusals.get()).as("the worker was run into").isPositive();
            for (int i = 0; i < ROUTERS; i++) {
                assertThat(recorders.get(i).heard(RouterEvent.Ejected.class)).isEmpty();
                assertThat(routers.get(i).substrates().get(0).ejectedUntil()).isEmpty();
                assertThat(routers.get(i).substrates().get(0).leases()).isZero();
            }
            Await.until("everybody is out", () -> gate.running() == 0);
        } finally {
            routers.forEach(SubstrateRouter::close);
            callers.shutdown();
        }
    }

    private int[] load(List<SubstrateRouter> routers, ExecutorService callers) throws Exception {
        for (SubstrateRouter router : routers) {
            assertThat(router.awaitReady(Duration.ofSeconds(20))).isTrue();
        }
        long start = System.nanoTime();
        List<Future<int[]>> all = new ArrayList<>();
        for (SubstrateRouter router : routers) {
            for (int i = 0; i < CALLERS; i++) {
                all.add(callers.submit(caller(router, start)));
            }
        }
        int[] sum = new int[Outcome.values().length];
        for (Future<int[]> one : all) {
            int[] outcomes = one.get(30, TimeUnit.SECONDS);
            Arrays.setAll(sum, i -> sum[i] + outcomes[i]);
        }
        return sum;
    }

    private Callable<int[]> caller(SubstrateRouter router, long start) {
        return () -> {
            int[] outcomes = new int[Outcome.values().length];
            while (System.nanoTime() - start < LOAD.toNanos()) {
                outcomes[request(router).ordinal()]++;
            }
            return outcomes;
        };
    }
}
