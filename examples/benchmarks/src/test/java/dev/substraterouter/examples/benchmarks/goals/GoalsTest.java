package dev.substraterouter.examples.benchmarks.goals;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.examples.benchmarks.ours.DecisionBenchmark;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.VerboseMode;

/** The logic of the table, on figures that are made up. */
class GoalsTest {
    private static final Figure OURS = new Figure.Time(new Run("a.B.ours", 0, Map.of()));
    private static final Figure THEIRS = new Figure.Time(new Run("a.B.theirs", 0, Map.of()));
    private static final Figure CLOCK = new Figure.Time(new Run("a.B.clock", 0, Map.of()));
    private static final Figure BYTES = new Figure.Allocation(new Run("a.B.ours", 0, Map.of()));

    private final Figures figures = new Figures();

    @Test
    void aRatioIsMetUpToItsLimit() {
        Goal goal = Goal.times("P1", "ours", OURS, 1.5, Denominator.of("theirs", THEIRS));
        figures.add(OURS, 150);
        figures.add(THEIRS, 100);

        assertThat(Line.of(goal, figures).ratio()).hasValue(1.5);
        assertThat(Line.of(goal, figures).verdict()).isEqualTo(Verdict.MET);
        assertThat(Line.of(goal, figures).cells())
                .containsExactly("P1", "ours", "≤ 1.50×", "150 ns", "theirs: 100 ns", "1.50×", "met");
    }

    @Test
    void aRatioAboveItsLimitIsNotMet() {
        figures.add(OURS, 151);
        figures.add(THEIRS, 100);

        Line line = Line.of(Goal.times("P1", "ours", OURS, 1.5, Denominator.of("theirs", THEIRS)), figures);

        assertThat(line.verdict()).isEqualTo(Verdict.NOT_MET);
    }

    @Test
    void whatIsMissingIsSaidAndNotJudged() {
        Goal goal = Goal.times("P4", "ours", OURS, 5, Denominator.of("theirs + a clock read", THEIRS, CLOCK));
        assertThat(Line.of(goal, figures).verdict()).isEqualTo(Verdict.NOT_MEASURED);

        figures.add(OURS, 60);
        figures.add(CLOCK, 30);

        assertThat(Line.of(goal, figures).cells())
                .containsExactly(
                        "P4", "ours", "≤ 5.00×", "60 ns", "theirs + a clock read: not measured", "", "not measured");
    }

    @Test
    void theDenominatorIsASum() {
        figures.add(OURS, 60);
        figures.add(THEIRS, 10);
        figures.add(CLOCK, 30);

        Goal goal = Goal.times("P4", "ours", OURS, 5, Denominator.of("both", THEIRS, CLOCK));

        assertThat(Line.of(goal, figures).ratio()).hasValue(1.5);
    }

    @Test
    void anAbsoluteLimitNeedsNoOther() {
        figures.add(BYTES, 160);

        assertThat(Line.of(Goal.atMost("P3", "bytes", BYTES, 160), figures).cells())
                .containsExactly("P3", "bytes", "≤ 160 B", "160 B", "", "", "met");
        assertThat(Line.of(Goal.atMost("P3", "bytes", BYTES, 159).stretch(), figures)
                        .cells())
                .contains("stretch: ≤ 159 B", "NOT MET");
        assertThat(Line.of(Goal.shown("P3", "bytes", BYTES), figures).cells())
                .containsExactly("P3", "bytes", "", "160 B", "", "", "");
    }

    @Test
    void ofTwoLimitsEitherIsEnough() {
        Goal goal = Goal.atMost("P12", "ours", OURS, 50).orTimes(1.5, Denominator.of("control", THEIRS));
        figures.add(OURS, 60);
        assertThat(Line.of(goal, figures).verdict()).isEqualTo(Verdict.NOT_MEASURED);

        figures.add(THEIRS, 59);
        assertThat(Line.of(goal, figures).verdict()).isEqualTo(Verdict.MET);
        assertThat(Line.of(goal, figures).cells()).contains("≤ 50 ns or ≤ 1.50×");

        figures.add(THEIRS, 1);
        assertThat(Line.of(goal, figures).verdict()).isEqualTo(Verdict.NOT_MET);
    }

