package dev.substraterouter.probe.http;

import dev.substraterouter.status.SubstrateStatus;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * SGLang: {@code /v1/loads} (jobs; served without any flag), {@code /metrics} (jobs, the model, the KV cache, tokens), the older
 * {@code /get_load}, and {@code /health}, which is not asked by default: it generates a token, takes a second at least, and hangs with the
 * scheduler.
 *
 * <p>Sums go over data-parallel ranks; the ranks of one engine (tensor, pipeline, expert) tell the same. Gauges of throughput keep their
 * last value when idle and are not read. {@code /server_info} holds the server's keys and is not read either.
 */
final class SglangFormat implements StatusFormat {
    private static final int MAX_BYTES = 4 * 1024 * 1024;

    private static final Set<String> REPLICAS = Set.of("tp_rank", "pp_rank", "moe_ep_rank", "ep_rank", "pid");
    private static final List<String> QUEUES = List.of(
            "num_queue_reqs",
            "num_grammar_queue_reqs",
            "num_prefill_prealloc_queue_reqs",
            "num_prefill_inflight_queue_reqs",
            "num_decode_prealloc_queue_reqs",
            "num_decode_transfer_queue_reqs");
    private static final String[] RUNNING = names("num_running_reqs");
    private static final String[] KV_CACHE = names("token_usage");
    private static final String[] TOKEN_GAPS = {
        "sglang:inter_token_latency_seconds_count", "sglang:time_per_output_token_seconds_count"
    };
    private static final String[] PROGRESS = {
        TOKEN_GAPS[0],
        TOKEN_GAPS[1],
        "sglang:time_to_first_token_seconds_count",
        "sglang:generation_tokens_total",
        "sglang:prompt_tokens_total"
    };
    private static final Set<String> WANTED = wanted();

    private static final Set<String> MEMBERS = Set.of(
            "loads",
            "aggregate",
            "num_running_reqs",
            "num_waiting_reqs",
            "num_reqs",
            "total_running_reqs",
            "total_waiting_reqs");

    /** A family's own name, and that under which the gateway shows it. */
    private static String[] names(String family) {
        return new String[] {"sglang:" + family, "sglang_" + family};
    }

    private static Set<String> wanted() {
        Set<String> all = new HashSet<>(List.of(PROGRESS));
        all.addAll(List.of(RUNNING));
        all.addAll(List.of(KV_CACHE));
        QUEUES.forEach(queue -> all.addAll(List.of(names(queue))));
        return Set.copyOf(all);
    }

    @Override
    public String name() {
        return "sglang";
    }

    @Override
    public List<String> paths() {
        return List.of("/v1/loads");
    }

    @Override
    public String accept() {
        return "application/json, text/plain;version=0.0.4;q=0.9";
    }

    @Override
    public int maxBytes() {
        return MAX_BYTES;
    }

    @Override
    public SubstrateStatus read(StatusAnswer answer) throws NoStatusException {
        if (Surface.isHealth(answer) || Surface.of(answer).equals("health_generate")) {
            return Surface.health(answer, 503, "starting, shutting down, or no token within its time");
        }
        return Surface.isJson(answer.ok())
                ? loads(Json.only(answer.body(), MEMBERS))
                : metrics(Surface.metrics(answer, WANTED));
    }

    private static SubstrateStatus loads(JsonNode root) throws NoStatusException {
        SubstrateStatus.Builder status = SubstrateStatus.builder();
        Members members = new Members(status);
        JsonNode loads = root.isArray() ? root : root.path("loads");
        JsonNode aggregate = root.path("aggregate");
        boolean ranked = loads.isArray() && loads.values().stream().allMatch(JsonNode::isObject);
        if (!ranked && !aggregate.isObject()) {
            throw Surface.notThisServer("loads, or aggregate");
        }
        List<JsonNode> ranks = ranked ? List.copyOf(loads.values()) : List.of();
        first(sum(members, ranks, "num_running_reqs"), members, aggregate, "total_running_reqs")
                .ifPresent(value -> Figures.count(status, "num_running_reqs", value, status::runningJobs));
        first(sum(members, ranks, "num_waiting_reqs"), members, aggregate, "total_waiting_reqs")
                .ifPresent(value -> Figures.count(status, "num_waiting_reqs", value, status::queuedJobs));
        // the older list does not tell running from waiting
        sum(members, ranks, "num_reqs").ifPresent(value -> Figures.count(status, "num_reqs", value, status::jobs));
        return status.build();
    }

    private static OptionalDouble first(OptionalDouble sum, Members members, JsonNode aggregate, String name) {
        return sum.isPresent() ? sum : members.number(aggregate, "aggregate.", name);
    }

    /** The sum over all ranks; unknown where a single one does not tell. */
    private static OptionalDouble sum(Members members, List<JsonNode> ranks, String name) {
        double sum = 0;
        for (JsonNode rank : ranks) {
            OptionalDouble one = members.number(rank, "loads.", name);
            if (one.isEmpty()) {
                return OptionalDouble.empty();
            }
            sum += one.getAsDouble();
        }
        return ranks.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(sum);
    }

    private static SubstrateStatus metrics(PrometheusText page) {
        SubstrateStatus.Builder status = SubstrateStatus.builder();
        Figures.count(status, page, REPLICAS, status::runningJobs, RUNNING);
        queued(status, page);
        Figures.kvCache(status, page, KV_CACHE);
        List<String> models = page.labels("model_name", RUNNING);
        if (models.isEmpty()) {
            models = page.labels("name", RUNNING); // its first name
        }
        if (!models.isEmpty()) {
            Figures.models(status, models);
        }
        if (page.told(TOKEN_GAPS)) { // what else there is moves at the ends of requests only, which may be long
            Figures.progress(status, page, PROGRESS);
        }
        return status.build();
    }

    private static void queued(SubstrateStatus.Builder status, PrometheusText page) {
        if (!page.told(names(QUEUES.get(0)))) {
            return;
        }
        double sum = 0;
        for (String queue : QUEUES) {
            sum += page.told(names(queue)) ? page.sum(REPLICAS, names(queue)) : 0;
        }
        Figures.count(status, QUEUES.get(0), sum, status::queuedJobs);
    }
}
