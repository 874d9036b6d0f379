package dev.substraterouter.probe.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substraterouter.Placement;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.SubstratesBusyException;
import dev.substraterouter.model.AddressScope;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.model.StatusAddress;
import dev.substraterouter.policy.NetworkScopes;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.PollSettings;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.SubstrateKind;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.status.StatusTarget;
import dev.substraterouter.trace.Reason;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scopes with real sockets on several loopback addresses: what is out of scope gets no connection. */
class ScopesTest {
    private static final String STATUS =
            "{\"gpu_util_pct\": 2, \"gpu_temp_c\": 40, \"vram_used_gb\": 1, \"vram_total_gb\": 32, \"running_jobs\": 0}";
    private static final RouteRequest WORK = RouteRequest.workload("work");

    private final Map<String, String> dns = new ConcurrentHashMap<>();
    private final List<Server> servers = new java.util.concurrent.CopyOnWriteArrayList<>();

    @AfterEach
    void close() throws IOException {
        for (Server server : servers) {
            server.socket.close();
        }
    }

    /** Counts its connections, and answers each with a status. */
    private static final class Server {
        final ServerSocket socket;
        final AtomicInteger connections = new AtomicInteger();

        Server(String address, int port) throws IOException {
            socket = new ServerSocket(port, 50, InetAddress.getByName(address));
            Thread thread = new Thread(this::serve, "scope-server-" + address);
            thread.setDaemon(true);
            thread.start();
        }

        int port() {
            return socket.getLocalPort();
        }

        private void serve() {
            while (!socket.isClosed()) {
                try (Socket connection = socket.accept()) {
                    connections.incrementAndGet();
                    connection.getInputStream().read(new byte[4096]);
                    String head =
                            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ";
                    connection
                            .getOutputStream()
                            .write((head + STATUS.length() + "\r\n\r\n" + STATUS).getBytes(StandardCharsets.US_ASCII));
                } catch (IOException closed) {
                    assertThat(closed).isNotNull(); // by whoever gave up, or at the end of the test
                }
            }
        }
    }

    private Server server(String address, int port) throws IOException {
        Server server = new Server(address, port);
        servers.add(server);
        return server;
    }

    private HttpStatusProbe probe() {
        return HttpStatusProbe.builder()
                .lookup(host -> {
                    String address = dns.get(host);
                    if (address == null && !AddressScope.isLiteral(host)) {
                        throw new UnknownHostException(host);
                    }
                    return new InetAddress[] {InetAddress.getByName(address == null ? host : address)};
                })
                .build();
    }

    private static StatusTarget target(String id, String url, String... scope) {
        return new StatusTarget(
                id,
                List.of(StatusAddress.of(URI.create(url))),
                Duration.ofMillis(50),
                Duration.ofSeconds(10),
                AddressScope.of(List.of(scope)));
    }

    @Test
    @DisplayName("a status address out of scope gets no connection, one in scope is asked; by address and by name")
    void statusAddresses() throws IOException {
        Server inside = server("127.0.0.2", 0);
        Server outside = server("127.0.0.3", 0);
        dns.put("inside.example", "127.0.0.2");
        dns.put("outside.example", "127.0.0.3");
        RecordingSink sink = new RecordingSink();
        HttpStatusProbe probe = probe();
        probe.start(sink);
        probe.targets(List.of(
                target("in", "http://127.0.0.2:" + inside.port() + "/status", "127.0.0.2"),
                target("in-name", "http://inside.example:" + inside.port() + "/status", "127.0.0.0/30", "127.0.0.2"),
                target("out", "http://127.0.0.3:" + outside.port() + "/status", "127.0.0.2"),
                target("out-name", "http://outside.example:" + outside.port() + "/status", "127.0.0.2"),
                target("mapped", "http://[::ffff:127.0.0.3]:" + outside.port() + "/status", "127.0.0.2"),
                target("octal", "http://0177.0.0.3:" + outside.port() + "/status", "127.0.0.0/8")));
        Await.until("in scope answered", () -> sink.answers("in") > 1 && sink.answers("in-name") > 1);
        Await.until("out of scope told", () -> List.of("out", "out-name", "mapped", "octal").stream()
                .allMatch(id -> sink.reasons(id).size() > 1));
        probe.close();
        assertThat(outside.connections).hasValue(0);
        assertThat(sink.reasons("out").get(0)).contains("127.0.0.3, out of scope (allowed: 127.0.0.2)");
        assertThat(sink.reasons("out-name").get(0)).contains("outside.example is 127.0.0.3, out of scope");
        assertThat(sink.reasons("mapped").get(0)).contains("127.0.0.3").contains("out of scope");
        assertThat(sink.reasons("octal").get(0)).contains("without leading zeros");
    }

    @Test
    @DisplayName("a status name that moves out of scope is no longer connected to, and is again once it is back")
    void aStatusNameThatMoves() throws IOException {
        Server inside = server("127.0.0.2", 0);
        Server outside = server("127.0.0.3", inside.port());
        dns.put("moves.example", "127.0.0.2");
        RecordingSink sink = new RecordingSink();
        HttpStatusProbe probe = probe();
        probe.start(sink);
        probe.targets(List.of(target("a", "http://moves.example:" + inside.port() + "/status", "127.0.0.2")));
        Await.until("answered", () -> sink.answers("a") > 0);
        dns.put("moves.example", "127.0.0.3");
        Await.until("refused", () -> sink.reasons("a").size() > 1);
        dns.put("moves.example", "127.0.0.2");
        long before = sink.answers("a");
        Await.until("answered again", () -> sink.answers("a") > before);
        probe.close();
        assertThat(outside.connections).hasValue(0);
    }

