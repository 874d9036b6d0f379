package dev.substraterouter.verify;

import dev.substraterouter.model.Measure;
import dev.substraterouter.model.Vram;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.HealthLimits;
import dev.substraterouter.policy.OnStale;
import dev.substraterouter.policy.PinGate;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.status.SubstrateStatus;
import dev.substraterouter.trace.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The probes of one substrate that both policies have: for each gate in which they differ, what the one lets pass and the other does not.
 * Where nothing differs there are none. What several GPUs say apart, and what the router itself has taken, is not among them.
 */
final class Probes {
    /** How many amounts of used memory are tried of one substrate. */
    static final int MOST_AMOUNTS = 32;

    private static final Duration A_MOMENT = Duration.ofMillis(1);
    private static final double MOST_PCT = 100;
    private static final String SOMETHING_ELSE = "something else";

    private final String id;
    private final One old;
    private final One now;
    private final Set<Double> needs;
    private final boolean gateDiffers;
    private final List<Probe> probes = new ArrayList<>();

    private Probes(Side before, Substrate was, Side after, Substrate is, Set<Double> needs) {
        id = is.id();
        old = One.of(before, was);
        now = One.of(after, is);
        this.needs = needs;
        gateDiffers = anyGateDiffers();
    }

    /**
     * Those of a substrate; none where only one of the policies has it.
     *
     * @param needs how much memory is asked for without a workload, GB
     */
    static List<Probe> between(Side before, Side after, String id, Set<Double> needs) {
        Optional<Substrate> was = before.substrate(id);
        Optional<Substrate> is = after.substrate(id);
        return was.isEmpty() || is.isEmpty() ? List.of() : new Probes(before, was.get(), after, is.get(), needs).all();
    }

    /** The substrate under one of the policies. */
    private record One(Policy policy, Substrate substrate, HealthLimits limits, Set<Measure> required, double totalGb) {
        static One of(Side side, Substrate substrate) {
            HealthLimits limits = side.stage.limits(substrate);
            Set<Measure> required = EnumSet.noneOf(Measure.class);
            required.addAll(side.policy().health().requiredOn(substrate));
            limits.ignore().forEach(required::remove);
            SubstrateStatus idle = side.stage.idle(substrate).build();
            return new One(
                    side.policy(),
                    substrate,
                    limits,
                    required,
                    idle.vramTotalGb().orElse(0));
        }

        boolean requiresStatus() {
            return !required.isEmpty() || !limits.requireAttributes().isEmpty();
        }

        double slots() {
            return substrate.maxConcurrentJobs().orElse(Integer.MAX_VALUE);
        }

        double forOthers() {
            return slots() - substrate.reserveForHigh();
        }
    }

    private List<Probe> all() {
        utilisation();
        temperature();
        jobs();
        memory();
        unknown();
        stale();
        attributes();
        return List.copyOf(probes);
    }

    // measures at their limits

    private void utilisation() {
        for (double util :
                edges(old.limits.maxGpuUtilPct(), now.limits.maxGpuUtilPct(), asks(Measure.GPU_UTIL) || gateDiffers)) {
            if (util <= MOST_PCT) {
                says(Reason.GPU_UTIL, "gpu util " + util, status -> status.gpuUtilPct(util));
            }
        }
    }

    private void temperature() {
        for (double temp :
                edges(old.limits.maxGpuTempC(), now.limits.maxGpuTempC(), asks(Measure.GPU_TEMP) || gateDiffers)) {
            says(Reason.GPU_TEMP, "gpu temp " + temp, status -> status.gpuTempC(temp));
        }
    }

    private void jobs() {
        Set<Double> slots = edges(old.slots(), now.slots(), asks(Measure.RUNNING_JOBS));
        Set<Double> forOthers = edges(old.forOthers(), now.forOthers(), asks(Measure.RUNNING_JOBS));
        forOthers.removeAll(slots);
        slots.forEach(jobs -> jobs(Reason.RUNNING_JOBS, jobs));
        forOthers.forEach(jobs -> jobs(Reason.RESERVED_FOR_HIGH, jobs));
    }

    private void jobs(Reason reason, double jobs) {
        if (jobs < Integer.MAX_VALUE && jobs >= 0) {
            says(reason, "jobs of others " + (int) jobs, status -> status.runningJobs((int) jobs));
        }
    }

