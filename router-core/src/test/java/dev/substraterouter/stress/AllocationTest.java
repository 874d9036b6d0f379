package dev.substraterouter.stress;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * What a request allocates does not grow unnoticed. Counted in a process of its own without a compiler, so to the byte, however busy the
 * machine: every object of the code is in it, those too that the compiler would have done without. Who needs more raises the figure, and
 * says for what.
 */
class AllocationTest {
    /** Bytes for each request, as it is now. */
    private static final Map<String, Long> AT_MOST = Map.of(
            "first", 584L,
            "spill", 696L,
            "busy", 304L,
            "refused", 504L);

    @Test
    void noRequestAllocatesMoreThanItDid() throws Exception {
        Map<String, Long> counted = counted();

        assertThat(counted.keySet()).isEqualTo(AT_MOST.keySet());
        counted.forEach((what, bytes) -> assertThat(bytes)
                .as("bytes for each request: %s (all: %s)", what, counted)
                .isPositive()
                .isLessThanOrEqualTo(AT_MOST.get(what)));
    }

    private static Map<String, Long> counted() throws Exception {
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xint",
                        "-Xmx256m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        AllocationCount.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        Map<String, Long> counted = new LinkedHashMap<>();
        try (BufferedReader lines = child.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] parts = line.split(" ");
                counted.put(parts[0], Long.valueOf(parts[1]));
            }
            assertThat(child.waitFor(60, TimeUnit.SECONDS)).as("ends in time").isTrue();
            assertThat(child.exitValue()).isZero();
        } finally {
            child.destroyForcibly();
        }
        return counted;
    }
}
