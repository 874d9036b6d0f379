package dev.substraterouter.trace.jsonl;

import dev.substraterouter.model.Need;
import dev.substraterouter.trace.Attempt;
import dev.substraterouter.trace.Considered;
import dev.substraterouter.trace.Finding;
import dev.substraterouter.trace.Observation;
import dev.substraterouter.trace.RoutingTrace;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** Traces and observations as lines; {@link TraceReader} reads them. Not thread-safe; each line has its own. */
final class TraceWriter {
    static final int VERSION = 1;
    static final String TRACE = "trace";
    static final String OBSERVATION = "observation";

    private final JsonOut out;

    private TraceWriter(JsonOut out) {
        this.out = out;
    }

    /** The line of a trace. */
    static byte[] trace(RoutingTrace trace) {
        return JsonOut.line(out -> new TraceWriter(out).write(trace));
    }

    /** The line of what became known later. */
    static byte[] observation(String requestId, Observation observation) {
        return JsonOut.line(out -> new TraceWriter(out).write(requestId, observation));
    }

    private void write(String requestId, Observation observation) {
        head(OBSERVATION, requestId);
        write(observation);
    }

    private void write(RoutingTrace trace) {
        head(TRACE, trace.requestId());
        out.text("workload", trace.workload());
        trace.need().ifPresent(need -> out.object("need", () -> write(need)));
        out.text("identity", trace.identity());
        out.text("role", trace.role());
        out.word("priority", trace.priority());
        attributes(trace.attributes());
        out.text("asked_at", trace.askedAt().toString());
        out.number("revision", trace.revision());
        out.objects("attempts", trace.attempts(), this::write);
        considered(trace.considered());
        trace.refusal().ifPresent(reason -> out.word("refusal", reason));
        out.seconds("waited_s", trace.waited());
        out.flag("fell_back", trace.fellBack());
        out.flag("overflow", trace.overflow());
        out.flag("served", trace.served());
        trace.observation().ifPresent(known -> out.object("observation", () -> write(known)));
        if (trace.namesSubstrate()) {
            out.flag("names_substrate", true);
        }
        out.text("trace_id", trace.traceId());
    }

    /** Parsers refuse half a character in a name, but not in a text. */
    private void attributes(Map<String, String> attributes) {
        Map<String, String> named = new TreeMap<>();
        Map<String, String> others = new TreeMap<>();
        attributes.forEach((name, value) -> (isWhole(name) ? named : others).put(name, value));
        if (!named.isEmpty()) {
            out.object("attributes", () -> named.forEach(out::text));
        }
        out.objects("other_attributes", others.entrySet(), attribute -> {
            out.text("name", attribute.getKey());
            out.text("value", attribute.getValue());
        });
    }

    private static boolean isWhole(String name) {
        return StandardCharsets.UTF_8.newEncoder().canEncode(name);
    }

    private void head(String type, String requestId) {
        out.text("type", type);
        out.number("v", VERSION);
        out.text("request_id", requestId);
    }

    private void write(Need need) {
        out.texts("capabilities", need.capabilities());
        out.number("vram_gb", need.vramGb());
        out.flag("spans_gpus", need.spansGpus());
        out.text("codebase", need.codebase());
        out.texts("reaches", need.reaches());
        need.privacy().ifPresent(trust -> out.word("privacy", trust));
        out.number("min_quality", need.minQuality());
        out.seconds("max_latency_s", need.maxLatency());
        out.number("max_cost", need.maxCost());
        out.number("min_availability", OptionalDouble.of(need.minAvailability()));
        out.seconds("duration_s", need.duration());
    }

    private void write(Attempt attempt) {
        out.number("number", attempt.number());
        considered(attempt.considered());
        out.text("substrate_id", attempt.substrateId());
        out.flag("external", attempt.external());
        out.text("endpoint", attempt.endpoint());
        out.text("model", attempt.model());
        out.text("version", attempt.version());
        out.text("format", attempt.format());
        out.word("mode", attempt.mode());
        out.word("path", attempt.path());
        attempt.gpu().ifPresent(index -> out.number("gpu", index));
        out.words("degraded", attempt.degraded());
        out.number("revision", attempt.revision());
        out.seconds("waited_s", attempt.waited());
        out.seconds("latency_s", attempt.latency());
        out.number("cost", attempt.cost());
        out.word("outcome", attempt.outcome());
        out.text("error", attempt.error());
    }

    private void considered(List<Considered> all) {
        out.objects("considered", all, one -> {
            out.text("substrate_id", one.substrateId());
            out.flag("admissible", one.admissible());
            out.objects("findings", one.findings(), this::write);
        });
    }

    private void write(Finding finding) {
        out.word("reason", finding.reason());
        out.text("text", finding.text());
    }

    private void write(Observation observation) {
        out.number("quality", observation.quality());
        observation.reviewed().ifPresent(reviewed -> out.flag("reviewed", reviewed));
        out.number("cost", observation.cost());
        out.number("vram_gb", observation.vramGb());
    }
}
