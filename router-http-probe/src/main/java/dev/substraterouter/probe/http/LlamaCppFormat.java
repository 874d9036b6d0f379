package dev.substraterouter.probe.http;

import dev.substraterouter.status.SubstrateStatus;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * llama.cpp's server: {@code /health}, {@code /slots} (running; not the queue), {@code /metrics} where it is switched on (running, queued,
 * decodes done) and {@code /models} (what is loaded).
 *
 * <p>While its model loads, every path answers 503 and says so: alive, not ready. An idle slot keeps the marks of its last task, so only
 * that it is processing counts. {@code /health} does not touch the engine and stays well while it is stuck.
 */
final class LlamaCppFormat implements StatusFormat {
    /** Counters come with six digits: above this, a minute of slow work may not show in them. */
    private static final double COARSE = 1e7;

    private static final int MAX_BYTES = 4 * 1024 * 1024; // slots of older servers hold their prompts

    private static final String RUNNING = "llamacpp:requests_processing";
    private static final String DEFERRED = "llamacpp:requests_deferred";
    private static final String DECODES = "llamacpp:n_decode_total";
    private static final String KV_CACHE = "llamacpp:kv_cache_usage_ratio"; // of older servers
    private static final Set<String> FAMILIES = Set.of(RUNNING, DEFERRED, DECODES, KV_CACHE);
    private static final Set<String> MEMBERS = Set.of(
            "error",
            "message",
            "status",
            "slots_idle",
            "slots_processing",
            "is_processing",
            "state",
            "data",
            "id",
            "value");

    @Override
    public String name() {
        return "llamacpp";
    }

    @Override
    public List<String> paths() {
        return List.of("/health", "/slots");
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
        if (answer.code() == 503 && Surface.isJson(answer)) {
            return unavailable(Json.only(answer.body(), MEMBERS));
        }
        if (answer.code() == 400) {
            throw new NoStatusException("status 400: with several models the address needs ?model=");
        }
        if (answer.code() == 501) {
            throw new NoStatusException("status 501: this surface is switched off at the server");
        }
        return Surface.isJson(answer.ok())
                ? json(Json.only(answer.body(), MEMBERS))
                : metrics(Surface.metrics(answer, FAMILIES));
    }

    /** Why a server with the code 503 cannot be used; one whose slots are all taken can. */
    private static SubstrateStatus unavailable(JsonNode root) {
        String said = Members.text(root, "status")
                .or(() -> Members.text(root.path("error"), "message"))
                .orElse("")
                .toLowerCase(Locale.ROOT);
        if (said.equals("no slot available")) {
            return health(root);
        }
        return Surface.notReady(said.equals("loading model") ? "loading" : "unavailable");
    }

    private static SubstrateStatus json(JsonNode root) throws NoStatusException {
        if (root.isArray()) {
            if (root.isEmpty()) {
                throw Surface.notThisServer("a list of slots");
            }
            return slots(List.copyOf(root.values()));
        }
        if (root.path("data").isArray()) {
            return models(List.copyOf(root.path("data").values()));
        }
        return switch (Members.text(root, "status").orElse("")) {
            case "ok", "no slot available" -> health(root);
            case "loading model" -> Surface.notReady("loading");
            case "error" -> Surface.notReady("error");
            default -> throw Surface.notThisServer("status, data, or a list of slots");
        };
    }

    /** The slots are there in older servers only. */
    private static SubstrateStatus health(JsonNode root) {
        SubstrateStatus.Builder status = SubstrateStatus.builder();
        Members members = new Members(status);
        var processing = members.number(root, "", "slots_processing");
        processing.ifPresent(value -> Figures.count(status, "slots_processing", value, status::runningJobs));
        members.number(root, "", "slots_idle")
                .ifPresent(idle -> Figures.count(
                        status, "slots", idle + processing.orElse(Double.NaN), all -> totalSlots(status, all)));
        return status.build();
    }

    private static SubstrateStatus slots(List<JsonNode> slots) throws NoStatusException {
        SubstrateStatus.Builder status = SubstrateStatus.builder();
        int running = 0;
        for (JsonNode slot : slots) {
            JsonNode processing = Members.said(slot, "is_processing");
            JsonNode state = Members.said(slot, "state"); // before there was is_processing
            if (processing != null && processing.isBoolean()) {
                running += processing.booleanValue() ? 1 : 0;
            } else if (state != null && state.isNumber()) {
                running += state.doubleValue() == 0 ? 0 : 1;
            } else {
                throw Surface.notThisServer("slots that tell whether they are processing");
            }
        }
        totalSlots(status, slots.size());
        return status.runningJobs(running).build();
    }

    private static void totalSlots(SubstrateStatus.Builder status, int all) {
        status.attribute("total_slots", Integer.toString(all));
    }

    /** With several models each says whether it is loaded; a server of one lists that one. */
    private static SubstrateStatus models(List<JsonNode> models) {
        SubstrateStatus.Builder status = SubstrateStatus.builder();
        Figures.models(
                status,
                models.stream()
                        .filter(model -> Members.text(model.path("status"), "value")
                                .orElse("loaded")
                                .equals("loaded"))
                        .flatMap(model -> Members.text(model, "id").stream())
                        .toList());
        return status.build();
    }

    private static SubstrateStatus metrics(PrometheusText page) {
        SubstrateStatus.Builder status = SubstrateStatus.builder();
        Figures.count(status, page, Set.of(), status::runningJobs, RUNNING);
        Figures.count(status, page, Set.of(), status::queuedJobs, DEFERRED);
        Figures.kvCache(status, page, KV_CACHE);
        if (page.max(DECODES) < COARSE) {
            Figures.progress(status, page, DECODES);
        }
        return status.build();
    }
}
