package dev.substraterouter.probe.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.status.SubstrateStatus;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;

/** Any bytes give a status or the one declared exception; whatever a status says is possible. */
class SubstrateFormatPropertyTest {
    private static final String WHOLE = """
            {"gpu_util_pct": 41.0, "vram_used_gb": 12.5, "vram_total_gb": 32.0, "gpu_temp_c": 66, "running_jobs": 1, "queued_jobs": 0,
             "last_request_ts": "2026-05-04T10:00:00Z", "loaded_models": ["flux1-dev"], "attributes": {"owner_busy": "false"},
             "gpus": [{"index": 0, "util_pct": 41.0, "vram_used_gb": 12.5, "vram_total_gb": 32.0, "temp_c": 66}]}
            """;

    @Property(tries = 500)
    void anyBytes(@ForAll @Size(max = 300) byte[] body) {
        assertSound(body);
    }

    @Property(tries = 500)
    void aRealBodyWithDamage(@ForAll("damage") List<int[]> damage) {
        byte[] body = WHOLE.getBytes(StandardCharsets.UTF_8);
        for (int[] hit : damage) {
            body[hit[0] % body.length] = (byte) hit[1];
        }
        assertSound(body);
        assertSound(Arrays.copyOf(body, damage.get(0)[0] % body.length));
    }

    @Property(tries = 700)
    void anyValuesInKnownPlaces(@ForAll("documents") String document) {
        assertSound(document.getBytes(StandardCharsets.UTF_8));
    }

    @Provide
    Arbitrary<List<int[]>> damage() {
        return Combinators.combine(
                        Arbitraries.integers().between(0, 10_000),
                        Arbitraries.integers().between(-128, 127))
                .as((at, value) -> new int[] {at, value})
                .list()
                .ofMinSize(1)
                .ofMaxSize(8);
    }

    @Provide
    Arbitrary<String> documents() {
        Arbitrary<String> scalar = Arbitraries.oneOf(
                Arbitraries.of(
                        "null",
                        "true",
                        "NaN",
                        "Infinity",
                        "-Infinity",
                        "-0.0",
                        "1e999",
                        "-1e999",
                        "1e-999",
                        "99999999999999999999",
                        "100.0000001",
                        "\"\"",
                        "\"2026-05-04T10:00:00Z\"",
                        "\"+999999999-12-31T23:59:59Z\"",
                        "[]",
                        "{}"),
                Arbitraries.doubles().map(String::valueOf),
                Arbitraries.longs().map(String::valueOf));
        Arbitrary<String> array = scalar.list().ofMaxSize(4).map(all -> "[" + String.join(",", all) + "]");
        Arbitrary<String> gpu =
                members(List.of("index", "util_pct", "vram_used_gb", "vram_total_gb", "temp_c"), scalar);
        Arbitrary<String> gpus = gpu.list().ofMaxSize(4).map(all -> "[" + String.join(",", all) + "]");
        return members(
                List.of(
                        "gpu_util_pct",
                        "gpu_util_other_pct",
                        "vram_used_gb",
                        "vram_total_gb",
                        "gpu_temp_c",
                        "running_jobs",
                        "queued_jobs",
                        "last_request_ts",
                        "loaded_models",
                        "gpus",
                        "attributes",
                        "other"),
                Arbitraries.oneOf(scalar, array, gpu, gpus));
    }

    private static Arbitrary<String> members(List<String> names, Arbitrary<String> value) {
        return Arbitraries.maps(Arbitraries.of(names), value)
                .ofMaxSize(names.size())
                .map(all -> all.entrySet().stream()
                        .map(e -> "\"" + e.getKey() + "\":" + e.getValue())
                        .collect(Collectors.joining(",", "{", "}")));
    }

    private static void assertSound(byte[] body) {
        SubstrateStatus status;
        try {
            status = SubstrateFormat.read(body);
        } catch (NoStatusException declared) {
            assertThat(declared.reason()).startsWith("not a status: ").hasSizeLessThan(200);
            return;
        }
        status.gpuUtilPct().ifPresent(value -> assertThat(value).isBetween(0.0, 100.0));
        status.vramUsedGb().ifPresent(value -> assertThat(value).isNotNegative());
        status.runningJobs().ifPresent(value -> assertThat(value).isNotNegative());
        if (status.vramUsedGb().isPresent() && status.vramTotalGb().isPresent()) {
            assertThat(status.vramUsedGb().getAsDouble())
                    .isLessThanOrEqualTo(status.vramTotalGb().getAsDouble());
        }
        assertThat(status.gpus()).hasSizeLessThanOrEqualTo(SubstrateFormat.MAX_GPUS);
    }
}
