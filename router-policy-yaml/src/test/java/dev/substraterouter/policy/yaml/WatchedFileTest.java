package dev.substraterouter.policy.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.substraterouter.internal.yaml.Mutations;
import dev.substraterouter.policy.PolicyException;
import dev.substraterouter.policy.PolicyProblem;
import dev.substraterouter.policy.yaml.WatchedFile.Look;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of a policy file, look by look, without time and threads. */
@Timeout(60)
class WatchedFileTest {
    private static final Look SAME = new Look.Same();
    private static final Look UNSETTLED = new Look.Unsettled();
    private static final String OTHER = Examples.SMALLEST.replace("vram_gb: 64", "vram_gb: 65");
    private static final String BAD = Examples.SMALLEST.replace("version: 1", "version: 2");

    @TempDir
    Path folder;

    private Path file;
    private WatchedFile watched;

    @BeforeEach
    void begin() throws IOException {
        file = Files.writeString(folder.resolve("policy.yaml"), Examples.SMALLEST);
        watched = new WatchedFile(file);
        assertThat(watched.load()).isEqualTo(YamlPolicy.parse(Examples.SMALLEST));
    }

    private void write(String text) throws IOException {
        Files.writeString(file, text);
    }

    private static Look good(String yaml) {
        return new Look.Good(YamlPolicy.parse(yaml));
    }

    private List<PolicyProblem> settledBad() {
        assertThat(watched.look()).isEqualTo(UNSETTLED);
        return ((Look.Bad) watched.look()).problem().problems();
    }

    private void settledGood(String yaml) {
        assertThat(watched.look()).isEqualTo(UNSETTLED);
        assertThat(watched.look()).isEqualTo(good(yaml));
        assertThat(watched.look()).isEqualTo(SAME);
    }

    @Test
    @DisplayName("what is there from the start, and touching it, is no change")
    void touched() throws IOException {
        assertThat(watched.look()).isEqualTo(SAME);
        Files.setLastModifiedTime(file, FileTime.fromMillis(0));
        assertThat(watched.look()).isEqualTo(SAME);
        write(Examples.SMALLEST);
        assertThat(watched.look()).isEqualTo(SAME);
    }

    @Test
    @DisplayName("another policy counts once it was found twice in a row, and counts once")
    void changed() throws IOException {
        write(OTHER);
        settledGood(OTHER);
        write(Examples.EVERYTHING);
        settledGood(Examples.EVERYTHING);
    }

    @Test
    @DisplayName(
            "a file that is written bit by bit is not judged before it is whole, though parts of it are policies and parts are not")
    void halfWritten() throws IOException {
        List<String> lines = OTHER.lines().toList();
        for (int some = 0; some < lines.size(); some++) {
            write(String.join("\n", lines.subList(0, some)));
            assertThat(watched.look()).as("%s lines", some).isEqualTo(UNSETTLED);
        }
        write(OTHER);
        settledGood(OTHER);
    }

    @Test
    @DisplayName("a change that is taken back before it settled was none")
    void takenBack() throws IOException {
        write(BAD);
        assertThat(watched.look()).isEqualTo(UNSETTLED);
        write(Examples.SMALLEST);
        assertThat(watched.look()).isEqualTo(SAME);
        write(BAD);
        assertThat(watched.look()).as("found before, but not in the last look").isEqualTo(UNSETTLED);
    }

    @Test
    @DisplayName(
            "a bad file is told once for each content, with its problems and its name; the policy from before is good again")
    void bad() throws IOException {
        write(BAD);
        assertThat(settledBad()).extracting(Mutations::placed).containsExactly("1:10 version version");
        assertThat(watched.look()).isEqualTo(SAME);
        write("version: [");
        assertThat(settledBad()).extracting(PolicyProblem::code).containsExactly("syntax");
        write(BAD);
        assertThat(settledBad()).hasSize(1);
        assertThat(watched.good()).contains(YamlPolicy.parse(Examples.SMALLEST));
        write(Examples.SMALLEST);
        settledGood(Examples.SMALLEST);
    }

