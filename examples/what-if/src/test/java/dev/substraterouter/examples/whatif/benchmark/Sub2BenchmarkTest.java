package dev.substraterouter.examples.whatif.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.simulate.Scenario;
import dev.substraterouter.simulate.Simulation;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class Sub2BenchmarkTest {
    private static final Duration SHORT = Duration.ofMinutes(10);

    /** Arrivals, marks of requests and bursts are those of the prototype. */
    @Test
    void asManyRequestsComeAsPublished() {
        for (ReferenceCheck.Published one : ReferenceCheck.published()) {
            if (one.setting() == Setting.L5) {
                assertThat(Math.round(requests(one.cell()) / 20.0))
                        .as(one.cell().toString())
                        .isEqualTo(one.requests());
            }
        }
    }

    private static long requests(Cell cell) {
        Scenario scenario = Sub2.scenario(cell);
        long count = 0;
        for (long seed = 1; seed <= 20; seed++) {
            for (Iterator<?> requests = Simulation.requests(scenario.withSeed(seed)); requests.hasNext(); count++) {
                requests.next();
            }
        }
        return count;
    }

    @Test
    void everyCellHasPublishedFigures() {
        assertThat(ReferenceCheck.published())
                .extracting(ReferenceCheck.Published::cell)
                .containsAll(Cell.ALL);
    }

    @Test
    void nodesAreNeverOverrunWhereTheNaiveRouterDoesIt() {
        Bench bench = new Bench(1, 2, Duration.ofHours(1), false, what -> {});
        for (Cell cell : List.of(Cell.poisson(270), Cell.bursty(270))) {
            assertThat(bench.run(Setting.NAIVE, cell).overloads()).isPositive();
            assertThat(bench.run(Setting.ROUTER, cell).overloads()).isZero();
            assertThat(bench.run(Variations.admitting(2), cell).overloads()).isZero();
        }
    }

    @Test
    void everyGoalIsMeasured() {
        List<Goal> goals = Goals.of(new Bench(1, 1, SHORT, true, what -> {}));

        assertThat(goals.stream().map(goal -> goal.title().split(" ", 2)[0]).distinct())
                .containsExactlyElementsOf(IntStream.rangeClosed(1, 13)
                        .mapToObj(number -> "G" + number)
                        .toList());
        assertThat(goals).allSatisfy(goal -> {
            assertThat(goal.measured()).isNotBlank();
            assertThat(goal.wanted()).isNotBlank();
            assertThat(goal.verdict()).contains("met");
        });
    }

    @Test
    void writesCellsGoalsAndReferenceCheck(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("sub2.md");
        StringWriter progress = new StringWriter();
        CommandLine command = Sub2Benchmark.commandLine(SHORT).setErr(new PrintWriter(progress));

        int code = command.execute("--quick", "--seeds", "1", "--markdown", file.toString());

        assertThat(code).isZero();
        assertThat(Files.readString(file))
                .contains(
                        "180/h bursty, N = 4, seeds 1–1", "270/h Poisson, N = 4, seeds 21–21", "G13", "Reference check")
                .doesNotContain("clairvoyant");
        assertThat(progress.toString()).contains("seeds 1–1: router, 180/h Poisson");
    }

    @Test
    void refusesSeedsThatWouldOverlap() {
        CommandLine command = Sub2Benchmark.commandLine(SHORT).setErr(new PrintWriter(new StringWriter()));

        assertThat(command.execute("--seeds", "21")).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(command.execute("--seeds", "0")).isEqualTo(CommandLine.ExitCode.USAGE);
    }
}
