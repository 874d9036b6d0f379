package dev.substraterouter.simulate;

import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.policy.Policy;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.function.DoubleConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A run of the router itself under virtual time. Not thread-safe; several simulations may run at once on several threads.
 *
 * <pre>{@code
 * SimulationReport report = Simulation.of(policy, scenario).run();
 * }</pre>
 */
public final class Simulation {
    private final Policy policy;
    private final Scenario scenario;
    private final List<Watcher> watchers = new ArrayList<>();
    private UnaryOperator<SubstrateRouter.Builder> routerOptions = UnaryOperator.identity();
    private @Nullable Contender contender;
    private @Nullable DoubleConsumer progress;

    private Simulation(Policy policy, Scenario scenario) {
        this.policy = Objects.requireNonNull(policy, "policy");
        this.scenario = Objects.requireNonNull(scenario, "scenario");
    }

    /**
     * A simulation of the router.
     *
     * @param policy the policy it is given
     * @param scenario what happens
     * @throws IllegalArgumentException when the scenario speaks of a workload or a substrate that the policy does not know, or does not say
     *     how long a workload takes where it may run
     */
    public static Simulation of(Policy policy, Scenario scenario) {
        ScenarioCheck.check(policy, scenario);
        return new Simulation(policy, scenario);
    }

    /** Has somebody else place the requests. It is used for one run. */
    public Simulation contender(Contender other) {
        contender = Objects.requireNonNull(other, "contender");
        return this;
    }

    /** Has each router built with further options, such as a listener or a trace sink; time, executor, status source and seed are set. */
    public Simulation routerOptions(UnaryOperator<SubstrateRouter.Builder> options) {
        routerOptions = Objects.requireNonNull(options, "options");
        return this;
    }

    /** Has somebody look at the run after each event. */
    public Simulation watcher(Watcher watcher) {
        watchers.add(Objects.requireNonNull(watcher, "watcher"));
        return this;
    }

    /** Tells how far the run is, 0 to 1, about a hundred times. */
    public Simulation progress(DoubleConsumer receiver) {
        progress = Objects.requireNonNull(receiver, "receiver");
        return this;
    }

    /** Runs it to its end on this thread. */
    public SimulationReport run() {
        Contender placing = contender == null ? new RouterContender(routerOptions) : contender;
        return new Run(policy, scenario, placing, watchers, progress).run();
    }

    /** The requests of a scenario in the order of their arrival, as every run of it with its seed sees them. */
    public static Iterator<SimulatedRequest> requests(Scenario scenario) {
        return new RequestStream(scenario);
    }

    /**
     * When the episodes of a node begin and end in every run with the scenario's seed, in the order of time, without end where a schedule
     * has none.
     *
     * @throws IllegalArgumentException when neither the policy nor the scenario knows the substrate
     */
    public static Iterator<EpisodeChange> episodes(Policy policy, Scenario scenario, String substrate) {
        return Backdrop.changes(scenario, Backdrop.place(scenario, policy, substrate), substrate);
    }

    /**
     * An episode begins or ends.
     *
     * @param atNanos when
     * @param episode which
     * @param on whether it begins
     */
    public record EpisodeChange(long atNanos, Episode episode, boolean on) {}
}
