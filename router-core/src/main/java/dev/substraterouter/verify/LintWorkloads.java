package dev.substraterouter.verify;

import dev.substraterouter.internal.plan.CandidatePlan;
import dev.substraterouter.internal.plan.RoutePlan;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.trace.Finding;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Looks at workloads: who serves them, if anybody. Not thread-safe: one for each run. */
final class LintWorkloads {
    private final LintPlans plans;
    private final @Nullable LintAccess access;
    private final LintCapabilities capabilities;
    private final LintOrder order;
    private final LintCandidates candidates;
    private final LintReport report;

    LintWorkloads(
            LintPlans plans,
            @Nullable LintAccess access,
            LintCapabilities capabilities,
            LintHosts hosts,
            LintReport report) {
        this.plans = plans;
        this.access = access;
        this.capabilities = capabilities;
        this.order = new LintOrder(plans.policy, report);
        this.candidates = new LintCandidates(plans, access, hosts, report);
        this.report = report;
    }

    void look(Workload workload) {
        String path = "workloads." + workload.name();
        RoutePlan route = plans.route(workload);
        boolean live = anyServes(route.candidates);
        boolean batch = route.batch != null && anyServes(route.batch.candidates);
        if (!live && !batch) {
            unservable(path, workload, route);
        } else if (access != null && !access.serves(workload)) {
            report.add(
                    LintCode.WORKLOAD_FOR_NOBODY,
                    path,
                    "workload: '" + workload.name() + "', which no role may have served",
                    "a role with it under workloads, its capabilities, and a substrate that accepts the role");
        }
        capabilities.look(path, workload.capabilities());
        candidates.look(path, workload, route, live, batch);
        if (live) {
            routeOfOne(path, workload);
        }
        order.look(path, workload, route);
        if (live || batch) {
            batch(path, workload, route);
        }
        LintSettings.queue(plans.policy, workload, report);
    }

    private static boolean anyServes(CandidatePlan[] candidates) {
        return Arrays.stream(candidates).anyMatch(candidate -> candidate.unusable == null);
    }

    private void unservable(String path, Workload workload, RoutePlan route) {
        List<String> reasons = new ArrayList<>();
        RoutePlan.Unfit unfit = route.unfit();
        Stream.of(route.candidates).forEach(candidate -> reasons.add(reason(candidate)));
        unfit.first().forEach(candidate -> reasons.add(reason(candidate)));
        int count = reasons.size() + unfit.more();
        if (route.batch != null) {
            Stream.of(route.batch.candidates).forEach(candidate -> reasons.add("batch path " + reason(candidate)));
            count += route.batch.candidates.length;
        }
        report.add(
                LintCode.UNSERVABLE_WORKLOAD,
                path,
                key(workload) + ": " + (count == 0 ? "no substrate serves live" : LintWords.some(reasons, count, "; ")),
                "at least one that could ever serve '" + workload.name() + "'");
    }

    private static String key(Workload workload) {
        if (workload.pin().isPresent()) {
            return "pin";
        }
        return workload.route().isEmpty() ? "substrates" : "route";
    }

    private static String reason(CandidatePlan candidate) {
        return candidate.substrate.id + " "
                + candidate.never.stream().map(Finding::text).collect(Collectors.joining(", "));
    }

    private void routeOfOne(String path, Workload workload) {
        RoutePlan twin = plans.twin(workload);
        if (twin == null) {
            return;
        }
        String only = workload.route().get(0).on();
        List<String> others = Stream.of(twin.candidates)
                .filter(candidate -> candidate.unusable == null)
                .map(candidate -> candidate.substrate.id)
                .toList();
        if (!others.isEmpty()) {
            report.add(
                    LintCode.ROUTE_OF_ONE,
                    path + ".route",
                    "route: '" + only + "' alone, where " + LintWords.some(others) + " would fit",
                    "a fallback, or 'pin: " + only + "' if it is meant");
        }
    }

    private void batch(String path, Workload workload, RoutePlan route) {
        Candidate written = workload.batch().orElse(null);
        if (written == null || route.batch == null) {
            return;
        }
        CandidatePlan plan = route.batch.candidates[0];
        if (plan.unusable != null) {
            report.add(
                    LintCode.UNREACHABLE_BATCH,
                    path + ".batch",
                    "batch: " + reason(plan),
                    "a batch path that satisfies the contract of '" + workload.name() + "'");
        } else if (access != null && access.serves(workload) && !access.servesByBatch(workload)) {
            report.add(
                    LintCode.UNREACHABLE_BATCH,
                    path + ".batch",
                    "batch: '" + written.on() + "', which no role that may ask for '" + workload.name() + "' may use",
                    "a role that may use it");
        }
    }
}
