package dev.substraterouter.probe.http;

import dev.substraterouter.status.SubstrateStatus;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * Hugging Face's Text Generation Inference: {@code /metrics} (the batch as running, the queue), {@code /health} and {@code /info} (the
 * model).
 *
 * <p>A family is on the page only after its first use: before the first request jobs are unknown, as they are with the backends that set
 * no gauges. {@code /health} answers 503 when it is unhealthy, still starting, or (by a report) when its queue is full; the queue that
 * {@code /metrics} tells says which.
 */
final class TgiFormat implements StatusFormat {
    private static final int MAX_BYTES = 4 * 1024 * 1024;

    private static final String QUEUE = "tgi_queue_size";
    private static final String BATCH = "tgi_batch_current_size";
    private static final String[] PROGRESS = {
        "tgi_batch_inference_success", "tgi_request_success", "tgi_request_generated_tokens_sum"
    };
    private static final Set<String> WANTED = Set.of(QUEUE, BATCH, PROGRESS[0], PROGRESS[1], PROGRESS[2]);

    @Override
    public String name() {
        return "tgi";
    }

    @Override
    public List<String> paths() {
        return List.of("/metrics", "/health");
    }

    @Override
    public String accept() {
        return "text/plain;version=0.0.4, application/json;q=0.9";
    }

    @Override
    public int maxBytes() {
        return MAX_BYTES;
    }

    @Override
    public SubstrateStatus read(StatusAnswer answer) throws NoStatusException {
        if (Surface.isHealth(answer)) {
            return Surface.health(answer, 503, "unhealthy, still starting, or its queue is full");
        }
        return Surface.isJson(answer.ok())
                ? info(Json.only(answer.body(), Set.of("model_id")))
                : metrics(Surface.metrics(answer, WANTED));
    }

    private static SubstrateStatus info(JsonNode root) throws NoStatusException {
        String model = Members.text(root, "model_id").orElseThrow(() -> Surface.notThisServer("model_id"));
        return SubstrateStatus.builder().loadedModels(model).build();
    }

    private static SubstrateStatus metrics(PrometheusText page) {
        SubstrateStatus.Builder status = SubstrateStatus.builder();
        Figures.count(status, page, Set.of(), status::runningJobs, BATCH);
        Figures.count(status, page, Set.of(), status::queuedJobs, QUEUE);
        // what only moves when a request ends would call a long one stalled; not so where others wait behind it
        if (page.told(PROGRESS[0]) || page.max(QUEUE) > 0) {
            Figures.progress(status, page, PROGRESS);
        }
        return status.build();
    }
}
