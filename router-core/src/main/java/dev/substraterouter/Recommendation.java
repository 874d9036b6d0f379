package dev.substraterouter;

import dev.substraterouter.trace.Finding;
import dev.substraterouter.trace.Reason;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

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
        return candidates.stream()
                .map(Recommendation::line)
                .collect(Collectors.joining(
                        "\n",
                        subject + " by revision " + revision
                                + why.map(words -> " (" + words + ")").orElse("") + ":\n",
                        ""));
    }

    private static String line(RankedCandidate candidate) {
        String reasons = candidate.reasons().stream().map(Finding::text).collect(Collectors.joining(", "));
        String verdict = candidate.admissible()
                ? "now" + (reasons.isEmpty() ? "" : " (" + reasons + ")")
                : "not now: " + reasons + again(candidate);
        return String.format(
                Locale.ROOT,
                "  %d. %s: %s%s%s",
                candidate.rank(),
                candidate.substrateId(),
                verdict,
                candidate.expectedLatency().map(Recommendation::takes).orElse(""),
                candidate.why().map(why -> " (" + why + ")").orElse(""));
    }

    private static String again(RankedCandidate candidate) {
        boolean avoided = candidate.reasons().stream().anyMatch(finding -> finding.reason() == Reason.AVOIDED);
        return avoided
                ? ""
                : String.format(
                        Locale.ROOT,
                        "; again in %.1f s",
                        candidate.expectedWait().toNanos() / 1e9);
    }

    private static String takes(Duration latency) {
        return String.format(Locale.ROOT, "; takes %.1f s", latency.toNanos() / 1e9);
    }

    @Override
    public String toString() {
        return explain();
    }
}
