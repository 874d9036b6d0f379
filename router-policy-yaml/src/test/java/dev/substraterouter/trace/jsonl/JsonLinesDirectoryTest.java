package dev.substraterouter.trace.jsonl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.substraterouter.trace.RoutingTrace;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names, owners and rights of the files in a sink's directory. */
class JsonLinesDirectoryTest {
    private static final String FIRST = "traces-000000000001.jsonl";

    @TempDir
    private Path temp;

    private Path directory() {
        return temp.resolve("traces");
    }

    private List<String> names() throws IOException {
        return TraceDirectory.files(directory()).stream()
                .map(file -> file.getFileName().toString())
                .toList();
    }

    private void write(int traces) throws IOException {
        try (JsonLinesTraceSink sink = JsonLinesTraceSink.builder(directory())
                .maxFileBytes(1)
                .maxFiles(3)
                .open()) {
            IntStream.range(0, traces)
                    .forEach(i -> sink.accept(JsonLinesTraceSinkTest.numbered(TraceFormatTest.EXAMPLE, "r" + i)));
        }
    }

    private List<String> ids() throws IOException {
        return JsonLinesTraces.read(directory()).stream()
                .map(RoutingTrace::requestId)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ar-EG", "fa-IR", "th-TH-u-nu-thai", "tr-TR", "ar-EG-u-nu-arab"})
    void namesAreTheSameInEveryLanguage(String language) throws IOException {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag(language));
        try {
            write(5);
            assertThat(names())
                    .containsExactly(
                            "traces-000000000003.jsonl", "traces-000000000004.jsonl", "traces-000000000005.jsonl");
            assertThat(ids()).containsExactly("r2", "r3", "r4");
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void aRefusedSecondSinkLeavesTheLockToTheFirst() throws Exception {
        try (JsonLinesTraceSink first = JsonLinesTraceSink.open(directory())) {
            assertThat(anotherProcessGetsTheLock()).isFalse();
            Files.createSymbolicLink(temp.resolve("link"), directory());
            for (Path way : List.of(directory(), directory().resolve("../traces"), temp.resolve("link/."))) {
                assertThatExceptionOfType(IOException.class)
                        .isThrownBy(() -> JsonLinesTraceSink.open(way))
                        .withMessageContaining("another sink");
                assertThat(anotherProcessGetsTheLock()).as("after %s", way).isFalse();
            }
            first.accept(TraceFormatTest.EXAMPLE);
        }
        assertThat(anotherProcessGetsTheLock()).isTrue();
    }

    private boolean anotherProcessGetsTheLock() throws IOException, InterruptedException, URISyntaxException {
        String classes = Path.of(Other.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI())
                .toString();
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xshare:auto",
                        "-cp",
                        classes,
                        Other.class.getName(),
                        directory().resolve(DirectoryLock.NAME).toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        assertThat(process.waitFor()).as(said).isZero();
        return said.equals("locked");
    }

    /** What another process does. */
    static final class Other {
        private Other() {}

        public static void main(String[] arguments) throws IOException {
            try (FileChannel channel = FileChannel.open(Path.of(arguments[0]), StandardOpenOption.WRITE)) {
                System.out.println(channel.tryLock() == null ? "refused" : "locked");
            }
        }
    }

    @Test
    void onlyTheOwnerMayReadWhatIsMade() throws IOException {
        assumeTrue(temp.getFileSystem().supportedFileAttributeViews().contains("posix"));
        write(2);
        assertThat(rights(directory())).isEqualTo("rwx------");
        try (var all = Files.list(directory())) {
            assertThat(all.toList()).hasSize(3).allSatisfy(file -> assertThat(rights(file))
                    .isEqualTo("rw-------"));
        }
    }

    private static String rights(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void noLinkIsWrittenThrough() throws IOException {
        Path victim = Files.writeString(temp.resolve("victim"), "mine");
        Files.createDirectories(directory());
        Files.createSymbolicLink(directory().resolve(FIRST), victim);
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> JsonLinesTraceSink.open(directory()))
                .withMessageContaining("a symbolic link (expected: a file)");
        Files.delete(directory().resolve(FIRST));
        Files.createSymbolicLink(directory().resolve(DirectoryLock.NAME + "2"), victim);
        Files.deleteIfExists(directory().resolve(DirectoryLock.NAME));
        Files.move(directory().resolve(DirectoryLock.NAME + "2"), directory().resolve(DirectoryLock.NAME));
        assertThatExceptionOfType(IOException.class).isThrownBy(() -> JsonLinesTraceSink.open(directory()));
        assertThat(victim).hasContent("mine");
    }

    @Test
    void aDirectoryWithTheNameOfAFileIsPassedBy() throws IOException {
        Files.createDirectories(directory().resolve("traces-000000000002.jsonl"));
        write(2);
        assertThat(names()).containsExactly("traces-000000000003.jsonl", "traces-000000000004.jsonl");
        assertThat(ids()).containsExactly("r0", "r1");
    }

    @Test
    void numbersOfMoreThanTwelveDigitsGoOn() throws IOException {
        Files.createDirectories(directory());
        Files.createFile(directory().resolve("traces-999999999999.jsonl"));
        write(3);
        assertThat(names())
                .containsExactly(
                        "traces-999999999999.jsonl", "traces-1000000000000.jsonl", "traces-1000000000001.jsonl");
        Files.createFile(directory().resolve("traces-999999999999999999.jsonl"));
        write(1);
        assertThatExceptionOfType(java.io.UncheckedIOException.class)
                .isThrownBy(() -> write(1))
                .withMessageContaining("expected: a number after the newest");
    }
}
