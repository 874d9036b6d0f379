package dev.substraterouter.policy.cli;

import dev.substraterouter.model.PlacementMode;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.cli.situation.Explanation;
import dev.substraterouter.policy.cli.situation.Situation;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Tells where a request would go when substrates are as the caller says, and why not elsewhere. */
@Command(
        name = "explain",
        mixinStandardHelpOptions = true,
        versionProvider = Versions.class,
        usageHelpWidth = 100,
        sortOptions = false,
        description = "Tells where a request would go when substrates are as you say, and why not elsewhere.",
        footer = {
            "",
            "Example: explain policy.yaml --workload flux-fill --status legion=busy --status mirrorforge=util:93,temp:60",
            "",
            "Exit codes: 0 it was told, a refusal included; 2 it could not be."
        })
final class ExplainCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set before it is called
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "The policy, a YAML file.")
    @SuppressWarnings("NullAway.Init") // required
    private Path file;

    @Option(names = "--workload", paramLabel = "NAME", description = "What is asked for; or describe a need instead.")
    private @Nullable String workload;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set before it is called
    private NeedOptions need;

    @Option(names = "--identity", paramLabel = "WHO", description = "Who asks.")
    private @Nullable String identity;

    @Option(names = "--priority", paramLabel = "WORD", description = "high, normal or low.")
    private @Nullable Priority priority;

    @Option(names = "--mode", paramLabel = "WORD", description = "interactive, batch or either (the default).")
    private PlacementMode mode = PlacementMode.EITHER;

    @Option(
            names = "--max-wait",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "How long it may wait, for example 30s; default the policy's.")
    private @Nullable Duration maxWait;

    @Option(names = "--prefer", paramLabel = "SUBSTRATE", description = "The substrate to look at first.")
    private @Nullable String prefer;

    @Option(
            names = "--avoid",
            paramLabel = "SUBSTRATE",
            description = "A substrate that must not serve it. Repeatable.")
    private List<String> avoid = List.of();

    @Option(
            names = "--status",
            paramLabel = "SUBSTRATE=WORDS",
            description = {
                "How a substrate is, in words with commas between them; default idle. Repeatable, also for the same substrate, "
                        + "as if its words were in one. Words: idle, busy (jobs at the limit), loaded (utilisation at the limit), hot, full (no free VRAM), silent (no status), stale, "
                        + "cordoned, ejected.",
                "Figures as KEY:VALUE: util, other_util, temp, used, free, total, running, queued, ready, model, attribute.NAME."
            })
    private List<String> statuses = List.of();

    @Option(names = "--format", paramLabel = "FORMAT", description = "text or json; default ${DEFAULT-VALUE}.")
    private OutputFormat format = OutputFormat.text;

    @Override
    public Integer call() throws IOException {
        RouteRequest request = request();
        Policy policy = Policies.read(file).withoutNetwork(); // no name is looked up here
        PrintWriter out = spec.commandLine().getOut();
        try (Situation situation = situation(policy)) {
            ExplanationWords words = new ExplanationWords(request, policy, Explanation.of(situation, request));
            out.println(format == OutputFormat.json ? words.json() : words.text());
        }
        out.flush();
        return 0;
    }

    private Situation situation(Policy policy) {
        try {
            return Situation.of(policy, words());
        } catch (IllegalArgumentException e) {
            throw usage("--status: " + e.getMessage());
        }
    }

    /** What is said of each substrate, all words of one together. */
    private Map<String, String> words() {
        Map<String, String> words = new LinkedHashMap<>();
        for (String status : statuses) {
            int sign = status.indexOf('=');
            if (sign < 0) {
                throw new IllegalArgumentException("'" + status + "' (expected: SUBSTRATE=WORDS)");
            }
            words.merge(status.substring(0, sign), status.substring(sign + 1), (first, next) -> first + "," + next);
        }
        return words;
    }

    private RouteRequest request() {
        if ((workload == null) != need.isGiven()) {
            throw usage("Give either --workload or a need");
        }
        try {
            return detailed(workload != null ? RouteRequest.workload(workload) : RouteRequest.need(need.need(spec)));
        } catch (IllegalArgumentException e) {
            throw usage(String.valueOf(e.getMessage()));
        }
    }

    private RouteRequest detailed(RouteRequest bare) {
        RouteRequest request = bare.mode(mode).avoid(avoid.toArray(String[]::new));
        request = identity == null ? request : request.identity(identity);
        request = priority == null ? request : request.priority(priority);
        request = maxWait == null ? request : request.maxWait(maxWait);
        return prefer == null ? request : request.prefer(prefer);
    }

    private ParameterException usage(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
