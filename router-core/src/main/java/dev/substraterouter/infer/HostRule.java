package dev.substraterouter.infer;

import java.util.Set;

/** Takes what a rule of the host found into a reading. */
final class HostRule {
    /** The kinds that a denial before the words turns into nothing; of the others the rule itself must know. */
    private static final Set<ClauseKind> NAMES =
            Set.of(ClauseKind.CAPABILITY, ClauseKind.REACHES, ClauseKind.CODEBASE, ClauseKind.SPANS_GPUS);

    private HostRule() {}

    static void read(InferenceRule rule, Reading reading) {
        for (Clause clause : rule.read(reading.sentence().text())) {
            take(clause, reading);
        }
    }

    private static void take(Clause clause, Reading reading) {
        Sentence sentence = reading.sentence();
        check(clause, sentence.text());
        int from = 0;
        while (from < sentence.size() && sentence.end(from) <= clause.start()) {
            from++;
        }
        int to = from;
        while (to < sentence.size() && sentence.start(to) < clause.end()) {
            to++;
        }
        if (from < to && reading.isFree(from, to)) {
            if (NAMES.contains(clause.kind())) {
                reading.claimIfAsked(clause.kind(), clause.value(), from, to);
            } else {
                reading.claim(clause.kind(), clause.value(), from, to);
            }
        }
    }

    private static void check(Clause clause, String text) {
        if (clause.end() > text.length()
                || !text.substring(clause.start(), clause.end()).equals(clause.words())) {
            throw new IllegalArgumentException("clause: " + clause + " (expected: the words from " + clause.start()
                    + " to " + clause.end() + " of the sentence)");
        }
    }
}
