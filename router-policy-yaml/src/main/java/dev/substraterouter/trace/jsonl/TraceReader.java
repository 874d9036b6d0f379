package dev.substraterouter.trace.jsonl;

import dev.substraterouter.model.DegradedReason;
import dev.substraterouter.model.Need;
import dev.substraterouter.model.PlacementMode;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.Trust;
import dev.substraterouter.trace.Attempt;
import dev.substraterouter.trace.Considered;
import dev.substraterouter.trace.Finding;
import dev.substraterouter.trace.Observation;
import dev.substraterouter.trace.Outcome;
import dev.substraterouter.trace.Reason;
import dev.substraterouter.trace.RefusalReason;
import dev.substraterouter.trace.RoutingTrace;
import dev.substraterouter.trace.ServingPath;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/** Reads what {@link TraceWriter} writes. Whatever is something else is an {@link IllegalArgumentException}. */
final class TraceReader {
    private TraceReader() {}

    /** What a line holds. */
    sealed interface Line {
        /** A trace. */
        record OfTrace(RoutingTrace trace) implements Line {}

        /** What became known of a request later. */
        record OfObservation(String requestId, Observation observation) implements Line {}
    }

    /** What a line holds. */
    static Line line(byte[] line) {
        JsonIn in = JsonIn.line(text(line));
        String type = in.text("type");
        if (in.whole("v") != TraceWriter.VERSION) {
            throw new IllegalArgumentException("v: another version (expected: " + TraceWriter.VERSION + ")");
        }
        return switch (type) {
            case TraceWriter.TRACE -> new Line.OfTrace(trace(in));
            case TraceWriter.OBSERVATION -> new Line.OfObservation(in.text("request_id"), observation(in));
            default -> throw new IllegalArgumentException("type: neither trace nor observation");
        };
    }

    /** The text of a line. */
    static String text(byte[] line) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(line))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("no UTF-8", e);
        }
    }

    private static RoutingTrace trace(JsonIn in) {
        return new RoutingTrace(
                in.text("request_id"),
                in.text("workload"),
                in.maybe("need").map(TraceReader::need),
                in.maybeText("identity"),
                in.maybeText("role"),
                in.word("priority", Priority.class),
                attributes(in),
                JsonIn.fitting("asked_at", in.text("asked_at"), Instant::parse),
                in.whole("revision"),
                in.objects("attempts", TraceReader::attempt),
                considered(in),
                in.maybeWord("refusal", RefusalReason.class),
                in.seconds("waited_s"),
                in.flag("fell_back"),
                in.flag("overflow"),
                in.flag("served"),
                in.maybe("observation").map(TraceReader::observation),
                in.maybeFlag("names_substrate").orElse(false),
                in.maybeText("trace_id"));
    }

    private static Map<String, String> attributes(JsonIn in) {
        Map<String, String> attributes = in.textsByName("attributes");
        for (JsonIn other : in.objects("other_attributes", one -> one)) {
            attributes.put(other.text("name"), other.text("value"));
        }
        return attributes;
    }

    private static Need need(JsonIn in) {
        return JsonIn.fitting("need", Need.builder(), builder -> {
            builder.capabilities(in.texts("capabilities").toArray(String[]::new));
            builder.reaches(in.texts("reaches").toArray(String[]::new));
            builder.spansGpus(in.flag("spans_gpus"));
            in.maybeNumber("vram_gb").ifPresent(builder::vramGb);
            in.maybeText("codebase").ifPresent(builder::codebase);
            in.maybeWord("privacy", Trust.class).ifPresent(builder::privacy);
            in.maybeNumber("min_quality").ifPresent(builder::minQuality);
            in.maybeSeconds("max_latency_s").ifPresent(builder::maxLatency);
            in.maybeNumber("max_cost").ifPresent(builder::maxCost);
            in.maybeNumber("min_availability").ifPresent(builder::minAvailability);
            in.maybeSeconds("duration_s").ifPresent(builder::duration);
            return builder.build();
        });
    }

    private static Attempt attempt(JsonIn in) {
        return new Attempt(
                index(in.whole("number")),
                considered(in),
                in.text("substrate_id"),
                in.flag("external"),
                in.maybeText("endpoint").map(text -> JsonIn.fitting("endpoint", text, URI::create)),
                in.maybeText("model"),
                in.maybeText("version"),
                in.maybeText("format"),
                in.word("mode", PlacementMode.class),
                in.word("path", ServingPath.class),
                in.maybeWhole("gpu").map(gpu -> OptionalInt.of(index(gpu))).orElse(OptionalInt.empty()),
                Set.copyOf(in.words("degraded", DegradedReason.class)),
                in.whole("revision"),
                in.seconds("waited_s"),
                in.maybeSeconds("latency_s"),
                in.maybeNumber("cost"),
                in.word("outcome", Outcome.class),
                in.maybeText("error"));
    }

    private static int index(long whole) {
        return JsonIn.fitting("number", whole, Math::toIntExact);
    }

    private static List<Considered> considered(JsonIn in) {
        return in.objects(
                "considered",
                one -> new Considered(
                        one.text("substrate_id"),
                        one.flag("admissible"),
                        one.objects("findings", TraceReader::finding)));
    }

    private static Finding finding(JsonIn in) {
        return new Finding(in.word("reason", Reason.class), in.text("text"));
    }

    private static Observation observation(JsonIn in) {
        return JsonIn.fitting("observation", Observation.builder(), builder -> {
            in.maybeNumber("quality").ifPresent(builder::quality);
            in.maybeFlag("reviewed").ifPresent(builder::reviewed);
            in.maybeNumber("cost").ifPresent(builder::cost);
            in.maybeNumber("vram_gb").ifPresent(builder::vramGb);
            return builder.build();
        });
    }
}
