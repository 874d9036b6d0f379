package dev.substraterouter.probe.http;

import static dev.substraterouter.probe.http.Answers.ok;
import static dev.substraterouter.probe.http.Answers.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substraterouter.status.SubstrateStatus;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What people report of servers of language models; the numbers are the lines of FACTS.md, section 14. */
class LlmServersTest {
    private static final SubstrateStatus NOTHING = SubstrateStatus.builder().build();

    private static void assertNotReady(SubstrateStatus status, String why) {
        assertThat(status.reachable()).isFalse();
        assertThat(status.notReady().orElse("")).contains(why);
        assertThat(status.attributes().get("state")).contains(why);
    }

    @ParameterizedTest
    @DisplayName("5, 6, 7: a page of vLLM without its own families is of a server that answers and tells nothing")
    @ValueSource(
            strings = {
                "",
                "# HELP vllm:num_requests_running x\n# TYPE vllm:num_requests_running gauge\n",
                "python_gc_objects_collected_total{generation=\"0\"} 1.17e+010\nprocess_open_fds 80.0\n",
            })
    void aPageOfVllmWithoutItsFamilies(String page) throws Exception {
        assertThat(ok("vllm", page)).isEqualTo(NOTHING);
    }

    @ParameterizedTest
    @DisplayName("8, 13: a surface that fails or is not served is no status, and no sign that the server is not ready")
    @CsvSource({
        "vllm, 500, /metrics, status 500",
        "vllm, 404, /metrics, status 404: not served",
        "vllm, 404, /load, status 404: not served",
        "vllm, 404, /health, status 404: not served",
        "vllm, 503, /metrics, status 503",
        "sglang, 404, /metrics, status 404: not served",
        "sglang, 401, /v1/loads, status 401: the key",
        "sglang, 403, /v1/loads, status 403: the key",
        "tgi, 500, /metrics, status 500",
        "triton, 404, /metrics, status 404",
        "dcgm, 500, /metrics, status 500",
        "dcgm, 503, /health, status 503",
        "comfyui, 500, /queue, status 500",
        "a1111, 404, /sdapi/v1/memory, status 404",
        "ollama, 503, /api/ps, status 503",
        "llamacpp, 501, /metrics, status 501: this surface is switched off",
        "llamacpp, 400, /slots, status 400: with several models the address needs ?model=",
        "llamacpp, 401, /slots, status 401: the key",
        "tabbyapi, 500, /health, status 500",
        "lmstudio, 404, /api/v0/models, status 404",
    })
    void aSurfaceThatIsNotThere(String format, int code, String path, String reason) {
        String body = "{\"error\": \"secret\"}";
        assertThatThrownBy(() -> read(format, code, path, body))
                .isInstanceOf(NoStatusException.class)
                .hasMessageStartingWith(reason)
                .hasMessageNotContaining("secret");
    }

    @ParameterizedTest
    @DisplayName("13, 16: JSON of another server, or of another surface, is not a status")
    @CsvSource({
        "vllm, /load", "sglang, /v1/loads", "tgi, /info", "triton, /v2/models/stats", "comfyui, /prompt",
                "ollama, /api/ps",
        "llamacpp, /health", "a1111, /sdapi/v1/memory", "tabbyapi, /health", "lmstudio, /api/v0/models", "rocm-smi, /",
                "amd-smi, /"
    })
    void jsonOfAnotherServer(String format, String path) {
        for (String body :
                new String[] {"{\"queue\": 3}", "{}", "[1]", "{\"status\": \"secret\"}", "3", "\"secret\""}) {
            assertThatThrownBy(() -> read(format, 200, path, body))
                    .as(body)
                    .isInstanceOf(NoStatusException.class)
                    .hasMessageNotContaining("secret");
        }
    }

    @ParameterizedTest
    @DisplayName("a health surface that answers with a body is another server's")
    @ValueSource(strings = {"vllm", "sglang", "tgi", "triton"})
    void aHealthSurfaceHasNoBody(String format) throws Exception {
        String path = format.equals("triton") ? "/v2/health/ready" : "/health";
        assertThat(read(format, 200, path, "")).isEqualTo(NOTHING);
        assertThatThrownBy(() -> read(format, 200, path, "welcome, secret"))
                .isInstanceOf(NoStatusException.class)
                .hasMessageStartingWith("not this server")
                .hasMessageNotContaining("secret");
    }

