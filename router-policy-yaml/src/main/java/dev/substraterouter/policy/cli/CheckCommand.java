package dev.substraterouter.policy.cli;

import dev.substraterouter.policy.PolicyProblem;
import dev.substraterouter.policy.cli.text.SourceLines;
import dev.substraterouter.policy.cli.text.Visible;
import dev.substraterouter.policy.yaml.YamlPolicy;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Tells everything that is wrong or doubtful about policy files. */
@Command(
        name = "check",
        mixinStandardHelpOptions = true,
        versionProvider = Versions.class,
        usageHelpWidth = 100,
        description = "Tells everything that is wrong or doubtful about policies, with its place.",
        footer = {"", "Exit codes: 0 no error; 1 errors, with --strict warnings too; 2 a file could not be read."})
final class CheckCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set before it is called
    private CommandSpec spec;

    @Parameters(arity = "1..*", paramLabel = "FILE", description = "Policies, YAML files.")
    private List<Path> files = List.of();

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "text, json, or github for annotations in a workflow; default ${DEFAULT-VALUE}.")
    private ProblemFormat format = ProblemFormat.text;

    @Option(names = "--strict", description = "Warnings count as errors do.")
    private boolean strict;

    @Option(
            names = "--router-host",
            paramLabel = "HOST",
            description =
                    "A name or address of the host on which the router runs, as addresses would have it. Repeatable.")
    private Set<String> routerHosts = Set.of();

    @Override
    public Integer call() {
        List<Problem> problems = new ArrayList<>();
        int unreadable = 0;
        for (Path file : files) {
            try {
                problems.addAll(problems(file));
            } catch (IOException e) {
                unreadable++;
                spec.commandLine().getErr().println(Visible.of(Failures.words(e)));
            }
        }
        PrintWriter out = spec.commandLine().getOut();
        out.print(format.of(problems, files.size() - unreadable));
        out.flush();
        spec.commandLine().getErr().flush();
        boolean bad =
                problems.stream().anyMatch(each -> strict || each.problem().isError());
        return unreadable > 0 ? PolicyTool.COULD_NOT : bad ? 1 : 0;
    }

    /** The file is read once: a pipe has its text only once, and a file may change between two looks. */
    private List<Problem> problems(Path file) throws IOException {
        byte[] bytes = Policies.bytes(file);
        List<PolicyProblem> found = YamlPolicy.check(bytes, routerHosts).problems();
        return found.isEmpty() ? List.of() : Problem.in(file, SourceLines.of(bytes), found);
    }
}
