package dev.substraterouter.simulate;

import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.model.FaultKind;
import dev.substraterouter.model.PlacementMode;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.status.HealthContext;
import dev.substraterouter.status.SubstrateStatus;
import dev.substraterouter.status.Verdict;
import dev.substraterouter.trace.Attempt;
import dev.substraterouter.trace.Outcome;
import dev.substraterouter.trace.RouterEvent;
import dev.substraterouter.trace.RoutingTrace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What one router has told of itself, and what was told to it, kept as the specification says it should stand. It hears events, traces and
 * every status; {@link #apply} brings its picture up to date after each event of the run. Not thread-safe.
 */
final class RouterWatch {
    private static final long LEAST_BUSY_NANOS = 1_000_000_000;

    final InvariantWatch run;
    final Map<String, Asked> asked = new LinkedHashMap<>();
    final Map<String, Site> sites = new LinkedHashMap<>();
    final Map<Long, Policy> revisions = new HashMap<>();
    Policy policy;
    ContractRule rule;
    /** The oldest revision by which something may have been decided in the present event. */
    long revisionBefore;

    /** How many waited before the present event, and how many came in it, by places. */
    final Map<String, Integer> waitedBefore = new HashMap<>();

    final Map<String, Integer> queuedNow = new HashMap<>();
    final List<RouterEvent.Refused> refusedNow = new ArrayList<>();
    final List<RoutingTrace> endedNow = new ArrayList<>();
    final List<Hold> secondsInTrial = new ArrayList<>();
    final List<Asked> cameNow = new ArrayList<>();

    private final List<RouterEvent> events = new ArrayList<>();
    private final List<RoutingTrace> traces = new ArrayList<>();
    private final List<Arrived> deliveries = new ArrayList<>();
    private @Nullable SubstrateRouter router;

    /** A status of a substrate. */
    private record Arrived(String substrate, Told.Delivery delivery) {}

    RouterWatch(InvariantWatch run, Policy policy) {
        this.run = run;
        this.policy = policy;
        this.rule = new ContractRule(policy);
        policy.substrates().forEach(substrate -> sites.put(substrate.id(), new Site(substrate.id())));
    }

    SubstrateRouter.Builder listensTo(SubstrateRouter.Builder builder) {
        return builder.listener(events::add).traceSink(traces::add).healthPredicate(this::told);
    }

    private Verdict told(SubstrateStatus status, HealthContext context) {
        // a poll is answered through its ticket
        boolean carried = StackWalker.getInstance().walk(frames -> frames.limit(12)
                .noneMatch(frame -> frame.getMethodName().equals("answered")));
        long now = run.now();
        long asked = carried ? now : now - run.delayNanos();
        deliveries.add(new Arrived(context.substrateId(), new Told.Delivery(status, asked, now, carried)));
        return Verdict.pass();
    }

    void runs(SubstrateRouter it) {
        if (router == null) {
            router = it;
            policy = it.policy();
            revisionBefore = policy.revision();
            revisions.put(revisionBefore, policy);
        }
    }

    SubstrateRouter router() {
        return Objects.requireNonNull(router, "no router yet");
    }

    Site site(String id) {
        return sites.computeIfAbsent(id, Site::new);
    }

    private Site touched(String id) {
        Site site = site(id);
        site.touched = true;
        return site;
    }

    /** How many statuses came in the present event. */
    int deliveries() {
        return deliveries.size();
    }

    /** Whether nothing was heard in the present event. */
    boolean quiet() {
        return events.isEmpty()
                && traces.isEmpty()
                && deliveries.isEmpty()
                && sites.values().stream().noneMatch(site -> site.touched);
    }

    boolean anybodyWaits() {
        return !waitedBefore.isEmpty();
    }

    /** Brings the picture up to date. */
    void apply() {
        for (Site site : sites.values()) {
            policy.substrate(site.id)
                    .ifPresent(it -> site.expire(
                            run.now(), Told.limits(policy, it).staleAfter().toNanos()));
        }
        List.copyOf(events).forEach(this::apply);
        events.clear();
        List.copyOf(traces).forEach(this::ended);
        traces.clear();
        for (Arrived one : deliveries) {
            policy.substrate(one.substrate).ifPresent(it -> site(one.substrate)
                    .take(one.delivery, policy, it, run.statusAlone(), run.event()));
        }
        deliveries.clear();
    }

    /** The present event of the run is over. */
    void eventOver() {
        sites.values().forEach(site -> site.eventOver(run.now()));
        queuedNow.clear();
        refusedNow.clear();
        endedNow.clear();
        secondsInTrial.clear();
        cameNow.clear();
        revisionBefore = policy.revision();
        waitedBefore.clear();
        asked.values().removeIf(one -> one.over && one.traced);
        for (Asked one : asked.values()) {
            if (one.waits()) {
                waitedBefore.merge(one.places, 1, Integer::sum);
            }
        }
    }

    private void apply(RouterEvent event) {
        if (event instanceof RouterEvent.Placed placed) {
            placed(placed);
        } else if (event instanceof RouterEvent.Queued queued) {
            queued(find(queued.requestId(), queued.workload()));
        } else if (event instanceof RouterEvent.Refused refused) {
            find(refused.requestId(), refused.workload()).leavesQueue(run.now(), run.event());
            refusedNow.add(refused);
        } else if (event instanceof RouterEvent.Failed failed) {
            failed(failed);
        } else if (event instanceof RouterEvent.Ejected ejected) {
            boolean silent = ejected.rule().contains("silent");
            touched(ejected.substrateId())
                    .exile
                    .ejected(run.now(), ejected.window().toNanos(), silent, policy.ejection());
        } else if (event instanceof RouterEvent.TrialStarted started) {
            touched(started.substrateId()).exile.trialStarted(run.now());
        } else if (event instanceof RouterEvent.Returned returned) {
            touched(returned.substrateId()).exile.returned(run.now(), returned.byOperator());
        } else if (event instanceof RouterEvent.Reloaded reloaded) {
            policy = router().policy();
            rule = new ContractRule(policy);
            revisions.put(reloaded.revision(), policy);
            sites.values().forEach(site -> site.touched = true);
        } else if (event instanceof RouterEvent.ReloadRejected rejected) {
            throw new IllegalStateException("a drawn policy was rejected: " + rejected.problems());
        }
    }

    Asked find(String id, String workload) {
        Asked known = asked.get(id);
        if (known == null) {
            RequestClass requestClass = run.requestClass(id);
            known = new Asked(id, requestClass, run.request(requestClass, workload), run.now(), ScenarioDraw.order(id));
            known.priority = rule.priority(known.request).orElse(known.priority);
            asked.put(id, known);
            cameNow.add(known);
            run.seen(id);
        }
        return known;
    }

    private void placed(RouterEvent.Placed event) {
        Asked one = find(event.requestId(), event.workload());
        one.leavesQueue(run.now(), run.event());
        run.check(
                8,
                event.waited().toNanos() == one.waitedNanos,
                () -> one + " placed after " + event.waited() + " of waiting, watched: " + one.waitedNanos / 1e9
                        + " s");
        run.check(
                8,
                event.attempt() == one.holds.size() + 1,
                () -> one + " placed as attempt " + event.attempt() + ", watched: " + (one.holds.size() + 1));
        run.check(
                9,
                event.revision() >= revisionBefore
                        && event.revision() <= router().policy().revision(),
                () -> one + " placed by revision " + event.revision() + ", in force: " + policy.revision());
        Site site = site(event.substrateId());
        Policy decided = revisions.getOrDefault(event.revision(), policy);
        Hold hold = Hold.of(one, decided, event.substrateId(), run.now(), run.event());
        one.holds.add(hold);
        site.begins(hold);
        if (site.exile.phase == Exile.Phase.TRIAL) {
            if (site.exile.trial == null) {
                site.exile.trial = hold;
            } else if (site.exile.trial.open()) {
                secondsInTrial.add(hold);
            }
        }
    }

    private void queued(Asked one) {
        one.queues(policy, run.now());
        queuedNow.merge(one.places, 1, Integer::sum);
    }

    /** Whether the host places it and then works on it, rather than have the router call the work. */
    boolean takesPlaces(Asked one) {
        return one.request.mode() != PlacementMode.INTERACTIVE
                && run.firstPolicy()
                        .workload(one.workload)
                        .flatMap(Workload::batch)
                        .isPresent();
    }

    private void failed(RouterEvent.Failed event) {
        Asked one = find(event.requestId(), event.workload());
        Hold hold = one.last();
        if (hold == null || !hold.substrate.equals(event.substrateId())) {
            run.fail(8, one + " failed on " + event.substrateId() + ", where it was not placed");
            return;
        }
        Site site = site(event.substrateId());
        FaultKind kind = event.kind();
        end(
                hold,
                switch (kind) {
                    case NODE -> Outcome.NODE_FAULT;
                    case NODE_NOT_STARTED -> Outcome.NOT_STARTED;
                    case BUSY -> Outcome.BUSY;
                    case REQUEST -> Outcome.REQUEST_FAULT;
                    case NEUTRAL -> Outcome.NEUTRAL;
                });
        if (kind == FaultKind.NODE || kind == FaultKind.NODE_NOT_STARTED) {
            one.failed.add(site.id);
            site.exile.fault(hold, run.now(), policy.ejection());
        } else if (kind == FaultKind.BUSY) {
            long least = Math.min(
                    policy.poll().every().toNanos(),
                    run.retryAfterNanos(site.id).orElse(policy.poll().every().toNanos()));
            hold.backNanos = run.now() + Math.max(LEAST_BUSY_NANOS, least);
            one.toldToWait.add(site.id);
            site.saysFull(run.now(), least);
        }
    }

    private void end(Hold hold, Outcome outcome) {
        if (hold.open()) {
            hold.end(run.now(), outcome);
            site(hold.substrate).ends(hold, run.now());
        }
    }

    private void ended(RoutingTrace trace) {
        Asked one = find(trace.requestId(), trace.workload());
        one.leavesQueue(run.now(), run.event());
        run.check(6, !one.traced, () -> one + " has two traces");
        one.traced = true;
        one.over = true;
        Hold last = one.last();
        Outcome outcome = trace.lastAttempt().map(Attempt::outcome).orElse(Outcome.OPEN);
        if (last != null && last.open()) {
            end(last, outcome == Outcome.OPEN ? Outcome.NEUTRAL : outcome);
            if (outcome == Outcome.SUCCEEDED) {
                site(last.substrate).exile.success(last);
            }
        }
        endedNow.add(trace);
        run.traced(trace.requestId());
        run.traces().check(this, one, trace);
    }
}
