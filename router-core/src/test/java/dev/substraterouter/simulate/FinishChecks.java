package dev.substraterouter.simulate;

import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.IdleVram;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.StrategyKind;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Invariant 4 where the earliest finish decides: whoever has just come gets the free candidate that finishes first, unless a busy one is
 * expected to finish so much earlier that it waits for that one; then it waits.
 *
 * <p>It judges only what is certain: declared figures and nothing learnt, models that need no loading, nobody else that waits, no jobs of
 * others, and jobs that are not late. There the expected finish is the time until the first job ends plus what the work takes.
 */
final class FinishChecks {
    /** Beyond this multiple of the margin waiting is clearly worth it. */
    private static final double CLEARLY = 1.2;

    private static final double ROUNDING = 1e-9;
    private static final long MOMENT_NANOS = 1_000_000;

    private final RouterWatch watch;
    private final InvariantWatch run;
    private final Policy policy;
    private final long now;
    private final Free free;

    FinishChecks(RouterWatch watch) {
        this.watch = watch;
        this.run = watch.run;
        this.policy = watch.policy;
        this.now = run.now();
        this.free = new Free(watch);
    }

    /** Checks what has become of the one that came in the present event of the run. */
    void check() {
        if (watch.cameNow.size() != 1 || policy.strategy().learn() || policy.revision() != watch.revisionBefore) {
            return;
        }
        Asked one = watch.cameNow.get(0);
        Workload workload = policy.workload(one.workload).orElseThrow();
        boolean earliest = workload.strategy().orElse(policy.strategy().defaultKind()) == StrategyKind.EARLIEST_FINISH;
        boolean alone = watch.waitedBefore.isEmpty()
                && watch.asked.values().stream().noneMatch(other -> other != one && other.waits());
        if (!earliest || !alone || workload.batch().isPresent() || !nothingElse(one, workload)) {
            return;
        }
        if (one.waits()) {
            held(one, workload);
        } else if (one.holds.size() == 1 && one.holds.get(0).open()) {
            taken(one, workload, one.holds.get(0));
        }
    }

    /** Whether all that has happened on its route in the present event is that it was placed. */
    private boolean nothingElse(Asked one, Workload workload) {
        return workload.candidates().stream()
                .map(Candidate::on)
                .map(watch::site)
                .allMatch(site -> {
                    boolean its = site.placed.stream().allMatch(hold -> hold.by == one);
                    return its && !site.statusCame && (site.placed.isEmpty() != site.touched);
                });
    }

    /** It waits: then no free one finishes within the margin of the best. */
    private void held(Asked one, Workload workload) {
        List<Candidate> may = workload.candidates().stream()
                .filter(candidate -> watch.rule.violated(one.request, candidate).isEmpty())
                .toList();
        double best = Double.POSITIVE_INFINITY;
        Candidate first = null;
        for (Candidate candidate : may) {
            boolean isFree = plain(one, candidate) && free.is(one, candidate);
            OptionalLong wait = isFree ? OptionalLong.of(0) : busyFor(one, workload, candidate);
            if (wait.isEmpty()) {
                return; // nothing certain is known of it
            }
            long takes = takes(candidate).orElseThrow();
            best = Math.min(best, (double) wait.getAsLong() + takes);
            boolean sooner = first == null || takes < takes(first).orElseThrow();
            first = isFree && sooner ? candidate : first;
        }
        Candidate could = first;
        double margin = policy.strategy().finishMargin();
        double least = best;
        run.check(
                4,
                could == null || takes(could).orElseThrow() > margin * least * (1 - ROUNDING),
                () -> one + " waits although '" + could.on() + "' is free and finishes in "
                        + takes(could).orElseThrow() / 1e9 + " s, within " + margin + " x " + least / 1e9
                        + " s of the best");
    }