    @ParameterizedTest
    @DisplayName("19, 35, 38, 40: not ready is an answer")
    @CsvSource({
        "vllm, 503, /health, its engine is dead",
        "vllm, 503, /ping, its engine is dead",
        "sglang, 503, /health, no token within its time",
        "sglang, 503, /health_generate, no token within its time",
        "tgi, 503, /health, its queue is full",
        "triton, 400, /v2/health/ready, not ready",
        "triton, 400, /v2/health/live, not ready",
        "triton, 503, /v2/health/ready, shutting down",
    })
    void notReadyIsAnAnswer(String format, int code, String path, String why) throws Exception {
        assertNotReady(read(format, code, path, ""), why);
    }

    @Test
    @DisplayName("2: an idle page is no proof of life: it shows work done, and nothing that says progressing")
    void anIdlePage() throws Exception {
        SubstrateStatus status = ok("vllm", """
                vllm:num_requests_running{engine="0"} 0.0
                vllm:num_requests_waiting{engine="0"} 0.0
                vllm:iteration_tokens_total_count{engine="0"} 4100.0
                """);
        assertThat(status.jobs()).hasValue(0);
        assertThat(status.progress()).hasValue(4100);
        assertThat(status.attributes()).isEmpty();
    }

    @Test
    @DisplayName("11: jobs are never derived from counters")
    void jobsAreNotDerivedFromCounters() throws Exception {
        SubstrateStatus status = ok("vllm", "vllm:request_success_total{finished_reason=\"stop\"} 812.0\n");
        assertThat(status.jobs()).isEmpty();
        assertThat(status.progress())
                .as("nor is progress from what only moves at a request's end")
                .isEmpty();
    }

    @ParameterizedTest
    @DisplayName("10, 12: the KV cache under either name is a share, never utilisation or memory")
    @CsvSource({
        "vllm:gpu_cache_usage_perc 0.25, 0.25",
        "vllm:kv_cache_usage_perc 0.25, 0.25",
        "'vllm:gpu_cache_usage_perc 0.0\nvllm:kv_cache_usage_perc 0.25', 0.25",
        "'vllm:kv_cache_usage_perc{engine=\"0\"} 0.25\nvllm:kv_cache_usage_perc{engine=\"1\"} 0.75', 0.75",
        "vllm:kv_cache_usage_perc 25.0,",
        "vllm:kv_cache_usage_perc NaN,",
    })
    void theKvCache(String page, String ratio) throws Exception {
        SubstrateStatus status = ok("vllm", page);
        assertThat(status.attributes().get("kv_cache_used_ratio")).isEqualTo(ratio);
        assertThat(status.oddities()).hasSize(ratio == null ? 1 : 0);
        assertThat(status.gpuUtilPct()).isEmpty();
        assertThat(status.vramUsedGb()).isEmpty();
        assertThat(status.gpus()).isEmpty();
    }

    @Test
    @DisplayName("14: the sum goes over the engines, and over one process each")
    void theSumGoesOverTheEngines() throws Exception {
        SubstrateStatus status = ok("vllm", """
                vllm:num_requests_running{engine="0",model_name="m"} 3.0
                vllm:num_requests_running{engine="1",model_name="m"} 4.0
                vllm:num_requests_running{engine="1",model_name="m",pid="7"} 4.0
                vllm:num_requests_waiting{engine="0",model_name="m"} 1.0
                vllm:num_requests_waiting{engine="1",model_name="m"} 2.0
                vllm:num_requests_waiting_by_reason{engine="1",model_name="m",reason="capacity"} 2.0
                """);
        assertThat(status.runningJobs()).hasValue(7);
        assertThat(status.queuedJobs()).hasValue(3);
    }

    @ParameterizedTest
    @DisplayName("a count that cannot be is unknown, with its figure")
    @ValueSource(strings = {"-1", "NaN", "+Inf", "0.5", "1e18"})
    void aCountThatCannotBe(String value) throws Exception {
        SubstrateStatus status = ok("vllm", "vllm:num_requests_running " + value + "\nvllm:num_requests_waiting 2\n");
        assertThat(status.runningJobs()).isEmpty();
        assertThat(status.queuedJobs()).hasValue(2);
        assertThat(status.oddities()).singleElement().asString().startsWith("vllm:num_requests_running ");
    }

    @Test
    @DisplayName("13: /load is requests in flight, and its 0 says nothing of the jobs")
    void requestsInFlight() throws Exception {
        SubstrateStatus status = read("vllm", 200, "/load", "{\"server_load\": 0}");
        assertThat(status.attributes()).containsEntry("inflight_http", "0");
        assertThat(status.jobs()).isEmpty();
    }