    /**
     * The lower of two limits that differ: what is at it passes only the higher. Where one of the policies may not ask at all, the higher:
     * what is at it passes only there.
     */
    private static Set<Double> edges(double was, double is, boolean one) {
        Set<Double> edges = new TreeSet<>();
        if (was != is) {
            edges.add(Math.min(was, is));
        }
        if (one) {
            edges.add(Math.max(was, is));
        }
        return edges;
    }

    /** Whether the policies differ in asking for a measure. */
    private boolean asks(Measure measure) {
        return requires(measure)
                || old.limits.ignore().contains(measure) != now.limits.ignore().contains(measure);
    }

    private boolean requires(Measure measure) {
        return old.required.contains(measure) != now.required.contains(measure);
    }

    // memory

    /** For each amount that somebody needs: so much used that it fits under only one of the policies. */
    private void memory() {
        Set<Long> amounts = new LinkedHashSet<>();
        long total = Vram.there(totalGb());
        if (asks(Measure.VRAM)) {
            amounts.add(total);
        }
        Set<String> names = new LinkedHashSet<>();
        now.policy.workloads().forEach(workload -> names.add(workload.name()));
        old.policy.workloads().forEach(workload -> names.add(workload.name()));
        for (String name : names) {
            amounts.addAll(amounts(name, total));
        }
        for (double need : needs) {
            long was = mostUsed(old, OptionalDouble.of(need), false, total);
            amounts.addAll(edge(was, mostUsed(now, OptionalDouble.of(need), false, total)));
        }
        amounts.stream().filter(used -> used >= 0).limit(MOST_AMOUNTS).forEach(used -> {
            double gb = Vram.gib(used);
            says(Reason.VRAM, "gpu memory used " + gb, status -> status.vramUsedGb(gb));
        });
    }

    private List<Long> amounts(String workload, long total) {
        List<Long> amounts = new ArrayList<>();
        Optional<Workload> was = old.policy.workload(workload);
        Optional<Workload> is = now.policy.workload(workload);
        if (was.isPresent() && is.isPresent()) {
            List<Candidate> served = on(was.get(), id);
            List<Candidate> serves = on(is.get(), id);
            for (int at = 0; at < Math.min(served.size(), serves.size()); at++) {
                amounts.addAll(edge(
                        mostUsed(old, was.get(), served.get(at), total),
                        mostUsed(now, is.get(), serves.get(at), total)));
            }
        }
        return amounts;
    }

    /** The more of what may be used: then it fits only under the one policy. */
    private static List<Long> edge(long was, long is) {
        return was == is ? List.of() : List.of(Math.max(was, is));
    }

    /** How much may be used at most, MiB, so that a candidate fits. */
    private static long mostUsed(One one, Workload workload, Candidate candidate, long total) {
        OptionalDouble need = candidate.vramGb().isPresent() ? candidate.vramGb() : workload.vramGb();
        return mostUsed(one, need, candidate.spansGpus(), total);
    }

    private static long mostUsed(One one, OptionalDouble need, boolean spans, long total) {
        boolean judged = need.isPresent()
                && one.substrate.vramGb().isPresent()
                && !one.limits.ignore().contains(Measure.VRAM);
        if (!judged) {
            return total;
        }
        long there = Math.min(total, Vram.there(one.totalGb));
        long needs = Vram.taken(need.getAsDouble()) * (spans ? 1 : one.substrate.gpus());
        return there - Vram.taken(one.substrate.keepFreeGb()) - needs;
    }

    /** The candidates of a workload on a substrate; one of which nothing is said, where the workload is matched. */
    private static List<Candidate> on(Workload workload, String id) {
        if (workload.candidates().isEmpty()) {
            return List.of(Candidate.on(id));
        }
        List<Candidate> all = new ArrayList<>(workload.candidates());
        workload.batch().ifPresent(all::add);
        return all.stream().filter(candidate -> candidate.on().equals(id)).toList();
    }

    // what it does not say

    private void unknown() {
        for (Measure measure : Measure.values()) {
            boolean byGate = gateDiffers && (measure == Measure.GPU_UTIL || measure == Measure.GPU_TEMP);
            if (requires(measure) || byGate) {
                add(base(measure), Duration.ZERO, Reason.UNKNOWN_MEASURE, measure + " unknown");
            }
        }
        if (old.requiresStatus() != now.requiresStatus()) {
            add(null, Duration.ZERO, Reason.NO_STATUS, "never said anything");
        }
    }

