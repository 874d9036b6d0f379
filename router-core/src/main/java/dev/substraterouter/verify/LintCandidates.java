package dev.substraterouter.verify;

import dev.substraterouter.internal.plan.CandidatePlan;
import dev.substraterouter.internal.plan.RoutePlan;
import dev.substraterouter.model.Vram;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.StrategyKind;
import dev.substraterouter.policy.SubstrateKind;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.trace.Finding;
import dev.substraterouter.trace.Reason;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Looks at written candidates: which of them can never serve, and what of them has no effect. Not thread-safe: one for each run. */
final class LintCandidates {
    /** With how many earlier candidates on its substrate one is compared. */
    private static final int MOST_COMPARED = 16;

    private final @Nullable LintAccess access;
    private final LintHosts hosts;
    private final LintReport report;
    private final LintVram vram;

    LintCandidates(LintPlans plans, @Nullable LintAccess access, LintHosts hosts, LintReport report) {
        this.access = access;
        this.hosts = hosts;
        this.report = report;
        this.vram = new LintVram(plans.policy, report);
    }

    /**
     * Looks at the candidates of a workload.
     *
     * @param live whether one of them could serve; else the workload as a whole is told, or the batch path is what is meant
     * @param batch whether the batch path could serve
     */
    void look(String path, Workload workload, RoutePlan route, boolean live, boolean batch) {
        vram.look(path, workload, batch);
        Map<Candidate, CandidatePlan> planned = new HashMap<>();
        for (CandidatePlan plan : route.candidates) {
            planned.put(plan.declared, plan);
        }
        Map<String, List<CandidatePlan>> earlier = new HashMap<>();
        List<Candidate> written = workload.candidates();
        for (int at = 0; at < written.size(); at++) {
            Candidate candidate = written.get(at);
            CandidatePlan plan = planned.get(candidate);
            String place = path + (workload.pin().isPresent() ? ".pin" : ".route[" + at + "]");
            if (plan != null) {
                serves(place, workload, plan, live || batch);
                shadowed(place, route, plan, earlier.computeIfAbsent(candidate.on(), on -> new ArrayList<>()));
                pinned(place, workload, plan);
                figures(place, workload, candidate, plan);
            }
        }
        workload.batch().ifPresent(candidate -> jobVram(path + ".batch", workload, candidate));
    }

    private void serves(String place, Workload workload, CandidatePlan plan, boolean served) {
        if (served) {
            plan.never.forEach(finding -> broken(place, workload, plan, finding));
        }
        if (plan.unusable == null && forNobody(workload, plan.declared)) {
            report.add(
                    LintCode.CANDIDATE_FOR_NOBODY,
                    place,
                    "on: '" + plan.substrate.id + "', which no role that may ask for '" + workload.name() + "' may use",
                    "a role that may use it");
        }
    }

    private boolean forNobody(Workload workload, Candidate candidate) {
        return access != null && access.serves(workload) && !access.serves(workload, candidate);
    }

    private void broken(String place, Workload workload, CandidatePlan plan, Finding finding) {
        if (finding.reason() == Reason.TOO_SMALL && vram.tells(workload, plan.declared)) {
            return; // told of the figure itself
        }
        report.add(
                code(finding.reason()),
                place,
                "on: '" + plan.substrate.id + "' " + finding.text(),
                "a candidate that could ever serve '" + workload.name() + "'");
    }

    private static LintCode code(Reason reason) {
        return switch (reason) {
            case BATCH_ONLY -> LintCode.CANDIDATE_BATCH_ONLY;
            case PRIVACY -> LintCode.CANDIDATE_BREAKS_PRIVACY;
            case TOO_SMALL -> LintCode.CANDIDATE_BREAKS_MEMORY;
            case QUALITY -> LintCode.CANDIDATE_BREAKS_QUALITY;
            case LATENCY -> LintCode.CANDIDATE_BREAKS_LATENCY;
            case COST -> LintCode.CANDIDATE_BREAKS_COST;
            default -> LintCode.CANDIDATE_BREAKS_CAPABILITY;
        };
    }

    /** A candidate is tried only when no earlier one is admissible; in the order of other strategies another may come first. */
    private void shadowed(String place, RoutePlan route, CandidatePlan plan, List<CandidatePlan> earlier) {
        if (route.strategy != StrategyKind.PREFERENCE || plan.unusable != null) {
            return;
        }
        for (CandidatePlan before : earlier) {
            if (shadows(before, plan)) {
                report.add(
                        LintCode.SHADOWED_CANDIDATE,
                        place,
                        "on: '" + plan.substrate.id + "' once more, after one that needs "
                                + (before.needMib < 0 ? "no memory" : gib(before) + " GB"),
                        "a candidate that is admissible when the earlier one is not");
                return;
            }
        }
        if (earlier.size() < MOST_COMPARED) {
            earlier.add(plan);
        }
    }

    private static String gib(CandidatePlan plan) {
        return LintWords.number(Vram.gib(plan.needMib));
    }

    /**
     * Whether one candidate is admissible in every state in which a later one on the same substrate is. The substrate's health, slots and
     * exclusions are the same; memory is the same where both have the same model, and the same discount for it or none.
     */
    private static boolean shadows(CandidatePlan before, CandidatePlan plan) {
        if (before.spansGpus != plan.spansGpus) {
            return false;
        }
        boolean sameModel = before.residentKey.equals(plan.residentKey)
                && before.residentNeedMib < before.needMib == plan.residentNeedMib < plan.needMib;
        return before.needMib < 0
                || (sameModel && before.needMib <= plan.needMib && before.residentNeedMib <= plan.residentNeedMib);
    }

    private void pinned(String place, Workload workload, CandidatePlan plan) {
        if (workload.pin().isPresent() && plan.substrate.overflow) {
            report.add(
                    LintCode.PIN_TO_OVERFLOW,
                    place,
                    "pin: '" + plan.substrate.id + "', which has overflow: true",
                    "a substrate that is not the last resort, or no overflow");
        }
    }

    private void figures(String place, Workload workload, Candidate candidate, CandidatePlan plan) {
        jobVram(place, workload, candidate);
        boolean external = plan.substrate.declared.kind() == SubstrateKind.EXTERNAL;
        candidate
                .endpoint()
                .ifPresent(address -> LintSubstrates.address(hosts, external, place, "endpoint", address, report));
    }

    private void jobVram(String place, Workload workload, Candidate candidate) {
        double job = candidate.jobVramGb().orElse(Double.NaN);
        double whole = candidate.vramGb().orElse(workload.vramGb().orElse(Double.NaN));
        if (candidate.model().isEmpty() && job < whole) {
            report.add(
                    LintCode.JOB_VRAM_WITHOUT_MODEL,
                    place + ".job_vram_gb",
                    "job_vram_gb: " + LintWords.number(job) + " without model",
                    "the model that must be loaded for it; the job always takes " + LintWords.number(whole) + " now");
        }
    }
}
