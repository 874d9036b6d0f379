package dev.substraterouter.probe.http;

import dev.substraterouter.status.SubstrateStatus;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * vLLM: {@code /metrics} (jobs, the model, the KV cache, steps done), {@code /health} (ready or not), {@code /load} and {@code /v1/models}.
 *
 * <p>One series an engine, so sums go over engines. Waiting by reason is a split of waiting and is not added to it. A page without any of
 * vLLM's own families (statistics off, old faults) is of a server that answers and tells nothing.
 */
final class VllmFormat implements StatusFormat {
    private static final int MAX_BYTES = 4 * 1024 * 1024;

    private static final String RUNNING = "vllm:num_requests_running";
    private static final String WAITING = "vllm:num_requests_waiting";
    private static final String SWAPPED =
            "vllm:num_requests_swapped"; // the V0 engine only: neither running nor in waiting
    private static final String KV_CACHE = "vllm:kv_cache_usage_perc";
    private static final String KV_CACHE_BEFORE = "vllm:gpu_cache_usage_perc";
    private static final String STEPS = "vllm:iteration_tokens_total_count";
    private static final String GENERATED = "vllm:generation_tokens_total";
    private static final String PROMPTED = "vllm:prompt_tokens_total";
    private static final Set<String> WANTED =
            Set.of(RUNNING, WAITING, SWAPPED, KV_CACHE, KV_CACHE_BEFORE, STEPS, GENERATED, PROMPTED);

    /** Series that differ in the process only tell the same. */
    private static final Set<String> REPLICAS = Set.of("pid");

    @Override
    public String name() {
        return "vllm";
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
            return Surface.health(answer, 503, "unhealthy: its engine is dead");
        }
        return Surface.isJson(answer.ok())
                ? json(Json.only(answer.body(), Set.of("server_load", "data", "id")))
                : metrics(Surface.metrics(answer, WANTED));
    }

    private static SubstrateStatus json(JsonNode root) throws NoStatusException {
        SubstrateStatus.Builder status = SubstrateStatus.builder();
        Members members = new Members(status);
        if (root.has("server_load")) {
            // Stays 0 unless the server tracks it, so it is told beside the jobs and never as jobs.
            members.number(root, "", "server_load")
                    .ifPresent(value -> Figures.count(
                            status,
                            "server_load",
                            value,
                            count -> status.attribute("inflight_http", Integer.toString(count))));
        } else if (root.path("data").isArray()) {
            Figures.models(
                    status,
                    root.path("data").values().stream()
                            .flatMap(model -> Members.text(model, "id").stream())
                            .toList());
        } else {
            throw Surface.notThisServer("server_load, or data");
        }
        return status.build();
    }

    private static SubstrateStatus metrics(PrometheusText page) {
        SubstrateStatus.Builder status = SubstrateStatus.builder();
        Figures.count(status, page, REPLICAS, status::runningJobs, RUNNING);
        if (page.told(WAITING)) {
            double swapped = page.told(SWAPPED) ? page.sum(REPLICAS, SWAPPED) : 0;
            Figures.count(status, WAITING, page.sum(REPLICAS, WAITING) + swapped, status::queuedJobs);
        }
        Figures.kvCache(status, page, KV_CACHE, KV_CACHE_BEFORE);
        List<String> models = page.labels("model_name", RUNNING, WAITING);
        if (!models.isEmpty()) {
            Figures.models(status, models);
        }
        progress(status, page);
        return status.build();
    }

    /** The engine's steps, which move whatever it does; without them tokens. Requests done would call a long one stalled. */
    private static void progress(SubstrateStatus.Builder status, PrometheusText page) {
        if (page.told(STEPS)) {
            Figures.progress(status, page, STEPS);
        } else if (page.told(GENERATED)) {
            Figures.progress(status, page, GENERATED, PROMPTED);
        }
    }
}
