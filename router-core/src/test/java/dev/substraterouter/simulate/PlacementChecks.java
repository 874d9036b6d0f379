package dev.substraterouter.simulate;

import dev.substraterouter.model.FaultKind;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.Vram;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.IdleVram;
import dev.substraterouter.policy.PinGate;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.StrategyKind;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.SubstrateKind;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.trace.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What must hold of every placement: invariants 1 to 4. */
final class PlacementChecks {
    private final RouterWatch watch;
    private final InvariantWatch run;
    private final Policy policy;
    private final long now;

    PlacementChecks(RouterWatch watch) {
        this.watch = watch;
        this.run = watch.run;
        this.policy = watch.policy;
        this.now = run.now();
    }

    /** Checks what was placed in the present event of the run. */
    void check() {
        for (Site site : watch.sites.values()) {
            Substrate substrate = policy.substrate(site.id).orElse(null);
            if (substrate == null) {
                run.check(9, site.placed.isEmpty(), () -> "placed on '" + site.id + "', which is not in the policy");
                continue;
            }
            run.check(
                    2,
                    !site.exile.overdue(policy.ejection()),
                    () -> "'" + site.id + "' is not out after " + site.exile.faultsInRow + " faults in a row");
            if (!site.placed.isEmpty()) {
                check(site, substrate);
            }
        }
        for (Hold hold : watch.secondsInTrial) {
            Hold trial = watch.site(hold.substrate).exile.trial;
            run.check(
                    2,
                    trial == null || !trial.open(),
                    () -> hold.by + " placed on '" + hold.substrate + "' while the one trial of " + trial.by + " runs");
        }
    }

    private void check(Site site, Substrate substrate) {
        boolean certain = !site.statusCame || run.statusAlone();
        if (certain && site.placed.stream().anyMatch(Hold::open)) {
            slots(site, substrate);
            memory(site, substrate);
        }
        for (Hold hold : site.placed) {
            contract(hold, substrate);
            if (certain) {
                gate(hold, site, substrate);
            }
            order(hold, substrate);
        }
    }

    // 1

    private void slots(Site site, Substrate substrate) {
        long foreign = site.told.foreignJobs(policy, substrate, now);
        int own = site.leastJobs();
        long most = substrate.maxConcurrentJobs().orElse(Integer.MAX_VALUE);
        run.check(
                1,
                foreign + own <= most,
                () -> "'" + site.id + "' has " + foreign + " jobs of others + " + own + " own > " + most);
        boolean anyHigh = site.placed.stream().anyMatch(hold -> hold.by.priority == Priority.HIGH);
        run.check(
                1,
                anyHigh || foreign + own <= most - substrate.reserveForHigh(),
                () -> "'" + site.id + "' has " + foreign + " jobs of others + " + own + " own; of " + most + " slots "
                        + substrate.reserveForHigh() + " are kept for HIGH, and none is");
        int cap = site.exile.cap(now, (int) most, policy.ejection());
        run.check(2, own <= cap, () -> "'" + site.id + "' is on its way back and has " + own + " own > " + cap);
    }

    private void memory(Site site, Substrate substrate) {
        if (substrate.vramGb().isEmpty() || substrate.idleVram() == IdleVram.EVICTABLE) {
            return;
        }
        long foreign = site.told.leastForeignMib(policy, substrate, now);
        long own = site.leastMib();
        long most = site.told.totalMib(policy, substrate, now) - Vram.taken(substrate.keepFreeGb());
        run.check(
                1,
                own == 0 || foreign + own <= most,
                () -> "'" + site.id + "' has " + foreign + " MiB of others + " + own + " reserved > " + most);
    }

    // 2

