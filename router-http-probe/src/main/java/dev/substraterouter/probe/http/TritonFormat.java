package dev.substraterouter.probe.http;

import dev.substraterouter.status.SubstrateStatus;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * NVIDIA Triton: {@code /metrics} (cards, requests waiting, models), {@code /v2/models/stats} (the last request, models) and
 * {@code /v2/health/live} and {@code /ready}, which answer 400 when not.
 *
 * <p>Its utilisation is 0 to 1. What runs, and the temperature, it does not tell. A failed reading of a card is published as zeros: a card
 * with no memory at all is not a reading. Models come from labels, which outlive the model: a hint.
 */
final class TritonFormat implements StatusFormat {
    private static final int MAX_BYTES = 4 * 1024 * 1024;

    private static final String UTIL = "nv_gpu_utilization";
    private static final String TOTAL = "nv_gpu_memory_total_bytes";
    private static final String USED = "nv_gpu_memory_used_bytes";
    private static final String PENDING = "nv_inference_pending_request_count";
    private static final String DONE = "nv_inference_request_success";
    private static final Set<String> WANTED = Set.of(UTIL, TOTAL, USED, PENDING, DONE);

    @Override
    public String name() {
        return "triton";
    }

    @Override
    public List<String> paths() {
        return List.of("/metrics");
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
            return answer.code() == 503
                    ? Surface.health(answer, 503, "shutting down")
                    : Surface.health(answer, 400, "not ready: a model loads, or failed to");
        }
        return Surface.isJson(answer.ok())
                ? stats(Json.only(answer.body(), Set.of("model_stats", "name", "version", "last_inference")))
                : metrics(Surface.metrics(answer, WANTED));
    }

    private static SubstrateStatus metrics(PrometheusText page) {
        SubstrateStatus.Builder status = SubstrateStatus.builder();
        cards(status, page);
        Figures.count(status, page, Set.of(), status::queuedJobs, PENDING);
        List<String> models = Stream.of(DONE, PENDING)
                .flatMap(name -> page.samples(name).stream())
                .filter(sample -> !sample.label("model").isBlank())
                .map(sample -> model(sample.label("model"), sample.label("version")))
                .distinct()
                .toList();
        if (!models.isEmpty()) {
            Figures.models(status, models);
        }
        Figures.progress(status, page, DONE);
        return status.build();
    }

    private static void cards(SubstrateStatus.Builder status, PrometheusText page) {
        Set<String> uuids = new LinkedHashSet<>(page.labels("gpu_uuid", UTIL, TOTAL, USED));
        int index = 0;
        for (String uuid : uuids) {
            if (index == SubstrateFormat.MAX_GPUS) {
                status.odd("gpus: " + uuids.size() + " (expected: at most " + index + "; the rest is left out)");
                return;
            }
            Card card = new Card(status, "gpus[" + index + "]", index).uuid(uuid);
            double total = of(page, TOTAL, uuid);
            if (total == 0) {
                card.note("not a reading: no memory in all").add();
            } else {
                card.utilPct(of(page, UTIL, uuid) * 100)
                        .usedGib(of(page, USED, uuid) / Card.BYTES_PER_GIB)
                        .totalGib(total / Card.BYTES_PER_GIB)
                        .add();
            }
            index++;
        }
    }

    private static double of(PrometheusText page, String name, String uuid) {
        return page.samples(name).stream()
                .filter(sample -> sample.label("gpu_uuid").equals(uuid))
                .mapToDouble(PrometheusText.Sample::value)
                .findFirst()
                .orElse(Double.NaN);
    }

    private static SubstrateStatus stats(JsonNode root) throws NoStatusException {
        if (!root.path("model_stats").isArray()) {
            throw Surface.notThisServer("model_stats");
        }
        SubstrateStatus.Builder status = SubstrateStatus.builder();
        Members members = new Members(status);
        List<String> models = new ArrayList<>();
        double last = 0;
        for (JsonNode model : root.path("model_stats").values()) {
            Members.text(model, "name")
                    .ifPresent(name -> models.add(
                            model(name, Members.text(model, "version").orElse(""))));
            last = Math.max(
                    last,
                    members.number(model, "model_stats.", "last_inference").orElse(0));
        }
        Figures.models(status, models);
        Figures.lastRequest(status, last);
        return status.build();
    }

    private static String model(String name, String version) {
        return version.isBlank() ? name : name + ":" + version;
    }
}
