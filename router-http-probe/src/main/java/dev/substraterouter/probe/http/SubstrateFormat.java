package dev.substraterouter.probe.http;

import dev.substraterouter.model.StatusAddress;
import dev.substraterouter.status.GpuStatus;
import dev.substraterouter.status.SubstrateStatus;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.DoubleConsumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The router's own format: one JSON object.
 *
 * <p>Lenient about members, strict about the document. A member that is not known is passed over, one that is null was not said, and one
 * that cannot be (another type, {@code NaN}, out of its range) is unknown with a reason, while the rest is kept. A document that is not one
 * JSON object, that nests too deep, or that says a member twice (which of the two would be meant?) is no status. Reasons name members and
 * types, and figures; never text of the body.
 */
final class SubstrateFormat implements StatusFormat {
    private static final int NOT_READY = 503;

    static final int MAX_GPUS = 64;
    static final int MAX_MODELS = 1_000;
    static final int MAX_ATTRIBUTES = 64;

    private static final double MAX_EPOCH_SECONDS = 253_402_300_800.0; // the year 10000: more are milliseconds

    @Override
    public String name() {
        return StatusAddress.NATIVE_FORMAT;
    }

    @Override
    public SubstrateStatus read(StatusAnswer answer) throws NoStatusException {
        SubstrateStatus notReady = answer.code() == NOT_READY ? refusal(answer) : null;
        return notReady == null ? read(answer.ok().body()) : notReady;
    }

    /** A 503 with a status that says not ready is the worker's own answer; any other is somebody's, and null here. */
    private static @Nullable SubstrateStatus refusal(StatusAnswer answer) {
        try {
            SubstrateStatus said = read(answer.body());
            return said.reachable() ? null : said;
        } catch (NoStatusException somethingElse) {
            return null;
        }
    }

    /** Reads a body of this format, wherever it comes from. */
    static SubstrateStatus read(byte[] body) throws NoStatusException {
        return new Reading(Json.object(body)).status();
    }

    /** One reading: the object and the status that grows from it. */
    private static final class Reading {
        private final JsonNode root;
        private final SubstrateStatus.Builder status = SubstrateStatus.builder();

        Reading(JsonNode root) {
            this.root = root;
        }

        SubstrateStatus status() {
            figure("gpu_util_pct", status::gpuUtilPct);
            figure("gpu_util_other_pct", status::gpuUtilOtherPct);
            figure("vram_used_gb", status::vramUsedGb);
            figure("vram_total_gb", status::vramTotalGb);
            figure("gpu_temp_c", status::gpuTempC);
            jobs("running_jobs", status::runningJobs);
            jobs("queued_jobs", status::queuedJobs);
            lastRequest();
            loadedModels();
            gpus();
            attributes();
            notReady();
            return status.build();
        }

        private void figure(String name, DoubleConsumer set) {
            number(root, "", name).ifPresent(set);
        }

        private void jobs(String name, IntConsumer set) {
            number(root, "", name).ifPresent(value -> {
                if (isCount(value)) {
                    set.accept((int) value);
                } else {
                    status.odd(name + " " + value + " (expected: a whole number >= 0)");
                }
            });
        }

        private void lastRequest() {
            String name = "last_request_ts";
            JsonNode said = said(root, name);
            if (said == null) {
                return;
            }
            try {
                if (said.isString()) {
                    status.lastRequest(OffsetDateTime.parse(said.stringValue()).toInstant());
                } else if (said.isNumber()) {
                    status.lastRequest(epoch(said.numberValue().doubleValue()));
                } else {
                    status.odd(name + " is " + Json.type(said) + " (expected: an ISO time or seconds since 1970)");
                }
            } catch (DateTimeException notATime) {
                status.odd(name + " is not a time (expected: ISO 8601 with its zone, or seconds since 1970)");
            }
        }

        private static Instant epoch(double seconds) {
            if (!(seconds >= 0 && seconds < MAX_EPOCH_SECONDS)) {
                throw new DateTimeException("out of range");
            }
            return Instant.ofEpochMilli(Math.round(seconds * 1_000));
        }

        private void loadedModels() {
            JsonNode models = array("loaded_models");
            if (models == null) {
                return;
            }
            List<String> names = new ArrayList<>();
            for (JsonNode model : capped(models, "loaded_models", MAX_MODELS)) {
                if (model.isString()) {
                    names.add(model.stringValue());
                } else {
                    status.odd("loaded_models names " + Json.type(model) + " (expected: strings)");
                }
            }
            status.loadedModels(names);
        }

        private void gpus() {
            JsonNode said = array("gpus");
            if (said == null) {
                return;
            }
            List<JsonNode> gpus = capped(said, "gpus", MAX_GPUS);
            int[] indices = indices(gpus);
            for (int i = 0; i < indices.length; i++) {
                status.gpu(gpu(indices[i], "gpus[" + i + "]", gpus.get(i)));
            }
        }

