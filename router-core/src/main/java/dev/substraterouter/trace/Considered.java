package dev.substraterouter.trace;

import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * One candidate as a decision saw it.
 *
 * @param substrateId the substrate
 * @param admissible whether it could have been taken
 * @param findings why not; or, when it could, what is to be known about it
 */
public record Considered(String substrateId, boolean admissible, List<Finding> findings) {
    /** Copies the list. */
    public Considered {
        Objects.requireNonNull(substrateId, "substrateId");
        findings = List.copyOf(findings);
    }

    /** Whether it carries a reason. */
    public boolean has(Reason reason) {
        return findings.stream().anyMatch(finding -> finding.reason() == reason);
    }

    @Override
    public String toString() {
        return substrateId
                + (findings.isEmpty()
                        ? ""
                        : " " + findings.stream().map(Finding::text).collect(Collectors.joining(", ")));
    }
}
