package dev.substraterouter.verify;

import dev.substraterouter.internal.plan.CandidatePlan;
import dev.substraterouter.internal.plan.RoutePlan;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.StrategyKind;
import dev.substraterouter.policy.Workload;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Looks at what workloads say of the order of their candidates. Not thread-safe: one for each run. */
final class LintOrder {
    private static final long HOUR = 3_600_000_000_000L;

    private final Policy policy;
    private final LintReport report;

    LintOrder(Policy policy, LintReport report) {
        this.policy = policy;
        this.report = report;
    }

    void look(String path, Workload workload, RoutePlan route) {
        strategy(path, workload, route);
        loading(path, workload, route);
        overflow(path, workload, route);
    }

    private void strategy(String path, Workload workload, RoutePlan route) {
        StrategyKind own = workload.strategy().orElse(policy.strategy().defaultKind());
        boolean said = own != policy.strategy().defaultKind();
        String found = "strategy: " + LintWords.word(own);
        if (workload.candidates().size() == 1) {
            if (said) {
                report.add(
                        LintCode.STRATEGY_FOR_ONE,
                        path + ".strategy",
                        found + " of one candidate",
                        "at least two, which it could order");
            }
            return;
        }
        long serving = Arrays.stream(route.candidates)
                .filter(candidate -> candidate.unusable == null)
                .count();
        if (serving > 1 && Arrays.stream(route.candidates).noneMatch(candidate -> comparable(route, candidate))) {
            report.add(
                    LintCode.STRATEGY_WITHOUT_FIGURES,
                    workload.strategy().isPresent() ? path + ".strategy" : path,
                    found + ", and of none of " + serving + " candidates " + figure(own) + " will ever be known",
                    "the figures that it compares");
        }
    }

    private static String figure(StrategyKind strategy) {
        return strategy == StrategyKind.OUTCOME_COST ? "the cost" : "the latency";
    }

    /** Whether the strategy could ever know of a candidate what it compares. */
    private boolean comparable(RoutePlan route, CandidatePlan candidate) {
        boolean learns = policy.strategy().learn();
        return candidate.unusable == null
                && switch (route.strategy) {
                    case PREFERENCE, HEALTHIEST -> true;
                    case EARLIEST_FINISH -> learns || candidate.latencyNanos >= 0;
                    case OUTCOME_COST -> {
                        long takes = candidate.latencyNanos < 0 && learns ? HOUR : candidate.latencyNanos;
                        yield !Double.isNaN(route.outcomeCost(candidate, takes));
                    }
                };
    }

    private void loading(String path, Workload workload, RoutePlan route) {
        boolean counts = route.strategy == StrategyKind.EARLIEST_FINISH
                || (route.strategy == StrategyKind.OUTCOME_COST && route.waitingCostPerHour > 0);
        List<Candidate> written = workload.route();
        if (!counts || written.size() < 2) {
            return;
        }
        for (int at = 0; at < written.size(); at++) {
            Candidate candidate = written.get(at);
            if (candidate.model().isEmpty() && !candidate.loadTime().isZero()) {
                report.add(
                        LintCode.LOAD_TIME_WITHOUT_MODEL,
                        path + ".route[" + at + "].load_time",
                        "load_time: " + LintWords.duration(candidate.loadTime()) + " without model under "
                                + LintWords.word(route.strategy),
                        "the model that is loaded; the order never counts loading now");
            }
        }
    }

    private void overflow(String path, Workload workload, RoutePlan route) {
        if (workload.overflowAfter().isZero()) {
            return;
        }
        Stream<CandidatePlan> batch = route.batch == null ? Stream.of() : Stream.of(route.batch.candidates);
        List<CandidatePlan> serving = Stream.concat(Stream.of(route.candidates), batch)
                .filter(candidate -> candidate.unusable == null)
                .toList();
        if (!serving.isEmpty() && serving.stream().noneMatch(candidate -> candidate.substrate.overflow)) {
            report.add(
                    LintCode.OVERFLOW_AFTER_WITHOUT_OVERFLOW,
                    path + ".overflow_after",
                    "overflow_after: " + LintWords.duration(workload.overflowAfter())
                            + ", and no substrate that serves '" + workload.name() + "' has overflow: true",
                    "one that has");
        }
    }
}
