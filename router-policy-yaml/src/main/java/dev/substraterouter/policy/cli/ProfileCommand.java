package dev.substraterouter.policy.cli;

import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.cli.traces.Patch;
import dev.substraterouter.policy.cli.traces.Profile;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Tells from traces which figures of a policy are not what was observed, as a patch of it. */
@Command(
        name = "profile",
        mixinStandardHelpOptions = true,
        versionProvider = Versions.class,
        usageHelpWidth = 100,
        sortOptions = false,
        description = {
            "Prints what was observed of each candidate as a patch of the policy: latency (median of what succeeded with the "
                    + "model resident), review rate, and GPU memory (the most a job took, where hosts report it).",
            "Only what differs by more than noise is in it: the policy's value lies outside the 95 %% interval and is off by more "
                    + "than 5 %%."
        },
        footer = {"", "Exit codes: 0 it was told; 2 it could not be."})
final class ProfileCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set before it is called
    private CommandSpec spec;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set before it is called
    private TraceOptions traces;

    @Option(
            names = "--min-samples",
            paramLabel = "N",
            description = "From how many values on a figure counts; default ${DEFAULT-VALUE}.")
    private int leastValues = 20;

    @Option(
            names = "--whole",
            description = "Prints the whole policy with the patch laid over it, without its comments.")
    private boolean whole;

    @Override
    public Integer call() throws IOException {
        if (leastValues < 1) {
            throw new ParameterException(
                    spec.commandLine(), "--min-samples: " + leastValues + " (expected: 1 or more)");
        }
        Policy policy = traces.policy();
        Patch patch = Patch.of(policy, Profile.of(policy, traces.read(spec)), leastValues);
        PrintWriter out = spec.commandLine().getOut();
        out.print(whole ? patch.whole() : patch.text());
        out.flush();
        return 0;
    }
}
