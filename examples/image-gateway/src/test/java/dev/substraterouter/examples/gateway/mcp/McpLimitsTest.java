package dev.substraterouter.examples.gateway.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.examples.gateway.access.Caller;
import dev.substraterouter.examples.gateway.tools.FakeWorker;
import dev.substraterouter.examples.gateway.tools.Rig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What clients of MCP can make the gateway hold is bounded. */
class McpLimitsTest {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String LIST = "{'jsonrpc':'2.0','id':2,'method':'tools/list','params':{}}";
    private static final String INITIALIZE = "{'jsonrpc':'2.0','id':1,'method':'initialize','params':{"
            + "'protocolVersion':'2025-06-18','capabilities':{},'clientInfo':{'name':'t','version':'1'}}}";

    private FakeWorker worker;
    private Rig rig;

    @BeforeEach
    void start() throws IOException {
        worker = new FakeWorker();
        rig = new Rig(worker.uri(), worker.uri(), PATIENCE, PATIENCE);
    }

    @AfterEach
    void stop() throws IOException {
        rig.close();
        worker.close();
    }

    @Test
    void aLargeMessageIsTurnedDown() throws Exception {
        String session = open(Rig.AGENT);
        try (Socket large = begin(session, "Content-Length: " + (McpEndpoint.MOST_BYTES + 1) + "\r\n\r\n")) {
            byte[] status = large.getInputStream().readNBytes(12);
            assertThat(new String(status, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 413");
        }
        assertThat(send(Rig.AGENT, session, LIST).statusCode()).isEqualTo(200);
    }

    @Test
    void sessionsOfOneCallerAreBounded() throws Exception {
        byte[] large = new byte[McpEndpoint.MOST_OPENING_BYTES + 1];
        assertThat(send(Rig.AGENT, null, BodyPublishers.ofByteArray(large)).statusCode())
                .isEqualTo(413);
        for (int i = 0; i < 32; i++) {
            open(Rig.AGENT);
        }
        HttpResponse<String> refused = send(Rig.AGENT, null, INITIALIZE);
        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.headers().firstValue("Retry-After")).isPresent();
        open(Rig.OTHER);
    }

    /** Requests that do not say how long they are count as the longest. */
    @Test
    void messagesUnderWayShareTheRoom() throws Exception {
        String session = open(Rig.AGENT);
        List<Socket> slow = new ArrayList<>();
        try {
            HttpResponse<String> busy = send(Rig.AGENT, session, LIST);
            for (long end = System.nanoTime() + PATIENCE.toNanos(); busy.statusCode() != 503; ) {
                assertThat(System.nanoTime() - end).isNegative();
                slow.add(begin(session, "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n"));
                busy = send(Rig.AGENT, session, LIST);
            }
            assertThat(busy.headers().firstValue("Retry-After")).contains("1");
            assertThat(busy.body()).contains("8388608 of 8388608 bytes");
        } finally {
            for (Socket one : slow) {
                one.close();
            }
        }
        until(200, session);
    }

    private Socket begin(String session, String rest) throws IOException {
        Socket socket = new Socket(
                InetAddress.getLoopbackAddress(), rig.listener.address().getPort());
        String head = "POST /mcp HTTP/1.1\r\nHost: " + URI.create(rig.base()).getAuthority()
                + "\r\nAuthorization: Bearer " + Rig.token(Rig.AGENT)
                + "\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nMcp-Session-Id: "
                + session + "\r\n" + rest;
        socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private HttpResponse<String> until(int status, String session) throws Exception {
        long end = System.nanoTime() + PATIENCE.toNanos();
        HttpResponse<String> answer = send(Rig.AGENT, session, LIST);
        while (answer.statusCode() != status) {
            assertThat(System.nanoTime() - end).as(answer.body()).isNegative();
            answer = send(Rig.AGENT, session, LIST);
        }
        return answer;
    }

    private String open(Caller caller) throws Exception {
        return send(caller, null, INITIALIZE)
                .headers()
                .firstValue("Mcp-Session-Id")
                .orElseThrow();
    }

    private HttpResponse<String> send(Caller caller, @Nullable String session, String message) throws Exception {
        return send(caller, session, BodyPublishers.ofString(message.replace('\'', '"')));
    }

    private HttpResponse<String> send(Caller caller, @Nullable String session, BodyPublisher body) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(rig.base() + "/mcp"))
                .header("Authorization", "Bearer " + Rig.token(caller))
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, text/event-stream")
                .POST(body);
        if (session != null) {
            request.header("Mcp-Session-Id", session);
        }
        return HTTP.send(request.build(), BodyHandlers.ofString());
    }
}
