package dev.substraterouter.examples.whatif;

import dev.substraterouter.examples.whatif.compare.Entrant;
import dev.substraterouter.examples.whatif.reference.ReferenceOptions;
import dev.substraterouter.examples.whatif.reference.ReferencePolicy;
import dev.substraterouter.examples.whatif.reference.References;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.simulate.Scenario;
import dev.substraterouter.simulate.replay.TraceReplay;
import dev.substraterouter.simulate.replay.TraceReplay.Replay;
import dev.substraterouter.simulate.yaml.ScenarioException;
import dev.substraterouter.simulate.yaml.YamlScenario;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Scenarios as YAML, traces as JSON Lines, and the reference ways to place. */
final class StandardInputs implements Inputs {
    @Override
    public Scenario scenario(Path file) throws IOException {
        try {
            return YamlScenario.load(file);
        } catch (ScenarioException e) {
            throw new BadInputException(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public Replayed traces(Path file, Policy policy) throws IOException {
        TraceReplay traces = TraceReplay.read(file);
        try {
            Replay replay = traces.replay(policy);
            return new Replayed(replay.scenario(), replay.notes());
        } catch (IllegalArgumentException e) {
            throw new BadInputException(file + ": " + e.getMessage());
        }
    }

    @Override
    public List<Entrant> others(Policy policy) {
        return References.all().stream()
                .map(options -> Entrant.other(options.name(), what(options), policy, () -> ReferencePolicy.of(options)))
                .toList();
    }

    private static String what(ReferenceOptions options) {
        String sight =
                options.exact() ? "sees all" : options.ledger() ? "counts its own jobs" : "by the last status alone";
        return "a reference: " + word(options.rule()) + ", " + sight + ", waiters by " + word(options.order());
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
