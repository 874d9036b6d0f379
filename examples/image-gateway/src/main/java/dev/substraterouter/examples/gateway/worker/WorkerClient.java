package dev.substraterouter.examples.gateway.worker;

import dev.substraterouter.BackpressureException;
import dev.substraterouter.Placement;
import dev.substraterouter.SubstrateFaultException;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.probe.http.Backpressure;
import dev.substraterouter.probe.http.DataScope;
import dev.substraterouter.probe.http.OutOfScopeException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Calls workers by HTTP, and says by what it throws whose fault a failure was. The address is checked against the policy's {@code network} right
 * before each call, and that very address is connected to. Redirects are not followed: they would lead where nobody checked.
 *
 * <p>Thread-safe. An interrupt cancels the call.
 */
public final class WorkerClient {
    private static final int MANY_REQUESTS = 429;
    private static final int SERVER_ERROR = 500;
    private static final int KEPT_OF_AN_ERROR = 64 * 1024;
    private static final int SHOWN_OF_AN_ERROR = 300;
    /** What the client sets itself. */
    private static final Set<String> RESERVED =
            Set.of("connection", "content-length", "expect", "host", "upgrade", "transfer-encoding");

    private final HttpClient http;
    private final DataScope scope;

    /**
     * A client.
     *
     * @param policy the policy in force
     * @param connect how long connecting may take
     */
    public WorkerClient(Supplier<Policy> policy, Duration connect) {
        this.scope = DataScope.of(policy);
        this.http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(connect)
                .build();
    }

    /**
     * Asks the worker where a request was placed, and returns as soon as the head of its answer is there.
     *
     * @throws BackpressureException if it says that it is full: 429, or 503
     * @throws SubstrateFaultException if it says that it failed: any other 5xx
     * @throws IOException if it cannot be reached or the call breaks
     * @throws InterruptedException if the thread is interrupted; the call is cancelled
     */
    public WorkerAnswer send(Placement placement, WorkerRequest request)
            throws BackpressureException, SubstrateFaultException, IOException, InterruptedException {
        HttpRequest.Builder http =
                HttpRequest.newBuilder(address(placement, request.path())).method(request.method(), request.body());
        request.headers().forEach((name, values) -> {
            if (!RESERVED.contains(name.toLowerCase(Locale.ROOT))) {
                values.forEach(value -> http.header(name, value));
            }
        });
        HttpResponse<InputStream> response = this.http.send(http.build(), HttpResponse.BodyHandlers.ofInputStream());
        if (response.statusCode() >= SERVER_ERROR || response.statusCode() == MANY_REQUESTS) {
            refused(placement, response);
        }
        return new WorkerAnswer(response);
    }

    private static void refused(Placement placement, HttpResponse<InputStream> response)
            throws BackpressureException, SubstrateFaultException, IOException {
        byte[] said;
        try (InputStream body = response.body()) {
            said = body.readNBytes(KEPT_OF_AN_ERROR);
        }
        Optional<BackpressureException> full = Backpressure.of(response, said);
        if (full.isPresent()) {
            throw full.get();
        }
        throw new SubstrateFaultException(
                placement.substrateId() + " answered " + response.statusCode() + ": " + beginning(said));
    }

    private static String beginning(byte[] said) {
        String text =
                new String(said, StandardCharsets.UTF_8).replaceAll("\\s+", " ").strip();
        return text.length() <= SHOWN_OF_AN_ERROR ? text : text.substring(0, SHOWN_OF_AN_ERROR) + "...";
    }

    /** The address with the path; of plain HTTP with the number that was checked, so that nothing else is connected to. */
    private URI address(Placement placement, String path) throws OutOfScopeException, IOException {
        URI endpoint = placement.endpoint();
        InetAddress checked = scope.check(placement, InetAddress.getByName(endpoint.getHost()));
        boolean pinned = "http".equalsIgnoreCase(endpoint.getScheme());
        String host = pinned ? literal(checked) : endpoint.getHost();
        String port = endpoint.getPort() < 0 ? "" : ":" + endpoint.getPort();
        String base = endpoint.getRawPath() == null ? "" : endpoint.getRawPath();
        if (base.endsWith("/") && !path.isEmpty()) {
            base = base.substring(0, base.length() - 1);
        }
        return URI.create(endpoint.getScheme() + "://" + host + port + base + path);
    }

    private static String literal(InetAddress address) {
        String text = address.getHostAddress();
        int zone = text.indexOf('%');
        String plain = zone < 0 ? text : text.substring(0, zone);
        return plain.contains(":") ? "[" + plain + "]" : plain;
    }
}
