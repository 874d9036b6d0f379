package dev.substraterouter.examples.whatif;

import dev.substraterouter.examples.whatif.bounds.Clairvoyant;
import dev.substraterouter.examples.whatif.bounds.LowerBound;
import dev.substraterouter.examples.whatif.bounds.Plan;
import dev.substraterouter.examples.whatif.bounds.SchedulingProblem;
import dev.substraterouter.examples.whatif.compare.Bound;
import dev.substraterouter.examples.whatif.reference.ReferencePolicy;
import dev.substraterouter.examples.whatif.reference.References;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.simulate.NodeModel;
import dev.substraterouter.simulate.Scenario;
import dev.substraterouter.simulate.Simulation;
import dev.substraterouter.simulate.Traffic;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds the clairvoyant schedule of a run, beginning with what the oracle did in it, and the run's lower bound. */
final class Clairvoyance implements Bound.Source {
    private final Policy policy;
    private final int steps;

    Clairvoyance(Policy policy, int steps) {
        this.policy = policy;
        this.steps = steps;
    }

    /** What of a scenario the bounds know nothing of, so that they would say little. */
    static List<String> unknown(Policy policy, Scenario scenario) {
        List<String> unknown = new ArrayList<>();
        add(unknown, !scenario.faults().isEmpty(), "faults");
        add(unknown, scenario.nodes().values().stream().anyMatch(Clairvoyance::loadsModels), "the loading of models");
        add(
                unknown,
                scenario.nodes().values().stream()
                        .flatMap(node -> node.episodes().stream())
                        .anyMatch(episode -> episode.jobs() > 0),
                "jobs of others");
        add(
                unknown,
                scenario.traffic().stream()
                        .flatMap(one -> one.classes().stream())
                        .anyMatch(one -> one.patience().isPresent()),
                "clients that hang up");
        List<Workload> asked = asked(policy, scenario);
        add(unknown, asked.stream().anyMatch(one -> one.candidates().isEmpty()), "workloads without a route or a pin");
        add(unknown, asked.stream().anyMatch(one -> one.batch().isPresent()), "a batch path");
        return unknown;
    }

    private static boolean loadsModels(NodeModel node) {
        return node.residentModels() > 0 && !node.loadTime().isZero();
    }

    private static List<Workload> asked(Policy policy, Scenario scenario) {
        return scenario.traffic().stream()
                .flatMap(one -> one.workloads().stream())
                .map(Traffic.Share::workload)
                .distinct()
                .map(policy::workload)
                .flatMap(Optional::stream)
                .toList();
    }

    private static void add(List<String> unknown, boolean there, String what) {
        if (there) {
            unknown.add(what);
        }
    }

    @Override
    public Bound of(Scenario run) {
        ReferencePolicy oracle = ReferencePolicy.of(References.oracle());
        Simulation.of(policy, run).contender(oracle).run();
        SchedulingProblem problem = SchedulingProblem.of(policy, run);
        Plan plan = Clairvoyant.of(problem)
                .seed(run.seed())
                .steps(steps)
                .rejecting(true)
                .startingFrom(oracle.placements())
                .plan();
        double jobs = Math.max(1, problem.jobs().size());
        return new Bound(
                plan.meanSeconds(),
                100 * plan.rejected() / jobs,
                LowerBound.of(problem, true).meanSeconds());
    }
}
