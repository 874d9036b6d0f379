package dev.substraterouter.internal.plan;

import dev.substraterouter.model.Vram;
import dev.substraterouter.policy.SubstrateKind;
import dev.substraterouter.trace.Finding;
import dev.substraterouter.trace.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Whether a candidate could ever serve: contract against declared figures, a pure function. Every clause that fails is found, with by how
 * much. Limits are inclusive; a figure that a limit needs and a candidate lacks fails it.
 */
final class ContractCheck {
    /** Sums of decimal figures are off by less than this share; limits are inclusive. */
    private static final double ROUNDING = 1e-12;

    private final Contract contract;
    private final CandidatePlan candidate;
    private final SubstratePlan substrate;
    private List<Finding> findings = List.of();

    private ContractCheck(Contract contract, CandidatePlan candidate) {
        this.contract = contract;
        this.candidate = candidate;
        this.substrate = candidate.substrate;
    }

    /**
     * Everything that rules a candidate out for good; empty: it may serve.
     *
     * @param roles who asks; null: the policy has no roles, or nobody in particular asks
     */
    static List<Finding> test(Contract contract, CandidatePlan candidate, @Nullable RoleSet roles) {
        String forbidden = roles == null ? null : roles.objection(candidate.substrate);
        if (forbidden != null) {
            return List.of(new Finding(Reason.ROLE, forbidden)); // and nothing else is told of it
        }
        ContractCheck check = new ContractCheck(contract, candidate);
        check.place();
        check.abilities();
        check.memory();
        check.figures();
        return check.findings.isEmpty() ? List.of() : List.copyOf(check.findings);
    }

    private void place() {
        if (!candidate.batch && substrate.kind == SubstrateKind.BATCH) {
            report(Reason.BATCH_ONLY, "kind batch, which only the batch path uses");
        }
        if (substrate.trust.compareTo(contract.privacy) > 0) {
            report(Reason.PRIVACY, "trust " + word(substrate.trust) + ", needs " + word(contract.privacy));
        }
    }

    private void abilities() {
        missing(Reason.CAPABILITY, "lacks ", contract.capabilities, substrate.capabilities);
        missing(Reason.REACH, "cannot reach ", contract.reaches, substrate.reaches);
        String codebase = contract.codebase;
        if (codebase != null && !substrate.codebases.contains(codebase) && !substrate.codebases.contains("*")) {
            report(Reason.CODEBASE, "does not hold " + codebase + has(substrate.codebases));
        }
    }

    private void missing(Reason reason, String what, List<String> needed, Set<String> there) {
        boolean all = true;
        for (int at = 0; all && at < needed.size(); at++) { // thousands of times for one need: no iterator
            all = there.contains(needed.get(at));
        }
        if (all) {
            return;
        }
        String absent = needed.stream().filter(name -> !there.contains(name)).collect(Collectors.joining(", "));
        report(reason, what + absent + has(there));
    }

    private void memory() {
        if (substrate.kind == SubstrateKind.LOCAL
                && substrate.totalMib == SubstratePlan.UNKNOWN
                && contract.needsMemory) {
            report(
                    Reason.TOO_SMALL,
                    String.format(
                            Locale.ROOT,
                            "needs %.1f GB, no vram_gb declared",
                            contract.need.vramGb().getAsDouble()));
        }
        if (candidate.needMib > 0
                && substrate.totalMib != SubstratePlan.UNKNOWN
                && candidate.needMib > substrate.mostMib(candidate.spansGpus)) {
            report(
                    Reason.TOO_SMALL,
                    String.format(
                            Locale.ROOT,
                            "needs %.1f GB, could get at most %.1f GB",
                            Vram.gib(candidate.needMib),
                            Vram.gib(substrate.mostMib(candidate.spansGpus))));
        }
    }

    private void figures() {
        if (!Double.isNaN(contract.minQuality)) {
            least(candidate.quality);
        }
        if (contract.maxLatencyNanos != Long.MAX_VALUE) {
            latency();
        }
        if (!Double.isNaN(contract.maxCost)) {
            cost(candidate.declaredCost(contract));
        }
    }

    private void least(double quality) {
        if (Double.isNaN(quality)) {
            report(Reason.QUALITY, "no quality declared, needs " + contract.minQuality);
        } else if (quality < contract.minQuality) {
            report(Reason.QUALITY, "quality " + quality + " < " + contract.minQuality);
        }
    }

    private void latency() {
        if (candidate.latencyNanos == CandidatePlan.UNKNOWN) {
            report(
                    Reason.LATENCY,
                    String.format(Locale.ROOT, "no latency declared, limit %.1f s", contract.maxLatencyNanos / 1e9));
            return;
        }
        long takes = candidate.latencyNanos + candidate.loadNanos;
        if (takes > contract.maxLatencyNanos) {
            report(
                    Reason.LATENCY,
                    String.format(
                            Locale.ROOT,
                            "takes %.1f s (%.1f s of it to load) > %.1f s",
                            takes / 1e9,
                            candidate.loadNanos / 1e9,
                            contract.maxLatencyNanos / 1e9));
        }
    }

    private void cost(double cost) {
        if (Double.isNaN(cost)) {
            report(Reason.COST, String.format(Locale.ROOT, "no cost basis declared, limit %.4f", contract.maxCost));
        } else if (cost > contract.maxCost * (1 + ROUNDING)) {
            report(Reason.COST, String.format(Locale.ROOT, "costs %.4f > %.4f", cost, contract.maxCost));
        }
    }

    private static String has(Set<String> names) {
        return names.isEmpty() ? " (has none)" : " (has " + String.join(", ", new TreeSet<>(names)) + ")";
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private void report(Reason reason, String text) {
        findings = findings.isEmpty() ? new ArrayList<>() : findings;
        findings.add(new Finding(reason, text));
    }
}
