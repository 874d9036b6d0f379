package dev.substraterouter.verify;

import dev.substraterouter.internal.plan.CandidatePlan;
import dev.substraterouter.internal.plan.RoutePlan;
import dev.substraterouter.model.Priority;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Role;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What each role could ever have served, and where. Roles are looked at one by one: who has several may use what one of them may; of
 * those that allow the same one is looked at. Not thread-safe while it is made; not changed after.
 */
final class LintAccess {
    /** What the making of a route costs beside its candidates, counted in candidates. */
    private static final int ROUTE = 16;

    private final Map<String, Integer> substrates = new HashMap<>();
    private final Map<String, Integer> roleNumbers = new HashMap<>();
    private final Map<String, Uses> workloads = new HashMap<>();
    private final BitSet reached = new BitSet();
    private final BitSet reachedByHigh = new BitSet();
    private final BitSet used = new BitSet();
    private int looks;

    /** Of one workload: the roles that can have it served, by which written candidates, and whether by the batch path. */
    private static final class Uses {
        final BitSet asking = new BitSet();
        final BitSet served = new BitSet();
        final Set<Candidate> candidates = new HashSet<>();
        boolean batch;
    }

    /** All of a role but its name, which matters only where a substrate accepts it, and what it may operate. */
    private record Allowed(
            List<String> workloads,
            List<String> capabilities,
            boolean adhoc,
            Priority maxPriority,
            boolean external,
            List<String> acceptedOn) {
        static Allowed by(Role role, Map<String, List<String>> accepting) {
            return new Allowed(
                    role.workloads(),
                    role.capabilities(),
                    role.adhoc(),
                    role.maxPriority(),
                    role.external(),
                    accepting.getOrDefault(role.name(), List.of()));
        }
    }

    private LintAccess() {}

    /** Looks at all roles; null where the policy has none, or so much that not everything could be looked at. */
    static @Nullable LintAccess of(LintPlans plans) {
        if (plans.roles().isEmpty()) {
            return null;
        }
        LintAccess access = new LintAccess();
        for (Substrate substrate : plans.policy.substrates()) {
            access.substrates.put(substrate.id(), access.substrates.size());
        }
        Collection<Integer> different = access.different(plans);
        long routes = (plans.policy.workloads().size() + 1L) * different.size();
        if (routes * ROUTE > LintPlans.MOST_LOOKS) {
            return null;
        }
        different.forEach(number -> access.look(plans, number));
        return access.looks > LintPlans.MOST_LOOKS ? null : access;
    }

    /** Gives roles that allow the same one number: that of the first of them. */
    private Collection<Integer> different(LintPlans plans) {
        Map<String, List<String>> accepting = accepting(plans.policy);
        Map<Allowed, Integer> first = new LinkedHashMap<>();
        for (int number = 0; number < plans.roles().size(); number++) {
            Role role = plans.roles().get(number);
            Integer same = first.putIfAbsent(Allowed.by(role, accepting), number);
            roleNumbers.put(role.name(), same == null ? number : same);
        }
        return first.values();
    }

    /** The substrates that name a role they accept, by its name. */
    private static Map<String, List<String>> accepting(Policy policy) {
        Map<String, List<String>> accepting = new HashMap<>();
        for (Substrate substrate : policy.substrates()) {
            for (String role : substrate.acceptsRoles().orElse(List.of())) {
                accepting.computeIfAbsent(role, name -> new ArrayList<>()).add(substrate.id());
            }
        }
        return accepting;
    }

    private void look(LintPlans plans, int number) {
        Role role = plans.roles().get(number);
        boolean high = role.maxPriority() == Priority.HIGH;
        for (Workload workload : plans.policy.workloads()) {
            if (looks <= LintPlans.MOST_LOOKS) {
                Uses uses = workloads.computeIfAbsent(workload.name(), name -> new Uses());
                look(plans.route(number, workload.name()), number, high, uses);
            }
        }
        if (looks <= LintPlans.MOST_LOOKS) {
            look(plans.adHoc(number), number, high, new Uses());
        }
    }

    private void look(@Nullable RoutePlan route, int role, boolean high, Uses uses) {
        looks += ROUTE;
        if (route == null) {
            return;
        }
        uses.asking.set(role);
        look(route.candidates, role, high, uses);
        if (route.batch != null) {
            uses.batch |= look(route.batch.candidates, role, high, uses);
        }
    }

    private boolean look(CandidatePlan[] candidates, int role, boolean high, Uses uses) {
        looks += candidates.length;
        boolean any = false;
        for (CandidatePlan candidate : candidates) {
            if (serves(candidate, high)) {
                any = true;
                reached.set(candidate.substrate.index);
                reachedByHigh.set(candidate.substrate.index, high || reachedByHigh.get(candidate.substrate.index));
                if (!candidate.batch) {
                    uses.candidates.add(candidate.declared);
                }
            }
        }
        if (any) {
            uses.served.set(role);
            used.set(role);
        }
        return any;
    }

    /** Slots that are all kept for HIGH serve nobody else. */
    private static boolean serves(CandidatePlan candidate, boolean high) {
        return candidate.unusable == null && (high || candidate.substrate.reserveForHigh < candidate.substrate.maxJobs);
    }

    /** Whether anything that a role may ask for can be placed on a substrate. */
    boolean reaches(Substrate substrate) {
        return reached.get(index(substrate));
    }

    /** Whether a request of priority HIGH can be placed on a substrate. */
    boolean reachesHigh(Substrate substrate) {
        return reachedByHigh.get(index(substrate));
    }

    /** Whether a role can have a workload served. */
    boolean serves(Workload workload) {
        return !uses(workload).served.isEmpty();
    }

    /** Whether a role can have a workload served by a written candidate. */
    boolean serves(Workload workload, Candidate candidate) {
        return uses(workload).candidates.contains(candidate);
    }

    /** Whether a role can have a workload served by its batch path. */
    boolean servesByBatch(Workload workload) {
        return uses(workload).batch;
    }

    /** Whether a role can have anything served. */
    boolean uses(Role role) {
        return used.get(number(role));
    }

    /** Whether a role may ask for a workload. */
    boolean mayAsk(Role role, String workload) {
        Uses uses = workloads.get(workload);
        return uses != null && uses.asking.get(number(role));
    }

    /** Whether a role can have a workload served. */
    boolean serves(Role role, String workload) {
        Uses uses = workloads.get(workload);
        return uses != null && uses.served.get(number(role));
    }

    private Uses uses(Workload workload) {
        return workloads.getOrDefault(workload.name(), new Uses());
    }

    private int index(Substrate substrate) {
        return substrates.getOrDefault(substrate.id(), 0);
    }

    private int number(Role role) {
        return roleNumbers.getOrDefault(role.name(), 0);
    }
}