    @Test
    @DisplayName("14: SGLang's sum goes over data-parallel ranks, not over the ranks of one engine")
    void sglangsRanks() throws Exception {
        SubstrateStatus status = read("sglang", 200, "/metrics", """
                sglang:num_running_reqs{model_name="m",dp_rank="0",tp_rank="0",pid="1"} 3.0
                sglang:num_running_reqs{model_name="m",dp_rank="0",tp_rank="1",pid="2"} 3.0
                sglang:num_running_reqs{model_name="m",dp_rank="1",tp_rank="0",pid="3"} 4.0
                sglang:num_queue_reqs{model_name="m",dp_rank="0",tp_rank="0"} 1.0
                sglang:num_queue_reqs{model_name="m",dp_rank="1",tp_rank="0"} 2.0
                sglang:num_grammar_queue_reqs{model_name="m",dp_rank="1",tp_rank="0"} 5.0
                """);
        assertThat(status.runningJobs()).hasValue(7);
        assertThat(status.queuedJobs()).hasValue(8);
        assertThat(status.loadedModels().orElseThrow()).containsExactly("m");
    }

    @Test
    @DisplayName("22: throughput that keeps its last value is no sign of work")
    void throughputThatKeepsItsLastValue() throws Exception {
        String page = "sglang:num_running_reqs 0.0\nsglang:gen_throughput 402.25\n";
        assertThat(read("sglang", 200, "/metrics", page))
                .isEqualTo(read("sglang", 200, "/metrics", page.replace("402.25", "0.0")));
        assertThat(read("sglang", 200, "/metrics", page).progress()).isEmpty();
    }

    @Test
    @DisplayName("20: the gaps between SGLang's tokens are progress; what moves at the end of a request alone is none")
    void sglangsProgress() throws Exception {
        String page = "sglang:generation_tokens_total 500\nsglang:time_to_first_token_seconds_count 11\n";
        assertThat(read("sglang", 200, "/metrics", page).progress()).isEmpty();
        assertThat(read("sglang", 200, "/metrics", page + "sglang:inter_token_latency_seconds_count 489\n")
                        .progress())
                .hasValue(1_000);
    }

    @Test
    @DisplayName("23: nothing running and a long queue are told as they are")
    void sglangsLoads() throws Exception {
        SubstrateStatus ranks = ok("sglang", """
                {"loads": [{"dp_rank": 0, "num_running_reqs": 0, "num_waiting_reqs": 900},
                           {"dp_rank": 1, "num_running_reqs": 0, "num_waiting_reqs": 100}],
                 "aggregate": {"total_running_reqs": 5, "total_waiting_reqs": 5}}""");
        assertThat(ranks.runningJobs()).hasValue(0);
        assertThat(ranks.queuedJobs()).hasValue(1_000);

        SubstrateStatus partly = ok("sglang", """
                {"loads": [{"num_running_reqs": 1}, {}], "aggregate": {"total_waiting_reqs": 3}}""");
        assertThat(partly.runningJobs()).isEmpty();
        assertThat(partly.queuedJobs()).hasValue(3);
    }

    @Test
    void sglangsOlderListTellsJobsInOneFigure() throws Exception {
        SubstrateStatus status = read("sglang", 200, "/get_load", """
                [{"dp_rank": 0, "num_reqs": 5, "num_waiting_reqs": 2, "num_tokens": 10}]""");
        assertThat(status.runningJobs()).isEmpty();
        assertThat(status.queuedJobs()).hasValue(2);
        assertThat(status.jobs()).hasValue(5);
    }

    @Test
    @DisplayName("36: TGI before its first request, or with a backend without gauges, tells no jobs")
    void tgiBeforeItsFirstRequest() throws Exception {
        assertThat(ok("tgi", "tgi_request_count 501\ntgi_request_failure{err=\"overloaded\"} 3\n"))
                .isEqualTo(NOTHING);
        assertThat(read("tgi", 200, "/info", "{\"model_id\": \"m\", \"sha\": \"x\"}")
                        .loadedModels())
                .hasValueSatisfying(models -> assertThat(models).containsExactly("m"));
    }

    @ParameterizedTest
    @DisplayName("llama.cpp says loading in two ways, at any path")
    @CsvSource(
            delimiter = '|',
            value = {
                "503 | {\"error\":{\"code\":503,\"message\":\"Loading model\",\"type\":\"unavailable_error\"}} | loading",
                "503 | {\"status\":\"loading model\"} | loading",
                "200 | {\"status\":\"loading model\"} | loading",
                "503 | {\"status\":\"error\"} | unavailable",
                "503 | {\"error\":{\"message\":\"secret\"}} | unavailable",
            })
    void llamaCppIsLoading(int code, String body, String why) throws Exception {
        for (String path : new String[] {"/health", "/slots", "/metrics", "/v1/models"}) {
            assertNotReady(read("llamacpp", code, path, body), why);
        }
    }

