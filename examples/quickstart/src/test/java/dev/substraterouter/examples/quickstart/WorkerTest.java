package dev.substraterouter.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The workers of the story behave as workers do. */
@Timeout(30)
class WorkerTest {
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private Worker legion;

    @BeforeEach
    void start() throws Exception {
        legion = Worker.legion();
    }

    @AfterEach
    void stop() {
        legion.close();
    }

    private CompletableFuture<HttpResponse<String>> generate(String workload) {
        URI address = legion.endpoint().resolve("/v1/generate?workload=" + workload);
        return http.sendAsync(
                HttpRequest.newBuilder(address)
                        .POST(BodyPublishers.ofString("a lighthouse"))
                        .build(),
                BodyHandlers.ofString());
    }

    private String status() throws IOException, InterruptedException {
        return http.send(HttpRequest.newBuilder(legion.statusAddress()).build(), BodyHandlers.ofString())
                .body();
    }

    private static void await(java.util.function.BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            Thread.onSpinWait(); // the test's time limit ends it
        }
    }

    @Test
    void doesAJobAndTellsTheTruthAboutIt() throws Exception {
        assertThat(status()).contains("\"running_jobs\": 0").contains("\"last_request_ts\": null");
        CompletableFuture<HttpResponse<String>> job = generate("flux-fill");
        await(() -> legion.running() == 1);
        assertThat(status())
                .contains("\"gpu_util_pct\": 98.0, \"vram_used_gb\": 25.0")
                .contains("\"running_jobs\": 1");
        assertThat(job.join().body()).isEqualTo("an image of a lighthouse");
        assertThat(status()).contains("\"running_jobs\": 0").contains(String.valueOf(legion.lastRequest()));
    }

    @Test
    void refusesAJobOverItsLimit() {
        legion.othersBegin();
        HttpResponse<String> answer = generate("sdxl").join();
        assertThat(answer.statusCode()).isEqualTo(429);
        assertThat(answer.headers().firstValue("Retry-After")).contains("1");
        legion.othersEnd();
        assertThat(generate("sdxl").join().statusCode()).isEqualTo(200);
    }

    @Test
    void knowsItsWorkloadsOnly() {
        assertThat(generate("upscale").join().statusCode()).isEqualTo(404);
    }

    @Test
    void crashesInTheMiddleOfAJobAndComesBackAtTheSameAddress() throws Exception {
        URI before = legion.endpoint();
        CompletableFuture<HttpResponse<String>> job = generate("flux-fill");
        await(() -> legion.running() == 1);
        legion.kill();
        assertThatThrownBy(job::join).hasCauseInstanceOf(IOException.class);
        assertThat(status()).contains("\"running_jobs\": 0");
        legion.start();
        assertThat(legion.endpoint()).isEqualTo(before);
        assertThat(generate("sdxl").join().statusCode()).isEqualTo(200);
    }
}
