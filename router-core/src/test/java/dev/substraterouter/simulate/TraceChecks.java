package dev.substraterouter.simulate;

import dev.substraterouter.model.PlacementMode;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.SubstrateKind;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.trace.Attempt;
import dev.substraterouter.trace.Considered;
import dev.substraterouter.trace.Finding;
import dev.substraterouter.trace.Outcome;
import dev.substraterouter.trace.Reason;
import dev.substraterouter.trace.RoutingTrace;
import dev.substraterouter.trace.ServingPath;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** What must hold of every trace: invariant 8, and 3 as far as reasons that hold for good are told. */
final class TraceChecks {
    private static final int MOST_KEPT = 64;
    private static final Set<Reason> FOR_GOOD = EnumSet.of(
            Reason.ROLE,
            Reason.BATCH_ONLY,
            Reason.PRIVACY,
            Reason.CAPABILITY,
            Reason.QUALITY,
            Reason.LATENCY,
            Reason.COST,
            Reason.TOO_SMALL);

    private final InvariantWatch run;

    TraceChecks(InvariantWatch run) {
        this.run = run;
    }

    void check(RouterWatch watch, Asked one, RoutingTrace trace) {
        run.check(8, trace.workload().equals(one.workload), () -> one + " traced for " + trace.workload());
        run.check(
                8,
                trace.attempts().size() == Math.min(MOST_KEPT, one.holds.size()),
                () -> one + " traced with " + trace.attempts().size() + " attempts, placed " + one.holds.size()
                        + " times");
        run.check(
                8,
                trace.waited().toNanos() == one.waitedNanos,
                () -> one + " traced with " + trace.waited() + " of waiting, watched: " + one.waitedNanos / 1e9 + " s");
        run.check(
                8,
                !(trace.served() && trace.refusal().isPresent()),
                () -> one + " traced as served and refused " + trace.refusal());
        run.check(
                8,
                watch.revisions.containsKey(trace.revision()),
                () -> one + " traced under revision " + trace.revision() + ", which never was");
        int skipped = one.holds.size() - trace.attempts().size();
        for (int at = 0; at < trace.attempts().size(); at++) {
            check(watch, one, one.holds.get(skipped + at), trace.attempts().get(at), skipped + at + 1);
        }
        boolean done = one.last() != null && one.holds.get(one.holds.size() - 1).outcome == Outcome.SUCCEEDED;
        run.check(8, trace.served() == done, () -> one + " traced as served: " + trace.served());
        // the last decision without a placement may be older than the last one of all
        trace.considered().forEach(considered -> reasons(one, considered, watch.revisions.values()));
    }

    private void check(RouterWatch watch, Asked one, Hold hold, Attempt attempt, int number) {
        run.check(
                8, attempt.number() == number, () -> one + " has an attempt " + attempt.number() + " as its " + number);
        run.check(
                8,
                attempt.substrateId().equals(hold.substrate),
                () -> one + " traced on " + attempt.substrateId() + ", placed on " + hold.substrate);
        run.check(
                8,
                attempt.outcome() != Outcome.OPEN && attempt.outcome() == hold.outcome,
                () -> one + " attempt " + number + " traced as " + attempt.outcome() + ", watched: " + hold.outcome);
        long lasted = hold.endedNanos - hold.startNanos;
        run.check(
                8,
                attempt.latency().isPresent() && attempt.latency().get().toNanos() == lasted,
                () -> one + " attempt " + number + " traced with " + attempt.latency() + ", watched: " + lasted / 1e9);
        Policy policy = watch.revisions.get(attempt.revision());
        run.check(8, policy != null, () -> one + " attempt by revision " + attempt.revision() + ", which never was");
        if (policy == null) {
            return;
        }
        fields(one, attempt, policy);
        for (Considered considered : attempt.considered()) {
            run.check(
                    8,
                    considered.substrateId().equals(attempt.substrateId())
                            || !considered.findings().isEmpty(),
                    () -> one + " passed over " + considered.substrateId() + " without a reason");
            if (!considered.substrateId().equals(attempt.substrateId())) {
                reasons(one, considered, List.of(policy));
            }
        }
    }

    private void fields(Asked one, Attempt attempt, Policy policy) {
        Workload workload = policy.workload(one.workload).orElseThrow();
        SubstrateKind kind =
                policy.substrate(attempt.substrateId()).orElseThrow().kind();
        run.check(
                8,
                attempt.external() == (kind == SubstrateKind.EXTERNAL),
                () -> one + " on '" + attempt.substrateId() + "' traced as external: " + attempt.external());
        boolean batch = attempt.mode() == PlacementMode.BATCH;
        run.check(
                8,
                batch == (attempt.path() == ServingPath.BATCH),
                () -> one + " traced with mode " + attempt.mode() + " and path " + attempt.path());
        List<Candidate> could = new ArrayList<>(batch ? List.of() : workload.candidates());
        workload.batch().filter(candidate -> batch).ifPresent(could::add);
        run.check(
                8,
                could.stream()
                        .anyMatch(candidate -> candidate.on().equals(attempt.substrateId())
                                && candidate.model().equals(attempt.model())
                                && candidate.format().equals(attempt.format())
                                && candidate.modelVersion().equals(attempt.version())),
                () -> one + " on '" + attempt.substrateId() + "' traced with model " + attempt.model() + " "
                        + attempt.version() + " " + attempt.format());
        boolean overflow = policy.substrate(attempt.substrateId()).orElseThrow().overflow();
        run.check(
                8,
                batch || overflow == (attempt.path() == ServingPath.OVERFLOW),
                () -> one + " on '" + attempt.substrateId() + "' traced with path " + attempt.path());
    }

    /** What is said to speak against a candidate for good does, and what does is said. */
    private void reasons(Asked one, Considered considered, Collection<Policy> policies) {
        Set<Reason> told = EnumSet.noneOf(Reason.class);
        considered.findings().stream()
                .map(Finding::reason)
                .filter(FOR_GOOD::contains)
                .forEach(told::add);
        List<Set<Reason>> really = policies.stream()
                .flatMap(policy -> ruledOut(one, considered.substrateId(), policy).stream())
                .toList();
        boolean agrees = really.stream()
                .anyMatch(violated ->
                        violated.equals(told) || (violated.contains(Reason.ROLE) && told.contains(Reason.ROLE)));
        run.check(
                8,
                really.isEmpty() || considered.findings().isEmpty() || agrees,
                () -> one + ": '" + considered.substrateId() + "' ruled out by " + told + ", really by " + really);
    }

    /** What rules out each of the candidates that a workload has on a substrate. */
    private static List<Set<Reason>> ruledOut(Asked one, String substrate, Policy policy) {
        List<Set<Reason>> all = new ArrayList<>();
        ContractRule rule = new ContractRule(policy);
        Workload workload = policy.workload(one.workload).orElseThrow();
        List<Candidate> could = new ArrayList<>(workload.candidates());
        workload.batch().ifPresent(could::add);
        could.removeIf(candidate -> !candidate.on().equals(substrate));
        for (Candidate candidate : could) {
            Set<Reason> violated = EnumSet.noneOf(Reason.class);
            violated.addAll(rule.violated(one.request, candidate));
            violated.retainAll(FOR_GOOD);
            all.add(violated);
        }
        return all;
    }
}
