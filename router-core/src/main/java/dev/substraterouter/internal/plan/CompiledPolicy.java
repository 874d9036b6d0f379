package dev.substraterouter.internal.plan;

import dev.substraterouter.model.Vram;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.PinGate;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.policy.WorkloadQueue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** One revision of the policy, compiled: what depends on the policy only is computed here, once. Immutable. */
public final class CompiledPolicy {
    /** The name of the places that all workloads without their own share. */
    public static final String SHARED_PLACES = "";

    public final Policy policy;
    public final long revision;
    public final SubstratePlan[] substrates;
    private final Map<String, RoutePlan> routes = new LinkedHashMap<>();
    private final Map<String, SubstratePlan> byId = new HashMap<>();

    /** Compiles a checked policy that has its revision. */
    public CompiledPolicy(Policy policy) {
        this.policy = policy;
        this.revision = policy.revision();
        List<Substrate> declared = policy.substrates();
        substrates = new SubstratePlan[declared.size()];
        for (int index = 0; index < substrates.length; index++) {
            Substrate substrate = declared.get(index);
            substrates[index] = new SubstratePlan(index, revision, substrate, idleMib(policy, substrate.id()));
            byId.put(substrate.id(), substrates[index]);
        }
        for (Workload workload : policy.workloads()) {
            if (!workload.candidates().isEmpty()) {
                routes.put(workload.name(), route(workload));
            }
        }
    }

    /** The route of a workload, or null when the policy has no such workload. */
    public @Nullable RoutePlan route(String workload) {
        return routes.get(workload);
    }

    /** Every route, in the order of declaration. */
    public Iterable<RoutePlan> routes() {
        return routes.values();
    }

    /** The substrate with an id, or null when the policy has none. */
    public @Nullable SubstratePlan substrate(String id) {
        return byId.get(id);
    }

    private RoutePlan route(Workload workload) {
        boolean factsOnly = workload.pin().isPresent() && workload.pinGate() == PinGate.FACTS;
        List<Candidate> ordered = new ArrayList<>(workload.candidates());
        Candidate primary = ordered.stream()
                .filter(candidate -> {
                    SubstratePlan substrate = byId.get(candidate.on());
                    return substrate != null && !substrate.overflow;
                })
                .findFirst()
                .orElse(ordered.get(0));
        List<CandidatePlan> plans = new ArrayList<>();
        for (boolean overflow : new boolean[] {false, true}) {
            for (Candidate candidate : ordered) {
                SubstratePlan substrate = byId.get(candidate.on());
                if (substrate != null && substrate.overflow == overflow) {
                    plans.add(new CandidatePlan(workload, plans.size(), substrate, candidate, primary, factsOnly));
                }
            }
        }
        WorkloadQueue own =
                workload.queue().orElseGet(() -> WorkloadQueue.builder().build());
        long maxWait = CandidatePlan.nanos(own.maxWait().orElse(policy.queue().maxWait()));
        boolean shared = own.capacity().isEmpty();
        return new RoutePlan(
                workload,
                revision,
                plans.toArray(CandidatePlan[]::new),
                maxWait,
                shared ? SHARED_PLACES : workload.name(),
                own.capacity().orElse(policy.queue().capacity()));
    }

    /** What each model that some workload would use on a substrate holds there while it is idle. */
    private static Map<String, Long> idleMib(Policy policy, String substrateId) {
        Map<String, Long> idle = new HashMap<>();
        for (Workload workload : policy.workloads()) {
            for (Candidate candidate : workload.candidates()) {
                OptionalDouble whole = candidate.vramGb().isPresent() ? candidate.vramGb() : workload.vramGb();
                if (candidate.on().equals(substrateId) && candidate.model().isPresent() && whole.isPresent()) {
                    double held = candidate.jobVramGb().isPresent()
                            ? whole.getAsDouble() - candidate.jobVramGb().getAsDouble()
                            : whole.getAsDouble();
                    idle.merge(candidate.model().get(), Vram.there(held), Math::min);
                }
            }
        }
        return idle;
    }
}
