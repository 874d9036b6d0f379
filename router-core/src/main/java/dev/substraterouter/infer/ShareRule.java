package dev.substraterouter.infer;

import java.util.Map;
import java.util.Set;

/** The least quality and the least availability: "quality of at least 0.9", "99.9% uptime". */
final class ShareRule implements Rule {
    private static final Map<String, ClauseKind> KINDS = Map.of(
            "quality", ClauseKind.QUALITY,
            "availability", ClauseKind.AVAILABILITY,
            "uptime", ClauseKind.AVAILABILITY,
            "available", ClauseKind.AVAILABILITY);
    private static final Set<String> PERCENT = Set.of("%", "percent");
    private static final Set<String> FILLERS =
            Set.of("of", "is", ":", "=", "be", "must", "should", "score", "a", "the");

    @Override
    public void read(Reading reading) {
        for (int i = 0; i < reading.sentence().size(); i++) {
            if (reading.sentence().isNumber(i) && !reading.isTaken(i)) {
                read(reading, i);
            }
        }
    }

    private static void read(Reading reading, int number) {
        Sentence sentence = reading.sentence();
        boolean percent = sentence.is(number + 1, PERCENT);
        int to = percent ? number + 2 : number + 1;
        Bound bound = Bound.before(sentence, number);
        int before = before(sentence, bound.from());
        ClauseKind behind = KINDS.get(sentence.at(to));
        ClauseKind kind = behind != null ? behind : KINDS.get(sentence.at(before));
        double share = percent ? Numbers.hundredth(sentence.at(number)) : Double.parseDouble(sentence.at(number));
        if (kind == null) {
            return;
        }
        int from = behind == null ? before : bound.from();
        int end = behind == null ? to : to + 1;
        Verdict verdict = reading.negation().ofPhrase(from, end);
        if (share > 1 || bound.kind() == Bound.Kind.MOST || verdict.stance() != Stance.ASKED) {
            reading.leave(Math.min(from, verdict.from()), end);
        } else {
            reading.claim(kind, Numbers.text(share), from, end);
        }
    }

    private static int before(Sentence sentence, int from) {
        int at = from - 1;
        while (sentence.is(at, FILLERS) && at > from - 4) {
            at--;
        }
        return at;
    }
}
