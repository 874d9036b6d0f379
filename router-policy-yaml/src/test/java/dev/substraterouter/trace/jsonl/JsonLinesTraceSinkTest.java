package dev.substraterouter.trace.jsonl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.substraterouter.model.Priority;
import dev.substraterouter.trace.Observation;
import dev.substraterouter.trace.RoutingTrace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JsonLinesTraceSinkTest {
    private static final String FIRST = "traces-000000000001.jsonl";

    @TempDir
    private Path temp;

    private static List<RoutingTrace> traces(int n) {
        return IntStream.range(0, n)
                .mapToObj(i -> numbered(TraceFormatTest.EXAMPLE, "r" + i))
                .toList();
    }

    static RoutingTrace numbered(RoutingTrace trace, String id) {
        return new RoutingTrace(
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
                trace.observation());
    }

    private static RoutingTrace small(String id) {
        return new RoutingTrace(
                id,
                "w",
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Priority.LOW,
                Map.of(),
                Instant.EPOCH,
                1,
                List.of(),
                List.of(),
                Optional.empty(),
                Duration.ZERO,
                false,
                false,
                true,
                Optional.empty());
    }

    private static List<RoutingTrace> read(Path directory) throws IOException {
        return JsonLinesTraces.read(directory).stream().toList();
    }

    private Path directory() {
        return temp.resolve("traces");
    }

    @Test
    void whatIsWrittenIsThereAsSoonAsItIsAcknowledged() throws IOException {
        List<RoutingTrace> traces = traces(3);
        try (JsonLinesTraceSink sink = JsonLinesTraceSink.open(directory())) {
            assertThat(read(directory())).isEmpty();
            for (int i = 0; i < traces.size(); i++) {
                sink.accept(traces.get(i));
                assertThat(read(directory())).isEqualTo(traces.subList(0, i + 1));
            }
        }
        try (JsonLinesTraceSink sink = JsonLinesTraceSink.open(directory())) {
            sink.observed("r1", Observation.builder().quality(0.5).build());
        }
        assertThat(read(directory()).get(1).observation())
                .contains(Observation.builder().quality(0.5).reviewed(true).build());
        assertThat(TraceDirectory.files(directory()))
                .containsExactly(directory().resolve(FIRST));
    }

    @Test
    void aCrashAtAnyByteLosesNoWholeLineAndTheNextSinkGoesOn() throws IOException {
        List<RoutingTrace> traces = List.of(small("a"), small("b"), small("c"));
        byte[] all = new byte[0];
        List<Integer> ends = new ArrayList<>();
        for (RoutingTrace trace : traces) {
            byte[] line = TraceWriter.trace(trace);
            int before = all.length;
            all = Arrays.copyOf(all, before + line.length);
            System.arraycopy(line, 0, all, before, line.length);
            ends.add(all.length);
        }
        Files.createDirectories(directory());
        Path file = directory().resolve(FIRST);
        RoutingTrace later = small("later");
        for (int length = 0; length <= all.length; length++) {
            Files.write(file, Arrays.copyOf(all, length));
            int at = length;
            // without its line break a line is whole already
            int whole = (int) ends.stream().filter(end -> end - 1 <= at).count();
            boolean torn = length > 0 && !ends.contains(length) && !ends.contains(length + 1);
            JsonLinesTraces read = JsonLinesTraces.read(directory());
            assertThat(read).as("%d bytes", length).containsExactlyElementsOf(traces.subList(0, whole));
            assertThat(read.skipped()).isEqualTo(torn ? 1 : 0);

            try (JsonLinesTraceSink sink = JsonLinesTraceSink.builder(directory())
                    .forceEvery(100)
                    .opener(Unforced::new)
                    .open()) {
                sink.accept(later);
            }
            List<RoutingTrace> expected = new ArrayList<>(traces.subList(0, whole));
            expected.add(later);
            JsonLinesTraces reopened = JsonLinesTraces.read(directory());
            assertThat(reopened).as("%d bytes, reopened", length).containsExactlyElementsOf(expected);
            assertThat(reopened.skipped()).isEqualTo(torn ? 1 : 0);
        }
    }

    @Test
    void filesAreTurnedOverAndTheOldestGo() throws IOException {
        List<RoutingTrace> traces = traces(10);
        int line = TraceWriter.trace(traces.get(0)).length;
        try (JsonLinesTraceSink sink = JsonLinesTraceSink.builder(directory())
                .maxFileBytes(2L * line)
                .maxFiles(3)
                .open()) {
            traces.forEach(sink::accept);
        }
        assertThat(TraceDirectory.files(directory()))
                .extracting(file -> file.getFileName().toString())
                .containsExactly("traces-000000000003.jsonl", "traces-000000000004.jsonl", "traces-000000000005.jsonl");
        assertThat(read(directory())).isEqualTo(traces.subList(4, 10));
        JsonLinesTraceSink.builder(directory()).maxFiles(2).open().close();
        assertThat(TraceDirectory.files(directory())).hasSize(2);
    }

    @Test
    void aLineLongerThanAFileHasAFileOfItsOwn() throws IOException {
        List<RoutingTrace> traces = traces(3);
        try (JsonLinesTraceSink sink =
                JsonLinesTraceSink.builder(directory()).maxFileBytes(1).open()) {
            traces.forEach(sink::accept);
        }
        assertThat(TraceDirectory.files(directory())).hasSize(3);
        assertThat(read(directory())).isEqualTo(traces);
    }

    @Test
    void aLineThatNoReaderTakesIsRefused() throws IOException {
        try (JsonLinesTraceSink sink = JsonLinesTraceSink.open(directory())) {
            String long16 = "x".repeat(LineReader.MAX_LINE);
            assertThatExceptionOfType(UncheckedIOException.class)
                    .isThrownBy(
                            () -> sink.observed(long16, Observation.builder().build()))
                    .withMessageContaining("expected: at most 16777216");
        }
        assertThat(Files.size(directory().resolve(FIRST))).isZero();
    }

    @Test
    void oneDirectoryHasOneSink() throws IOException {
        try (JsonLinesTraceSink first = JsonLinesTraceSink.open(directory())) {
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> JsonLinesTraceSink.open(directory()))
                    .withMessageContaining("another sink");
            first.accept(TraceFormatTest.EXAMPLE);
        }
        JsonLinesTraceSink.open(directory()).close();
    }

    @Test
    void aDirectoryThatIsNoneIsAnIOException() throws IOException {
        Files.writeString(directory(), "a file");
        assertThatExceptionOfType(IOException.class).isThrownBy(() -> JsonLinesTraceSink.open(directory()));
    }

    @Test
    void afterAFailedOpenTheDirectoryIsFree() throws IOException {
        assertThatExceptionOfType(IOException.class).isThrownBy(() -> JsonLinesTraceSink.builder(directory())
                .opener(path -> {
                    throw new IOException("no");
                })
                .open());
        JsonLinesTraceSink.open(directory()).close();
    }

    @Test
    void closedIsClosed() throws IOException {
        JsonLinesTraceSink sink = JsonLinesTraceSink.open(directory());
        sink.close();
        sink.close();
        assertThatIllegalStateException().isThrownBy(() -> sink.accept(TraceFormatTest.EXAMPLE));
        assertThatIllegalStateException().isThrownBy(sink::flush);
    }

    @Test
    void settingsOutOfRangeAreRefusedWithTheirValue() {
        JsonLinesTraceSink.Builder builder = JsonLinesTraceSink.builder(directory());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.maxFileBytes(0))
                .withMessage("maxFileBytes: 0 (expected: >= 1)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.maxFiles(1))
                .withMessage("maxFiles: 1 (expected: >= 2)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.forceEvery(0))
                .withMessage("forceEvery: 0 (expected: >= 1)");
    }

    @Test
    void anInterruptedThreadWritesAsWellAndStaysInterrupted() throws IOException {
        List<RoutingTrace> traces = traces(4);
        try (JsonLinesTraceSink sink =
                JsonLinesTraceSink.builder(directory()).maxFileBytes(1).open()) {
            Thread.currentThread().interrupt();
            traces.forEach(sink::accept);
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(read(directory())).isEqualTo(traces);
    }

    @Test
    void severalThreadsLoseNothingAndTearNothing() throws Exception {
        int threads = 4;
        int each = 50;
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        CountDownLatch start = new CountDownLatch(1);
        try (JsonLinesTraceSink sink = JsonLinesTraceSink.builder(directory())
                .maxFileBytes(20_000)
                .maxFiles(1_000)
                .forceEvery(10)
                .open()) {
            List<Future<?>> done = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                int number = thread;
                done.add(executor.submit(() -> {
                    start.await();
                    for (int i = 0; i < each; i++) {
                        sink.accept(numbered(TraceFormatTest.EXAMPLE, number + "-" + i));
                    }
                    return null;
                }));
            }
            start.countDown();
            for (Future<?> future : done) {
                future.get();
            }
        } finally {
            executor.shutdownNow();
        }
        JsonLinesTraces read = JsonLinesTraces.read(directory());
        assertThat(read.skipped()).isZero();
        for (int thread = 0; thread < threads; thread++) {
            String prefix = thread + "-";
            assertThat(read.stream().map(RoutingTrace::requestId).filter(id -> id.startsWith(prefix)))
                    .containsExactlyElementsOf(
                            IntStream.range(0, each).mapToObj(i -> prefix + i).toList());
        }
    }
}
