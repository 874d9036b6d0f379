package dev.substraterouter.infer;

import java.util.List;

/** Meaning of urgency and of batch. A denied one says nothing: "not urgent" is not "whenever". */
final class UrgencyRule implements Rule {
    private static final List<Meaning> MEANINGS = List.of(
            new Meaning(ClauseKind.PRIORITY, "high", Phrases.of("""
                    urgent, urgently, asap, as soon as possible, right now, right away, immediately,
                    high priority, highest priority, top priority, emergency, time critical, very urgent,
                    priority high, priority : high""")),
            new Meaning(
                    ClauseKind.PRIORITY, "normal", Phrases.of("normal priority, priority normal, priority : normal")),
            new Meaning(ClauseKind.PRIORITY, "low", Phrases.of("""
                    whenever, no rush, no hurry, low priority, lowest priority, take your time, when idle,
                    not in a hurry, no particular hurry, when you have time, priority low, priority : low,
                    there is no rush, there is no hurry""")),
            new Meaning(ClauseKind.MODE, "batch", Phrases.of("""
                    overnight, in batch, in batches, as a batch, batch job, batch mode, batch queue, offline,
                    nightly, over night, as batch, via batch, in batch mode, as a batch job""")),
            new Meaning(ClauseKind.MODE, "interactive", Phrases.of("""
                    interactive, interactively, im waiting, i am waiting, were waiting, we are waiting,
                    user is waiting, users are waiting, somebody is waiting, someone is waiting, while i wait,
                    real time, realtime, ill wait""")));

    @Override
    public void read(Reading reading) {
        for (int i = 0; i < reading.sentence().size(); i++) {
            for (Meaning meaning : MEANINGS) {
                int length = meaning.phrases.at(reading.sentence(), i);
                if (length > 0 && reading.isFree(i, i + length) && !isOther(reading.sentence(), i, i + length)) {
                    read(reading, meaning, i, i + length);
                }
            }
        }
    }

    private static void read(Reading reading, Meaning meaning, int from, int to) {
        Verdict verdict = reading.negation().ofPhrase(from, to);
        if (verdict.stance() == Stance.ASKED) {
            reading.claim(meaning.kind, meaning.value, from, to);
        } else {
            reading.leave(verdict.from(), to);
        }
    }

    /** "in batches of 8" is about the size of a batch, "real time ray tracing" about the picture. */
    private static boolean isOther(Sentence sentence, int from, int to) {
        boolean batch = sentence.at(to - 1).startsWith("batch");
        return (batch && (sentence.at(to).equals("size") || sentence.at(to).equals("of")))
                || (sentence.at(from).equals("offline") && sentence.at(to).equals("copy"));
    }

    private record Meaning(ClauseKind kind, String value, Phrases phrases) {}
}