    private void gate(Hold hold, Site site, Substrate substrate) {
        boolean pinned = policy.workload(hold.by.workload)
                .filter(it -> it.pin().isPresent() && it.pinGate() == PinGate.FACTS)
                .isPresent();
        String objection = site.told.objection(policy, substrate, pinned, now);
        run.check(2, objection == null, () -> hold.by + " placed on '" + site.id + "': " + objection);
        run.check(
                2,
                !site.cordoned || site.cordonedNanos >= now,
                () -> hold.by + " placed on '" + site.id + "', which is cordoned");
        boolean out = site.exile.phase == Exile.Phase.OUT && site.exile.epochNanos < now;
        run.check(
                2,
                !out || now >= site.exile.momentNanos,
                () -> hold.by + " placed on '" + site.id + "', which is out until " + site.exile.momentNanos / 1e9);
        run.check(
                2,
                site.busyUntil <= now || site.lastFull() >= now,
                () -> hold.by + " placed on '" + site.id + "', which is full by its own word until "
                        + site.busyUntil / 1e9);
    }

    // 3

    private void contract(Hold hold, Substrate substrate) {
        Asked one = hold.by;
        run.check(
                3,
                watch.rule.priority(one.request).isPresent(),
                () -> one + " placed, and its role may not ask for " + one.request.priority());
        Workload workload = policy.workload(one.workload).orElseThrow();
        List<Candidate> could = new ArrayList<>(workload.candidates());
        workload.batch().ifPresent(could::add);
        could.removeIf(candidate -> !candidate.on().equals(hold.substrate));
        run.check(3, !could.isEmpty(), () -> one + " placed on '" + hold.substrate + "', which is not on its route");
        List<Set<Reason>> violated = could.stream()
                .map(candidate -> watch.rule.violated(one.request, candidate))
                .toList();
        run.check(
                3,
                violated.stream().anyMatch(Set::isEmpty),
                () -> one + " placed on '" + hold.substrate + "' in spite of " + violated);
        again(hold, one);
    }

    private void again(Hold hold, Asked one) {
        int at = one.holds.indexOf(hold);
        for (Hold earlier : one.holds.subList(0, Math.max(0, at))) {
            boolean same = earlier.substrate.equals(hold.substrate);
            switch (earlier.outcome) {
                case NODE_FAULT, NOT_STARTED ->
                    run.check(3, !same, () -> one + " placed again on '" + hold.substrate + "', which has failed it");
                case BUSY -> {
                    long until = earlier.backNanos;
                    run.check(
                            3,
                            !same || hold.startNanos >= until,
                            () -> one + " placed again on '" + hold.substrate + "' before " + until / 1e9);
                }
                case NEUTRAL, REQUEST_FAULT, SUCCEEDED, OPEN ->
                    run.fail(6, one + " placed again after " + earlier.outcome);
            }
            run.check(
                    3,
                    earlier.outcome != dev.substraterouter.trace.Outcome.NODE_FAULT || one.request.idempotent(),
                    () -> one + " placed again after " + FaultKind.NODE + ", and may not run twice");
        }
    }

    // 4

    private void order(Hold hold, Substrate taken) {
        Asked one = hold.by;
        Workload workload = policy.workload(one.workload).orElseThrow();
        if (taken.kind() == SubstrateKind.BATCH
                && workload.candidates().stream().noneMatch(it -> it.on().equals(taken.id()))) {
            return;
        }
        boolean asWritten = workload.strategy().orElse(policy.strategy().defaultKind()) == StrategyKind.PREFERENCE;
        Free free = new Free(watch);
        for (Candidate candidate : watch.rule.inOrder(one.request)) {
            if (candidate.on().equals(hold.substrate)) {
                return;
            }
            Substrate passed = watch.rule.substrate(candidate);
            boolean before = asWritten || (taken.overflow() && !passed.overflow());
            boolean failedSince = one.failed.contains(candidate.on()) || one.toldToWait.contains(candidate.on());
            run.check(
                    4,
                    !before || failedSince || watch.site(candidate.on()).touched || !free.is(one, candidate),
                    () -> one + " placed on '" + hold.substrate + "' although '" + candidate.on()
                            + "' comes before it and is free");
        }
    }
}
