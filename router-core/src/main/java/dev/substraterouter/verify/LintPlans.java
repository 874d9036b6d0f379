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
import dev.substraterouter.policy.Workload;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The policy as the router compiles it, so that it can be asked who may serve what. It is compiled with two additions that change no
 * other route: each role has one identity that no other role has, and each written route of one has a twin, a workload of the same
 * contract without a route, whose matched candidates are those that would fit.
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

    /** The substrates that satisfy the contract of a workload whose route is one; null: it is no such workload. */
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
            if (workload.route().size() == 1 && twins.size() < most) {
                twins.put(workload.name(), twin(workload, free(taken, twins.size())));
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

    private static Workload twin(Workload workload, String name) {
        Workload.Builder twin = Workload.builder(name)
                .privacy(workload.privacy())
                .capabilities(workload.capabilities().toArray(String[]::new));
        Candidate only = workload.route().get(0);
        OptionalDouble whole = only.vramGb().isPresent() ? only.vramGb() : workload.vramGb();
        whole.ifPresent(twin::vramGb);
        workload.minQuality().ifPresent(twin::minQuality);
        workload.maxLatency().ifPresent(twin::maxLatency);
        workload.maxCost().ifPresent(twin::maxCost);
        return twin.build();
    }

    /** The roles in order. */
    List<Role> roles() {
        return policy.roles();
    }
}
