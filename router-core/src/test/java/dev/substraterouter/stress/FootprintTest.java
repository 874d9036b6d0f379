package dev.substraterouter.stress;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A router on a small board: a process of its own with one processor and 64 MiB. */
class FootprintTest {
    @Test
    void fitsIntoASmallProcessAndIsQuietWhileIdle(@TempDir Path folder) throws Exception {
        Path out = folder.resolve("out");
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:ActiveProcessorCount=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        SmallBoard.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(Redirect.to(out.toFile()))
                .start();
        try {
            assertThat(child.waitFor(60, TimeUnit.SECONDS)).as("ends in time").isTrue();
            assertThat(Files.readString(out)).contains("OK");
            assertThat(child.exitValue()).isZero();
        } finally {
            child.destroyForcibly();
        }
    }
}
