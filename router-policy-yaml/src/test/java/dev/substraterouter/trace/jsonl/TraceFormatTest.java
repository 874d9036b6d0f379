package dev.substraterouter.trace.jsonl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

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
import dev.substraterouter.trace.jsonl.TraceReader.Line;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraceFormatTest {
    static final RoutingTrace EXAMPLE = new RoutingTrace(
            "r-1",
            "ad-hoc",
            Optional.of(Need.builder()
                    .capabilities("inpainting")
                    .vramGb(24)
                    .privacy(Trust.PARTNER)
                    .maxLatency(Duration.ofSeconds(90))
                    .build()),
            Optional.of("gateway"),
            Optional.empty(),
            Priority.HIGH,
            Map.of("b", "2", "a", "größer"),
            Instant.parse("2026-05-04T10:00:00.000000001Z"),
            7,
            List.of(new Attempt(
                    1,
                    List.of(new Considered(
                            "legion", false, List.of(new Finding(Reason.GPU_UTIL, "gpu util 93 >= 70")))),
                    "mirrorforge",
                    false,
                    Optional.of(URI.create("http://10.40.10.1:8188")),
                    Optional.of("flux"),
                    Optional.empty(),
                    Optional.empty(),
                    PlacementMode.INTERACTIVE,
                    ServingPath.FALLBACK,
                    OptionalInt.of(1),
                    Set.of(DegradedReason.SLOWER, DegradedReason.NOT_PRIMARY),
                    7,
                    Duration.ofMillis(1_500),
                    Optional.of(Duration.ofSeconds(40)),
                    OptionalDouble.of(0.02),
                    Outcome.NODE_FAULT,
                    Optional.of("IOException"))),
            List.of(),
            Optional.of(RefusalReason.WAIT_EXPIRED),
            Duration.ofMillis(1_500),
            true,
            false,
            false,
            Optional.of(Observation.builder().reviewed(true).build()));

    private static String written(RoutingTrace trace) {
        return new String(TraceWriter.trace(trace), StandardCharsets.US_ASCII);
    }

    private static Line read(String line) {
        return TraceReader.line(line.getBytes(StandardCharsets.UTF_8));
    }

    @Provide
    Arbitrary<RoutingTrace> traces() {
        return TraceArbitraries.traces();
    }

    @Provide
    Arbitrary<Observation> observations() {
        return TraceArbitraries.observations();
    }

    @Property(tries = 1_000)
    void aTraceReadsAsItWasWritten(@ForAll("traces") RoutingTrace trace) {
        byte[] line = TraceWriter.trace(trace);
        assertThat(TraceReader.line(line)).isEqualTo(new Line.OfTrace(trace));
        assertThat(line).endsWith('\n').isEqualTo(TraceWriter.trace(trace));
        for (int i = 0; i < line.length - 1; i++) {
            assertThat(line[i]).isBetween((byte) ' ', (byte) 0x7f);
        }
    }

    @Property(tries = 200)
    void anObservationReadsAsItWasWritten(@ForAll String id, @ForAll("observations") Observation observation) {
        assertThat(TraceReader.line(TraceWriter.observation(id, observation)))
                .isEqualTo(new Line.OfObservation(id, observation));
    }

    @Test
    void theFormatIsThis() {
        assertThat(written(EXAMPLE))
                .isEqualTo("{\"type\":\"trace\",\"v\":1,\"request_id\":\"r-1\",\"workload\":\"ad-hoc\",\"need\":{"
                        + "\"capabilities\":[\"inpainting\"],\"vram_gb\":24.0,\"spans_gpus\":false,"
                        + "\"privacy\":\"partner\",\"max_latency_s\":90,\"min_availability\":0.0},"
                        + "\"identity\":\"gateway\",\"priority\":\"high\","
                        + "\"attributes\":{\"a\":\"gr\\u00F6\\u00DFer\",\"b\":\"2\"},"
                        + "\"asked_at\":\"2026-05-04T10:00:00.000000001Z\",\"revision\":7,\"attempts\":[{"
                        + "\"number\":1,\"considered\":[{\"substrate_id\":\"legion\",\"admissible\":false,"
                        + "\"findings\":[{\"reason\":\"gpu_util\",\"text\":\"gpu util 93 >= 70\"}]}],"
                        + "\"substrate_id\":\"mirrorforge\",\"external\":false,"
                        + "\"endpoint\":\"http://10.40.10.1:8188\",\"model\":\"flux\",\"mode\":\"interactive\","
                        + "\"path\":\"fallback\",\"gpu\":1,\"degraded\":[\"not_primary\",\"slower\"],\"revision\":7,"
                        + "\"waited_s\":1.5,\"latency_s\":40,\"cost\":0.02,\"outcome\":\"node_fault\","
                        + "\"error\":\"IOException\"}],\"refusal\":\"wait_expired\",\"waited_s\":1.5,"
                        + "\"fell_back\":true,\"overflow\":false,\"served\":false,"
                        + "\"observation\":{\"reviewed\":true}}\n");
        assertThat(new String(
                        TraceWriter.observation(
                                "r-1",
                                Observation.builder()
                                        .quality(0.9)
                                        .reviewed(false)
                                        .cost(0.02)
                                        .vramGb(11.5)
                                        .build()),
                        StandardCharsets.US_ASCII))
                .isEqualTo("{\"type\":\"observation\",\"v\":1,\"request_id\":\"r-1\",\"quality\":0.9,"
                        + "\"reviewed\":false,\"cost\":0.02,\"vram_gb\":11.5}\n");
    }

    @Test
    void keysThatAreNotKnownAndNullsDoNotMatter() {
        String line = written(EXAMPLE)
                .replace("{", "{\"new\":{\"deep\":[1,[null],{\"x\":null}]},\"none\":null,")
                .replace(
                        "\"attributes\":{\"new\":{\"deep\":[1,[null],{\"x\":null}]},\"none\":null,",
                        "\"attributes\":{");
        assertThat(read(line)).isEqualTo(new Line.OfTrace(EXAMPLE));
        assertThat(read(written(EXAMPLE).replace("\"role\"", "\"role\":null,\"role\"")))
                .isEqualTo(new Line.OfTrace(EXAMPLE));
    }

    @Test
    void utf8OfOthersIsRead() {
        assertThat(read(written(EXAMPLE).replace("\\u00F6\\u00DF", "öß"))).isEqualTo(new Line.OfTrace(EXAMPLE));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "{",
                "{}",
                "{}{}",
                "{\"type\":\"trace\"}",
                "{\"type\":1,\"v\":1}",
                "{\"type\":\"other\",\"v\":1}",
                "{\"type\":\"trace\",\"v\":1}",
                "{\"type\":\"trace\",\"v\":2}",
                "{\"type\":\"trace\",\"v\":1.5}",
                "{\"type\":\"observation\",\"v\":1,\"request_id\":\"r\",\"vram_gb\":-1}",
                "{\"type\":\"observation\",\"v\":1,\"request_id\":\"r\",\"quality\":2}",
                "{\"type\":\"observation\",\"v\":1,\"request_id\":\"r\",\"quality\":\"NaN\"}",
                "{\"type\":\"observation\",\"v\":1,\"request_id\":\"r\",\"quality\":\"0.5\"}",
                "{\"type\":\"observation\",\"v\":1,\"request_id\":\"r\",\"reviewed\":0}",
            })
    void whatIsSomethingElseIsRefused(String line) {
        assertThatIllegalArgumentException().isThrownBy(() -> read(line));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"waited_s\":1e999999999",
                "\"waited_s\":1e-999999999",
                "\"waited_s\":1e99999999999",
                "\"waited_s\":0.0000000001",
                "\"waited_s\":9223372036854775808",
                "\"waited_s\":99999999999999999999",
                "\"waited_s\":\"1\"",
                "\"revision\":9223372036854775808",
                "\"priority\":\"urgent\"",
                "\"asked_at\":\"today\"",
                "\"served\":\"true\"",
                "\"request_id\":null",
                "\"request_id\":[]",
                "\"attempts\":[1]",
                "\"attempts\":[null]",
                "\"attempts\":{}",
                "\"attributes\":{\"a\":1}",
                "\"need\":{\"spans_gpus\":false,\"vram_gb\":-1}",
                "\"need\":{\"spans_gpus\":false,\"capabilities\":[\"\"]}",
                "\"considered\":[{\"substrate_id\":\"x\",\"admissible\":true,"
                        + "\"findings\":[{\"reason\":\"unheard_of\",\"text\":\"x\"}]}]",
            })
    void aFieldThatIsSomethingElseIsRefusedByItsName(String field) {
        String line = written(EXAMPLE).strip();
        String changed = line.substring(0, line.length() - 1) + "," + field + "}"; // the last one counts
        assertThatIllegalArgumentException().isThrownBy(() -> read(changed)).withMessageMatching("[a-z_]+: .*");
    }

    @Test
    void deepNestingIsNoMoreThanALineThatIsNone() {
        assertThatIllegalArgumentException().isThrownBy(() -> read("{\"x\":" + "[".repeat(1_000_000)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TraceReader.line(new byte[] {'{', '"', (byte) 0xff, '"', '}'}))
                .withMessage("no UTF-8");
    }
}
