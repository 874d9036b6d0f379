package dev.substraterouter.simulate;

import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** What is constant about one node: what the scenario says of it, and for the rest what the policy says. Immutable. */
final class NodeFacts {
    private final String substrate;
    private final int slots;
    private final double vramGb;
    private final double utilPerJobPct;
    private final Map<String, ServiceTime> times = new HashMap<>();
    private final Map<String, Double> speeds = new HashMap<>();
    private final Map<String, Double> vram = new HashMap<>();
    private final Map<String, String> models = new HashMap<>();

    NodeFacts(NodeModel model, Policy policy, Scenario scenario) {
        this.substrate = model.substrate();
        Optional<Substrate> declared = policy.substrate(substrate);
        this.slots = model.slots()
                .orElse(declared.map(one -> one.maxConcurrentJobs().orElse(10_000))
                        .orElse(1));
        OptionalDouble policyVram = declared.map(Substrate::vramGb).orElse(OptionalDouble.empty());
        this.vramGb = model.vramGb().orElse(policyVram.orElse(Double.POSITIVE_INFINITY));
        this.utilPerJobPct = model.utilPerJobPct().orElse(100.0 / slots);
        for (Workload workload : policy.workloads()) {
            String name = workload.name();
            Candidate candidate = candidate(workload, substrate);
            vram.put(name, vram(workload, candidate));
            models.put(name, candidate == null ? name : candidate.model().orElse(name));
            ServiceTime own = model.serves().get(name);
            ServiceTime work = scenario.work().get(name);
            if (own != null) {
                times.put(name, own);
            } else if (work != null) {
                times.put(name, work);
                speeds.put(name, model.speed());
            } else if (candidate != null && candidate.expectedLatency().isPresent()) {
                times.put(name, ServiceTime.fixed(candidate.expectedLatency().get()));
            }
        }
    }

    private static double vram(Workload workload, @Nullable Candidate candidate) {
        OptionalDouble own = candidate == null ? OptionalDouble.empty() : candidate.vramGb();
        return own.orElse(workload.vramGb().orElse(0));
    }

    private static @Nullable Candidate candidate(Workload workload, String substrate) {
        List<Candidate> all = new ArrayList<>(workload.candidates());
        workload.batch().ifPresent(all::add);
        for (Candidate candidate : all) {
            if (candidate.on().equals(substrate)) {
                return candidate;
            }
        }
        return null;
    }

    int slots() {
        return slots;
    }

    double vramGb() {
        return vramGb;
    }

    double utilPerJobPct() {
        return utilPerJobPct;
    }

    /** Whether it is known how long a workload takes here. */
    boolean serves(String workload) {
        return times.containsKey(workload);
    }

    double seconds(SimulatedRequest request) {
        return request.seconds(time(request.workload())) / speeds.getOrDefault(request.workload(), 1.0);
    }

    double meanSeconds(String workload) {
        return time(workload).meanSeconds() / speeds.getOrDefault(workload, 1.0);
    }

    private ServiceTime time(String workload) {
        ServiceTime time = times.get(workload);
        if (time == null) {
            throw new IllegalArgumentException(
                    "how long '" + workload + "' takes on '" + substrate
                            + "' is not known (expected: work of the workload, a time on the node, or the candidate's expected latency)");
        }
        return time;
    }

    double vramGb(String workload) {
        return vram.getOrDefault(workload, 0.0);
    }

    String modelOf(String workload) {
        return models.getOrDefault(workload, workload);
    }
}
