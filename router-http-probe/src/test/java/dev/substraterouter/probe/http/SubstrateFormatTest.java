package dev.substraterouter.probe.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substraterouter.model.Measure;
import dev.substraterouter.status.GpuStatus;
import dev.substraterouter.status.SubstrateStatus;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SubstrateFormatTest {
    private static SubstrateStatus read(String json) throws NoStatusException {
        return SubstrateFormat.read(json.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void theExampleOfTheDesignIsReadWhole() throws Exception {
        SubstrateStatus status = read("""
                {"gpu_util_pct": 41.0, "vram_used_gb": 12.5, "vram_total_gb": 32.0, "gpu_temp_c": 66, "running_jobs": 1, "queued_jobs": 0,
                 "last_request_ts": "2026-05-04T10:00:00Z", "loaded_models": ["flux1-dev"], "gpu_util_other_pct": 3.0, "attributes": {"owner_busy": "false"},
                 "gpus": [{"index": 0, "util_pct": 41.0, "vram_used_gb": 12.5, "vram_total_gb": 32.0, "temp_c": 66}]}
                """);

        assertThat(status)
                .isEqualTo(SubstrateStatus.builder()
                        .gpuUtilPct(41)
                        .gpuUtilOtherPct(3)
                        .vramUsedGb(12.5)
                        .vramTotalGb(32)
                        .gpuTempC(66)
                        .runningJobs(1)
                        .queuedJobs(0)
                        .lastRequest(Instant.parse("2026-05-04T10:00:00Z"))
                        .loadedModels("flux1-dev")
                        .attribute("owner_busy", "false")
                        .gpu(GpuStatus.builder(0)
                                .utilPct(41)
                                .vramUsedGb(12.5)
                                .vramTotalGb(32)
                                .tempC(66)
                                .build())
                        .build());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"gpu_util_pct\": null, \"running_jobs\": null, \"loaded_models\": null, \"gpus\": null, \"attributes\": null, \"last_request_ts\": null}",
                "{\"fan_speed\": 3, \"nested\": {\"deep\": [1, {}]}}",
            })
    void whatIsAbsentNullOrNotKnownIsUnknownAndNoOddity(String json) throws Exception {
        assertThat(read(json)).isEqualTo(SubstrateStatus.builder().build());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"gpu_util_pct\": NaN           | gpu_util_pct NaN",
                "\"gpu_util_pct\": Infinity      | gpu_util_pct Infinity",
                "\"gpu_util_pct\": -1            | gpu_util_pct -1.0",
                "\"gpu_util_pct\": 100.5         | gpu_util_pct 100.5",
                "\"gpu_util_pct\": 1e999         | gpu_util_pct Infinity",
                "\"gpu_util_pct\": \"[N/A]\"     | gpu_util_pct is a string",
                "\"gpu_util_pct\": [41]          | gpu_util_pct is an array",
                "\"gpu_util_pct\": {}            | gpu_util_pct is an object",
                "\"gpu_util_pct\": true          | gpu_util_pct is a boolean",
                "\"gpu_util_other_pct\": 101     | gpu_util_other_pct 101.0",
                "\"vram_used_gb\": -0.5          | vram_used_gb -0.5",
                "\"vram_used_gb\": \"[N/A]\"     | vram_used_gb is a string",
                "\"vram_used_gb\": 33            | vram_used_gb 33.0 > vram_total_gb 32.0",
                "\"gpu_temp_c\": 999             | gpu_temp_c 999.0",
                "\"running_jobs\": -1            | running_jobs -1.0",
                "\"running_jobs\": 1.5           | running_jobs 1.5",
                "\"running_jobs\": NaN           | running_jobs NaN",
                "\"running_jobs\": 1e10          | running_jobs 1.0E10",
                "\"running_jobs\": \"2\"         | running_jobs is a string",
                "\"last_request_ts\": \"soon\"   | last_request_ts is not a time",
                "\"last_request_ts\": -1         | last_request_ts is not a time",
                "\"last_request_ts\": NaN        | last_request_ts is not a time",
                "\"last_request_ts\": 1777888800000 | last_request_ts is not a time",
                "\"last_request_ts\": []         | last_request_ts is an array",
                "\"loaded_models\": \"flux\"     | loaded_models is a string",
                "\"loaded_models\": [\"a\", 3]   | loaded_models names a number",
                "\"gpus\": {}                    | gpus is an object",
                "\"gpus\": [7]                   | gpus[0] is a number",
                "\"gpus\": [{\"index\": 0, \"util_pct\": 140}] | gpus[0].util_pct 140.0",
                "\"gpus\": [{\"index\": 0, \"temp_c\": \"hot\"}] | gpus[0].temp_c is a string",
                "\"gpus\": [{\"index\": 0, \"vram_used_gb\": 9, \"vram_total_gb\": 8}] | gpus[0].vram_used_gb 9.0",
                "\"gpus\": [{\"index\": -1}]     | gpus have no index",
                "\"gpus\": [{\"index\": 1}, {\"index\": 1}] | gpus have no index",
                "\"attributes\": []              | attributes is an array",
                "\"attributes\": {\"a\": {}}     | attributes hold an object",
            })
    @DisplayName("a value that cannot be is unknown with its reason, the rest is kept [R19]")
    void oneBadMemberCostsThatMemberOnly(String member, String oddity) throws Exception {
        SubstrateStatus status = read("{\"queued_jobs\": 2, \"vram_total_gb\": 32, " + member + "}");

        assertThat(status.queuedJobs()).hasValue(2);
        assertThat(status.oddities()).anyMatch(said -> said.startsWith(oddity));
        String name = member.substring(1, member.indexOf('"', 1));
        switch (name) {
            case "gpu_util_pct" -> assertThat(status.gpuUtilPct()).isEmpty();
            case "gpu_util_other_pct" -> assertThat(status.gpuUtilOtherPct()).isEmpty();
            case "vram_used_gb" -> assertThat(status.vramUsedGb()).isEmpty();
            case "gpu_temp_c" -> assertThat(status.gpuTempC()).isEmpty();
            case "running_jobs" -> assertThat(status.runningJobs()).isEmpty();
            case "last_request_ts" -> assertThat(status.lastRequest()).isEmpty();
            default -> assertThat(status.vramTotalGb()).hasValue(32);
        }
    }

    @Test
    void timesMayHaveAnOffsetOrBeSecondsSince1970() throws Exception {
        Instant ten = Instant.parse("2026-05-04T10:00:00Z");
        assertThat(read("{\"last_request_ts\": \"2026-05-04T12:00:00+02:00\"}").lastRequest())
                .hasValue(ten);
        assertThat(read("{\"last_request_ts\": " + ten.getEpochSecond() + ".250}")
                        .lastRequest())
                .hasValue(ten.plusMillis(250));
    }

    @Test
    void wholeNumbersMayBeWrittenAsDecimals() throws Exception {
        assertThat(read("{\"running_jobs\": 2.0}").runningJobs()).hasValue(2);
    }

    @Test
    void noModelLoadedIsNotTheSameAsNotTold() throws Exception {
        assertThat(read("{\"loaded_models\": []}").loadedModels().orElseThrow()).isEmpty();
        assertThat(read("{}").loadedModels()).isEmpty();
    }

    @Test
    void aGpuThatCannotBeReadKeepsItsPlaceSoThatTheSumsAreKnownToBePartial() throws Exception {
        SubstrateStatus status =
                read("{\"gpus\": [{\"index\": 0, \"vram_used_gb\": 1, \"vram_total_gb\": 32, \"util_pct\": 5}, null]}");

        assertThat(status.gpus()).extracting(GpuStatus::index).containsExactly(0, 1);
        assertThat(status.vramTotalGb()).hasValue(32);
        assertThat(status.partial()).containsExactlyInAnyOrder(Measure.GPU_UTIL, Measure.VRAM);
    }

    @Test
    void aWorkerMaySayThatItIsNotReadyAndWhy() throws Exception {
        assertThat(read("{\"not_ready\": \"loading\"}").notReady()).hasValue("loading");
        assertThat(read("{\"not_ready\": \"loading\"}").reachable()).isFalse();
        assertThat(read("{\"not_ready\": true}").reachable()).isFalse();
        assertThat(read("{\"not_ready\": false}").reachable()).isTrue();
        assertThat(read("{\"not_ready\": null}").reachable()).isTrue();
        assertThat(read("{\"not_ready\": \"a\\nb\"}").notReady()).hasValue("a?b");
    }

    @Test
    void aWorkerThatIsNotReadyMaySaySoWith503() throws Exception {
        SubstrateFormat format = new SubstrateFormat();
        assertThat(format.read(answer(503, "{\"not_ready\": \"loading\"}")).notReady())
                .hasValue("loading");
        for (String other : new String[] {"", "{}", "busy", "<html>", "{\"running_jobs\": 1}"}) {
            assertThatThrownBy(() -> format.read(answer(503, other)))
                    .isInstanceOf(NoStatusException.class)
                    .hasMessageContaining("status 503");
        }
    }

    private static StatusAnswer answer(int code, String body) {
        return new StatusAnswer(code, "/status", "", body.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aGpuMayTellItsIdentityAndWhatIsWrong() throws Exception {
        GpuStatus gpu =
                read("{\"gpus\": [{\"index\": 0, \"uuid\": \"GPU-1\", \"name\": \"V100\", \"note\": \"lost\"}]}")
                        .gpus()
                        .get(0);
        assertThat(gpu.uuid()).hasValue("GPU-1");
        assertThat(gpu.name()).hasValue("V100");
        assertThat(gpu.note()).hasValue("lost");
    }

    @Test
    void gpusWithoutAnIndexAreCountedByPosition() throws Exception {
        assertThat(read("{\"gpus\": [{\"util_pct\": 5}, {\"util_pct\": 7}]}").gpus())
                .extracting(GpuStatus::index)
                .containsExactly(0, 1);
    }

    @Test
    void attributesAreTextWhateverScalarTheyWere() throws Exception {
        assertThat(read("{\"attributes\": {\"a\": \"x\", \"b\": 2, \"c\": true, \"d\": null}}")
                        .attributes())
                .containsOnlyKeys("a", "b", "c")
                .containsEntry("a", "x")
                .containsEntry("b", "2")
                .containsEntry("c", "true");
    }

    @Test
    void listsAreCutAtTheirLimitsAndItIsSaid() throws Exception {
        String gpus =
                IntStream.range(0, 70).mapToObj(i -> "{\"index\":" + i + "}").collect(Collectors.joining(","));
        String models =
                IntStream.range(0, 1_001).mapToObj(i -> "\"m" + i + "\"").collect(Collectors.joining(","));
        String attributes =
                IntStream.range(0, 65).mapToObj(i -> "\"a" + i + "\":1").collect(Collectors.joining(","));
        SubstrateStatus status = read(
                "{\"gpus\":[" + gpus + "],\"loaded_models\":[" + models + "],\"attributes\":{" + attributes + "}}");

        assertThat(status.gpus()).hasSize(SubstrateFormat.MAX_GPUS);
        assertThat(status.loadedModels().orElseThrow()).hasSize(SubstrateFormat.MAX_MODELS);
        assertThat(status.attributes()).hasSize(SubstrateFormat.MAX_ATTRIBUTES);
        assertThat(status.oddities())
                .anyMatch(o -> o.startsWith("gpus: 70 "))
                .anyMatch(o -> o.startsWith("loaded_models: 1001 "))
                .anyMatch(o -> o.startsWith("attributes: 65 "));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "~~                     | not a status: empty",
                "~ \r\n\t ~             | not a status: empty",
                "<html>busy</html>      | not a status: HTML or XML",
                "[]                     | not a status: an array",
                "null                   | not a status: null",
                "\"secret\"             | not a status: a string",
                "{\"running_jobs\": 1   | not a status: no JSON",
                "{\"running_jobs\": 1} {} | not a status: no JSON",
                "{\"running_jobs\": 1, \"running_jobs\": 0} | not a status: no JSON",
                "secret                 | not a status: no JSON",
            })
    void anythingButOneObjectIsNoStatusAndIsNotQuoted(String body, String reason) {
        assertThatThrownBy(() -> read(body))
                .isInstanceOf(NoStatusException.class)
                .hasMessageStartingWith(reason)
                .hasMessageNotContaining("secret")
                .hasMessageNotContaining("running_jobs");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "{\"a\":"})
    void aNestingBombIsNoStatus(String open) {
        assertThatThrownBy(() -> read("{\"gpus\":" + open.repeat(200_000 / open.length())))
                .isInstanceOf(NoStatusException.class);
    }

    @Test
    void numbersAndStringsAndTokensWithoutEndAreNoStatus() {
        for (String value :
                new String[] {"1".repeat(200_000), "\"" + "x".repeat(200_000) + "\"", "[" + "1,".repeat(100_000) + "1]"
                }) {
            assertThatThrownBy(() -> read("{\"a\": " + value + "}")).isInstanceOf(NoStatusException.class);
        }
    }

    @Test
    void anotherFormatIsNotKnown() {
        assertThat(new StatusFormats(List.of()).named("substrate")).isPresent();
        assertThat(new StatusFormats(List.of()).named("tarot")).isEmpty();
    }
}