    private void stale() {
        Set<Duration> limits = new LinkedHashSet<>();
        Duration was = old.limits.staleAfter();
        Duration is = now.limits.staleAfter();
        Duration less = was.compareTo(is) < 0 ? was : is;
        if (!was.equals(is)) {
            limits.add(less);
        }
        boolean other = holds(old) != holds(now) || old.requiresStatus() != now.requiresStatus();
        if (other) {
            limits.add(less.equals(was) ? is : was);
        }
        for (Duration limit : limits) {
            Duration age = limit.plus(A_MOMENT);
            add(base(null), age, Reason.STALE_STATUS, "its status is " + age.toMillis() + " ms old");
        }
    }

    private static boolean holds(One one) {
        return one.limits.onStale() == OnStale.HOLD;
    }

    // its attributes

    private void attributes() {
        Map<String, String> was = old.limits.requireAttributes();
        Map<String, String> is = now.limits.requireAttributes();
        if (was.equals(is)) {
            return;
        }
        attributes(Map.of(), "without the attributes that it must have");
        Set<String> keys = new LinkedHashSet<>(is.keySet());
        keys.addAll(was.keySet());
        for (String key : keys) {
            if (differs(was.get(key), is.get(key))) {
                Map<String, String> without = required();
                without.remove(key);
                attributes(without, "without attribute " + key);
                Map<String, String> another = required();
                another.put(key, SOMETHING_ELSE + another.get(key));
                attributes(another, "attribute " + key + " with another value");
            }
        }
        attributes(was, "attributes as required before");
        attributes(is, "attributes as required now");
    }

    private static boolean differs(@Nullable Object was, @Nullable Object is) {
        return was != null ? !was.equals(is) : is != null;
    }

    private void attributes(Map<String, String> attributes, String words) {
        SubstrateStatus.Builder status = measures(null);
        attributes.forEach(status::attribute);
        add(status, Duration.ZERO, Reason.ATTRIBUTE, words);
    }

    // statuses

    private void says(Reason reason, String words, UnaryOperator<SubstrateStatus.Builder> change) {
        add(change.apply(base(null)), Duration.ZERO, reason, words);
    }

    private void add(SubstrateStatus.@Nullable Builder status, Duration age, Reason reason, String words) {
        SubstrateStatus said = status == null ? null : status.build();
        boolean known = probes.stream()
                .anyMatch(probe ->
                        Objects.equals(probe.status(), said) && probe.age().equals(age));
        if (known) {
            return;
        }
        probes.add(new Probe(id, said, age, Standing.of(reason, words)));
    }

    /** What both policies ask for; where they want different values, the one that the new policy wants. */
    private Map<String, String> required() {
        Map<String, String> all = new LinkedHashMap<>(old.limits.requireAttributes());
        all.putAll(now.limits.requireAttributes());
        return all;
    }

    /** Cool, idle and empty, with the attributes, but for one measure. */
    private SubstrateStatus.Builder base(@Nullable Measure without) {
        SubstrateStatus.Builder status = measures(without);
        required().forEach(status::attribute);
        return status;
    }

    private SubstrateStatus.Builder measures(@Nullable Measure without) {
        SubstrateStatus.Builder status = SubstrateStatus.builder();
        if (without != Measure.GPU_UTIL) {
            status.gpuUtilPct(0);
        }
        if (without != Measure.VRAM) {
            status.vramUsedGb(0).vramTotalGb(totalGb());
        }
        if (without != Measure.GPU_TEMP) {
            status.gpuTempC(0);
        }
        return without == Measure.RUNNING_JOBS ? status : status.runningJobs(0).queuedJobs(0);
    }

    private double totalGb() {
        return Math.max(old.totalGb, now.totalGb);
    }

    /** Whether some workload is gated in another way here. */
    private boolean anyGateDiffers() {
        for (Workload workload : now.policy.workloads()) {
            Workload same = old.policy.workload(workload.name()).orElse(null);
            if (same != null && runs(workload) && runs(same) && gate(workload) != gate(same)) {
                return true;
            }
        }
        return false;
    }

    private boolean runs(Workload workload) {
        return !on(workload, id).isEmpty();
    }

    private static PinGate gate(Workload workload) {
        return workload.pin().isPresent() ? workload.pinGate() : PinGate.FULL;
    }
}
