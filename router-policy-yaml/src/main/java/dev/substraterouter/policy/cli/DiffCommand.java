package dev.substraterouter.policy.cli;

import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.cli.changes.KeyChange;
import dev.substraterouter.policy.cli.changes.KeyChanges;
import dev.substraterouter.policy.cli.text.Visible;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Tells what differs between two policies. */
@Command(
        name = "diff",
        mixinStandardHelpOptions = true,
        versionProvider = Versions.class,
        usageHelpWidth = 100,
        description = "Tells which keys differ between two policies.",
        footer = {"", "Exit codes: 0 none; 1 some; 2 it could not be told."})
final class DiffCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set before it is called
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "OLD", description = "The policy as it was.")
    @SuppressWarnings("NullAway.Init") // required
    private Path before;

    @Parameters(index = "1", paramLabel = "NEW", description = "The policy as it shall be.")
    @SuppressWarnings("NullAway.Init") // required
    private Path after;

    @Override
    public Integer call() throws IOException {
        Policy old = Policies.read(before);
        Policy next = Policies.read(after);
        List<KeyChange> keys = KeyChanges.between(old, next);
        PrintWriter out = spec.commandLine().getOut();
        out.println(text(keys));
        out.flush();
        return keys.isEmpty() ? 0 : 1;
    }

    private static String text(List<KeyChange> keys) {
        List<String> lines = new ArrayList<>();
        lines.add(keys.isEmpty() ? "No key differs." : "Keys:");
        keys.forEach(change -> lines.add("  " + change));
        return lines.stream().map(Visible::of).collect(Collectors.joining("\n"));
    }
}
