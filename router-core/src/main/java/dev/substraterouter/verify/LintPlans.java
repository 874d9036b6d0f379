package dev.substraterouter.verify;

import dev.substraterouter.internal.plan.CompiledPolicy;
import dev.substraterouter.internal.plan.RoutePlan;
import dev.substraterouter.model.Need;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.model.Trust;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.Operation;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Role;
import dev.substraterouter.policy.SubstrateKind;
import dev.substraterouter.policy.Workload;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The policy as the router compiles it, so that it can be asked who may serve what. It is compiled with two additions that change no
 * other route: each role has one identity that no other role has, and each written route of one has a twin, a workload of the same
 * contract whose candidates are the same on every other substrate.
 */
final class LintPlans {
    /** How many candidates are looked at in all for one kind of question. */
    static final int MOST_LOOKS = 200_000;
    /** A need that every substrate satisfies. */
    private static final Need ANYTHING = Need.builder().privacy(Trust.PUBLIC).build();

    final Policy policy;
    private final CompiledPolicy compiled;
    private final Map<String, Workload> twins;

    LintPlans(Policy policy) {
        this.policy = policy;
        this.twins = twins(policy);
        this.compiled = new CompiledPolicy(asked(policy, twins).withRevision(1));
        compiled.retire(); // each route of a role is asked for once: to keep it costs more than to make it
    }

    /** The route of a workload for nobody in particular. */
    RoutePlan route(Workload workload) {
        return Objects.requireNonNull(compiled.route(workload.name()));
    }

    /** The route of a workload for a role alone; null: the role may not ask for it. */
    @Nullable
    RoutePlan route(int role, String workload) {
        return compiled.route(RouteRequest.workload(workload).identity(identity(role)));
    }

    /** Whatever a role may use without naming a workload; null: it must name one. */
    @Nullable
    RoutePlan adHoc(int role) {
        return compiled.route(RouteRequest.need(ANYTHING).identity(identity(role)));
    }

    /** The only candidate of a workload as it would be on the other substrates; null: it is no such workload. */
    @Nullable
    RoutePlan twin(Workload workload) {
        Workload twin = twins.get(workload.name());
        return twin == null ? null : compiled.route(twin.name());
    }

    private static String identity(int role) {
        return "role " + role;
    }

    private static Policy asked(Policy policy, Map<String, Workload> twins) {
        Policy.Builder asked = Policy.builder()
                .health(policy.health())
                .ejection(policy.ejection())
                .queue(policy.queue())
                .poll(policy.poll())
                .strategy(policy.strategy());
        policy.substrates().forEach(asked::substrate);
        policy.workloads().forEach(asked::workload);
        twins.values().forEach(asked::workload);
        for (int role = 0; role < policy.roles().size(); role++) {
            asked.role(alone(policy.roles().get(role), identity(role)));
        }
        return asked.build();
    }

    private static Role alone(Role role, String identity) {
        return Role.builder(role.name())
                .identities(identity)
                .capabilities(role.capabilities().toArray(String[]::new))
                .workloads(role.workloads().toArray(String[]::new))
                .adhoc(role.adhoc())
                .maxPriority(role.maxPriority())
                .external(role.external())
                .operate(role.operate().toArray(Operation[]::new))
                .build();
    }

    private static Map<String, Workload> twins(Policy policy) {
        Set<String> taken = new HashSet<>();
        policy.workloads().forEach(workload -> taken.add(workload.name()));
        int most = MOST_LOOKS / policy.substrates().size();
        Map<String, Workload> twins = new HashMap<>();
        for (Workload workload : policy.workloads()) {
            Candidate[] others = workload.route().size() == 1 && twins.size() < most
                    ? elsewhere(policy, workload)
                    : new Candidate[0];
            if (others.length > 0) {
                twins.put(workload.name(), twin(workload, others, free(taken, twins.size())));
            }
        }
        return twins;
    }

    private static String free(Set<String> taken, int number) {
        String name = "twin " + number;
        while (taken.contains(name)) {
            name += "'";
        }
        return name;
    }

    private static Workload twin(Workload workload, Candidate[] others, String name) {
        Workload.Builder twin = Workload.builder(name)
                .privacy(workload.privacy())
                .capabilities(workload.capabilities().toArray(String[]::new))
                .route(others);
        workload.reviewCost().ifPresent(twin::reviewCost);
        workload.errorCost().ifPresent(twin::errorCost);
        workload.vramGb().ifPresent(twin::vramGb);
        workload.minQuality().ifPresent(twin::minQuality);
        workload.maxLatency().ifPresent(twin::maxLatency);
        workload.maxCost().ifPresent(twin::maxCost);
        return twin.build();
    }

    /** The only candidate of a workload on each other substrate that could have it. */
    private static Candidate[] elsewhere(Policy policy, Workload workload) {
        Candidate only = workload.route().get(0);
        boolean sized = only.vramGb().isPresent() || workload.vramGb().isPresent();
        return policy.substrates().stream()
                .filter(substrate -> substrate.kind() != SubstrateKind.BATCH
                        && !substrate.id().equals(only.on())
                        && !(sized
                                && substrate.kind() == SubstrateKind.LOCAL
                                && substrate.vramGb().isEmpty()))
                .map(substrate -> moved(only, substrate.id()))
                .toArray(Candidate[]::new);
    }

    /** A candidate with its figures on another substrate. */
    private static Candidate moved(Candidate only, String on) {
        Candidate.Builder moved =
                Candidate.builder(on).spansGpus(only.spansGpus()).loadTime(only.loadTime());
        only.vramGb().ifPresent(moved::vramGb);
        only.expectedLatency().ifPresent(moved::expectedLatency);
        only.quality().ifPresent(moved::quality);
        only.reviewRate().ifPresent(moved::reviewRate);
        only.costPerJob().ifPresent(moved::costPerJob);
        return moved.build();
    }

    /** The roles in order. */
    List<Role> roles() {
        return policy.roles();
    }
}
