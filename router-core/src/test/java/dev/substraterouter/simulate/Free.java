package dev.substraterouter.simulate;

import dev.substraterouter.model.PlacementMode;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.Vram;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.IdleVram;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.StrategyKind;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.SubstrateKind;
import dev.substraterouter.policy.Workload;

/**
 * Whether a candidate is free for a request beyond doubt: by a reading of the specification that says no wherever it could be argued. So
 * whoever is not placed although a candidate is free in this sense was wronged.
 */
final class Free {
    /** What happens by time alone may be a little late by rounding. */
    private static final long ROUNDING_NANOS = 1_000_000;

    private static final long FOREIGN_JOB_NANOS = 15_000_000_000L;

    private final RouterWatch watch;
    private final Policy policy;
    private final long now;

    Free(RouterWatch watch) {
        this.watch = watch;
        this.policy = watch.policy;
        this.now = watch.run.now();
    }

    /** Whether it must be taken rather than waited for another, or be refused. */
    boolean mustTake(Asked one, Candidate candidate) {
        Workload workload = policy.workload(one.workload).orElseThrow();
        return is(one, candidate)
                && (strategy(workload) != StrategyKind.EARLIEST_FINISH || notWorthHolding(workload, candidate));
    }

    private StrategyKind strategy(Workload workload) {
        return workload.strategy().orElse(policy.strategy().defaultKind());
    }

    /** By the declared figures, where none are learnt: none of the others finishes earlier by the margin, however early it comes free. */
    private boolean notWorthHolding(Workload workload, Candidate free) {
        Substrate on = watch.rule.substrate(free);
        if (policy.strategy().learn()
                || on.owner().isPresent()
                || on.overflow()
                || free.expectedLatency().isEmpty()) {
            return false;
        }
        long finish = free.expectedLatency().get().plus(free.loadTime()).toNanos();
        return workload.candidates().stream()
                .filter(other -> !other.equals(free) && other.expectedLatency().isPresent())
                .allMatch(other -> finish
                        <= policy.strategy().finishMargin()
                                * (leastWait(other)
                                        + other.expectedLatency().orElseThrow().toNanos()));
    }

    /** How long until a candidate comes free at the least: where every slot is taken, until the first job is expected to end. */
    private long leastWait(Candidate candidate) {
        Substrate substrate = watch.rule.substrate(candidate);
        Site site = watch.site(substrate.id());
        long foreign = site.told.foreignJobs(policy, substrate, now);
        boolean full = foreign + site.open() >= substrate.maxConcurrentJobs().orElse(Integer.MAX_VALUE);
        if (!full || substrate.overflow() || site.mostJobs() > site.open()) {
            return 0;
        }
        long least = foreign > 0 ? FOREIGN_JOB_NANOS : Long.MAX_VALUE / 4;
        for (Hold hold : site.holds) {
            least = Math.min(least, leastLeft(hold, now - hold.startNanos));
        }
        return least;
    }

    /** What is left of a job, whether its model had to be loaded or not; one that is late is late for as long again. */
    private static long leastLeft(Hold hold, long passed) {
        if (hold.latencyNanos < 0) {
            return 0;
        }
        long warm = Math.abs(hold.latencyNanos - passed);
        return Math.min(warm, Math.abs(hold.latencyNanos + hold.loadNanos - passed));
    }

    /** Whether a candidate is free for a request. */
    boolean is(Asked one, Candidate candidate) {
        Substrate substrate = watch.rule.substrate(candidate);
        Site site = watch.site(substrate.id());
        return couldServe(one, candidate)
                && hasSlot(one, site, substrate)
                && hasRoom(
                        candidate,
                        site,
                        substrate,
                        policy.workload(one.workload).orElseThrow(),
                        0)
                && nobodyBefore(one);
    }

    /** Whether nothing but what is taken there, and who else waits, can speak against it. */
    boolean couldServe(Asked one, Candidate candidate) {
        Substrate substrate = watch.rule.substrate(candidate);
        Site site = watch.site(substrate.id());
        return watch.rule.violated(one.request, candidate).isEmpty()
                && mayTry(one, candidate, substrate)
                && isIn(site)
                && open(site, substrate);
    }

    private boolean mayTry(Asked one, Candidate candidate, Substrate substrate) {
        long overflowAfter =
                policy.workload(one.workload).orElseThrow().overflowAfter().toNanos();
        boolean told = one.toldToWait.contains(substrate.id());
        return substrate.kind() != SubstrateKind.BATCH
                && !onlyLater(one)
                && !told
                && !one.failed.contains(candidate.on())
                && policy.workload(one.workload).orElseThrow().minAvailability() == 0
                && (!substrate.overflow() || one.waitedBy(now) > overflowAfter + ROUNDING_NANOS);
    }

    /** Whether it goes to its workload's batch path and nowhere else. */
    private boolean onlyLater(Asked one) {
        return one.request.mode() == PlacementMode.BATCH && watch.takesPlaces(one);
    }

    private boolean isIn(Site site) {
        return !site.cordoned
                && site.busyUntil < now - ROUNDING_NANOS
                && site.exile.surelyIn(now, policy.ejection())
                && site.lastFull() < now - watch.run.longestBusyNanos();
    }

    private boolean open(Site site, Substrate substrate) {
        boolean unasked = Told.limits(policy, substrate).requiredOn(substrate).isEmpty();
        return unasked && !site.told.anything() || site.told.surelyOpen(policy, substrate, now);
    }

    private boolean hasSlot(Asked one, Site site, Substrate substrate) {
        long most = substrate.maxConcurrentJobs().orElse(Integer.MAX_VALUE);
        long kept = one.priority == Priority.HIGH ? 0 : substrate.reserveForHigh();
        return site.told.foreignJobs(policy, substrate, now) + site.mostJobs() + 1 <= most - kept;
    }

    /** Whether its memory fits once so much of what is reserved has been given back. */
    boolean hasRoom(Candidate candidate, Site site, Substrate substrate, Workload workload, long givenBackMib) {
        if (substrate.vramGb().isEmpty()) {
            return true;
        }
        if (substrate.idleVram() == IdleVram.EVICTABLE || (substrate.gpus() > 1 && !candidate.spansGpus())) {
            return false; // not beyond doubt
        }
        long taken = site.told.mostForeignMib(policy, substrate, now) + site.mostMib() - givenBackMib;
        long need = Vram.taken(ContractRule.vramGb(candidate, workload));
        return taken + need <= site.told.totalMib(policy, substrate, now) - Vram.taken(substrate.keepFreeGb());
    }

    /** Whether nobody else that waits could come first: none claims yet, and none outranks it if it is LOW. */
    private boolean nobodyBefore(Asked one) {
        long hold = policy.queue().holdAfter().toNanos();
        long ages = policy.queue().agesAfter().toNanos();
        boolean low = one.rank(now, ages) >= 2;
        return watch.asked.values().stream()
                .filter(other -> other != one && (other.waits() || other.leftNow(watch.run.event())))
                .noneMatch(other -> other.waitedBy(now) >= hold - ROUNDING_NANOS || (low && other.rank(now, ages) < 2));
    }
}
