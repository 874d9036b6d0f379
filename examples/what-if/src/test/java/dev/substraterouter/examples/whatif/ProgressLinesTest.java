package dev.substraterouter.examples.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ProgressLinesTest {
    private final StringWriter err = new StringWriter();

    @Test
    void progressIsToldAtMostEveryThreeSeconds() {
        long[] now = {0};
        ProgressLines lines = new ProgressLines(new PrintWriter(err), () -> now[0]);
        Stream.of(1, 2, 3, 4, 7).forEach(second -> {
            now[0] = second * 1_000_000_000L;
            lines.at("router", 1, second, second / 10.0);
        });

        assertThat(err.toString().lines())
                .containsExactly(
                        " 30 %  router, load 1, seed 3; about 7 s left",
                        " 70 %  router, load 1, seed 7; about 3 s left");
    }
}
