package dev.substraterouter.examples.gateway.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substraterouter.SubstrateView;
import dev.substraterouter.examples.gateway.Eventually;
import dev.substraterouter.examples.gateway.web.Json;
import dev.substraterouter.examples.gateway.web.Problem;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What goes wrong with workers, and that nothing is left behind. */
class ToolsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private FakeWorker first;
    private FakeWorker second;

    @BeforeEach
    void start() throws IOException {
        first = new FakeWorker();
        second = new FakeWorker();
    }

    @AfterEach
    void stop() {
        first.close();
        second.close();
    }

    @Test
    void aMessageIsNotSentTwice() throws Exception {
        try (Rig rig = rig(PATIENCE)) {
            MeshMessage message = mesh("do:fail", "mirage", "invoke");
            assertThat(problem(() -> rig.tools.meshSend(Rig.AGENT, message)).reason())
                    .isEqualTo("worker-failed");
            assertThat(first.bodies().size() + second.bodies().size()).isOne();
        }
    }

    @Test
    void aWorkloadGoesToAnotherWorkerAfterAFault() throws Exception {
        try (Rig rig = rig(PATIENCE)) {
            WorkloadRun run = run("flux-dev", "do:fail");
            Problem problem = problem(() -> rig.tools.runWorkload(Rig.AGENT, run));
            assertThat(problem.status()).isEqualTo(502);
            assertThat(problem.detail()).startsWith("legion: legion answered 500: out of luck; and nowhere else: ");
            assertThat(problem.requestId()).isNotEmpty();
            assertThat(List.of(first.bodies().size(), second.bodies().size())).containsExactly(1, 1);
        }
    }

    @Test
    void anAnswerThatIsCutIsAFault() throws Exception {
        try (Rig rig = rig(PATIENCE)) {
            Problem problem = problem(() -> rig.tools.runWorkload(Rig.AGENT, run("flux-dev", "do:cut")));
            assertThat(problem.reason()).isEqualTo("worker-failed");
            assertThat(rig.links.waiting()).isZero();
        }
    }

    @Test
    void aWorkerThatNeverAnswersIsGivenUp() throws Exception {
        try (Rig rig = rig(Duration.ofMillis(100))) {
            Problem problem = problem(() -> rig.tools.meshSend(Rig.AGENT, mesh("do:wait", "mirage", "invoke")));
            assertThat(problem.detail()).contains("no whole answer within 0.1 s");
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
            assertThat(rig.router
                            .recentTraces()
                            .get(0)
                            .lastAttempt()
                            .orElseThrow()
                            .outcome())
                    .hasToString("NODE_FAULT");
            Outcome all = rig.tools.meshSend(Rig.AGENT, mesh("do:wait", "crypt", "broadcast"));
            assertThat(((Deliveries) all).answers())
                    .noneMatch(Delivery::dispatched)
                    .hasSize(2);
        }
    }

    /** The listener's limit is for clients that are slow, not for work that takes its time. */
    @Test
    void workMayTakeLongerThanAClientMayStall() throws Exception {
        Duration stalled = Duration.ofMillis(600);
        try (Rig warm = rig(PATIENCE)) { // loading classes takes longer than that
            assertThat(HttpClient.newHttpClient()
                            .send(
                                    HttpRequest.newBuilder(URI.create(warm.base() + "/v1/gap"))
                                            .build(),
                                    HttpResponse.BodyHandlers.discarding())
                            .statusCode())
                    .isEqualTo(401);
        }
        try (Rig rig = new Rig(first.uri(), second.uri(), PATIENCE, stalled)) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(rig.base() + "/v1/gap"))
                    .header("Authorization", "Bearer " + Rig.token(Rig.AGENT))
                    .POST(HttpRequest.BodyPublishers.ofString(
                            "{\"query\":\"do:wait\",\"gap_description\":\"y\",\"required_capabilities\":[\"volta\"]}"))
                    .build();
            CompletableFuture<HttpResponse<String>> answer =
                    HttpClient.newHttpClient().sendAsync(request, HttpResponse.BodyHandlers.ofString());
            CompletableFuture.delayedExecutor(2 * stalled.toMillis(), TimeUnit.MILLISECONDS)
                    .execute(first::open);
            assertThat(Json.MAPPER
                            .readTree(answer.get(20, TimeUnit.SECONDS).body())
                            .at("/dispatch/body")
                            .stringValue())
                    .isEqualTo("at last");
        }
    }

    @Test
    void aBroadcastToNobodyFreeIsRefused() throws Exception {
        try (Rig rig = rig(PATIENCE)) {
            MeshMessage message = MeshMessage.of(
                    Json.MAPPER.readTree(
                            "{\"message\":1,\"routing\":{\"required_capabilities\":[\"kiln\"]},\"action_type\":\"broadcast\"}"));
            Problem problem = problem(() -> rig.tools.meshSend(Rig.AGENT, message));
            assertThat(problem.status()).isEqualTo(503);
            assertThat(problem.retryAfterSeconds()).isPositive();
            assertThat(problem.detail()).contains("gpu util 97 >= 70");
        }
    }

    @Test
    void everyLeaseComesBack() throws Exception {
        try (Rig rig = rig(PATIENCE)) {
            rig.tools.meshSend(Rig.AGENT, mesh("hi", "crypt", "broadcast"));
            rig.tools.meshSend(Rig.AGENT, mesh("do:bad", "mirage", "broadcast"));
            rig.tools.meshSend(Rig.AGENT, mesh("hi", "mirage", "invoke"));
            problem(() -> rig.tools.runWorkload(Rig.AGENT, run("spill", "do:full")));
            assertThat(rig.router.substrates())
                    .extracting(SubstrateView::leases)
                    .containsOnly(0);
        }
    }

    @Test
    void aBroadcastThatIsCutShortLeavesNoLease() throws Exception {
        try (Rig rig = rig(PATIENCE)) {
            AtomicReference<Throwable> end = new AtomicReference<>();
            Thread asking = new Thread(() -> {
                try {
                    rig.tools.meshSend(Rig.AGENT, mesh("do:wait", "mirage", "broadcast"));
                } catch (InterruptedException | WorkerFailedException e) {
                    end.set(e);
                }
            });
            asking.start();
            Eventually.until(
                    "both are asked",
                    () -> first.bodies().size() + second.bodies().size() == 2);
            asking.interrupt();
            asking.join(PATIENCE.toMillis());
            assertThat(end.get()).isInstanceOf(InterruptedException.class);
            assertThat(rig.router.substrates())
                    .extracting(SubstrateView::leases)
                    .containsOnly(0);
        }
    }

    /** The bytes of all answers of a broadcast together are told, or go behind links. */
    @Test
    void aBroadcastsAnswersShareTheRoom() throws Exception {
        try (Rig rig = rig(PATIENCE)) {
            Deliveries small =
                    (Deliveries) rig.tools.meshSend(Rig.AGENT, mesh("do:large=32768", "mirage", "broadcast"));
            assertThat(small.answers()).allMatch(answer -> answer.link() == null);
            Deliveries large =
                    (Deliveries) rig.tools.meshSend(Rig.AGENT, mesh("do:large=32769", "mirage", "broadcast"));
            assertThat(large.answers()).allMatch(answer -> answer.link() != null && answer.data() == null);
            assertThat(rig.links.waiting()).isEqualTo(2);
        }
    }

    /** A virtual node that fits is passed over for one that work can be sent to; alone, it says where it is reached. */
    @Test
    void aMessageGoesWhereItCanBeSent() throws Exception {
        try (Rig rig = rig(PATIENCE)) {
            MeshMessage toAny = MeshMessage.of(Json.MAPPER.readTree(
                    "{\"message\":\"hi\",\"routing\":{\"preferred_node\":\"oracle\"},\"action_type\":\"invoke\"}"));
            assertThat(((Reply) rig.tools.meshSend(Rig.AGENT, toAny)).served().substrate())
                    .isNotEqualTo("oracle");
            MeshMessage toOracle = MeshMessage.of(
                    Json.MAPPER.readTree(
                            "{\"message\":\"hi\",\"routing\":{\"required_capabilities\":[\"prophecy\"]},\"action_type\":\"invoke\"}"));
            Problem problem = problem(() -> rig.tools.meshSend(Rig.AGENT, toOracle));
            assertThat(problem.status()).isEqualTo(501);
            assertThat(problem.detail()).contains("http://127.0.0.1:8090/mcp");
        }
    }

    @Test
    void closedNothingOfItIsLeft() throws Exception {
        Set<Thread> before = threads();
        try (Rig rig = rig(PATIENCE)) {
            rig.tools.meshSend(Rig.AGENT, mesh("hi", "mirage", "broadcast"));
            rig.tools.meshSend(Rig.AGENT, mesh("later", "mirage", "delegate"));
        }
        Eventually.until("the threads have ended", () -> before.containsAll(threads()));
    }

    /** Those that the gateway starts; the HTTP client's end when it is collected. */
    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(Thread::isAlive)
                .filter(thread -> thread.getName().matches("(gateway-|clients|batch|substrate|streamable-).*"))
                .collect(Collectors.toSet());
    }

    private Rig rig(Duration patience) throws IOException {
        return new Rig(first.uri(), second.uri(), patience, Duration.ofSeconds(5));
    }

    private static MeshMessage mesh(String message, String codebase, String action) {
        return MeshMessage.of(Json.MAPPER.readTree("{\"message\":\"" + message
                + "\",\"routing\":{\"required_codebase\":\"" + codebase + "\"},\"action_type\":\"" + action + "\"}"));
    }

    private static WorkloadRun run(String workload, String parameter) {
        return WorkloadRun.of(Json.MAPPER.readTree(
                "{\"workload\":\"" + workload + "\",\"parameters\":{\"x\":\"" + parameter + "\"},\"max_wait_sec\":0}"));
    }

    private static Problem problem(ThrowingCallable call) {
        return assertThatThrownBy(call)
                .isInstanceOf(WorkerFailedException.class)
                .asInstanceOf(InstanceOfAssertFactories.type(WorkerFailedException.class))
                .actual()
                .problem();
    }
}
