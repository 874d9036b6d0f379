package dev.substraterouter.examples.whatif;

import dev.substraterouter.examples.whatif.compare.Entrant;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.simulate.Scenario;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Where scenarios and further contenders come from. */
interface Inputs {
    /**
     * The scenario in a file.
     *
     * @throws IOException if it cannot be read
     * @throws BadInputException if it holds no scenario that can be used
     */
    Scenario scenario(Path file) throws IOException;

    /**
     * The scenario that recorded traces are.
     *
     * @throws IOException if they cannot be read
     * @throws BadInputException if they hold no request that the policy knows
     */
    Replayed traces(Path file, Policy policy) throws IOException;

    /** Simpler ways to place than the router's, besides those that are variants of the policy. */
    List<Entrant> others(Policy policy);

    /**
     * A scenario made of traces.
     *
     * @param scenario the scenario
     * @param notes what differs from what was
     */
    record Replayed(Scenario scenario, List<String> notes) {}

    /** An input cannot be used; the message tells what is wrong with it, and where. */
    final class BadInputException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        BadInputException(String message) {
            super(message);
        }
    }
}
