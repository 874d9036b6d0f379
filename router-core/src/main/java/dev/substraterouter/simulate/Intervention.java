package dev.substraterouter.simulate;

import dev.substraterouter.SubstrateRouter;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Something an operator does to every router during a run: a reload, a cordon. Where somebody else places, there is nobody to do it to. A
 * policy that is loaded so may change what is declared of the substrates and workloads that are there, and may leave some out; the nodes
 * of the run are those of the first policy and the scenario.
 *
 * @param at when, from the beginning of the run
 * @param name what reports call it
 * @param action what; it must not block
 */
public record Intervention(Duration at, String name, Consumer<SubstrateRouter> action) {
    /** Checks the time. */
    public Intervention {
        Spans.notNegative("time of an intervention", Objects.requireNonNull(at, "at"));
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(action, "action");
    }
}
