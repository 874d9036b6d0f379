package dev.substraterouter;

import dev.substraterouter.internal.gate.Decimals;
import dev.substraterouter.trace.Finding;
import dev.substraterouter.trace.Reason;
import java.util.List;
import java.util.Optional;

/** Where a request would go now, and why not elsewhere. Immutable: a snapshot. */
public final class Recommendation {
    private final String subject;
    private final Optional<String> why;
    private final long revision;
    private final List<RankedCandidate> candidates;

    Recommendation(String subject, Optional<String> why, long revision, List<RankedCandidate> candidates) {
        this.subject = subject;
        this.why = why;
        this.revision = revision;
        this.candidates = List.copyOf(candidates);
    }

    /** Every candidate that satisfies the contract: those admissible now first, each group in the order in which they are tried. */
    public List<RankedCandidate> candidates() {
        return candidates;
    }

    /** Where the request would be placed now; empty when nowhere. */
    public Optional<RankedCandidate> best() {
        return candidates.stream().filter(RankedCandidate::admissible).findFirst();
    }

    /** The candidates in words, a line each. */
    public String explain() {
        StringBuilder text = new StringBuilder(subject).append(" by revision ").append(revision);
        why.ifPresent(words -> text.append(" (").append(words).append(')'));
        text.append(":\n");
        for (RankedCandidate candidate : candidates) {
            line(text.append(candidate.rank() == 1 ? "" : "\n"), candidate);
        }
        return text.toString();
    }

    private static void line(StringBuilder text, RankedCandidate candidate) {
        text.append("  ").append(candidate.rank()).append(". ").append(candidate.substrateId());
        text.append(candidate.admissible() ? ": now" : ": not now: ");
        if (candidate.admissible() && !candidate.reasons().isEmpty()) {
            reasons(text.append(" ("), candidate).append(')');
        } else {
            reasons(text, candidate);
        }
        if (!candidate.admissible() && !avoided(candidate)) {
            text.append("; again in ")
                    .append(Decimals.seconds(candidate.expectedWait().toNanos()));
        }
        candidate.expectedLatency().ifPresent(latency -> text.append("; takes ")
                .append(Decimals.seconds(latency.toNanos())));
        candidate.why().ifPresent(why -> text.append(" (").append(why).append(')'));
    }

    private static StringBuilder reasons(StringBuilder text, RankedCandidate candidate) {
        String separator = "";
        for (Finding finding : candidate.reasons()) {
            text.append(separator).append(finding.text());
            separator = ", ";
        }
        return text;
    }

    private static boolean avoided(RankedCandidate candidate) {
        return candidate.reasons().stream().anyMatch(finding -> finding.reason() == Reason.AVOIDED);
    }

    @Override
    public String toString() {
        return explain();
    }
}
