package dev.substraterouter.probe.http;

import static dev.substraterouter.probe.http.Answers.ok;
import static dev.substraterouter.probe.http.Answers.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substraterouter.model.Measure;
import dev.substraterouter.status.GpuStatus;
import dev.substraterouter.status.SubstrateStatus;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What people report of servers that tell cards; the numbers are the lines of FACTS.md, section 14. */
class CardServersTest {
    private static final SubstrateStatus NOTHING = SubstrateStatus.builder().build();

    private static GpuStatus only(SubstrateStatus status) {
        assertThat(status.gpus()).hasSize(1);
        return status.gpus().get(0);
    }

    private static void assertTellsNothing(GpuStatus gpu) {
        assertThat(gpu.utilPct()).isEmpty();
        assertThat(gpu.vramUsedGb()).isEmpty();
        assertThat(gpu.vramTotalGb()).isEmpty();
        assertThat(gpu.tempC()).isEmpty();
    }

    @Test
    @DisplayName("37: Triton with every model unloaded is ready, and lists none")
    void tritonWithoutModels() throws Exception {
        assertThat(read("triton", 200, "/v2/models/stats", "{\"model_stats\": []}")
                        .loadedModels())
                .hasValueSatisfying(models -> assertThat(models).isEmpty());
    }

    @ParameterizedTest
    @DisplayName("42, 43, 44: without cards, or with families that have no samples, nothing is known")
    @ValueSource(
            strings = {
                "nv_cpu_utilization 0.93\n",
                "# HELP nv_gpu_utilization x\n# TYPE nv_gpu_utilization gauge\n# HELP nv_inference_pending_request_count x\n",
            })
    void tritonWithoutCards(String page) throws Exception {
        assertThat(ok("triton", page)).isEqualTo(NOTHING);
    }

    @Test
    @DisplayName("41: Triton's failed reading of a card is no card with 0 GB")
    void tritonsFailedReading() throws Exception {
        SubstrateStatus status = ok("triton", """
                nv_gpu_utilization{gpu_uuid="GPU-1"} 0
                nv_gpu_memory_total_bytes{gpu_uuid="GPU-1"} 0
                nv_gpu_memory_used_bytes{gpu_uuid="GPU-1"} 0
                """);
        assertTellsNothing(only(status));
        assertThat(only(status).note()).isPresent();
        assertThat(status.gpuUtilPct()).isEmpty();
        assertThat(status.vramTotalGb()).isEmpty();
    }

    @Test
    void tritonsUtilisationIsAShare() throws Exception {
        assertThat(only(ok("triton", "nv_gpu_utilization{gpu_uuid=\"GPU-1\"} 0.120000\n"))
                        .utilPct())
                .hasValue(12);
        SubstrateStatus odd = ok("triton", "nv_gpu_utilization{gpu_uuid=\"GPU-1\"} 42\n");
        assertThat(odd.gpuUtilPct()).isEmpty();
        assertThat(odd.oddities()).singleElement().asString().contains("4200.0");
    }

    @ParameterizedTest
    @DisplayName("45: what DCGM has no value for is unknown")
    @ValueSource(
            strings = {
                "9223372036854775794",
                "9223372036854775792",
                "9.2233720368547758e+18",
                "2147483632",
                "2147483635",
                "140737488355328",
                "NaN",
                "ERROR - FAILED TO CONVERT TO STRING",
            })
    void dcgmsBlanks(String blank) throws Exception {
        SubstrateStatus status = ok("dcgm", """
                DCGM_FI_DEV_GPU_TEMP{gpu="0",UUID="GPU-1"} 40
                DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="GPU-1"} %s
                DCGM_FI_DEV_FB_USED{gpu="0",UUID="GPU-1"} %s
                """.formatted(blank, blank));
        assertThat(only(status).tempC()).hasValue(40);
        assertThat(only(status).utilPct()).isEmpty();
        assertThat(only(status).vramUsedGb()).isEmpty();
        assertThat(status.oddities()).isEmpty();
    }

