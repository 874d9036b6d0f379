package dev.substraterouter.policy.cli.traces;

import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Settings;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.trace.Reason;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Which limits that a policy declares never said no: each has the reasons by which it would. */
final class Limits {
    private static final List<Limit> OF_HEALTH = List.of(
            new Limit("max_gpu_util_pct", Set.of(Reason.GPU_UTIL, Reason.NO_SINGLE_GPU)),
            new Limit("max_gpu_temp_c", Set.of(Reason.GPU_TEMP, Reason.NO_SINGLE_GPU)),
            new Limit("stale_after", Set.of(Reason.STALE_STATUS, Reason.STALE_HELD)),
            new Limit("require", Set.of(Reason.UNKNOWN_MEASURE, Reason.NO_STATUS)),
            new Limit("require_attributes", Set.of(Reason.ATTRIBUTE)));

    private static final List<Limit> OF_SUBSTRATES = List.of(
            new Limit("vram_gb", Set.of(Reason.VRAM, Reason.NO_SINGLE_GPU, Reason.TOO_SMALL)),
            new Limit("max_concurrent_jobs", Set.of(Reason.RUNNING_JOBS)),
            new Limit("reserve_for_high", Set.of(Reason.RESERVED_FOR_HIGH)),
            new Limit("accepts_roles", Set.of(Reason.ROLE)));

    private static final List<Limit> OF_WORKLOADS = List.of(new Limit("overflow_after", Set.of(Reason.OVERFLOW_LATER)));

    private static final Set<Reason> OF_EJECTION = Set.of(Reason.EJECTED, Reason.TRIAL_RUNNING, Reason.RAMP);

    private final Policy policy;
    private final Map<String, Set<Reason>> bySubstrate;
    private final Map<String, Set<Reason>> byWorkload;
    private final boolean waited;

    Limits(Policy policy, Map<String, Set<Reason>> bySubstrate, Map<String, Set<Reason>> byWorkload, boolean waited) {
        this.policy = policy;
        this.bySubstrate = bySubstrate;
        this.byWorkload = byWorkload;
        this.waited = waited;
    }

    /** A key, and the reasons that are given where it says no. */
    private record Limit(String key, Set<Reason> reasons) {}

    void unused(List<Unused> unused) {
        Set<Reason> anywhere =
                bySubstrate.values().stream().flatMap(Set::stream).collect(Collectors.toSet());
        unused("health", policy.health(), OF_HEALTH, anywhere, unused);
        if (isDeclared(policy.ejection()) && Collections.disjoint(OF_EJECTION, anywhere)) {
            add("ejection", unused);
        }
        if (isDeclared(policy.queue()) && !waited) {
            unused.add(new Unused(Unused.Kind.LIMIT, "queue", "nobody waited"));
        }
        policy.substrates().forEach(substrate -> unused(substrate, unused));
        policy.workloads().forEach(workload -> unused(workload, unused));
    }

    private void unused(Substrate substrate, List<Unused> unused) {
        Set<Reason> given = bySubstrate.get(substrate.id());
        if (given != null) { // what was never looked at is told as never used
            String path = "substrates." + substrate.id();
            unused(path, substrate, OF_SUBSTRATES, given, unused);
            substrate.health().ifPresent(own -> unused(path + ".health", own, OF_HEALTH, given, unused));
        }
    }

    private void unused(Workload workload, List<Unused> unused) {
        Set<Reason> given = byWorkload.get(workload.name());
        if (given != null) {
            unused("workloads." + workload.name(), workload, OF_WORKLOADS, given, unused);
        }
    }

    private static void unused(
            String path, Settings settings, List<Limit> limits, Collection<Reason> given, List<Unused> unused) {
        limits.stream()
                .filter(limit -> settings.declared().containsKey(limit.key()))
                .filter(limit -> Collections.disjoint(limit.reasons(), given))
                .forEach(limit -> add(path + "." + limit.key(), unused));
    }

    private static boolean isDeclared(Settings settings) {
        return !settings.declared().isEmpty();
    }

    private static void add(String path, List<Unused> unused) {
        unused.add(new Unused(Unused.Kind.LIMIT, path, "never said no"));
    }
}
