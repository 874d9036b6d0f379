package dev.substraterouter.probe.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.substraterouter.model.Measure;
import dev.substraterouter.status.GpuStatus;
import dev.substraterouter.status.SubstrateStatus;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Every fixture gives the record that {@code expected.jsonl} has for it: one line a fixture, what was asked and what it says. */
class FixturesTest {
    /** Reads a fixture the way its server's answer, or its tool's output, is read. */
    @FunctionalInterface
    interface Reader {
        SubstrateStatus read(Row row, byte[] body) throws NoStatusException;
    }

    /** One line of the expected records. */
    record Row(String fixture, String format, int code, String path, String outcome, JsonNode record, JsonNode gpus) {
        @Override
        public String toString() {
            return fixture;
        }
    }

    private static final double GIB = 0.001;
    private static final String EVERY_FORMAT = "every";

    /** How the fixtures of a kind are read; a kind that is no format of an address joins here. */
    private static final Map<String, Reader> READERS = readers();

    private static Map<String, Reader> readers() {
        Map<String, Reader> readers = new HashMap<>();
        StatusFormats formats = new StatusFormats(List.of());
        for (String name : formats.names().split(", ")) {
            StatusFormat format = formats.named(name).orElseThrow();
            readers.put(name, (row, body) -> format.read(answer(row, body)));
        }
        readers.put("nvidia-smi", FixturesTest::printed);
        return readers;
    }

    /** What the vendor's tool prints; the text of a failure gives a status in which nothing is known, and which says why. */
    private static SubstrateStatus printed(Row row, byte[] output) throws NoStatusException {
        int exitCode = row.fixture.contains("mismatch") ? 18 : 0;
        SubstrateStatus status = NvidiaSmiText.read(exitCode, new String(output, StandardCharsets.UTF_8));
        if (status.gpus().isEmpty()) {
            assertThat(status.oddities()).isNotEmpty();
            assertThat(status.attributes().get("card")).isNotEqualTo("ok");
            throw new NoStatusException(status.oddities().get(0));
        }
        return status;
    }

    static StatusAnswer answer(Row row, byte[] body) {
        String type = row.fixture.endsWith(".html")
                ? "text/html; charset=utf-8"
                : row.fixture.endsWith(".json") ? "application/json" : "text/plain; version=0.0.4; charset=utf-8";
        return new StatusAnswer(row.code, row.path, type, body);
    }

    static Stream<Row> rows() throws IOException {
        JsonMapper mapper = new JsonMapper();
        return new String(resource("expected.jsonl"), StandardCharsets.UTF_8)
                .lines()
                .map(mapper::readTree)
                .map(line -> new Row(
                        line.get("fixture").stringValue(),
                        line.get("format").stringValue(),
                        line.get("code").intValue(),
                        line.get("path").stringValue(),
                        line.get("outcome").stringValue(),
                        line.get("record"),
                        line.get("gpus")));
    }

    static Stream<Row> readable() throws IOException {
        return rows().filter(row -> READERS.containsKey(row.format));
    }

    static byte[] resource(String name) throws IOException {
        try (InputStream in = FixturesTest.class.getResourceAsStream("/status/" + name)) {
            assertThat(in).as(name).isNotNull();
            return in.readAllBytes();
        }
    }

    @ParameterizedTest
    @MethodSource("readable")
    void aFixtureGivesItsRecord(Row row) throws Exception {
        Reader reader = READERS.get(row.format);
        byte[] body = resource(row.fixture);
        if (row.outcome.equals("none")) {
            assertThatThrownBy(() -> reader.read(row, body)).isInstanceOf(NoStatusException.class);
        } else {
            assertRecord(row, reader.read(row, body));
        }
    }

    private static void assertRecord(Row row, SubstrateStatus status) {
        JsonNode record = row.record;
        assertThat(status.reachable()).isEqualTo(row.outcome.equals("ready"));
        assertThat(status.notReady().isPresent()).isEqualTo(row.outcome.equals("not ready"));
        same("mean util", status.gpuUtilPct(), record.get("gpu_util_pct_mean"), 1e-9);
        same("max util", status.gpuUtilMaxPct(), record.get("gpu_util_pct_max"), 1e-9);
        same("vram used", status.vramUsedGb(), record.get("vram_used_gib"), GIB);
        same("vram total", status.vramTotalGb(), record.get("vram_total_gib"), GIB);
        same("temp", status.gpuTempC(), record.get("gpu_temp_c_max"), 1e-9);
        same("running", status.runningJobs(), record.get("running_jobs"));
        same("queued", status.queuedJobs(), record.get("queued_jobs"));
        if (record.has("running_plus_queued")) {
            same("jobs", status.jobs(), record.get("running_plus_queued"));
        }
        JsonNode last = record.get("last_request_ts");
        assertThat(status.lastRequest())
                .isEqualTo(last.isNull() ? Optional.empty() : Optional.of(Instant.parse(last.stringValue())));
        assertThat(status.loadedModels()).isEqualTo(models(record.get("loaded_models")));
        for (String attribute : List.of("kv_cache_used_ratio", "inflight_http", "models_vram_mib", "total_slots")) {
            assertThat(status.attributes().get(attribute))
                    .as(attribute)
                    .isEqualTo(record.has(attribute) ? record.get(attribute).asString() : null);
        }
        boolean warned = row.gpus.values().stream().anyMatch(gpu -> gpu.has("warn"));
        assertThat(status.oddities().isEmpty()).isEqualTo(!warned);
        assertGpus(row.gpus, status);
    }

