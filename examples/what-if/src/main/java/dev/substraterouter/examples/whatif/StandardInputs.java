package dev.substraterouter.examples.whatif;

import dev.substraterouter.examples.whatif.compare.Entrant;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.simulate.Scenario;
import java.nio.file.Path;
import java.util.List;

/** Scenarios as YAML, traces as JSON Lines, and the reference ways to place. */
final class StandardInputs implements Inputs {
    @Override
    public Scenario scenario(Path file) {
        throw new BadInputException(file + ": scenarios are not read from files yet");
    }

    @Override
    public Replayed traces(Path file, Policy policy) {
        throw new BadInputException(file + ": traces are not replayed yet");
    }

    @Override
    public List<Entrant> others(Policy policy) {
        return List.of();
    }
}
