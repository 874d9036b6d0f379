package dev.substraterouter.policy.cli.traces;

import dev.substraterouter.policy.cli.text.Numbers;
import dev.substraterouter.trace.Reason;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Something of a policy that decided nothing.
 *
 * @param kind what sort of thing it is
 * @param path where it stands in the policy
 * @param words in which way it decided nothing
 */
public record Unused(Kind kind, String path, String words) {
    /** What sort of thing it is. */
    public enum Kind {
        /** A workload that nobody asked for. */
        WORKLOAD,
        /** A primary or a pin that was never taken. */
        CANDIDATE,
        /** A fallback that was never taken. */
        FALLBACK,
        /** A batch path that was never taken. */
        BATCH,
        /** A substrate on which nothing ran. */
        SUBSTRATE,
        /** A role that nobody had. */
        ROLE,
        /** A limit that never said no. */
        LIMIT
    }

    /** Reasons with how often each was given, the most frequent first. */
    static String counts(Map<Reason, Long> reasons) {
        return reasons.entrySet().stream()
                .sorted(Map.Entry.<Reason, Long>comparingByValue().reversed())
                .map(entry -> Numbers.word(entry.getKey()) + " " + entry.getValue())
                .collect(Collectors.joining(", "));
    }
}
