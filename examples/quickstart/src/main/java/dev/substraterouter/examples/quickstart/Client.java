package dev.substraterouter.examples.quickstart;

import dev.substraterouter.BackpressureException;
import dev.substraterouter.SubstrateFaultException;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.trace.RoutingTrace;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/**
 * What a host writes: it names the work, never a machine, and tells the router what a worker's answer means. Thread-safe.
 */
final class Client {
    private static final Duration LONGEST = Duration.ofSeconds(10);

    private final SubstrateRouter router;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    Client(SubstrateRouter router) {
        this.router = router;
    }

    /** An image, and how it came about. */
    @SuppressWarnings("ArrayRecordComponent") // nobody compares images
    record Image(byte[] bytes, RoutingTrace trace) {}

    /**
     * Has an image made wherever the router places it.
     *
     * @param job what it is called at the worker: the workload's name, where the request has one
     * @throws dev.substraterouter.RoutingException when the router turns it down
     * @throws Exception what the last worker failed with
     */
    Image generate(RouteRequest request, String job, String prompt) throws Exception {
        return router.call(request, placement -> {
            byte[] bytes = post(placement.endpoint(), job, prompt);
            return new Image(bytes, placement.trace());
        });
    }

    /** Has a worker do a job. */
    byte[] post(URI endpoint, String job, String prompt)
            throws IOException, InterruptedException, BackpressureException, SubstrateFaultException {
        HttpRequest request = HttpRequest.newBuilder(endpoint.resolve("/v1/generate?workload=" + job))
                .timeout(LONGEST)
                .POST(BodyPublishers.ofString(prompt))
                .build();
        HttpResponse<byte[]> response = http.send(request, BodyHandlers.ofByteArray());
        int code = response.statusCode();
        if (code == 200) {
            return response.body();
        }
        if (code == 429 || code == 503) {
            throw new BackpressureException(retryAfter(response)); // full, not broken
        }
        if (code >= 500) {
            throw new SubstrateFaultException("HTTP " + code); // the worker's fault: counts towards its ejection
        }
        throw new IllegalArgumentException("HTTP " + code); // ours: goes back to the caller as it is
    }

    /** When the worker asks to come back; zero when it does not say, or says a date. */
    private static Duration retryAfter(HttpResponse<?> response) {
        return response.headers()
                .firstValue("Retry-After")
                .filter(seconds -> seconds.matches("[0-9]{1,6}"))
                .map(seconds -> Duration.ofSeconds(Long.parseLong(seconds)))
                .orElse(Duration.ZERO);
    }
}
