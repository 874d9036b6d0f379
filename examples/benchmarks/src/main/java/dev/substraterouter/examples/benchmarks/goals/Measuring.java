package dev.substraterouter.examples.benchmarks.goals;

import dev.substraterouter.examples.benchmarks.NanosPerCall;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.NoBenchmarksException;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Brings the figures that goals need. The whole set of benchmarks runs in rounds, a fork each, so that what is compared has met the same
 * weather; the median of all iterations counts.
 */
final class Measuring {
    private static final int ROUNDS = 2;
    private static final int WARM_UPS = 3;
    private static final TimeValue WARM_UP = TimeValue.milliseconds(500);
    private static final int ITERATIONS = 5;
    private static final TimeValue ITERATION = TimeValue.milliseconds(200);
    private static final String ALLOCATION = "gc.alloc.rate.norm";

    private final PrintStream progress;
    private final Figures figures = new Figures();

    Measuring(PrintStream progress) {
        this.progress = progress;
    }

    /** How the benchmarks are run, in words. */
    static String describe() {
        return String.format(
                "Medians of %d forks × %d iterations of %s after %d of %s; forks with %s",
                ROUNDS, ITERATIONS, ITERATION, WARM_UPS, WARM_UP, String.join(" ", NanosPerCall.FORK));
    }

    /** Runs what some goals need; what fails or is not there is told and left out. */
    Figures measure(Collection<Goal> goals) throws InterruptedException {
        Set<Run> runs = new LinkedHashSet<>();
        Set<Sampler> samplers = new LinkedHashSet<>();
        for (Goal goal : goals) {
            for (Figure figure : goal.figures()) {
                if (figure instanceof Figure.Time time) {
                    runs.add(time.run());
                } else if (figure instanceof Figure.Allocation allocation) {
                    runs.add(allocation.run());
                } else if (figure instanceof Figure.Sampled sampled) {
                    samplers.add(sampled.sampler());
                }
            }
        }
        for (int round = 1; round <= ROUNDS; round++) {
            List<Run> left = List.copyOf(runs);
            for (int at = 0; at < left.size(); at++) {
                Run run = left.get(at);
                progress.printf("round %d of %d, %d of %d: %s%n", round, ROUNDS, at + 1, left.size(), run);
                if (!measured(run)) {
                    runs.remove(run);
                }
            }
        }
        for (Sampler sampler : samplers) {
            sample(sampler);
        }
        return figures;
    }

    private void sample(Sampler sampler) throws InterruptedException {
        progress.println("by hand: " + sampler);
        try {
            sampler.sample().forEach(figures::add);
        } catch (IOException failed) {
            progress.println("  not measured: " + failed.getMessage());
        }
    }

    private boolean measured(Run run) {
        try {
            new Runner(options(run).build()).run().forEach(result -> take(run, result));
            return true;
        } catch (NoBenchmarksException none) {
            progress.println("  not measured: no such benchmark");
        } catch (RunnerException failed) {
            progress.println("  not measured: " + failed.getMessage());
        }
        return false;
    }

    private static ChainedOptionsBuilder options(Run run) {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include("^" + Pattern.quote(run.benchmark()) + "$")
                .mode(Mode.AverageTime)
                .timeUnit(TimeUnit.NANOSECONDS)
                .forks(1)
                .jvmArgsAppend(NanosPerCall.FORK.toArray(String[]::new))
                .warmupIterations(WARM_UPS)
                .warmupTime(WARM_UP)
                .measurementIterations(ITERATIONS)
                .measurementTime(ITERATION)
                .addProfiler(GCProfiler.class)
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT);
        run.parameters().forEach(options::param);
        return run.threads() == 0 ? options : options.threads(run.threads());
    }

    private void take(Run run, RunResult result) {
        for (BenchmarkResult fork : result.getBenchmarkResults()) {
            for (IterationResult iteration : fork.getIterationResults()) {
                figures.add(new Figure.Time(run), iteration.getPrimaryResult().getScore());
            }
            fork.getSecondaryResults().forEach((name, value) -> {
                if (name.endsWith(ALLOCATION)) {
                    figures.add(new Figure.Allocation(run), value.getScore());
                }
            });
        }
    }
}