    private Policy policy(String endpoint, SubstrateKind kind, NetworkScopes scopes) {
        return Policy.builder()
                .substrate(Substrate.builder("a")
                        .kind(kind)
                        .endpoint(endpoint)
                        .maxConcurrentJobs(1)
                        .build())
                .workload(Workload.builder("work")
                        .privacy(dev.substraterouter.model.Trust.PUBLIC)
                        .route("a")
                        .build())
                .health(dev.substraterouter.policy.HealthLimits.builder()
                        .require()
                        .build())
                .poll(PollSettings.builder().every(Duration.ofMillis(100)).build())
                .network(scopes)
                .build();
    }

    private static boolean isOut(SubstrateRouter router) {
        return router.substrates().get(0).reasons().stream().anyMatch(found -> found.reason() == Reason.OUT_OF_SCOPE);
    }

    @Test
    @DisplayName(
            "an endpoint's name is placed on while it resolves into scope, closed before, and closed when it moves out; a lookup that fails changes nothing [J59]")
    void anEndpointNameThatMoves() throws Exception {
        Policy policy = policy(
                "http://worker.example:8188",
                SubstrateKind.LOCAL,
                NetworkScopes.builder().data("127.0.0.0/30").build());
        try (SubstrateRouter router = SubstrateRouter.builder()
                .policy(policy)
                .statusSource(probe())
                .log(false)
                .build()) {
            assertThatThrownBy(() -> router.place(WORK.maxWait(Duration.ZERO)))
                    .isInstanceOf(SubstratesBusyException.class)
                    .hasMessageContaining("worker.example is not resolved yet");
            dns.put("worker.example", "127.0.0.2");
            Await.until("in scope", () -> !isOut(router));
            DataScope scope = DataScope.of(router::policy);
            try (Placement placement = router.place(WORK)) {
                assertThat(placement.endpoint()).hasHost("worker.example");
                InetAddress there = InetAddress.getByName("127.0.0.2");
                assertThat(scope.check(placement, there)).isSameAs(there);
                assertThatThrownBy(() -> scope.check(placement, InetAddress.getByName("127.0.0.5")))
                        .isInstanceOf(OutOfScopeException.class)
                        .hasMessageContaining("worker.example is 127.0.0.5, out of scope (allowed: 127.0.0.0/30)");
            }
            dns.put("worker.example", "127.0.0.5");
            Await.until("out of scope", () -> isOut(router));
            assertThatThrownBy(() -> router.place(WORK.maxWait(Duration.ZERO)))
                    .isInstanceOf(SubstratesBusyException.class)
                    .hasMessageContaining("worker.example is 127.0.0.5, out of scope");
            router.reload(policy);
            assertThat(isOut(router)).isTrue();
            dns.put("worker.example", "127.0.0.1");
            Await.until("back", () -> !isOut(router));
            dns.remove("worker.example");
            router.reload(policy);
            assertThat(isOut(router)).isFalse();
            assertThat(router.tryPlace(WORK)).isPresent();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"169.254.169.254", "fd00:ec2::254", "127.0.0.1", "0.0.0.0", "224.0.0.1", "::ffff:169.254.169.254"
            })
    @DisplayName("an external name that moves to a metadata, link-local, loopback or multicast address is refused")
    void anExternalNameThatIsRebound(String moved) {
        dns.put("gpu.example.com", "203.0.113.7");
        Policy policy = policy(
                "https://gpu.example.com",
                SubstrateKind.EXTERNAL,
                NetworkScopes.builder().external("gpu.example.com").build());
        try (SubstrateRouter router = SubstrateRouter.builder()
                .policy(policy)
                .statusSource(probe())
                .log(false)
                .build()) {
            Await.until("in scope", () -> !isOut(router));
            dns.put("gpu.example.com", moved);
            Await.until("out of scope", () -> isOut(router));
        }
    }

    @Test
    @DisplayName("waiters are served as soon as the name resolves")
    void waitersAreServed() {
        Policy policy = policy(
                "http://worker.example:8188",
                SubstrateKind.LOCAL,
                NetworkScopes.builder().data("127.0.0.0/8").build());
        try (SubstrateRouter router = SubstrateRouter.builder()
                .policy(policy)
                .statusSource(probe())
                .log(false)
                .build()) {
            var waiter = router.placeAsync(WORK.maxWait(Duration.ofMinutes(1)));
            assertThat(waiter).isNotDone();
            dns.put("worker.example", "127.0.0.2");
            Await.until("served", waiter::isDone);
            assertThat(waiter.join().substrateId()).isEqualTo("a");
        }
    }

    @Test
    void dataScopeWithoutPlacement() throws Exception {
        Policy scoped = policy(
                "http://10.0.0.1",
                SubstrateKind.LOCAL,
                NetworkScopes.builder().data("10.0.0.0/8").build());
        DataScope scope = DataScope.of(() -> scoped);
        assertThat(scope.check(InetAddress.getByName("10.1.2.3"))).isNotNull();
        assertThatThrownBy(() -> scope.check(InetAddress.getByName("11.0.0.1")))
                .isInstanceOf(OutOfScopeException.class)
                .hasMessage("11.0.0.1, out of scope (allowed: 10.0.0.0/8)");
        assertThat(DataScope.of(scoped::withoutNetwork).check(InetAddress.getByName("11.0.0.1")))
                .isNotNull();
    }
}
