package dev.substraterouter.probe.http;

import dev.substraterouter.model.Measure;
import dev.substraterouter.status.GpuStatus;
import dev.substraterouter.status.SubstrateStatus;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A status in the router's own format, as {@link SubstrateFormat} reads it. What is unknown is absent.
 *
 * <p>A figure of the whole that leaves out a GPU is absent too: without that mark it would be read as whole. The reader draws it from the
 * GPUs again, and the mark with it. What the format has no member for (jobs that are not told apart, progress) is left out. Stateless and
 * thread-safe.
 */
final class StatusWriter {
    /** Escapes keep text that is no proper Unicode from ending the answer. */
    private static final JsonMapper JSON = JsonMapper.builder(JsonFactory.builder()
                    .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
                    .build())
            .build();

    private StatusWriter() {}

    /** The status as one JSON object. */
    static byte[] write(SubstrateStatus status) {
        ObjectNode root = JSON.createObjectNode();
        whole(root, status);
        jobs(root, "running_jobs", status.runningJobs());
        jobs(root, "queued_jobs", status.queuedJobs());
        status.lastRequest().ifPresent(at -> root.put("last_request_ts", at.toString()));
        status.loadedModels()
                .ifPresent(models ->
                        texts(root, "loaded_models", models.stream().sorted().toList()));
        attributes(root, status);
        gpus(root, status);
        if (!status.reachable()) {
            root.put("not_ready", status.notReady().orElse("not ready"));
        }
        if (!status.oddities().isEmpty()) {
            texts(root, "oddities", status.oddities());
        }
        return JSON.writeValueAsBytes(root);
    }

    /** An answer without a status: why there is none. */
    static byte[] error(String reason) {
        return JSON.writeValueAsBytes(JSON.createObjectNode().put("error", reason));
    }

    private static void whole(ObjectNode root, SubstrateStatus status) {
        if (!status.partial().contains(Measure.GPU_UTIL)) {
            figure(root, "gpu_util_pct", status.gpuUtilPct());
        }
        if (!status.partial().contains(Measure.VRAM)) {
            figure(root, "vram_used_gb", status.vramUsedGb());
            figure(root, "vram_total_gb", status.vramTotalGb());
        }
        if (!status.partial().contains(Measure.GPU_TEMP)) {
            figure(root, "gpu_temp_c", status.gpuTempC());
        }
        figure(root, "gpu_util_other_pct", status.gpuUtilOtherPct());
    }

    private static void gpus(ObjectNode root, SubstrateStatus status) {
        if (status.gpus().isEmpty()) {
            return;
        }
        ArrayNode gpus = root.putArray("gpus");
        for (GpuStatus gpu : status.gpus()) {
            ObjectNode one = gpus.addObject().put("index", gpu.index());
            gpu.uuid().ifPresent(uuid -> one.put("uuid", uuid));
            gpu.name().ifPresent(name -> one.put("name", name));
            figure(one, "util_pct", gpu.utilPct());
            figure(one, "vram_used_gb", gpu.vramUsedGb());
            figure(one, "vram_total_gb", gpu.vramTotalGb());
            figure(one, "temp_c", gpu.tempC());
            gpu.note().ifPresent(note -> one.put("note", note));
        }
    }

    private static void attributes(ObjectNode root, SubstrateStatus status) {
        if (!status.attributes().isEmpty()) {
            ObjectNode attributes = root.putObject("attributes");
            status.attributes().forEach(attributes::put);
        }
    }

    private static void figure(ObjectNode object, String name, OptionalDouble value) {
        value.ifPresent(known -> object.put(name, known));
    }

    private static void jobs(ObjectNode object, String name, OptionalInt value) {
        value.ifPresent(known -> object.put(name, known));
    }

    private static void texts(ObjectNode object, String name, Iterable<String> values) {
        ArrayNode array = object.putArray(name);
        values.forEach(array::add);
    }
}
