package dev.substraterouter.policy.cli;

import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.cli.text.Json;
import dev.substraterouter.policy.cli.text.Numbers;
import dev.substraterouter.policy.cli.text.Visible;
import dev.substraterouter.policy.cli.traces.Unused;
import dev.substraterouter.policy.cli.traces.Usage;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Tells from traces what of a policy decided nothing. */
@Command(
        name = "unused",
        mixinStandardHelpOptions = true,
        versionProvider = Versions.class,
        usageHelpWidth = 100,
        sortOptions = false,
        description = {
            "Tells what of a policy decided nothing in some traces: workloads never asked for, candidates and fallbacks never "
                    + "taken, substrates never used, roles never seen, declared limits that never said no.",
            "A limit counts only where its substrate was looked at."
        },
        footer = {"", "Exit codes: 0 it was told; 2 it could not be."})
final class UnusedCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set before it is called
    private CommandSpec spec;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set before it is called
    private TraceOptions traces;

    @Option(names = "--format", paramLabel = "FORMAT", description = "text or json; default ${DEFAULT-VALUE}.")
    private OutputFormat format = OutputFormat.text;

    @Override
    public Integer call() throws IOException {
        Policy policy = traces.policy();
        Usage usage = Usage.of(policy, traces.read(spec));
        PrintWriter out = spec.commandLine().getOut();
        out.println(format == OutputFormat.json ? json(usage) : text(usage));
        out.flush();
        return 0;
    }

    private static String text(Usage usage) {
        List<String> lines = new ArrayList<>(List.of(Numbers.capital(usage.span()) + "."));
        if (usage.strangers() > 0) {
            lines.add(Numbers.counted(usage.strangers(), "request") + " for workloads that the policy does not have.");
        }
        for (Unused.Kind kind : Unused.Kind.values()) {
            List<Unused> ofKind = ofKind(usage, kind);
            if (!ofKind.isEmpty()) {
                lines.add(title(kind) + ":");
                ofKind.forEach(unused -> lines.add("  " + unused.path() + ": " + unused.words()));
            }
        }
        if (usage.requests() > 0 && usage.unused().isEmpty()) {
            lines.add("Everything in the policy decided something.");
        }
        return lines.stream().map(Visible::of).collect(Collectors.joining("\n"));
    }

    private static List<Unused> ofKind(Usage usage, Unused.Kind kind) {
        return usage.unused().stream().filter(unused -> unused.kind() == kind).toList();
    }

    private static String title(Unused.Kind kind) {
        return switch (kind) {
            case WORKLOAD -> "Workloads";
            case CANDIDATE -> "Primaries and pins";
            case FALLBACK -> "Fallbacks";
            case BATCH -> "Batch paths";
            case SUBSTRATE -> "Substrates";
            case ROLE -> "Roles";
            case LIMIT -> "Limits";
        };
    }

    private static String json(Usage usage) {
        return Json.object(json -> {
            json.number("requests", usage.requests()).number("unknown_workloads", usage.strangers());
            json.text("span", usage.span());
            json.objects("unused", usage.unused(), (one, unused) -> one.text("kind", Numbers.code(unused.kind()))
                    .text("path", unused.path())
                    .text("words", unused.words()));
        });
    }
}