    @ParameterizedTest
    @DisplayName("45: a value that cannot be is unknown, with its figure")
    @CsvSource({
        "DCGM_FI_DEV_GPU_UTIL, 101",
        "DCGM_FI_DEV_GPU_UTIL, -1",
        "DCGM_FI_DEV_GPU_TEMP, 900",
        "DCGM_FI_DEV_GPU_UTIL, +Inf"
    })
    void dcgmsImpossibleValues(String family, String value) throws Exception {
        SubstrateStatus status = ok("dcgm", family + "{gpu=\"0\"} " + value + "\n");
        assertTellsNothing(only(status));
        assertThat(status.oddities()).singleElement().asString().startsWith("gpus[0] ");
    }

    @Test
    @DisplayName("46, 48: a card with instances tells its memory where all of them do, and never its utilisation")
    void dcgmsInstances() throws Exception {
        String page = """
                DCGM_FI_DEV_GPU_TEMP{gpu="0",UUID="GPU-1",GPU_I_PROFILE="1g.10gb",GPU_I_ID="7"} 50
                DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="GPU-1",GPU_I_PROFILE="1g.10gb",GPU_I_ID="7"} 0
                DCGM_FI_DEV_FB_USED{gpu="0",UUID="GPU-1",GPU_I_PROFILE="1g.10gb",GPU_I_ID="7"} 1024
                DCGM_FI_DEV_FB_FREE{gpu="0",UUID="GPU-1",GPU_I_PROFILE="1g.10gb",GPU_I_ID="7"} 8192
                DCGM_FI_DEV_FB_USED{gpu="0",UUID="GPU-1",GPU_I_PROFILE="1g.10gb",GPU_I_ID="8"} 2048
                DCGM_FI_DEV_FB_FREE{gpu="0",UUID="GPU-1",GPU_I_PROFILE="1g.10gb",GPU_I_ID="8"} 7168
                """;
        GpuStatus gpu = only(ok("dcgm", page));
        assertThat(gpu.utilPct()).isEmpty();
        assertThat(gpu.vramUsedGb()).hasValue(3);
        assertThat(gpu.vramTotalGb()).hasValue(18);
        assertThat(gpu.tempC()).hasValue(50);
        assertThat(gpu.note().orElse("")).startsWith("MIG: 2 instances");

        String third = "DCGM_FI_PROF_GR_ENGINE_ACTIVE{gpu=\"0\",UUID=\"GPU-1\",GPU_I_ID=\"9\"} 0.5\n";
        GpuStatus partly = only(ok("dcgm", page + third));
        assertThat(partly.vramUsedGb()).isEmpty();
        assertThat(partly.vramTotalGb()).isEmpty();
    }

    @Test
    @DisplayName("47: memory in all is what is used, free and reserved; without the last it says that it is short")
    void dcgmsReservedMemory() throws Exception {
        String page = "DCGM_FI_DEV_FB_USED{gpu=\"0\"} 1024\nDCGM_FI_DEV_FB_FREE{gpu=\"0\"} 7168\n";
        GpuStatus without = only(ok("dcgm", page));
        assertThat(without.vramTotalGb()).hasValue(8);
        assertThat(without.note()).isPresent();

        GpuStatus whole = only(ok("dcgm", page + "DCGM_FI_DEV_FB_RESERVED{gpu=\"0\"} 1024\n"));
        assertThat(whole.vramTotalGb()).hasValue(9);
        assertThat(whole.note()).isEmpty();
        assertThat(only(ok("dcgm", page + "DCGM_FI_DEV_FB_TOTAL{gpu=\"0\"} 10240\n"))
                        .vramTotalGb())
                .hasValue(10);
        assertThat(only(ok("dcgm", "DCGM_FI_DEV_FB_USED{gpu=\"0\"} 1024\n")).vramTotalGb())
                .isEmpty();
    }

    @Test
    void dcgmsSharedCardIsOneCard() throws Exception {
        SubstrateStatus status = ok("dcgm", """
                DCGM_FI_DEV_FB_USED{gpu="1",UUID="GPU-2",pod="a"} 1024
                DCGM_FI_DEV_FB_USED{gpu="1",UUID="GPU-2",pod="b"} 1024
                DCGM_FI_DEV_GPU_UTIL{gpu="1",uuid="GPU-2",Hostname="x"} 10
                DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="GPU-1"} 20
                """);
        assertThat(status.gpus()).extracting(GpuStatus::index).containsExactly(0, 1);
        assertThat(status.gpus().get(1).vramUsedGb()).hasValue(1);
        assertThat(status.gpuUtilPct()).hasValue(15);
        assertThat(status.partial()).containsExactly(Measure.VRAM);
    }

