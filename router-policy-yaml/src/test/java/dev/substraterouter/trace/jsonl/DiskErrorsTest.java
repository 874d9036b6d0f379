package dev.substraterouter.trace.jsonl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.substraterouter.trace.RoutingTrace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterTry;
import net.jqwik.api.lifecycle.BeforeTry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A disk that fails now and then: what was acknowledged is kept, what was not is not, and the sink goes on. */
class DiskErrorsTest {
    private Path directory = Path.of("");
    private Predicate<String> fails = step -> false;
    private boolean outOfMemory;
    private int forced;

    @BeforeEach
    @BeforeTry
    void makeDirectory() throws IOException {
        directory = Files.createTempDirectory("traces");
        fails = step -> false;
        outOfMemory = false;
        forced = 0;
    }

    @AfterEach
    @AfterTry
    void deleteDirectory() throws IOException {
        try (var files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(directory);
    }

    /** A file that fails as told; when it is to write, after the half. */
    private final class Failing extends Unforced {
        Failing(Path path) throws IOException {
            super(path);
        }

        @Override
        public long length() throws IOException {
            step("length");
            return super.length();
        }

        @Override
        public boolean isTorn() throws IOException {
            step("torn");
            return super.isTorn();
        }

        @Override
        public void append(byte[] bytes) throws IOException {
            if (fails.test("append")) {
                super.append(Arrays.copyOf(bytes, bytes.length / 2));
                if (outOfMemory) {
                    throw new OutOfMemoryError("direct memory");
                }
                throw new IOException("No space left on device");
            }
            super.append(bytes);
        }

        @Override
        public void truncate(long length) throws IOException {
            step("truncate");
            super.truncate(length);
        }

        @Override
        public void force() throws IOException {
            step("force");
            forced++;
        }

        @Override
        public void close() throws IOException {
            super.close();
            step("close");
        }
    }

    private void step(String name) throws IOException {
        if (fails.test(name)) {
            throw new IOException("No space left on device (" + name + ")");
        }
    }

    private LineFile open(Path path) throws IOException {
        step("open");
        return new Failing(path);
    }

    private JsonLinesTraceSink.Builder sink() {
        return JsonLinesTraceSink.builder(directory).opener(this::open);
    }

    private static RoutingTrace trace(String id) {
        return JsonLinesTraceSinkTest.numbered(TraceFormatTest.EXAMPLE, id);
    }

    private static void refused(JsonLinesTraceSink sink, String id) {
        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> sink.accept(trace(id)))
                .withMessageContaining("No space left");
    }

    private List<String> ids() throws IOException {
        return JsonLinesTraces.read(directory).stream()
                .map(RoutingTrace::requestId)
                .toList();
    }

    @Test
    void aLineThatCouldNotBeWrittenIsCutOffAgain() throws IOException {
        for (String step : List.of("append", "force")) {
            try (JsonLinesTraceSink sink = sink().open()) {
                sink.accept(trace("before " + step));
                fails = step::equals;
                refused(sink, "lost");
                refused(sink, "lost too");
                fails = any -> false;
                sink.accept(trace("after " + step));
            }
        }
        assertThat(ids()).containsExactly("before append", "after append", "before force", "after force");
        assertThat(JsonLinesTraces.read(directory).skipped()).isZero();
    }

    @Test
    void aLineThatCouldNotEvenBeCutOffStandsAlone() throws IOException {
        try (JsonLinesTraceSink sink = sink().open()) {
            sink.accept(trace("before"));
            fails = List.of("append", "truncate", "close")::contains;
            refused(sink, "lost");
            fails = step -> false;
            sink.accept(trace("after"));
        }
        JsonLinesTraces read = JsonLinesTraces.read(directory);
        assertThat(ids()).containsExactly("before", "after");
        assertThat(read.skippedLines()).singleElement().satisfies(line -> {
            assertThat(line.line()).isEqualTo(2);
            assertThat(line.toString()).endsWith(".jsonl:2: no JSON");
        });
    }

