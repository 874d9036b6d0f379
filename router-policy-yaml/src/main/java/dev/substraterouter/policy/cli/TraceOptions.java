package dev.substraterouter.policy.cli;

import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.cli.text.Visible;
import dev.substraterouter.policy.cli.traces.TraceSet;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Traces and the policy that they are held against. */
final class TraceOptions {
    /** More lines would hide what the command has to say. */
    private static final int MOST_TOLD = 10;

    @Parameters(
            arity = "1..*",
            paramLabel = "TRACES",
            description = "Traces, JSON Lines: files, or directories in which a trace sink writes.")
    private List<Path> files = List.of();

    @Option(names = "--policy", required = true, paramLabel = "FILE", description = "The policy, a YAML file.")
    @SuppressWarnings("NullAway.Init") // required
    private Path policyFile;

    Policy policy() throws IOException {
        return Policies.read(policyFile);
    }

    /**
     * The traces. Lines that cannot be read are told on standard error.
     *
     * @throws IOException if a file cannot be read, or no line of them all
     */
    TraceSet read(CommandSpec spec) throws IOException {
        TraceSet traces = TraceSet.read(files);
        PrintWriter err = spec.commandLine().getErr();
        traces.skippedLines().stream()
                .limit(MOST_TOLD)
                .forEach(line -> err.println("skipped: " + Visible.of(line.toString())));
        if (traces.skipped() > MOST_TOLD) {
            err.println("skipped: " + (traces.skipped() - MOST_TOLD) + " more lines");
        }
        err.flush();
        if (traces.size() == 0 && traces.skipped() > 0) {
            throw new IOException(
                    "no trace among " + traces.skipped() + " lines (expected: JSON Lines of a trace sink)");
        }
        return traces;
    }
}
