package dev.substraterouter.policy.cli;

import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.cli.changes.KeyChange;
import dev.substraterouter.policy.cli.changes.KeyChanges;
import dev.substraterouter.policy.cli.text.Json;
import dev.substraterouter.policy.cli.text.Visible;
import dev.substraterouter.verify.PlacementChange;
import dev.substraterouter.verify.PolicyDiff;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Tells what differs between two policies. */
@Command(
        name = "diff",
        mixinStandardHelpOptions = true,
        versionProvider = Versions.class,
        usageHelpWidth = 100,
        description = "Tells which keys differ between two policies, and which placements change, in which situations.",
        footer = {"", "Exit codes: 0 no placement changes; 1 some do; 2 it could not be told."})
final class DiffCommand implements Callable<Integer> {
    /** A page or two: who has to read more will not. */
    private static final int MOST_TOLD = 50;

    @Spec
    @SuppressWarnings("NullAway.Init") // set before it is called
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "OLD", description = "The policy as it was.")
    @SuppressWarnings("NullAway.Init") // required
    private Path before;

    @Parameters(index = "1", paramLabel = "NEW", description = "The policy as it shall be.")
    @SuppressWarnings("NullAway.Init") // required
    private Path after;

    @Option(names = "--format", paramLabel = "FORMAT", description = "text or json; default ${DEFAULT-VALUE}.")
    private OutputFormat format = OutputFormat.text;

    @Option(
            names = "--all",
            description = "Tells of all placements that change; without it, in text, of the first " + MOST_TOLD + ".")
    private boolean all;

    @Override
    public Integer call() throws IOException {
        Policy old = Policies.read(before);
        Policy next = Policies.read(after);
        List<KeyChange> keys = KeyChanges.between(old, next);
        List<PlacementChange> placements = keys.isEmpty() ? List.of() : PolicyDiff.between(old, next);
        PrintWriter out = spec.commandLine().getOut();
        out.println(format == OutputFormat.json ? json(keys, placements) : text(keys, placements));
        out.flush();
        return placements.isEmpty() ? 0 : 1;
    }

    private String text(List<KeyChange> keys, List<PlacementChange> placements) {
        List<String> lines = new ArrayList<>();
        lines.add(keys.isEmpty() ? "No key differs." : "Keys:");
        keys.forEach(change -> lines.add("  " + change));
        lines.add(placements.isEmpty() ? "No placement changes, as far as they were looked at." : "Placements:");
        int told = all ? placements.size() : Math.min(MOST_TOLD, placements.size());
        placements.stream()
                .limit(told)
                .flatMap(change -> change.story().lines())
                .forEach(line -> lines.add("  " + line));
        if (told < placements.size()) {
            lines.add("And " + (placements.size() - told) + " more of " + placements.size() + "; --all tells of them.");
        }
        return lines.stream().map(Visible::of).collect(Collectors.joining("\n"));
    }

    private static String json(List<KeyChange> keys, List<PlacementChange> placements) {
        return Json.object(json -> {
            json.objects("keys", keys, (one, change) -> one.text("path", change.path())
                    .text("before", change.before())
                    .text("after", change.after()));
            json.objects("placements", placements, DiffCommand::fields);
        });
    }

    private static void fields(Json json, PlacementChange change) {
        json.text("subject", change.subject()).texts("roles", change.roles());
        json.text("before", change.before().toString())
                .text("after", change.after().toString());
        json.number("situations", change.situations()).text("story", change.story());
    }
}