    @Test
    void anErrorTearsNoLineThatComesLater() throws IOException {
        outOfMemory = true;
        try (JsonLinesTraceSink sink = sink().open()) {
            for (List<String> steps : List.of(List.of("append", "truncate"), List.of("append"))) {
                sink.accept(trace("before " + steps));
                fails = steps::contains;
                assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> sink.accept(trace("lost")));
                fails = step -> false;
            }
            sink.accept(trace("after"));
        }
        assertThat(ids()).containsExactly("before [append, truncate]", "before [append]", "after");
        assertThat(JsonLinesTraces.read(directory).skipped()).isEqualTo(1);
    }

    @Test
    void aWholeLineThatCouldNotBeCutOffMayBeThere() throws IOException {
        try (JsonLinesTraceSink sink = sink().open()) {
            fails = List.of("force", "truncate")::contains;
            refused(sink, "refused");
            fails = step -> false;
            sink.accept(trace("after"));
        }
        assertThat(ids()).containsExactly("refused", "after");
    }

    @Test
    void aFileThatCannotBeTurnedOverKeepsItsLines() throws IOException {
        try (JsonLinesTraceSink sink = sink().maxFileBytes(1).maxFiles(2).open()) {
            sink.accept(trace("1"));
            sink.accept(trace("2"));
            for (String step : List.of("open", "length", "torn")) {
                fails = step::equals;
                if (!step.equals("torn")) {
                    refused(sink, "lost");
                }
                refused(sink, "lost");
            }
            fails = step -> false;
            sink.accept(trace("3"));
        }
        assertThat(ids()).containsExactly("2", "3");
    }

    @Test
    void linesAreForcedAsOftenAsWasAskedFor() throws IOException {
        try (JsonLinesTraceSink sink = sink().forceEvery(3).open()) {
            for (int i = 1; i <= 7; i++) {
                sink.accept(trace("r" + i));
                assertThat(forced).isEqualTo(i / 3);
            }
            sink.flush();
            assertThat(forced).isEqualTo(3);
            sink.flush();
            assertThat(forced).isEqualTo(3);
            sink.accept(trace("r8"));
        }
        assertThat(forced).isEqualTo(4);
    }

    @Test
    void whatCouldNotBeForcedIsForcedLater() throws IOException {
        JsonLinesTraceSink sink = sink().forceEvery(100).open();
        sink.accept(trace("r1"));
        fails = "force"::equals;
        assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(sink::flush);
        fails = step -> false;
        sink.flush();
        assertThat(forced).isEqualTo(1);
        sink.accept(trace("r2"));
        fails = "force"::equals;
        assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(sink::close);
        fails = step -> false;
        sink.close();
        JsonLinesTraceSink.open(directory).close();
        assertThat(ids()).containsExactly("r1", "r2");
    }

    @Property(tries = 50)
    void whateverFailsTheAcknowledgedAreKeptWithinTheBound(
            @ForAll long seed,
            @ForAll @IntRange(min = 2, max = 4) int maxFiles,
            @ForAll @IntRange(min = 1, max = 4) int lines)
            throws IOException {
        Random random = new Random(seed);
        List<String> acknowledged = new ArrayList<>();
        long most = (long) lines * TraceWriter.trace(trace("00")).length;
        for (int crash = 0; crash < 3; crash++) {
            fails = step -> false;
            try (JsonLinesTraceSink sink =
                    sink().maxFileBytes(most).maxFiles(maxFiles).open()) {
                fails = step -> random.nextInt(12) == 0;
                for (int i = 0; i < 15; i++) {
                    String id = "" + (10 + crash * 15 + i);
                    if (accepts(sink, id)) {
                        acknowledged.add(id);
                    }
                    bounded(most, maxFiles);
                }
                fails = step -> false;
            }
        }
        List<String> kept = ids();
        assertThat(kept).isNotEmpty().isSorted();
        // what the bound has deleted is the oldest; a line that was forced in vain and could not be cut off may be
        // there
        assertThat(kept)
                .containsAll(acknowledged.stream()
                        .filter(id -> id.compareTo(kept.get(0)) >= 0)
                        .toList());
    }

    private static boolean accepts(JsonLinesTraceSink sink, String id) {
        try {
            sink.accept(trace(id));
            return true;
        } catch (UncheckedIOException e) {
            return false;
        }
    }

    private void bounded(long most, int maxFiles) throws IOException {
        List<Path> files = TraceDirectory.files(directory);
        assertThat(files).hasSizeLessThanOrEqualTo(maxFiles);
        for (Path file : files) {
            assertThat(Files.size(file)).isLessThanOrEqualTo(most);
        }
    }
}
