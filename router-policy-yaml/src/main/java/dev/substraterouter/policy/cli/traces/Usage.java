package dev.substraterouter.policy.cli.traces;

import dev.substraterouter.policy.Policy;
import dev.substraterouter.trace.Attempt;
import dev.substraterouter.trace.Considered;
import dev.substraterouter.trace.Finding;
import dev.substraterouter.trace.Reason;
import dev.substraterouter.trace.RoutingTrace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What of a policy decided nothing in some traces. Immutable.
 *
 * <p>A trace tells the candidates that were looked at up to the one that was taken, so what was never looked at cannot have said no.
 */
public final class Usage {
    private final Policy policy;
    private final Spots spots;
    private final Span span = new Span();
    private final Set<String> asked = new HashSet<>();
    private final Set<String> roles = new HashSet<>();
    private final Set<String> used = new HashSet<>();
    private final Set<Spot> chosen = new HashSet<>();
    private final Map<Spot, Map<Reason, Long>> lookedAt = new HashMap<>();
    private final Map<String, Set<Reason>> bySubstrate = new HashMap<>();
    private final Map<String, Set<Reason>> byWorkload = new HashMap<>();
    private long strangers;
    private boolean waited;

    private Usage(Policy policy) {
        this.policy = policy;
        spots = new Spots(policy);
    }

    /** What traces tell, which are read once. */
    public static Usage of(Policy policy, Iterable<RoutingTrace> traces) {
        Usage usage = new Usage(policy);
        traces.forEach(usage::add);
        return usage;
    }

    /** How many requests there were, and when, in words. */
    public String span() {
        return span.toString();
    }

    /** How many requests there were. */
    public long requests() {
        return span.requests();
    }

    /** How many of them were for workloads that the policy does not have, needs left out. */
    public long strangers() {
        return strangers;
    }

    /** What decided nothing, in the order of the policy; without a request, nothing is said. */
    public List<Unused> unused() {
        List<Unused> unused = new ArrayList<>();
        if (span.requests() > 0) {
            workloads(unused);
            candidates(unused);
            substrates(unused);
            roles(unused);
            new Limits(policy, bySubstrate, byWorkload, waited).unused(unused);
        }
        return List.copyOf(unused);
    }

    private void add(RoutingTrace trace) {
        span.add(trace);
        asked.add(known(trace));
        trace.role().filter(this::isDeclared).ifPresent(roles::add);
        waited |= trace.waited().compareTo(Duration.ZERO) > 0;
        for (Attempt attempt : trace.attempts()) {
            policy.substrate(attempt.substrateId()).ifPresent(substrate -> used.add(substrate.id()));
            spots.served(trace.workload(), attempt).ifPresent(chosen::add);
        }
        Stream.concat(
                        trace.attempts().stream().flatMap(attempt -> attempt.considered().stream()),
                        trace.considered().stream())
                .filter(one -> policy.substrate(one.substrateId()).isPresent())
                .forEach(one -> add(trace.workload(), one));
    }

    private boolean isDeclared(String role) {
        return policy.roles().stream().anyMatch(declared -> declared.name().equals(role));
    }

    /** The workload asked for, if the policy has it: what callers make up is not kept. */
    private String known(RoutingTrace trace) {
        if (policy.workload(trace.workload()).isPresent()) {
            return trace.workload();
        }
        strangers += trace.need().isPresent() ? 0 : 1;
        return "";
    }

    private void add(String workload, Considered one) {
        List<Reason> reasons = one.findings().stream().map(Finding::reason).toList();
        bySubstrate.computeIfAbsent(one.substrateId(), id -> new HashSet<>()).addAll(reasons);
        if (policy.workload(workload).isPresent()) {
            byWorkload.computeIfAbsent(workload, name -> new HashSet<>()).addAll(reasons);
        }
        spots.of(workload).stream()
                .filter(spot -> spot.candidate().on().equals(one.substrateId()))
                .map(spot -> lookedAt.computeIfAbsent(spot, any -> new EnumMap<>(Reason.class)))
                .forEach(counts -> reasons.forEach(reason -> counts.merge(reason, 1L, Long::sum)));
    }

    private void workloads(List<Unused> unused) {
        policy.workloads().stream()
                .filter(workload -> !asked.contains(workload.name()))
                .forEach(workload -> unused.add(
                        new Unused(Unused.Kind.WORKLOAD, "workloads." + workload.name(), "never asked for")));
    }

    private void candidates(List<Unused> unused) {
        spots.all().stream()
                .filter(spot -> asked.contains(spot.workload().name()) && !chosen.contains(spot))
                .forEach(spot -> unused.add(new Unused(
                        kind(spot), spot.path() + " on " + spot.candidate().on(), words(spot))));
    }

    private static Unused.Kind kind(Spot spot) {
        return spot.key() == Spot.Key.BATCH
                ? Unused.Kind.BATCH
                : spot.isFallback() ? Unused.Kind.FALLBACK : Unused.Kind.CANDIDATE;
    }

    private String words(Spot spot) {
        Map<Reason, Long> reasons = lookedAt.get(spot);
        if (reasons == null) {
            return "never taken, never looked at";
        }
        String counts = Unused.counts(reasons);
        return "never taken" + (counts.isEmpty() ? "" : ", looked at: " + counts);
    }

    private void substrates(List<Unused> unused) {
        policy.substrates().stream()
                .filter(substrate -> !used.contains(substrate.id()))
                .forEach(substrate ->
                        unused.add(new Unused(Unused.Kind.SUBSTRATE, "substrates." + substrate.id(), "never used")));
    }

    private void roles(List<Unused> unused) {
        policy.roles().stream()
                .filter(role -> !roles.contains(role.name()))
                .forEach(role -> unused.add(new Unused(Unused.Kind.ROLE, "roles." + role.name(), "never seen")));
    }
}
