package dev.substraterouter.examples.benchmarks.goals;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures the goals and prints their table. It reports and does not judge: the exit code is 0 whatever is met. */
@Command(
        name = "benchmarks",
        sortOptions = false,
        description = {
            "Measures what a decision costs. With --goals, the goals P0 to P16 in one run of some minutes, as a table on standard output.",
            "Without it, every argument is JMH's own: none at all runs every benchmark, -l lists them, -h helps."
        },
        footer = {"", "Leave the machine alone meanwhile. Only ratios within one run count."})
public final class GoalsCommand implements Callable<Integer> {
    @Option(names = "--goals", required = true, description = "Measure the goals.")
    private boolean goals;

    @Option(names = "--only", split = ",", paramLabel = "P", description = "Measure these only, for example P1,P4.")
    private List<String> only = new ArrayList<>();

    @Option(names = "--markdown", paramLabel = "FILE", description = "Write the table to a file too.")
    private @Nullable Path markdown;

    @Option(names = "--help", usageHelp = true, description = "Print this.")
    private boolean help;

    @Spec
    private CommandSpec spec;

    private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);

    /** Runs the command and returns its exit code: 2 when it did not understand its arguments. */
    public static int run(String... args) {
        return new CommandLine(new GoalsCommand()).execute(args);
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        List<Goal> chosen = chosen();
        long start = System.nanoTime();
        Figures figures = new Measuring(System.err).measure(chosen);
        List<Line> lines = chosen.stream().map(goal -> Line.of(goal, figures)).toList();
        String report = report(lines, Duration.ofNanos(System.nanoTime() - start));
        out.print(report);
        if (markdown != null) {
            Files.writeString(markdown, report);
        }
        return 0;
    }

    static String report(List<Line> lines, Duration took) {
        return String.format(
                "%s%n%n%s; took %d s: %s.%n%n%s",
                Machine.describe(), Measuring.describe(), took.toSeconds(), summary(lines), Table.of(lines));
    }

    /** How many goals are met; what would be good to meet does not count. */
    static String summary(List<Line> lines) {
        List<Verdict> verdicts = lines.stream()
                .filter(line -> line.goal().kind() == Goal.Kind.GOAL)
                .map(Line::verdict)
                .toList();
        return String.format(
                "%d met, %d not met, %d not measured",
                count(verdicts, Verdict.MET), count(verdicts, Verdict.NOT_MET), count(verdicts, Verdict.NOT_MEASURED));
    }

    private static long count(List<Verdict> verdicts, Verdict wanted) {
        return verdicts.stream().filter(verdict -> verdict == wanted).count();
    }

    private List<Goal> chosen() {
        Set<String> ids = new LinkedHashSet<>();
        Goals.ALL.forEach(goal -> ids.add(goal.id()));
        List<String> wanted =
                only.stream().map(id -> id.strip().toUpperCase(Locale.ROOT)).toList();
        for (String id : wanted) {
            if (!ids.contains(id)) {
                throw new ParameterException(
                        spec.commandLine(), "--only: " + id + " (expected: some of " + String.join(", ", ids) + ")");
            }
        }
        return Goals.ALL.stream()
                .filter(goal -> wanted.isEmpty() || wanted.contains(goal.id()))
                .toList();
    }
}
