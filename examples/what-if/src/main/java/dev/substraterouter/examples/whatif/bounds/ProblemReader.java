package dev.substraterouter.examples.whatif.bounds;

import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.simulate.Episode;
import dev.substraterouter.simulate.NodeModel;
import dev.substraterouter.simulate.Scenario;
import dev.substraterouter.simulate.ServiceTime;
import dev.substraterouter.simulate.SimulatedRequest;
import dev.substraterouter.simulate.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Reads the {@link SchedulingProblem} of a scenario. */
final class ProblemReader {
    private static final double NANOS = 1e9;
    /** For how long after the last request the background is looked at, at least. */
    private static final Duration MORE = Duration.ofDays(1);
    /** Work still waiting when the last request comes is expected to be done after this many times its size. */
    private static final double RESERVE = 4;

    private final Policy policy;
    private final Scenario scenario;
    /** Those on which a request of the run may be placed. */
    private final List<Substrate> substrates;

    ProblemReader(Policy policy, Scenario scenario) {
        this.policy = policy;
        this.scenario = scenario;
        Set<String> asked = new TreeSet<>();
        Simulation.requests(scenario).forEachRemaining(request -> asked.add(request.workload()));
        this.substrates = policy.substrates().stream()
                .filter(one ->
                        asked.stream().anyMatch(name -> candidate(name, one).isPresent()))
                .toList();
    }

    SchedulingProblem read() {
        List<SchedulingProblem.Job> jobs = jobs();
        double work = 0;
        for (SchedulingProblem.Job job : jobs) {
            work += job.leastSeconds();
        }
        double until = scenario.length().plus(MORE).toNanos() / NANOS + RESERVE * work;
        List<SchedulingProblem.Machine> machines = new ArrayList<>();
        for (Substrate substrate : substrates) {
            machines.add(machine(substrate, until, jobs.size()));
        }
        return new SchedulingProblem(machines, jobs, scenario.refusalCharge().toNanos() / NANOS);
    }

    private List<SchedulingProblem.Job> jobs() {
        List<SchedulingProblem.Job> jobs = new ArrayList<>();
        Iterator<SimulatedRequest> requests = Simulation.requests(scenario);
        while (requests.hasNext()) {
            SimulatedRequest request = requests.next();
            List<Double> seconds = new ArrayList<>();
            for (Substrate substrate : substrates) {
                seconds.add(seconds(request, substrate));
            }
            jobs.add(new SchedulingProblem.Job(request.number(), request.arrivalNanos() / NANOS, seconds));
        }
        return jobs;
    }

    private double seconds(SimulatedRequest request, Substrate substrate) {
        Optional<Candidate> candidate = candidate(request.workload(), substrate);
        if (candidate.isEmpty()) {
            return Double.POSITIVE_INFINITY;
        }
        NodeModel node = model(substrate);
        ServiceTime own = node.serves().get(request.workload());
        if (own != null) {
            return request.seconds(own);
        }
        ServiceTime work = scenario.work().get(request.workload());
        if (work != null) {
            return request.seconds(work) / node.speed();
        }
        Duration expected = candidate
                .get()
                .expectedLatency()
                .orElseThrow(() ->
                        new IllegalArgumentException("how long '" + request.workload() + "' takes on '" + substrate.id()
                                + "' is not known (expected: its work, a time there, or an expected latency)"));
        return request.seconds(ServiceTime.fixed(expected));
    }

    private Optional<Candidate> candidate(String workload, Substrate substrate) {
        return policy.workload(workload).map(Workload::candidates).stream()
                .flatMap(List::stream)
                .filter(one -> one.on().equals(substrate.id()))
                .findFirst();
    }

    private NodeModel model(Substrate substrate) {
        NodeModel given = scenario.nodes().get(substrate.id());
        return given == null ? NodeModel.builder(substrate.id()).build() : given;
    }

    private SchedulingProblem.Machine machine(Substrate substrate, double untilSeconds, int jobs) {
        NodeModel node = model(substrate);
        int slots = node.slots().orElse(substrate.maxConcurrentJobs().orElse(Integer.MAX_VALUE));
        return new SchedulingProblem.Machine(
                substrate.id(), Math.max(1, Math.min(slots, jobs)), speeds(substrate, node, untilSeconds));
    }

    private Speeds speeds(Substrate substrate, NodeModel node, double untilSeconds) {
        List<Episode> on = new ArrayList<>();
        List<Speeds.Phase> phases = new ArrayList<>();
        phases.add(new Speeds.Phase(0, 1, true));
        Iterator<Simulation.EpisodeChange> changes = Simulation.episodes(policy, scenario, substrate.id());
        while (changes.hasNext()) {
            Simulation.EpisodeChange change = changes.next();
            double at = change.atNanos() / NANOS;
            if (at > untilSeconds) {
                break;
            }
            if (change.on()) {
                on.add(change.episode());
            } else {
                on.remove(change.episode());
            }
            if (phases.get(phases.size() - 1).fromSeconds() == at) {
                phases.remove(phases.size() - 1);
            }
            phases.add(phase(at, node.episodes(), on));
        }
        return Speeds.of(phases);
    }

    /** The product is taken in the order in which episodes are declared, so that it does not depend on which began first. */
    private static Speeds.Phase phase(double at, List<Episode> declared, List<Episode> on) {
        double speed = 1;
        boolean open = true;
        for (Episode episode : declared) {
            if (on.contains(episode)) {
                speed *= episode.speed();
                open &= !episode.unavailable();
            }
        }
        return new Speeds.Phase(at, speed, open);
    }
}