    @Test
    void dcgmsHealthSaysNothing() throws Exception {
        assertThat(read("dcgm", 200, "/health", "OK - reload in progress")).isEqualTo(NOTHING);
        assertThatThrownBy(() -> ok("dcgm", "OK")).isInstanceOf(NoStatusException.class);
    }

    @Test
    @DisplayName("51: a queue of megabytes is read without its workflows")
    void comfyUisLongQueue() throws Exception {
        String workflow = "{\"3\": {\"inputs\": {\"image\": \"" + "x".repeat(100_000)
                + "\", \"create_time\": 1, \"deep\": " + "[".repeat(100) + "]".repeat(100) + "}}}";
        String item = "[-0.5, \"p\", " + workflow + ", {\"create_time\": 1767225600000}, [\"9\"]]";
        String body =
                "{\"queue_running\": [" + item + "], \"queue_pending\": [" + (item + ",").repeat(30) + item + "]}";

        SubstrateStatus status = read("comfyui", 200, "/queue", body);

        assertThat(status.runningJobs()).hasValue(1);
        assertThat(status.queuedJobs()).hasValue(31);
        assertThat(status.lastRequest()).hasValueSatisfying(at -> assertThat(at).hasToString("2026-01-01T00:00:00Z"));
    }

    @Test
    void comfyUisQueueWithoutItsTimesIsAQueue() throws Exception {
        SubstrateStatus status =
                read("comfyui", 200, "/api/queue", "{\"queue_running\": [], \"queue_pending\": [[1, \"p\", {}, {}]]}");
        assertThat(status.runningJobs()).hasValue(0);
        assertThat(status.queuedJobs()).hasValue(1);
        assertThat(status.lastRequest()).isEmpty();
        assertThat(read("comfyui", 200, "/prompt", "{\"exec_info\": {}}")).isEqualTo(NOTHING);
    }

    @ParameterizedTest
    @DisplayName("53: memory that cannot be, and placeholders, are unknown")
    @CsvSource({
        "cuda, 1e32, 1e32, false, true",
        "cuda, 0, 0, false, true",
        "cuda, 1073741824, 2147483648, true, true",
        "cuda, 1073741824, '\"x\"', true, true",
        "cuda, 1073741824, null, true, false",
        "mps, 68719476736, 10737418240, false, false",
        "privateuseone, 1073741824, 1073741824, false, false",
    })
    void comfyUisPlaceholders(String type, String total, String free, boolean totalKnown, boolean odd)
            throws Exception {
        SubstrateStatus status = ok("comfyui", """
                {"devices": [{"name": "x", "type": "%s", "index": null, "vram_total": %s, "vram_free": %s}]}""".formatted(type, total, free));
        assertThat(only(status).vramUsedGb()).isEmpty();
        assertThat(only(status).vramTotalGb().isPresent()).isEqualTo(totalKnown);
        assertThat(status.oddities().isEmpty()).isEqualTo(!odd);
    }

    @Test
    @DisplayName("50, 54: a processor is no card; what torch holds before its first run does not matter")
    void comfyUisDevices() throws Exception {
        SubstrateStatus status = ok("comfyui", """
                {"devices": [{"name": "cpu", "type": "cpu", "index": null, "vram_total": 68719476736, "vram_free": 1},
                             {"name": "a", "type": "cuda", "index": 1, "vram_total": 2147483648, "vram_free": 1073741824, "torch_vram_total": 0}]}""");
        assertThat(only(status).index()).isEqualTo(1);
        assertThat(status.vramUsedGb()).hasValue(1);
        assertThat(status.vramTotalGb()).hasValue(2);
        assertThat(ok("comfyui", "{\"devices\": []}")).isEqualTo(NOTHING);
    }

