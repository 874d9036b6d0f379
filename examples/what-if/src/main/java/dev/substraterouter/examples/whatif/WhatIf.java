package dev.substraterouter.examples.whatif;

import dev.substraterouter.examples.whatif.Inputs.BadInputException;
import dev.substraterouter.examples.whatif.advice.Advice;
import dev.substraterouter.examples.whatif.advice.Study;
import dev.substraterouter.examples.whatif.compare.Comparison;
import dev.substraterouter.examples.whatif.compare.Entrant;
import dev.substraterouter.examples.whatif.compare.Results;
import dev.substraterouter.examples.whatif.report.HtmlReport;
import dev.substraterouter.examples.whatif.report.JsonReport;
import dev.substraterouter.examples.whatif.report.TextReport;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.PolicyException;
import dev.substraterouter.policy.yaml.YamlPolicy;
import dev.substraterouter.simulate.Scenario;
import dev.substraterouter.simulate.Simulation;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Is a router worth it, and which policy? Runs a policy against a scenario and compares it with simpler ways to place.
 *
 * <p>Ends with 0 when it has an answer, 1 when an input cannot be used, with everything that is wrong with it, and 2 when it is called
 * wrongly.
 */
@Command(
        name = "what-if",
        mixinStandardHelpOptions = true,
        usageHelpWidth = 100,
        sortOptions = false,
        description =
                "Runs a policy against a scenario, compares it with simpler ways to place, and says whether a router pays.",
        footer = {"", "Exit codes: 0 answered; 1 an input cannot be used; 2 called wrongly."})
public final class WhatIf implements Callable<Integer> {
    private static final String TO_STANDARD_OUT = "-";

    private final Inputs inputs;

