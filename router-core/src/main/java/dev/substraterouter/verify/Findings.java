package dev.substraterouter.verify;

import java.util.AbstractList;
import java.util.List;
import java.util.stream.Collectors;

/** What a verification has found: a list, empty when nothing was, with what was looked at and what was not. Immutable and thread-safe. */
public final class Findings extends AbstractList<PolicyFinding> {
    private final List<PolicyFinding> findings;
    private final long situations;
    private final List<String> notCovered;

    Findings(List<PolicyFinding> findings, long situations, List<String> notCovered) {
        this.findings = List.copyOf(findings);
        this.situations = situations;
        this.notCovered = List.copyOf(notCovered);
    }

    @Override
    public PolicyFinding get(int index) {
        return findings.get(index);
    }

    @Override
    public int size() {
        return findings.size();
    }

    /** How many situations were looked at. */
    public long situations() {
        return situations;
    }

    /** What was not looked at, or only in samples: a sentence each. Of this nothing is known, whatever was found. */
    public List<String> notCovered() {
        return notCovered;
    }

    /** All of it for people: the findings with their stories, and what was not covered. */
    public String report() {
        String found = findings.isEmpty()
                ? "nothing found"
                : findings.stream().map(PolicyFinding::story).collect(Collectors.joining("\n\n"));
        return found + "\n\n" + situations + " situations looked at; not covered:\n  - "
                + String.join("\n  - ", notCovered);
    }

    @Override
    public String toString() {
        return report();
    }
}
