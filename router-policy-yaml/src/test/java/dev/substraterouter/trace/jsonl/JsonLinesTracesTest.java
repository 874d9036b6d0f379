package dev.substraterouter.trace.jsonl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.substraterouter.trace.Observation;
import dev.substraterouter.trace.PathReport;
import dev.substraterouter.trace.RoutingTrace;
import dev.substraterouter.trace.jsonl.JsonLinesTraces.Skipped;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterTry;
import net.jqwik.api.lifecycle.BeforeTry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JsonLinesTracesTest {
    private Path file = Path.of("");

    @BeforeEach
    @BeforeTry
    void makeFile() throws IOException {
        file = Files.createTempFile("traces", ".jsonl");
    }

    @AfterEach
    @AfterTry
    void deleteFile() throws IOException {
        Files.deleteIfExists(file);
    }

    private static byte[] trace(String id, Optional<Observation> observation) {
        RoutingTrace trace = TraceFormatTest.EXAMPLE;
        return TraceWriter.trace(new RoutingTrace(
                id,
                trace.workload(),
                trace.need(),
                trace.identity(),
                trace.role(),
                trace.priority(),
                trace.attributes(),
                trace.askedAt(),
                trace.revision(),
                trace.attempts(),
                trace.considered(),
                trace.refusal(),
                trace.waited(),
                trace.fellBack(),
                trace.overflow(),
                trace.served(),
                observation));
    }

    private static Observation quality(double quality) {
        return Observation.builder().quality(quality).build();
    }

    private JsonLinesTraces read(byte[]... lines) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] line : lines) {
            all.write(line);
        }
        Files.write(file, all.toByteArray());
        return JsonLinesTraces.read(file);
    }

    @Test
    void observationsJoinTheNearestTraceBeforeThem() throws IOException {
        JsonLinesTraces traces = read(
                TraceWriter.observation("a", quality(0.1)),
                trace("a", Optional.empty()),
                trace("b", Optional.of(quality(0.2))),
                TraceWriter.observation("b", Observation.builder().cost(3).build()),
                TraceWriter.observation("b", quality(0.3)),
                TraceWriter.observation("c", quality(0.4)),
                trace("c", Optional.of(quality(0.5))),
                trace("d", Optional.empty()),
                TraceWriter.observation("nobody", quality(1)));
        assertThat(traces)
                .extracting(RoutingTrace::observation)
                .containsExactly(
                        Optional.empty(),
                        Optional.of(Observation.builder().quality(0.3).cost(3).build()),
                        Optional.of(quality(0.5)),
                        Optional.empty());
        assertThat(traces.size()).isEqualTo(4);
        assertThat(traces.skipped()).isZero();
        assertThat(traces.dropped()).isEqualTo(3);
        assertThat(PathReport.of(traces).byPath()).hasSize(1);
    }

    @Test
    void anIdThatComesAgainTakesNothingFromTheTraceBefore() throws IOException {
        JsonLinesTraces traces = read(
                trace("router-1", Optional.empty()),
                trace("router-2", Optional.empty()),
                TraceWriter.observation("router-1", quality(0.1)),
                trace("router-1", Optional.empty()),
                trace("router-2", Optional.empty()),
                TraceWriter.observation("router-2", quality(0.2)));
        assertThat(traces)
                .extracting(RoutingTrace::observation)
                .containsExactly(
                        Optional.of(quality(0.1)), Optional.empty(), Optional.empty(), Optional.of(quality(0.2)));
        assertThat(traces.dropped()).isZero();
    }

    @Test
    void onlySoManyTracesAreRemembered() throws IOException {
        read(
                trace("a", Optional.empty()),
                trace("b", Optional.empty()),
                TraceWriter.observation("a", quality(0.1)),
                trace("a", Optional.empty()),
                trace("c", Optional.empty()),
                TraceWriter.observation("b", quality(0.2)),
                TraceWriter.observation("a", quality(0.3)));
        JsonLinesTraces traces = JsonLinesTraces.read(file, 2);
        assertThat(traces)
                .extracting(RoutingTrace::observation)
                .containsExactly(
                        Optional.of(quality(0.1)), Optional.empty(), Optional.of(quality(0.3)), Optional.empty());
        assertThat(traces.dropped()).isEqualTo(1);
    }

    @Test
    void linesThatAreNoneAreSkippedAndTold() throws IOException {
        byte[] whole = trace("a", Optional.empty());
        JsonLinesTraces traces = read(
                "\n".getBytes(StandardCharsets.UTF_8),
                whole,
                "{\"type\":\"trace\",\"secret\n".getBytes(StandardCharsets.UTF_8),
                "{\"type\":\"event\",\"v\":1}\r\n".getBytes(StandardCharsets.UTF_8),
                whole,
                "{".getBytes(StandardCharsets.UTF_8));
        assertThat(traces).hasSize(2);
        assertThat(traces.skipped()).isEqualTo(4);
        assertThat(traces.skippedLines())
                .containsExactly(
                        new Skipped(file, 1, "no JSON object"),
                        new Skipped(file, 3, "no JSON"),
                        new Skipped(file, 4, "type: neither trace nor observation"),
                        new Skipped(file, 6, "no JSON"));
    }

    @Test
    void ofVeryManyBadLinesTheFirstAreTold() throws IOException {
        JsonLinesTraces traces = read("x\n".repeat(1_500).getBytes(StandardCharsets.UTF_8));
        assertThat(traces.skipped()).isEqualTo(1_500);
        assertThat(traces.skippedLines()).hasSize(1_000);
    }

    @Test
    void aLineWithoutEndDoesNotFillTheMemory() throws IOException {
        byte[] zeros = new byte[LineReader.MAX_LINE + 1];
        JsonLinesTraces traces = read(zeros, zeros, new byte[] {'\n'}, trace("a", Optional.empty()));
        assertThat(traces).hasSize(1);
        assertThat(traces.skippedLines()).containsExactly(new Skipped(file, 1, "longer than 16777216 bytes"));
    }

    @Test
    void whatIsWrittenLaterIsNotSeenAndWhatIsDeletedIsLeftOut() throws IOException {
        JsonLinesTraces traces = read(trace("a", Optional.empty()));
        Files.write(file, trace("b", Optional.empty()), java.nio.file.StandardOpenOption.APPEND);
        assertThat(traces).extracting(RoutingTrace::requestId).containsExactly("a");
        Files.delete(file);
        assertThat(traces).isEmpty();
        assertThatExceptionOfType(NoSuchFileException.class).isThrownBy(() -> JsonLinesTraces.read(file));
    }

    @Test
    void theIteratorEnds() throws IOException {
        Iterator<RoutingTrace> iterator = read(trace("a", Optional.empty())).iterator();
        assertThat(iterator.next().requestId()).isEqualTo("a");
        assertThat(iterator.hasNext()).isFalse();
        assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(iterator::next);
    }

    @Property(tries = 100)
    void tracesReadAsTheyWereWritten(@ForAll long seed) throws IOException {
        List<RoutingTrace> traces = LongStream.range(0, 20)
                .mapToObj(i -> TraceArbitraries.trace(seed + i))
                .map(trace -> JsonLinesTraceSinkTest.numbered(trace, trace.requestId() + trace.hashCode()))
                .toList();
        JsonLinesTraces read = read(traces.stream().map(TraceWriter::trace).toArray(byte[][]::new));
        assertThat(read).containsExactlyElementsOf(traces);
        assertThat(read.skipped()).isZero();
    }

    @Property(tries = 500)
    void anyBytesAreLinesThatAreSkipped(@ForAll byte[] bytes) throws IOException {
        JsonLinesTraces read = read(bytes);
        assertThat(read).isEmpty();
        assertThat(read.skipped())
                .isEqualTo(new String(bytes, StandardCharsets.ISO_8859_1).split("\n", -1).length
                        - (bytes.length == 0 || bytes[bytes.length - 1] == '\n' ? 1 : 0));
    }

    @Property(tries = 500)
    void changedBytesSpoilTheirLineAtMost(@ForAll long seed) throws IOException {
        Random random = new Random(seed);
        byte[] before = trace("before", Optional.empty());
        byte[] changed = TraceWriter.trace(TraceArbitraries.trace(seed));
        for (int change = random.nextInt(4); change >= 0; change--) {
            changed[random.nextInt(changed.length)] = random.nextBoolean()
                    ? (byte) random.nextInt()
                    : (byte) "{}[]\",:\\u0123456789.eE-+truefalsn \n".charAt(random.nextInt(35));
        }
        JsonLinesTraces read =
                read(before, changed, "\n".getBytes(StandardCharsets.UTF_8), trace("after", Optional.empty()));
        assertThat(read)
                .extracting(RoutingTrace::requestId)
                .startsWith("before")
                .endsWith("after");
        assertThat(read.size()).isBetween(2L, 3L);
        read.skippedLines().forEach(line -> assertThat(line.why()).matches("[\\x20-\\x7e]{5,80}"));
    }
}