        /** The GPUs' own numbers; their positions where one is missing, cannot be, or is given twice. */
        private int[] indices(List<JsonNode> gpus) {
            int[] indices = new int[gpus.size()];
            Set<Integer> seen = new HashSet<>();
            boolean sound = true;
            for (int i = 0; i < indices.length; i++) {
                OptionalDouble index = number(gpus.get(i), "gpus[" + i + "].", "index");
                indices[i] = isCount(index.orElse(-1)) ? (int) index.getAsDouble() : -1;
                sound &= indices[i] >= 0 && seen.add(indices[i]);
            }
            if (!sound) {
                status.odd("gpus have no index each of their own: counted by position");
                Arrays.setAll(indices, i -> i);
            }
            return indices;
        }

        /** A GPU of which nothing can be read is kept as unknown: without it the others' sums would pass for the whole. */
        private GpuStatus gpu(int index, String path, JsonNode said) {
            GpuStatus.Builder gpu = GpuStatus.builder(index);
            if (!said.isObject()) {
                status.odd(path + " is " + Json.type(said) + " (expected: an object)");
                return gpu.build();
            }
            OptionalDouble util = number(said, path + ".", "util_pct");
            OptionalDouble used = number(said, path + ".", "vram_used_gb");
            OptionalDouble total = number(said, path + ".", "vram_total_gb");
            OptionalDouble temp = number(said, path + ".", "temp_c");
            util.ifPresent(gpu::utilPct);
            used.ifPresent(gpu::vramUsedGb);
            total.ifPresent(gpu::vramTotalGb);
            temp.ifPresent(gpu::tempC);
            text(said, "uuid", gpu::uuid);
            text(said, "name", gpu::name);
            text(said, "note", gpu::note);
            GpuStatus built = gpu.build();
            leftOut(path + ".util_pct", util, built.utilPct());
            leftOut(path + ".vram_used_gb", used, built.vramUsedGb());
            leftOut(path + ".vram_total_gb", total, built.vramTotalGb());
            leftOut(path + ".temp_c", temp, built.tempC());
            return built;
        }

        private void leftOut(String path, OptionalDouble said, OptionalDouble kept) {
            if (said.isPresent() && kept.isEmpty()) {
                status.odd(path + " " + said.getAsDouble() + " (out of its range, or more used than there is)");
            }
        }

        /** A text is the reason; anything else but null and false says so without one. */
        private void notReady() {
            JsonNode said = said(root, "not_ready");
            if (said == null || (said.isBoolean() && !said.booleanValue())) {
                return;
            }
            if (said.isString() && !said.stringValue().isBlank()) {
                status.notReady(Reasons.printable(said.stringValue()));
            } else {
                status.reachable(false);
            }
        }

        private void text(JsonNode object, String name, Consumer<String> set) {
            JsonNode said = said(object, name);
            if (said != null && said.isString()) {
                set.accept(Reasons.printable(said.stringValue()));
            }
        }

        private void attributes() {
            JsonNode said = said(root, "attributes");
            if (said == null) {
                return;
            }
            if (!said.isObject()) {
                status.odd("attributes is " + Json.type(said) + " (expected: an object)");
                return;
            }
            int kept = 0;
            for (Map.Entry<String, JsonNode> attribute : said.properties()) {
                JsonNode value = attribute.getValue();
                if (value.isNull()) {
                    continue;
                }
                if (!value.isValueNode()) {
                    status.odd("attributes hold " + Json.type(value) + " (expected: text, numbers, booleans)");
                } else if (kept++ < MAX_ATTRIBUTES) {
                    status.attribute(attribute.getKey(), value.asString());
                }
            }
            cut("attributes", kept, MAX_ATTRIBUTES);
        }

        private OptionalDouble number(JsonNode object, String path, String name) {
            JsonNode said = said(object, name);
            if (said == null) {
                return OptionalDouble.empty();
            }
            if (!said.isNumber()) {
                status.odd(path + name + " is " + Json.type(said) + " (expected: a number)");
                return OptionalDouble.empty();
            }
            return OptionalDouble.of(said.numberValue().doubleValue() + 0.0); // -0.0 becomes 0.0
        }

        private @Nullable JsonNode array(String name) {
            JsonNode said = said(root, name);
            if (said == null || said.isArray()) {
                return said;
            }
            status.odd(name + " is " + Json.type(said) + " (expected: an array)");
            return null;
        }

        private List<JsonNode> capped(JsonNode array, String name, int most) {
            cut(name, array.size(), most);
            return List.copyOf(array.values()).subList(0, Math.min(most, array.size()));
        }

        private void cut(String name, int said, int most) {
            if (said > most) {
                status.odd(String.format(
                        Locale.ROOT, "%s: %d (expected: at most %d; the rest is left out)", name, said, most));
            }
        }

        private static @Nullable JsonNode said(JsonNode object, String name) {
            JsonNode said = object.get(name);
            return said == null || said.isNull() ? null : said;
        }

        private static boolean isCount(double value) {
            return value >= 0 && value <= Integer.MAX_VALUE && value == Math.rint(value);
        }
    }
}