    private static Optional<Set<String>> models(JsonNode expected) {
        return expected.isNull()
                ? Optional.empty()
                : Optional.of(
                        expected.values().stream().map(JsonNode::stringValue).collect(Collectors.toSet()));
    }

    private static void assertGpus(JsonNode expected, SubstrateStatus status) {
        List<GpuStatus> gpus = status.gpus();
        assertThat(gpus).hasSize(expected.size());
        for (int i = 0; i < gpus.size(); i++) {
            JsonNode one = expected.get(i);
            GpuStatus gpu = gpus.get(i);
            assertThat(gpu.index())
                    .isEqualTo(one.get("index").isNull() ? i : one.get("index").intValue());
            assertThat(gpu.uuid()).isEqualTo(text(one.get("uuid")));
            assertThat(gpu.name()).isEqualTo(text(one.get("name")));
            same("util of " + i, gpu.utilPct(), one.get("util_pct"), 1e-9);
            same("used of " + i, mib(gpu.vramUsedGb()), one.get("vram_used_mib"), GIB * 1024);
            same("total of " + i, mib(gpu.vramTotalGb()), one.get("vram_total_mib"), GIB * 1024);
            same("temp of " + i, gpu.tempC(), one.get("temp_c"), 1e-9);
            assertThat(gpu.note().isPresent()).isEqualTo(one.has("warn"));
        }
        assertThat(status.partial().contains(Measure.GPU_UTIL)).isEqualTo(partly(expected, "util_pct"));
        assertThat(status.partial().contains(Measure.GPU_TEMP)).isEqualTo(partly(expected, "temp_c"));
        assertThat(status.partial().contains(Measure.VRAM)).isEqualTo(partly(expected, "vram_used_mib"));
    }

    private static boolean partly(JsonNode gpus, String member) {
        long told =
                gpus.values().stream().filter(gpu -> !gpu.get(member).isNull()).count();
        return told > 0 && told < gpus.size();
    }

    private static OptionalDouble mib(OptionalDouble gib) {
        return gib.isPresent() ? OptionalDouble.of(gib.getAsDouble() * 1024) : gib;
    }

    private static Optional<String> text(JsonNode expected) {
        return expected.isNull() ? Optional.empty() : Optional.of(expected.stringValue());
    }

    private static void same(String what, OptionalDouble actual, JsonNode expected, double tolerance) {
        assertThat(actual.isPresent()).as(what + " is told").isNotEqualTo(expected.isNull());
        if (actual.isPresent()) {
            assertThat(actual.getAsDouble()).as(what).isCloseTo(expected.doubleValue(), within(tolerance));
        }
    }

    private static void same(String what, OptionalInt actual, JsonNode expected) {
        assertThat(actual)
                .as(what)
                .isEqualTo(expected.isNull() ? OptionalInt.empty() : OptionalInt.of(expected.intValue()));
    }

    @Test
    void everyFixtureHasItsRecord() throws Exception {
        Path folder = Path.of(
                        FixturesTest.class.getResource("/status/expected.jsonl").toURI())
                .getParent();
        Set<String> files = new TreeSet<>();
        try (Stream<Path> all = Files.list(folder)) {
            all.map(file -> file.getFileName().toString())
                    .filter(name -> !name.equals("expected.jsonl"))
                    .forEach(files::add);
        }
        List<String> known = new ArrayList<>();
        rows().forEach(row -> known.add(row.fixture));

        assertThat(known).containsAll(files).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 401, 403, 404, 500, 503})
    void aPageForPeopleIsNoStatusOfAnyFormatAtAnyOfItsPaths(int code) throws Exception {
        byte[] body = resource("proxy-login-200.html");
        StatusFormats formats = new StatusFormats(List.of());
        for (String name : formats.names().split(", ")) {
            StatusFormat format = formats.named(name).orElseThrow();
            List<String> paths = new ArrayList<>(format.paths());
            paths.addAll(List.of("", "/", "/health", "/metrics", "/v2/health/ready"));
            for (String path : paths) {
                for (String type : List.of("text/html", "")) {
                    assertThatThrownBy(() -> format.read(new StatusAnswer(code, path, type, body)))
                            .as(name + " " + path)
                            .isInstanceOf(NoStatusException.class)
                            .hasMessageNotContaining("Sign in");
                }
            }
        }
        assertThat(rows().anyMatch(row -> row.format.equals(EVERY_FORMAT))).isTrue();
    }
}