    @Test
    @DisplayName("26, 33: llama.cpp's ok says nothing of its work; all slots taken is busy, not broken")
    void llamaCppsHealth() throws Exception {
        assertThat(ok("llamacpp", "{\"status\":\"ok\"}")).isEqualTo(NOTHING);
        SubstrateStatus busy = read(
                "llamacpp",
                503,
                "/health",
                "{\"status\":\"no slot available\",\"slots_idle\":0,\"slots_processing\":4}");
        assertThat(busy.reachable()).isTrue();
        assertThat(busy.runningJobs()).hasValue(4);
        assertThat(busy.attributes()).containsEntry("total_slots", "4");
    }

    @Test
    @DisplayName("29: slots are trusted; older ones tell a state, and hold prompts that are passed over")
    void llamaCppsOlderSlots() throws Exception {
        String prompt = "secret ".repeat(30_000);
        SubstrateStatus status = read("llamacpp", 200, "/slots", """
                [{"id": 0, "state": 1, "prompt": "%s"}, {"id": 1, "state": 0, "prompt": ""}, {"id": 2, "is_processing": true}]""".formatted(prompt));
        assertThat(status.runningJobs()).hasValue(2);
        assertThat(status.toString()).doesNotContain("secret");
    }

    @Test
    @DisplayName("31: a model that was unloaded may say that it failed: no alarm")
    void llamaCppsModels() throws Exception {
        SubstrateStatus status = read("llamacpp", 200, "/models", """
                {"data": [{"id": "a", "status": {"value": "loaded"}}, {"id": "b", "status": {"value": "unloaded", "failed": true, "exit_code": 1}},
                          {"id": "c", "status": {"value": "loading"}}]}""");
        assertThat(status.reachable()).isTrue();
        assertThat(status.loadedModels().orElseThrow()).containsExactly("a");
    }

    @Test
    @DisplayName("32: the KV cache that newer servers do not tell is unknown; their nan costs nothing")
    void llamaCppsMetrics() throws Exception {
        SubstrateStatus status = read("llamacpp", 200, "/metrics", """
                llamacpp:requests_processing 1
                llamacpp:predicted_tokens_seconds nan
                llamacpp:n_decode_total 1.23457e+06
                """);
        assertThat(status.runningJobs()).hasValue(1);
        assertThat(status.queuedJobs()).isEmpty();
        assertThat(status.progress()).hasValue(1_234_570);
        assertThat(status.attributes()).isEmpty();
        assertThat(status.oddities()).isEmpty();
    }

    @Test
    @DisplayName("55, 56, 58: Ollama's sizes are its own estimate, a missing one is 0, and jobs are unknown")
    void ollamasModels() throws Exception {
        SubstrateStatus status = ok("ollama", """
                {"models": [{"name": "a", "size": 10, "expires_at": "2026-01-01T00:05:00.123456789+02:00"},
                            {"model": "b", "size_vram": 1572864, "expires_at": "2318-01-01T00:00:00Z"},
                            {"name": "c", "expires_at": "0001-01-01T00:00:00Z"}]}""");
        assertThat(status.loadedModels().orElseThrow()).containsExactlyInAnyOrder("a", "b", "c");
        assertThat(status.attributes())
                .containsEntry("models_vram_mib", "1.5")
                .containsEntry("models_expire_at", "2025-12-31T22:05:00.123456789Z"); // 57
        assertThat(status.jobs()).isEmpty();
        assertThat(status.vramUsedGb()).isEmpty();
        assertThat(ok("ollama", "{\"models\": [{\"name\": \"a\", \"size_vram\": \"x\"}]}")
                        .attributes())
                .isEmpty();
        assertThat(ok("ollama", "{\"models\": null}")).isEqualTo(NOTHING);
    }

    @Test
    void tabbyApiIsHealthyOrNot() throws Exception {
        assertThat(ok("tabbyapi", "{\"status\":\"healthy\",\"issues\":[]}")).isEqualTo(NOTHING);
        SubstrateStatus sick = read(
                "tabbyapi", 503, "/health", "{\"status\":\"unhealthy\",\"issues\":[{\"description\":\"secret\"}]}");
        assertNotReady(sick, "unhealthy: 1 issues");
        assertThat(sick.toString()).doesNotContain("secret");
    }

    @Test
    void lmStudiosNewerListTellsInstances() throws Exception {
        SubstrateStatus status = read("lmstudio", 200, "/api/v1/models", """
                {"models": [{"key": "a", "loaded_instances": [{"id": "a"}]}, {"key": "b", "loaded_instances": []}, {"key": "c"}]}""");
        assertThat(status.loadedModels().orElseThrow()).containsExactly("a");
        assertThatThrownBy(() -> read("lmstudio", 200, "/v1/models", "{\"data\": [{\"id\": \"a\"}]}"))
                .isInstanceOf(NoStatusException.class);
    }
}
