package dev.substraterouter.simulate;

import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.model.Trust;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Role;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.SubstrateKind;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.trace.Reason;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/** What a policy and a request rule out for good, clause by clause, as the policy's description has them. */
final class ContractRule {
    private static final double ROUNDING = 1e-9;
    private static final double SECONDS_PER_HOUR = 3600;

    private final Policy policy;

    ContractRule(Policy policy) {
        this.policy = policy;
    }

    /** The priority it has; empty: it may not ask for the one it names, or for anything. */
    Optional<Priority> priority(RouteRequest request) {
        Optional<Role> role = policy.roles().stream().findFirst(); // scenarios have at most one
        if (role.isEmpty()) {
            return Optional.of(request.priority().orElse(Priority.NORMAL));
        }
        Priority most = role.get().maxPriority();
        if (request.priority().isPresent()) {
            return request.priority().filter(wanted -> !wanted.outranks(most));
        }
        return Optional.of(most.outranks(Priority.NORMAL) ? Priority.NORMAL : most);
    }

    /** Who could be asked to serve it, in the order in which they are tried where that is as written. */
    List<Candidate> inOrder(RouteRequest request) {
        return policy.workload(request.workload()).map(Workload::candidates).orElse(List.of()).stream()
                .sorted((one, other) -> Integer.compare(tier(one, request), tier(other, request)))
                .toList();
    }

    private int tier(Candidate candidate, RouteRequest request) {
        int overflow = substrate(candidate).overflow() ? 2 : 0;
        return overflow + (request.prefer().filter(candidate.on()::equals).isPresent() ? 0 : 1);
    }

    Substrate substrate(Candidate candidate) {
        return policy.substrate(candidate.on()).orElseThrow();
    }

    /** Every clause that a candidate does not satisfy; none: it may serve the request. */
    Set<Reason> violated(RouteRequest request, Candidate candidate) {
        Workload workload = policy.workload(request.workload()).orElseThrow();
        Substrate substrate = substrate(candidate);
        Set<Reason> violated = EnumSet.noneOf(Reason.class);
        boolean external = substrate.kind() == SubstrateKind.EXTERNAL;
        boolean batch = workload.batch().filter(candidate::equals).isPresent();
        when(
                violated,
                Reason.ROLE,
                external
                        && policy.roles().stream().noneMatch(Role::external)
                        && !policy.roles().isEmpty());
        when(violated, Reason.BATCH_ONLY, substrate.kind() == SubstrateKind.BATCH && !batch);
        when(violated, Reason.AVOIDED, request.avoid().contains(substrate.id()));
        when(violated, Reason.PRIVACY, rank(substrate.trust()) > rank(workload.privacy()));
        when(violated, Reason.CAPABILITY, !substrate.capabilities().containsAll(workload.capabilities()));
        when(violated, Reason.QUALITY, below(candidate.quality(), workload.minQuality()));
        when(violated, Reason.LATENCY, workload.maxLatency().isPresent() && tooLong(candidate, workload));
        when(violated, Reason.COST, workload.maxCost().isPresent() && !affordable(candidate, workload, substrate));
        when(violated, Reason.TOO_SMALL, tooSmall(candidate, workload, substrate));
        return violated;
    }

    private static void when(Set<Reason> violated, Reason reason, boolean is) {
        if (is) {
            violated.add(reason);
        }
    }

    private static boolean below(OptionalDouble figure, OptionalDouble least) {
        return least.isPresent() && figure.orElse(-1) < least.getAsDouble();
    }

    private static boolean tooLong(Candidate candidate, Workload workload) {
        Duration most = workload.maxLatency().orElseThrow();
        return candidate
                .expectedLatency()
                .map(takes -> takes.plus(candidate.loadTime()).compareTo(most) > 0)
                .orElse(true);
    }

    private static boolean affordable(Candidate candidate, Workload workload, Substrate substrate) {
        double cost;
        if (candidate.costPerJob().isPresent()) {
            cost = candidate.costPerJob().getAsDouble();
        } else if (substrate.costPerHour().isPresent()
                && candidate.expectedLatency().isPresent()) {
            cost = substrate.costPerHour().getAsDouble()
                    * Spans.seconds(candidate.expectedLatency().get())
                    / SECONDS_PER_HOUR;
        } else {
            return false;
        }
        cost += share(workload.reviewCost(), candidate.reviewRate());
        cost += share(workload.errorCost(), quality(candidate));
        return cost <= workload.maxCost().getAsDouble() * (1 + ROUNDING); // an unknown figure is not affordable
    }

    private static OptionalDouble quality(Candidate candidate) {
        return candidate.quality().isPresent()
                ? OptionalDouble.of(1 - candidate.quality().getAsDouble())
                : OptionalDouble.empty();
    }

    private static double share(OptionalDouble cost, OptionalDouble rate) {
        return cost.orElse(0) > 0 ? cost.getAsDouble() * rate.orElse(Double.NaN) : 0;
    }

    private static boolean tooSmall(Candidate candidate, Workload workload, Substrate substrate) {
        double needed = vramGb(candidate, workload);
        if (substrate.vramGb().isEmpty()) {
            return false;
        }
        double most = substrate.vramGb().getAsDouble() - substrate.keepFreeGb();
        return needed > (candidate.spansGpus() ? most : most / substrate.gpus());
    }

    /** What a job needs, GiB; 0 when nobody says. */
    static double vramGb(Candidate candidate, Workload workload) {
        return candidate.vramGb().orElse(workload.vramGb().orElse(0));
    }

    private static int rank(Trust trust) {
        return List.of(Trust.CONTROLLED, Trust.PARTNER, Trust.PUBLIC).indexOf(trust);
    }
}
