package dev.substraterouter.probe.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.substraterouter.status.StatusTarget;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS with a certificate that only the test trusts. */
class TlsTest {
    private static final String PASSWORD = "changeit";

    private static SSLContext context;
    private static HttpsServer server;

    private final RecordingSink sink = new RecordingSink();
    private final Net net = new Net();
    private HttpStatusProbe probe;

    @BeforeAll
    static void serve(@TempDir Path dir) throws Exception {
        Path file = dir.resolve("keys.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "probe",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=probe-test",
                        "-ext",
                        "san=ip:127.0.0.1",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        PASSWORD)
                .redirectErrorStream(true)
                .start();
        String said = new String(keytool.getInputStream().readAllBytes());
        assertThat(keytool.waitFor()).as(said).isZero();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        KeyManagerFactory identity = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        identity.init(keys, PASSWORD.toCharArray());
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(keys);
        context = SSLContext.getInstance("TLS");
        context.init(identity.getKeyManagers(), trust.getTrustManagers(), null);
        server = HttpsServer.create(Net.loopback(), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        server.createContext("/", exchange -> Net.reply(exchange, 200, Net.IDLE));
        server.start();
    }

    @AfterAll
    static void stop() {
        server.stop(0);
    }

    @AfterEach
    void close() throws Exception {
        probe.close();
        net.close();
    }

    private void ask(HttpStatusProbe.Builder builder, StatusTarget... targets) {
        probe = builder.build();
        probe.start(sink);
        probe.targets(List.of(targets));
    }

    private static URI url() {
        return Net.uri("https", server.getAddress().getPort());
    }

    @Test
    void aCertificateThatTheGivenContextTrustsIsAccepted() {
        ask(HttpStatusProbe.builder().sslContext(context), Net.target("a", url()));

        assertThat(sink.awaitStatus("a").runningJobs()).hasValue(0);
    }

    @Test
    void aCertificateThatNobodyTrustsIsRefused() {
        ask(HttpStatusProbe.builder(), Net.target("a", url()));

        assertThat(sink.awaitReason("a"))
                .startsWith("tls: ")
                .contains("certification path")
                .contains("(127.0.0.1:");
    }

    @Test
    void aCertificateForAnotherNameIsRefused() {
        URI other = URI.create("https://localhost:" + server.getAddress().getPort() + "/status");
        ask(HttpStatusProbe.builder().sslContext(context), Net.target("a", other));

        assertThat(sink.awaitReason("a")).startsWith("tls: ").contains("localhost");
    }

    @Test
    void aServerWithoutTlsIsRefused() {
        Net.Raw plain = net.raw(socket -> {
            socket.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            Net.untilClosed(socket);
        });
        ask(
                HttpStatusProbe.builder(),
                Net.target("a", Net.uri("https", plain.uri().getPort())));

        assertThat(sink.awaitReason("a")).startsWith("tls: ");
    }

    @Test
    void aHandshakeThatHangsIsATimeOut() {
        Net.Raw silent = net.raw(Net::untilClosed);
        ask(
                HttpStatusProbe.builder().sslContext(context),
                Net.hasty("a", Net.uri("https", silent.uri().getPort())),
                Net.target("b", url()));

        assertThat(sink.awaitReason("a")).startsWith("timed out after 0.5 s");
        sink.awaitStatus("b");
    }
}