    @Test
    void theMedianCounts() {
        List.of(5.0, 1.0, 100.0).forEach(value -> figures.add(OURS, value));
        assertThat(figures.of(OURS)).hasValue(5);

        figures.add(OURS, 7);
        assertThat(figures.of(OURS)).hasValue(6);
        assertThat(figures.of(BYTES)).as("of the same run, and another figure").isEmpty();
    }

    @Test
    void figuresAreWrittenInTheUnitThatFitsThem() {
        assertThat(Unit.NANOS.format(11.72)).isEqualTo("11.7 ns");
        assertThat(Unit.NANOS.format(1)).isEqualTo("1 ns");
        assertThat(Unit.NANOS.format(1_234)).isEqualTo("1.23 µs");
        assertThat(Unit.NANOS.format(20_000_000)).isEqualTo("20 ms");
        assertThat(Unit.NANOS.format(5e12)).isEqualTo("5000 s");
        assertThat(Unit.BYTES.format(0)).isEqualTo("0 B");
        assertThat(Unit.BYTES.format(2 * 1024 * 1024)).isEqualTo("2 MB");
        assertThat(Unit.COUNT.format(0)).isEqualTo("0");
    }

    @Test
    void theTableIsAlignedAndSummedUp() {
        figures.add(OURS, 150);
        List<Line> lines = List.of(
                Line.of(Goal.atMost("P1", "short", OURS, 200), figures),
                Line.of(Goal.atMost("P10", "a longer text", OURS, 100), figures),
                Line.of(Goal.atMost("P1", "stretch", OURS, 100).stretch(), figures),
                Line.of(Goal.atMost("P2", "missing", THEIRS, 100), figures));

        String report = GoalsCommand.report(lines, Duration.ofSeconds(3));

        assertThat(report)
                .contains(" cores", "JDK " + Runtime.version(), "took 3 s", "1 met, 1 not met, 1 not measured");
        assertThat(Table.of(lines).lines().mapToInt(String::length).distinct().count())
                .isEqualTo(1);
        assertThat(Table.of(lines)).contains("| P1  | short            | ≤ 200 ns          | 150 ns ");
    }

    @Test
    void everyNumberHasAGoal() {
        assertThat(Goals.ALL.stream().map(Goal::id).distinct())
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(0, 16).mapToObj(id -> "P" + id).toList());
    }

    @Test
    void everyBenchmarkOfOursThatAGoalNeedsIsThere() {
        Map<String, Set<String>> there = new HashMap<>();
        OutputFormat silent = OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT);
        for (BenchmarkListEntry entry : BenchmarkList.defaultList().getAll(silent, List.of())) {
            Set<String> parameters = new HashSet<>();
            entry.getParams().orElse(Map.of()).forEach((name, values) -> parameters.add(name));
            there.put(entry.getUsername(), parameters);
        }
        for (Run run : runs()) {
            if (run.benchmark().startsWith(DecisionBenchmark.class.getPackageName())) {
                assertThat(there).containsKey(run.benchmark());
                assertThat(there.get(run.benchmark()))
                        .containsAll(run.parameters().keySet());
            }
        }
    }

    @Test
    void argumentsThatAreNotUnderstoodAreTwo() {
        assertThat(GoalsCommand.run("--goals", "--only", "P99")).isEqualTo(2);
        assertThat(GoalsCommand.run("--goals", "--nothing")).isEqualTo(2);
        assertThat(GoalsCommand.run("--help")).isEqualTo(0);
    }

    private static List<Run> runs() {
        List<Run> runs = new ArrayList<>();
        for (Goal goal : Goals.ALL) {
            for (Figure figure : goal.figures()) {
                if (figure instanceof Figure.Time time) {
                    runs.add(time.run());
                }
            }
        }
        return runs;
    }
}