    @Spec
    @SuppressWarnings("NullAway.Init") // set before it is called
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "POLICY", description = "The policy, a YAML file.")
    @SuppressWarnings("NullAway.Init") // required
    private Path policyFile;

    @Parameters(index = "1", arity = "0..1", paramLabel = "SCENARIO", description = "The scenario, a YAML file.")
    private @Nullable Path scenarioFile;

    @Option(
            names = "--traces",
            paramLabel = "FILE",
            description = "Replays recorded traces (JSON Lines, a file or a directory) instead of a scenario.")
    private @Nullable Path tracesFile;

    @Option(names = "--seeds", paramLabel = "N", description = "How many runs each; default ${DEFAULT-VALUE}.")
    private int seeds = 10;

    @Option(
            names = "--first-seed",
            paramLabel = "SEED",
            description = "The seed of the first run; default the scenario's.")
    private @Nullable Long firstSeed;

    @Option(
            names = "--loads",
            split = ",",
            paramLabel = "FACTOR",
            description = "Multiples of the scenario's arrival rates, for example 0.5,1,1.5; default 1.")
    private List<Double> loads = List.of(1.0);

    @Option(
            names = "--contenders",
            split = ",",
            paramLabel = "NAME",
            description =
                    "Which others to compare with, a part of a name each; all: all of them. Router, pin and matching always are. "
                            + "Default: the first three.")
    private @Nullable List<String> contenders;

    @Option(names = "--list-contenders", description = "Lists the contenders and ends.")
    private boolean list;

    @Option(names = "--no-sweep", description = "Leaves out the variants of strategy, queue and finish margin.")
    private boolean noSweep;

    @Option(
            names = "--threshold",
            paramLabel = "PERCENT",
            description = "A gain below this share of the penalised latency does not count; default ${DEFAULT-VALUE}.")
    private double threshold = 100 * Advice.THRESHOLD;

    @Option(names = "--html", paramLabel = "FILE", description = "Writes a page with charts.")
    private @Nullable Path html;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "Writes JSON; - writes it to standard output instead of the text.")
    private @Nullable String json;

    WhatIf(Inputs inputs) {
        this.inputs = inputs;
    }

    /** Runs it and ends the JVM. */
    public static void main(String[] arguments) {
        System.exit(commandLine(new StandardInputs()).execute(arguments));
    }

    static CommandLine commandLine(Inputs inputs) {
        return new CommandLine(new WhatIf(inputs));
    }

    @Override
    public Integer call() throws IOException {
        checkOptions();
        try {
            Policy policy = YamlPolicy.load(policyFile);
            List<Entrant> others = inputs.others(policy);
            if (list) {
                new Entrants(policy, variant -> {}).with(others).all().forEach(this::tell);
                return CommandLine.ExitCode.OK;
            }
            answer(policy, chosen(others));
            return CommandLine.ExitCode.OK;
        } catch (NoSuchFileException e) {
            return refuse(e.getFile() + ": there is no such file");
        } catch (PolicyException | BadInputException | IOException e) {
            return refuse(String.valueOf(e.getMessage()));
        }
    }

    private void answer(Policy policy, List<Entrant> others) throws IOException {
        Inputs.Replayed input = input(policy);
        Scenario scenario = input.scenario();
        try {
            Simulation.of(policy, scenario);
        } catch (IllegalArgumentException e) {
            throw new BadInputException(String.valueOf(e.getMessage()));
        }
        input.notes().forEach(err()::println);
        Entrants entrants = new Entrants(policy, variant -> Simulation.of(variant, scenario));
        if (!noSweep) {
            entrants.withSweeps();
        }
        Comparison comparison = Comparison.of(scenario)
                .entrants(entrants.with(others).all())
                .seeds(seeds)
                .loads(loads.stream().mapToDouble(Double::doubleValue).toArray())
                .progress(new ProgressLines(err(), System::nanoTime));
        if (firstSeed != null) {
            comparison.firstSeed(firstSeed);
        }
        Results results = comparison.run();
        write(results, entrants.study());
    }

    private Inputs.Replayed input(Policy policy) throws IOException {
        return scenarioFile != null
                ? new Inputs.Replayed(inputs.scenario(scenarioFile), List.of())
                : inputs.traces(Optional.ofNullable(tracesFile).orElseThrow(), policy);
    }

    private void write(Results results, Study study) throws IOException {
        Advice advice = Advice.of(results, study, threshold / 100);
        if (html != null) {
            Files.writeString(html, HtmlReport.of(results, study, advice));
        }
        if (json != null && !json.equals(TO_STANDARD_OUT)) {
            Files.writeString(Path.of(json), JsonReport.of(results, study, advice));
        }
        PrintWriter out = spec.commandLine().getOut();
        out.print(
                TO_STANDARD_OUT.equals(json) ? JsonReport.of(results, study, advice) : TextReport.of(results, advice));
        out.flush();
        if (html != null) {
            err().println("Report: " + html);
        }
    }

    private void checkOptions() {
        if (!list && (scenarioFile == null) == (tracesFile == null)) {
            throw usage("Give either a scenario or --traces");
        }
        if (seeds < 1) {
            throw usage("--seeds: " + seeds + " (expected: 1 or more)");
        }
        if (!(threshold >= 0 && threshold <= 100)) {
            throw usage("--threshold: " + threshold + " (expected: 0 to 100)");
        }
        boolean above0 = loads.stream().allMatch(load -> load > 0 && load <= 1_000);
        if (!above0 || loads.stream().distinct().count() < loads.size()) {
            throw usage("--loads: " + loads + " (expected: different factors, above 0, at most 1000)");
        }
        if (tracesFile != null && !loads.equals(List.of(1.0))) {
            throw usage("--loads: " + loads + " (expected: none with --traces, which are replayed as they were)");
        }
    }

    private List<Entrant> chosen(List<Entrant> others) {
        if (contenders == null) {
            return others.subList(0, Math.min(3, others.size()));
        }
        if (contenders.contains("all")) {
            return others;
        }
        List<Entrant> chosen = new ArrayList<>();
        for (String part : contenders) {
            List<Entrant> named =
                    others.stream().filter(one -> one.name().contains(part)).toList();
            if (named.isEmpty() && !part.isEmpty()) {
                throw usage("--contenders: '" + part + "' (expected: a part of one of "
                        + others.stream().map(Entrant::name).toList() + ")");
            }
            named.stream().filter(one -> !chosen.contains(one)).forEach(chosen::add);
        }
        return chosen;
    }

    private ParameterException usage(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    private void tell(Entrant entrant) {
        spec.commandLine().getOut().println(entrant.name() + ": " + entrant.what());
    }

    private int refuse(String problems) {
        err().println(problems);
        err().flush();
        return CommandLine.ExitCode.SOFTWARE;
    }

    private PrintWriter err() {
        return spec.commandLine().getErr();
    }
}