    /** It was placed: nothing that is free finishes earlier, and no busy one finishes so much earlier that it should have waited. */
    private void taken(Asked one, Workload workload, Hold hold) {
        Optional<Candidate> on = workload.candidates().stream()
                .filter(candidate -> candidate.on().equals(hold.substrate))
                .findFirst();
        if (on.isEmpty()
                || watch.rule.substrate(on.get()).overflow()
                || one.request.prefer().isPresent()
                || workload.deadline().isPresent()) {
            return;
        }
        double finish =
                takes(on.get()).stream().mapToDouble(it -> it).findFirst().orElse(Double.POSITIVE_INFINITY);
        double margin = policy.strategy().finishMargin() * CLEARLY;
        boolean mayWait = capacity(workload) > 0;
        for (Candidate other : workload.candidates()) {
            if (other.on().equals(hold.substrate) || !plain(one, other)) {
                continue;
            }
            long takes = takes(other).orElseThrow();
            run.check(
                    4,
                    takes >= finish || !free.is(one, other),
                    () -> one + " placed on '" + hold.substrate + "', which finishes in " + finish / 1e9
                            + " s, although '" + other.on() + "' is free and finishes in " + takes / 1e9 + " s");
            long wait = busyFor(one, workload, other).orElse(Long.MAX_VALUE);
            boolean inTime = wait < one.mostWaitNanos(policy) - MOMENT_NANOS;
            run.check(
                    4,
                    !mayWait || !inTime || finish <= margin * (wait + takes) || finish == Double.POSITIVE_INFINITY,
                    () -> one + " placed on '" + hold.substrate + "', which finishes in " + finish / 1e9
                            + " s, although '" + other.on() + "' finishes in " + (wait + takes) / 1e9 + " s and it may "
                            + "wait " + one.mostWaitNanos(policy) / 1e9 + " s");
        }
    }

    private int capacity(Workload workload) {
        int common = policy.queue().capacity();
        return workload.queue().map(own -> own.capacity().orElse(common)).orElse(common);
    }

    /** Whether the time that it takes is all that its place in the order depends on. */
    private boolean plain(Asked one, Candidate candidate) {
        Substrate substrate = watch.rule.substrate(candidate);
        return !substrate.overflow()
                && substrate.owner().isEmpty()
                && candidate.loadTime().isZero()
                && candidate.expectedLatency().isPresent()
                && one.request.prefer().isEmpty();
    }

    private static OptionalLong takes(Candidate candidate) {
        return candidate.expectedLatency().stream()
                .mapToLong(java.time.Duration::toNanos)
                .findFirst();
    }

    /** How long until a candidate comes free that is full of the router's own jobs and nothing else speaks against; empty: not certain. */
    private OptionalLong busyFor(Asked one, Workload workload, Candidate candidate) {
        Substrate substrate = watch.rule.substrate(candidate);
        Site site = watch.site(substrate.id());
        boolean certain = plain(one, candidate)
                && free.couldServe(one, candidate)
                && site.told.foreignJobs(policy, substrate, now) == 0
                && site.open() == site.mostJobs()
                && substrate.maxConcurrentJobs().orElse(Integer.MAX_VALUE) == site.open()
                && site.placed.isEmpty()
                && substrate.reserveForHigh() == 0
                && substrate.idleVram() == IdleVram.HELD;
        if (!certain || site.holds.stream().anyMatch(hold -> left(hold) < MOMENT_NANOS || hold.loadNanos > 0)) {
            return OptionalLong.empty();
        }
        Hold ends =
                site.holds.stream().min(Comparator.comparingLong(this::left)).orElseThrow();
        return free.hasRoom(candidate, site, substrate, workload, ends.mostMib)
                ? OptionalLong.of(left(ends))
                : OptionalLong.empty();
    }

    /** What is left of a job by what is declared; below 0: it is late, or nothing is declared. */
    private long left(Hold hold) {
        return hold.latencyNanos - (now - hold.startNanos);
    }
}
