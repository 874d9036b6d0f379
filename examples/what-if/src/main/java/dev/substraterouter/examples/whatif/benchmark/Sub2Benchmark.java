package dev.substraterouter.examples.whatif.benchmark;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * How well does the router place, on a published, seeded scenario? Prints the figures of each cell, the goals, each on the seeds for which the
 * settings were chosen and on as many others, and whether scenario and references come out as published.
 */
@Command(
        name = "sub2",
        mixinStandardHelpOptions = true,
        usageHelpWidth = 100,
        sortOptions = false,
        description = "Runs the benchmark SUB2-v1 and says which goals are met.")
public final class Sub2Benchmark implements Callable<Integer> {
    private static final List<Long> FIRST_SEEDS = List.of(1L, 21L);
    private static final int QUICK = 3;

    private final Duration length;

    @Spec
    @SuppressWarnings("NullAway.Init") // set before it is called
    private CommandSpec spec;

    @Option(names = "--seeds", paramLabel = "N", description = "How many seeds of each range, 1 to 20; default 20.")
    private int seeds = 20;

    @Option(names = "--quick", description = "3 seeds of each range, no clairvoyant.")
    private boolean quick;

    @Option(names = "--markdown", paramLabel = "FILE", description = "Writes to a file instead of standard output.")
    private @Nullable Path markdown;

    private Sub2Benchmark(Duration length) {
        this.length = length;
    }

    /** Runs it and ends the JVM. */
    public static void main(String[] arguments) {
        System.exit(commandLine(Duration.ofHours(6)).execute(arguments));
    }

    /** The command, with requests for so long. */
    static CommandLine commandLine(Duration length) {
        return new CommandLine(new Sub2Benchmark(length));
    }

    @Override
    public Integer call() throws IOException {
        if (seeds < 1 || seeds > 20) {
            throw new ParameterException(spec.commandLine(), "--seeds: " + seeds + " (expected: 1 to 20)");
        }
        PrintWriter err = spec.commandLine().getErr();
        long began = System.nanoTime();
        List<Bench> benches = FIRST_SEEDS.stream()
                .map(first -> new Bench(first, quick ? Math.min(seeds, QUICK) : seeds, length, !quick, what -> {
                    err.println(Duration.ofNanos(System.nanoTime() - began).toSeconds() + " s  " + what);
                    err.flush();
                }))
                .toList();
        String text = report(benches);
        if (markdown != null) {
            Files.writeString(markdown, text);
        } else {
            PrintWriter out = spec.commandLine().getOut();
            out.print(text);
            out.flush();
        }
        return CommandLine.ExitCode.OK;
    }

    /** The ranges of seeds have nothing in common and are run side by side where there are processors. */
    private static String report(List<Bench> benches) {
        List<Part> parts = benches.parallelStream()
                .map(bench -> new Part(bench.title(), CellTables.of(bench), Goals.of(bench)))
                .toList();
        StringBuilder text = new StringBuilder("# SUB2-v1\n");
        parts.forEach(part -> text.append(part.cells()));
        text.append("\n## Goals\n\n").append(goals(parts));
        text.append("\n## Reference check, ").append(parts.get(0).title()).append("\n\n");
        text.append("Reference: SUB2-v1 reference results, C1, seeds 1–20; EDGE: C8.\n\n");
        return text.append(ReferenceCheck.of(benches.get(0))).toString();
    }

    /** What came of one range of seeds. */
    private record Part(String title, String cells, List<Goal> goals) {}

    private static String goals(List<Part> parts) {
        List<String> heads = new ArrayList<>(List.of("goal", "wanted"));
        for (Part part : parts) {
            heads.addAll(List.of(part.title(), "", "owner-s/h (static)"));
        }
        Table table = new Table(heads.toArray(String[]::new));
        for (int at = 0; at < parts.get(0).goals().size(); at++) {
            Goal first = parts.get(0).goals().get(at);
            List<String> fields = new ArrayList<>(List.of(first.title(), first.wanted()));
            for (Part part : parts) {
                Goal goal = part.goals().get(at);
                fields.addAll(List.of(goal.measured(), goal.verdict(), goal.twins()));
            }
            table.row(fields);
        }
        return table.toString();
    }
}