    @ParameterizedTest
    @DisplayName("59, 60: whether A1111 works is taken from its job, not from a progress that may be frozen")
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"progress\": 0.01, \"state\": {\"job\": \"\", \"job_count\": 0}} | 0",
                "{\"progress\": 0.0, \"state\": {\"job\": \"scripts_txt2img\", \"job_count\": 0}} | 1",
                "{\"progress\": 0.0, \"state\": {\"job\": \"\", \"job_count\": 1}} | 1",
                "{\"progress\": 0.0, \"state\": {\"job\": \"\", \"job_count\": -1}} | 1",
                "{\"progress\": 0.5, \"state\": {}} | ",
                "{\"progress\": 0.5} | ",
            })
    void a1111sJob(String body, Integer running) throws Exception {
        SubstrateStatus status = read("a1111", 200, "/sdapi/v1/progress", body);
        assertThat(status.runningJobs().stream().boxed().findFirst().orElse(null))
                .isEqualTo(running);
        assertThat(status.queuedJobs()).isEmpty();
    }

    @Test
    void a1111sMemoryMayFailInPart() throws Exception {
        SubstrateStatus status = ok("a1111", "{\"ram\": {\"used\": 1}, \"cuda\": {\"error\": \"secret\"}}");
        assertThat(status.gpus()).isEmpty();
        assertThat(status.vramUsedGb()).isEmpty();
        assertThat(status.oddities())
                .singleElement()
                .asString()
                .startsWith("cuda.system")
                .doesNotContain("secret");
        assertThat(read("a1111", 200, "/sdapi/v1/options", "{\"sd_model_checkpoint\": \"m [1]\", \"x\": {}}")
                        .loadedModels())
                .hasValueSatisfying(models -> assertThat(models).containsExactly("m [1]"));
    }

    @Test
    @DisplayName("an image in the making is passed over")
    void a1111sImage() throws Exception {
        String image = "x".repeat(1_000_000);
        assertThat(read(
                                "a1111",
                                200,
                                "/sdapi/v1/progress",
                                "{\"progress\": 0.1, \"current_image\": \"" + image
                                        + "\", \"state\": {\"job\": \"a\"}}")
                        .runningJobs())
                .hasValue(1);
    }

    @ParameterizedTest
    @DisplayName("65: amd-smi's list, bare or wrapped, is a list of cards; a wrapper is no card")
    @ValueSource(strings = {"%s", "{\"gpu_data\": %s}", "WARNING: [x] old driver\n{\"gpu_data\": %s}"})
    void amdSmi(String document) throws Exception {
        SubstrateStatus status = ok("amd-smi", document.formatted("""
                [{"gpu": 0, "usage": {"gfx_activity": {"value": 37, "unit": "%"}},
                  "mem_usage": {"total_vram": {"value": 16384, "unit": "MB"}, "used_vram": {"value": 1024, "unit": "MB"}},
                  "temperature": {"edge": {"value": 44, "unit": "C"}, "hotspot": {"value": 60, "unit": "C"}}},
                 {"gpu": 1, "usage": "N/A", "mem_usage": {"total_vram": {"value": "N/A"}}, "temperature": {"edge": "N/A", "hotspot": {"value": 61}}}]"""));
        assertThat(status.gpus()).hasSize(2);
        assertThat(status.gpus().get(0).utilPct()).hasValue(37);
        assertThat(status.gpus().get(0).vramUsedGb()).hasValue(1);
        assertThat(status.gpus().get(0).vramTotalGb()).hasValue(16);
        assertThat(status.gpus().get(0).tempC()).hasValue(44);
        assertThat(status.gpus().get(1).utilPct()).isEmpty();
        assertThat(status.gpus().get(1).vramTotalGb()).isEmpty();
        assertThat(status.gpus().get(1).tempC()).hasValue(61);
        assertThat(status.gpus().get(1).note()).isPresent();
    }

    @Test
    @DisplayName("65: rocm-smi's keys that are missing, N/A or spelt anew are unknown or found, never 0")
    void rocmSmi() throws Exception {
        SubstrateStatus status = ok("rocm-smi", """
                WARNING: AMD GPU device(s) is/are in a low-power state
                {"card3": {"GPU use (%)": "N/A", "Card Series": "x", "Temperature (Sensor junction) (C)": "61.0"}, "system": {"Driver version": "6"}}
                """);
        assertThat(only(status).index()).isEqualTo(3);
        assertThat(only(status).name()).hasValue("x");
        assertThat(only(status).tempC()).hasValue(61); // it has no edge sensor
        assertThat(only(status).utilPct()).isEmpty();
        assertThat(status.vramUsedGb()).isEmpty();
    }
}
