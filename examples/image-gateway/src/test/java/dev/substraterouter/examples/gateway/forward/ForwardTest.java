package dev.substraterouter.examples.gateway.forward;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substraterouter.examples.gateway.Eventually;
import dev.substraterouter.examples.gateway.RawWorker;
import dev.substraterouter.examples.gateway.access.BearerTokens;
import dev.substraterouter.trace.Outcome;
import dev.substraterouter.trace.RoutingTrace;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ForwardTest {
    @Test
    void theFirstByteReachesTheClientBeforeTheWorkerIsFinished() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        try (RawWorker a = new RawWorker((head, in, out) -> {
                    RawWorker.write(out, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n");
                    goOn.await();
                    RawWorker.write(out, "4\r\nlast\r\n0\r\n\r\n");
                });
                RawWorker b = new RawWorker(RawWorker.says("b"));
                Rig rig = new Rig(a.endpoint(), b.endpoint())) {
            HttpResponse<InputStream> answer = rig.http.send(
                    rig.ask("image")
                            .POST(HttpRequest.BodyPublishers.ofString("x"))
                            .build(),
                    HttpResponse.BodyHandlers.ofInputStream());
            assertThat(answer.body().readNBytes(5)).asString(US_ASCII).isEqualTo("first");
            assertThat(rig.leases()).isEqualTo(1);
            goOn.countDown();
            assertThat(answer.body().readAllBytes()).asString(US_ASCII).isEqualTo("last");
            Eventually.until("the lease is back", () -> rig.leases() == 0);
        }
    }

    @Test
    void theAnswerSaysWhereItCameFromAndWhy() throws Exception {
        try (RawWorker a = new RawWorker(RawWorker.says("an image"));
                RawWorker b = new RawWorker(RawWorker.says("b"));
                Rig rig = new Rig(a.endpoint(), b.endpoint())) {
            HttpResponse<String> answer = rig.post(
                    "image/prompt/x%20y?seed=7",
                    "{}", "X-Request-Id", "job-1", "Authorization", "Bearer t", "X-Seed", "9", "Cookie", "c=d");
            assertThat(answer.statusCode()).isEqualTo(401); // a token that nobody has is never let through
            answer = rig.post(
                    "image/prompt/x%20y?seed=7", "{}", "X-Request-Id", "job-1", "X-Seed", "9", "Cookie", "c=d");
            assertThat(answer.body()).isEqualTo("an image");
            assertThat(answer.headers().map())
                    .containsEntry("x-substrate", List.of("a"))
                    .containsEntry("x-model", List.of("flux1-dev"))
                    .containsEntry("x-route-reason", List.of("primary"))
                    .containsEntry("x-expected-seconds", List.of("40.0"))
                    .containsEntry("x-request-id", List.of("job-1"))
                    .doesNotContainKey("x-degraded");
            assertThat(a.heads())
                    .singleElement()
                    .asString()
                    .startsWith("POST /prompt/x%20y?seed=7 HTTP/1.1")
                    .containsIgnoringCase("x-seed: 9")
                    .containsIgnoringCase("x-request-id: job-1")
                    .doesNotContainIgnoringCase("cookie");
        }
    }

    @Test
    void aWorkerThatDiesBeforeTheFirstByteIsReplaced() throws Exception {
        AtomicInteger died = new AtomicInteger();
        try (RawWorker a = new RawWorker((head, in, out) -> {
                    in.readNBytes(RawWorker.length(head));
                    died.incrementAndGet();
                    RawWorker.write(
                            out, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n"); // a head is no byte of an answer
                });
                RawWorker b = new RawWorker((head, in, out) ->
                        RawWorker.answer(out, "200 OK", new String(in.readNBytes(RawWorker.length(head)), UTF_8)));
                Rig rig = new Rig(a.endpoint(), b.endpoint())) {
            HttpResponse<String> answer = rig.post("image", "the prompt");
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("the prompt");
            assertThat(died.get()).isEqualTo(1);
            assertThat(answer.headers().firstValue("X-Substrate")).contains("b");
            assertThat(answer.headers().firstValue("X-Degraded").orElseThrow()).contains("not-primary");
            RoutingTrace trace = rig.lastTrace();
            assertThat(trace.attempts())
                    .extracting(attempt -> attempt.outcome())
                    .containsExactly(Outcome.NODE_FAULT, Outcome.SUCCEEDED);
        }
    }

    @Test
    void aWorkerThatDiesAfterTheFirstByteBreaksTheAnswerOff() throws Exception {
        try (RawWorker a = new RawWorker((head, in, out) ->
                        RawWorker.write(out, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n"));
                RawWorker b = new RawWorker(RawWorker.says("b"));
                Rig rig = new Rig(a.endpoint(), b.endpoint())) {
            assertThatThrownBy(() -> rig.post("image", "x")).isInstanceOf(IOException.class);
            assertThat(b.heads()).isEmpty();
            assertThat(rig.lastTrace().served()).isFalse();
            assertThat(rig.lastTrace().attempts())
                    .extracting(attempt -> attempt.outcome())
                    .containsExactly(Outcome.NODE_FAULT);
        }
    }

    @Test
    void aWorkerThatIsFullIsPassedOver() throws Exception {
        try (RawWorker a = new RawWorker(RawWorker.refuses("429 Too Many Requests", "Retry-After: 7"));
                RawWorker b = new RawWorker(RawWorker.says("b"));
                Rig rig = new Rig(a.endpoint(), b.endpoint())) {
            assertThat(rig.post("image", "x").body()).isEqualTo("b");
            assertThat(rig.lastTrace().attempts())
                    .extracting(attempt -> attempt.outcome())
                    .containsExactly(Outcome.BUSY, Outcome.SUCCEEDED);
        }
    }

    @Test
    void whenEveryWorkerIsFullTheClientIsToldWhenToComeBack() throws Exception {
        try (RawWorker a = new RawWorker(RawWorker.refuses("429 Too Many Requests", "Retry-After: 7"));
                RawWorker b = new RawWorker(RawWorker.refuses("503 Service Unavailable", "Retry-After: 9"));
                Rig rig = new Rig(a.endpoint(), b.endpoint())) {
            HttpResponse<String> answer = rig.post("image", "x", "X-Max-Wait", "0s");
            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
            assertThat(answer.headers().firstValueAsLong("Retry-After").orElseThrow())
                    .isBetween(1L, 9L);
            assertThat(rig.leases()).isZero();
        }
    }

    @Test
    void aRequestThatTheWorkerRejectsIsTheClientsAffair() throws Exception {
        try (RawWorker a = new RawWorker(RawWorker.refuses("422 Unprocessable Content", "X-Why: seed"));
                RawWorker b = new RawWorker(RawWorker.says("b"));
                Rig rig = new Rig(a.endpoint(), b.endpoint())) {
            HttpResponse<String> answer = rig.post("image", "x");
            assertThat(answer.statusCode()).isEqualTo(422);
            assertThat(answer.body()).isEqualTo("no");
            assertThat(answer.headers().firstValue("X-Why")).contains("seed");
            assertThat(b.heads()).isEmpty();
            assertThat(rig.lastTrace().attempts())
                    .extracting(attempt -> attempt.outcome())
                    .containsExactly(Outcome.REQUEST_FAULT);
        }
    }

    @Test
    void whenEveryWorkerFailsTheClientIsToldSo() throws Exception {
        try (RawWorker a = new RawWorker(RawWorker.refuses("500 Oops"));
                RawWorker b = new RawWorker(RawWorker.refuses("500 Oops"));
                Rig rig = new Rig(a.endpoint(), b.endpoint())) {
            HttpResponse<String> answer = rig.post("image", "x");
            assertThat(answer.statusCode()).isEqualTo(502);
            assertThat(answer.body()).contains("answered 500: no");
            String id = rig.lastTrace().requestId();
            assertThat(answer.headers().firstValue("X-Request-Id")).contains(id);
            assertThat(answer.body()).contains("\"request_id\":\"" + id + "\"");
        }
    }

    @Test
    void aClientThatHangsUpOnASilentWorkerEndsTheCall() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch cancelled = new CountDownLatch(1);
        try (RawWorker a = new RawWorker((head, in, out) -> {
                    in.readNBytes(RawWorker.length(head));
                    asked.countDown();
                    if (in.read() < 0) { // says nothing; waits for the other side to go
                        cancelled.countDown();
                    }
                });
                RawWorker b = new RawWorker(RawWorker.says("b"));
                Rig rig = new Rig(a.endpoint(), b.endpoint())) {
            try (Socket client = new Socket("127.0.0.1", rig.port())) {
                client.getOutputStream().write(request("image", "x"));
                assertThat(asked.await(20, TimeUnit.SECONDS)).isTrue();
            }
            assertThat(cancelled.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(rig.lastTrace().attempts())
                    .extracting(attempt -> attempt.outcome())
                    .containsExactly(Outcome.NEUTRAL);
            rig.idle("a"); // as the worker may go on for a moment, the lease counts until it says how it stands
            Eventually.until("the lease is back", () -> rig.leases() == 0);
            assertThat(b.heads()).isEmpty();
            // The thread that was interrupted serves others as if nothing had been.
            for (int i = 0; i < 20; i++) {
                assertThat(rig.post("image", "x", "X-Prefer", "b", "X-Request-Id", "r" + i)
                                .body())
                        .isEqualTo("b");
            }
        }
    }

    @Test
    void aClientThatHangsUpWhileItWaitsLeavesTheQueue() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        RawWorker.Behaviour holds = (head, in, out) -> {
            goOn.await();
            RawWorker.answer(out, "200 OK", "late");
        };
        try (RawWorker a = new RawWorker(holds);
                RawWorker b = new RawWorker(holds);
                Rig rig = new Rig(a.endpoint(), b.endpoint())) {
            CompletableFuture<HttpResponse<String>> first = later(rig);
            CompletableFuture<HttpResponse<String>> second = later(rig);
            Eventually.until("both are at work", () -> rig.leases() == 2);
            try (Socket client = new Socket("127.0.0.1", rig.port())) {
                client.getOutputStream().write(request("image", "x"));
                Eventually.until("it waits", () -> rig.router.routes().get(0).waiting() == 1);
            }
            Eventually.until(
                    "it waits no more", () -> rig.router.routes().get(0).waiting() == 0);
            goOn.countDown();
            assertThat(first.get().body()).isEqualTo("late");
            assertThat(second.get().body()).isEqualTo("late");
        }
    }

    @Test
    void oneConnectionServesManyRequestsAlsoThoseSentAhead() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        try (RawWorker a = new RawWorker((head, in, out) -> {
                    in.readNBytes(RawWorker.length(head));
                    if (head.contains("/first")) {
                        goOn.await();
                    }
                    RawWorker.answer(out, "200 OK", head.substring(5, head.indexOf(" HTTP")));
                });
                RawWorker b = new RawWorker(RawWorker.says("b"));
                Rig rig = new Rig(a.endpoint(), b.endpoint());
                Socket client = new Socket("127.0.0.1", rig.port())) {
            client.setSoTimeout(20_000);
            client.getOutputStream().write(request("image/first", "x"));
            Eventually.until("it is at work", () -> a.heads().size() == 1);
            client.getOutputStream().write(request("image/second", "y")); // the first is not answered yet
            goOn.countDown();
            assertThat(body(client.getInputStream())).isEqualTo("/first");
            assertThat(body(client.getInputStream())).isEqualTo("/second");
            for (int i = 0; i < 300; i++) { // the next request may come while the last one is being wound up
                client.getOutputStream().write(request("image/" + i, "z"));
                assertThat(body(client.getInputStream())).isEqualTo("/" + i);
            }
        }
    }

    @Test
    void oddHeadersAndPathsAreNoFaultOfTheGateway() throws Exception {
        try (RawWorker a = new RawWorker((head, in, out) -> {
                    in.readNBytes(RawWorker.length(head));
                    RawWorker.answer(
                            out, "200 OK\r\nConnection: keep-alive, keep-alive, x-hop\r\nX-Hop: 1\r\nX-Kept: 2", "ok");
                });
                RawWorker b = new RawWorker(RawWorker.says("b"));
                Rig rig = new Rig(a.endpoint(), b.endpoint());
                Socket client = new Socket("127.0.0.1", rig.port())) {
            client.setSoTimeout(20_000);
            client.getOutputStream()
                    .write(
                            ("POST /v1/workloads/image HTTP/1.1\r\nHost: h\r\nConnection: keep-alive, keep-alive\r\nConnection: x-mine"
                                            + "\r\nX-Mine: 1\r\nX-Other: 2\r\nContent-Length: 1\r\n\r\nx")
                                    .getBytes(US_ASCII));
            assertThat(body(client.getInputStream())).isEqualTo("ok");
            assertThat(a.heads().peek()).containsIgnoringCase("x-other").doesNotContainIgnoringCase("x-mine");
            HttpResponse<String> answer = rig.post("image", "x");
            assertThat(answer.headers().map()).containsKey("x-kept").doesNotContainKey("x-hop");
            client.getOutputStream().write(request("image?a=b|c", "x"));
            assertThat(body(client.getInputStream())).contains("\"status\":400", "?a=b|c (expected: a path and query");
        }
    }

    @Test
    void aBodyAsLargeAsWhatIsKeptIsKeptWhole() throws Exception {
        byte[] body = new byte[64 * 1024];
        try (RawWorker a = new RawWorker((head, in, out) -> in.readNBytes(RawWorker.length(head)));
                RawWorker b = new RawWorker((head, in, out) ->
                        RawWorker.answer(out, "200 OK", "got " + in.readNBytes(RawWorker.length(head)).length));
                Rig rig = new Rig(a.endpoint(), b.endpoint())) {
            HttpRequest request = rig.ask("image")
                    .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                    .build();
            assertThat(rig.http
                            .send(request, HttpResponse.BodyHandlers.ofString())
                            .body())
                    .isEqualTo("got 65536");
        }
    }

    @Test
    void aBodyLargerThanWhatIsKeptGoesThroughOnce() throws Exception {
        byte[] body = new byte[3_000_000];
        Arrays.fill(body, (byte) 'p');
        try (RawWorker a = new RawWorker((head, in, out) -> {
                    int length = in.readNBytes(RawWorker.length(head)).length;
                    RawWorker.answer(out, "200 OK", "got " + length);
                });
                RawWorker b = new RawWorker(RawWorker.refuses("500 Oops"));
                Rig rig = new Rig(a.endpoint(), b.endpoint())) {
            HttpRequest.BodyPublisher large = HttpRequest.BodyPublishers.ofByteArray(body);
            HttpRequest request = rig.ask("image").POST(large).build();
            assertThat(rig.http
                            .send(request, HttpResponse.BodyHandlers.ofString())
                            .body())
                    .isEqualTo("got 3000000");
            // Cut down on the way, it is not sent to another worker as if it were whole.
            HttpRequest onB =
                    rig.ask("image").header("X-Prefer", "b").POST(large).build();
            assertThat(rig.http.send(onB, HttpResponse.BodyHandlers.ofString()).statusCode())
                    .isEqualTo(502);
            assertThat(a.heads()).hasSize(1);
        }
    }

    @Test
    void aReaderThatStopsReadingIsCutOff() throws Exception {
        CountDownLatch cancelled = new CountDownLatch(1);
        try (RawWorker a = new RawWorker((head, in, out) -> {
                    RawWorker.write(out, "HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n");
                    byte[] some = new byte[64 * 1024];
                    try {
                        for (int i = 0; i < 15_000; i++) {
                            out.write(some);
                        }
                    } catch (IOException gone) {
                        cancelled.countDown();
                        throw gone;
                    }
                });
                RawWorker b = new RawWorker(RawWorker.says("b"));
                Rig rig = new Rig(a.endpoint(), b.endpoint(), "", Map.of(), 64 * 1024, Duration.ofMillis(500));
                Socket client = new Socket()) {
            client.setReceiveBufferSize(8 * 1024);
            client.connect(new InetSocketAddress("127.0.0.1", rig.port()));
            client.getOutputStream().write(request("image", "x"));
            client.getInputStream().readNBytes(10);
            assertThat(cancelled.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(rig.lastTrace().attempts())
                    .extracting(attempt -> attempt.outcome())
                    .containsExactly(Outcome.NEUTRAL);
            assertThat(rig.post("image", "x", "X-Prefer", "b").body()).isEqualTo("b");
        }
    }

    @Test
    void refusalsAreProblemsWithTheNumbers() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        RawWorker.Behaviour holds = (head, in, out) -> {
            goOn.await();
            RawWorker.answer(out, "200 OK", "late");
        };
        try (RawWorker a = new RawWorker(holds);
                RawWorker b = new RawWorker(holds);
                Rig rig = new Rig(a.endpoint(), b.endpoint())) {
            HttpResponse<String> unknown = rig.post("nothing", "x");
            assertThat(unknown.statusCode()).isEqualTo(404);
            assertThat(unknown.body())
                    .contains("\"reason\":\"unknown-workload\"")
                    .contains("nothing");
            assertThat(rig.post("image", "x", "X-Priority", "urgent").body())
                    .contains("X-Priority: urgent (expected: one of high, normal, low)");
            assertThat(rig.post("image", "x", "X-Mode", "either").body())
                    .contains("X-Mode: either (expected: one of interactive, batch)");
            assertThat(rig.post("image", "x", "X-Max-Wait", "5").statusCode()).isEqualTo(400);
            later(rig);
            later(rig);
            Eventually.until("both are at work", () -> rig.leases() == 2);
            HttpResponse<String> busy = rig.post("image", "x", "X-Max-Wait", "0s", "X-Request-Id", "mine");
            assertThat(busy.statusCode()).isEqualTo(503);
            assertThat(busy.headers().firstValueAsLong("Retry-After").orElseThrow())
                    .isPositive();
            assertThat(busy.body())
                    .contains("\"request_id\":\"mine\"", "\"reason\":\"no-wait\"", "jobs 1/1", "\"substrate\":\"a\"");
            goOn.countDown();
        }
    }

    @Test
    void whoMayAskIsForTheRolesToSay() throws Exception {
        String roles =
                "roles: { user: { identities: [\"u-*\"], workloads: [image], capabilities: [\"*\"] }, other: { identities: [\"o-*\"], workloads: [] } }";
        try (RawWorker a = new RawWorker(RawWorker.says("a"));
                RawWorker b = new RawWorker(RawWorker.says("b"));
                Rig rig = new Rig(
                        a.endpoint(),
                        b.endpoint(),
                        roles,
                        Map.of("u-1", BearerTokens.sha256("one"), "o-1", BearerTokens.sha256("two")),
                        64 * 1024,
                        Duration.ofSeconds(20))) {
            HttpResponse<String> nobody = rig.post("image", "x");
            assertThat(nobody.statusCode()).isEqualTo(401);
            assertThat(nobody.headers().firstValue("WWW-Authenticate")).contains("Bearer");
            assertThat(rig.post("image", "x", "Authorization", "Bearer three").statusCode())
                    .isEqualTo(401);
            assertThat(rig.post("image", "x", "Authorization", "Bearer two").statusCode())
                    .isEqualTo(403);
            assertThat(rig.post("image", "x", "Authorization", "Bearer one").body())
                    .isEqualTo("a");
            assertThat(a.heads()).singleElement().asString().doesNotContainIgnoringCase("bearer");
        }
    }

    @Test
    void batchWorkIsAnsweredWithATicketAtOnce() throws Exception {
        try (RawWorker a = new RawWorker(RawWorker.says("a"));
                RawWorker b = new RawWorker(RawWorker.says("b"));
                Rig rig = new Rig(a.endpoint(), b.endpoint())) {
            HttpResponse<String> answer = rig.post("image/x", "12345", "X-Mode", "batch");
            assertThat(answer.statusCode()).isEqualTo(202);
            assertThat(answer.headers().firstValue("Location")).contains("/v1/tickets/ticket-of-5/x");
            assertThat(a.heads()).isEmpty();
        }
    }

    private static CompletableFuture<HttpResponse<String>> later(Rig rig) {
        return rig.http.sendAsync(
                rig.ask("image").POST(HttpRequest.BodyPublishers.ofString("x")).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static byte[] request(String path, String body) {
        return ("POST /v1/workloads/" + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + body.length()
                        + "\r\n\r\n" + body)
                .getBytes(US_ASCII);
    }

    private static String body(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int one = in.read();
            if (one < 0) {
                throw new IOException("the connection was closed after: " + head);
            }
            head.append((char) one);
        }
        return new String(in.readNBytes(RawWorker.length(head.toString())), US_ASCII);
    }
}