    @Test
    @DisplayName("a file that is replaced is read anew; that it is away for a moment is nobody's concern")
    void replaced() throws IOException {
        Path next = Files.writeString(folder.resolve(".policy.yaml.swp"), OTHER);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        settledGood(OTHER);
        Files.delete(file);
        assertThat(watched.look()).isEqualTo(UNSETTLED);
        write(OTHER);
        assertThat(watched.look()).isEqualTo(SAME);
    }

    @Test
    @DisplayName("a file that is gone is told once; that it is back is a change, even with the old content")
    void deleted() throws IOException {
        Files.delete(file);
        assertThat(settledBad()).singleElement().satisfies(problem -> {
            assertThat(Mutations.placed(problem)).isEqualTo("0:0 unreadable ");
            assertThat(problem.message())
                    .isEqualTo(file + ": does not exist (expected: a file with a policy that can be read)");
        });
        assertThat(watched.look()).isEqualTo(SAME);
        write(Examples.SMALLEST);
        settledGood(Examples.SMALLEST);
    }

    @Test
    @DisplayName("a mounted config map: all links are swapped at once")
    void configMap() throws IOException {
        Path mount = Files.createDirectory(folder.resolve("mount"));
        Path first = Files.createDirectory(mount.resolve("..2026_05_04"));
        Path second = Files.createDirectory(mount.resolve("..2026_05_05"));
        Files.writeString(first.resolve("policy.yaml"), Examples.SMALLEST);
        Files.writeString(second.resolve("policy.yaml"), OTHER);
        Path data = Files.createSymbolicLink(mount.resolve("..data"), first.getFileName());
        Path mounted = Files.createSymbolicLink(mount.resolve("policy.yaml"), Path.of("..data", "policy.yaml"));
        watched = new WatchedFile(mounted);
        watched.load();
        Path swap = Files.createSymbolicLink(mount.resolve("..data_tmp"), second.getFileName());
        Files.move(swap, data, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        settledGood(OTHER);
        Files.delete(second.resolve("policy.yaml"));
        assertThat(settledBad()).extracting(PolicyProblem::code).containsExactly("unreadable");
    }

    @Test
    @DisplayName("a folder, a loop of links, a file too large and one that may not be read are problems that say so")
    void unreadable() throws IOException {
        Files.delete(file);
        Files.createDirectory(file);
        assertThat(settledBad()).singleElement().asString().contains(file + ": is no regular file");
        Files.delete(file);
        Files.createSymbolicLink(file, file.getFileName());
        assertThat(settledBad()).singleElement().asString().contains(file + ": ", "[unreadable]");
        Files.delete(file);
        write("#".repeat((1 << 20) + 1));
        assertThat(settledBad()).extracting(PolicyProblem::code).containsExactly("too-large");
        write(OTHER);
        settledGood(OTHER);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("---------"));
        assumeFalse(Files.isReadable(file), "who runs this may read everything");
        assertThat(settledBad()).extracting(PolicyProblem::code).containsExactly("unreadable");
    }

    @Test
    @DisplayName("a pipe is not waited for")
    void pipe() throws Exception {
        Path pipe = folder.resolve("pipe");
        Process made = new ProcessBuilder("mkfifo", pipe.toString()).start();
        assumeFalse(made.waitFor() != 0, "no pipes here");
        watched = new WatchedFile(pipe);
        assertThat(settledBad()).singleElement().asString().contains("is no regular file");
    }

    @Test
    @DisplayName("a file that is bad at first is told by load, and again to whoever watches it all the same")
    void badAtFirst() throws IOException {
        write(BAD);
        watched = new WatchedFile(file);
        assertThatThrownBy(watched::load)
                .isInstanceOf(PolicyException.class)
                .hasMessageStartingWith(file + " has 1 problem:\n  1:10 version: version: 2 (expected: 1)");
        assertThat(watched.good()).isEmpty();
        assertThat(settledBad()).hasSize(1);
        assertThatThrownBy(() -> new WatchedFile(folder.resolve("none")).load())
                .isInstanceOf(PolicyException.class)
                .hasMessageContaining("none: does not exist");
    }

    @Test
    @DisplayName("how often it is looked at has a range")
    void interval() {
        assertThatThrownBy(() -> YamlPolicy.watch(file, Duration.ofMillis(9)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("every: PT0.009S (expected: 10 ms to 1 h)");
        assertThatThrownBy(() -> YamlPolicy.watch(file, Duration.ofMinutes(61)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
