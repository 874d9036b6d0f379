package dev.substraterouter.infer;

import java.util.Set;

/** How soon the answer is due ("within 30 seconds") and how long the job takes ("takes 2 hours"); any other time is left. */
final class TimeRule implements Rule {
    private static final Set<String> TAKES = Set.of(
            "takes",
            "take",
            "taking",
            "lasts",
            "last",
            "lasting",
            "runtime",
            "duration",
            "eta",
            "estimated",
            "expected");
    private static final Set<String> RUNS =
            Set.of("run", "runs", "running", "train", "trains", "training", "busy", "compute");
    private static final Set<String> LASTING = Set.of("for", "about", "around", "roughly", "approximately");
    private static final Set<String> JOBS = Set.of(
            "job",
            "jobs",
            "run",
            "task",
            "training",
            "render",
            "workload",
            "inference",
            "computation",
            "finetune",
            "finetuning");
    private static final Phrases OF_WORK = Phrases.of("""
                    of work, of compute, of training, of rendering, of computation, of gpu time, long job,
                    long run""");
    private static final Set<String> LIMITS = Set.of("latency", "timeout", "deadline");
    private static final Set<String> OTHER = Words.set("""
                    ago video videos clip clips audio song recording window film movie speech interview
                    podcast old later before after track""");
    private static final Set<String> ANSWERS = Words.set("""
                    answer answers respond responds reply done finish finished ready back complete completed
                    return returned result results response finishes""");
    private static final Set<String> FILLERS = Words.set("""
                    about around roughly approximately a an the only just some of in is be : = to up for at
                    time may next it usually typically normally""");

    @Override
    public void read(Reading reading) {
        for (int i = 0; i < reading.sentence().size(); i++) {
            TimeSpan span = reading.isTaken(i) ? null : TimeSpan.at(reading.sentence(), i);
            if (span != null && reading.isFree(span.from(), span.to())) {
                read(reading, span);
                i = span.to() - 1;
            }
        }
    }

    private static void read(Reading reading, TimeSpan span) {
        Sentence sentence = reading.sentence();
        Bound bound = Bound.before(sentence, span.from());
        int from = bound.from();
        int takes = taking(sentence, from);
        if (sentence.is(span.to(), OTHER) || sentence.is(from - 1, Set.of("every", "each", "after"))) {
            return;
        }
        if (takes >= 0) {
            claim(reading, ClauseKind.DURATION, span, takes, span.to());
        } else if (sentence.is(span.to(), JOBS)) {
            claim(reading, ClauseKind.DURATION, span, from, span.to() + 1);
        } else if (OF_WORK.at(sentence, span.to()) > 0) {
            claim(reading, ClauseKind.DURATION, span, from, span.to() + OF_WORK.at(sentence, span.to()));
        } else {
            latency(reading, span, bound);
        }
    }

    private static void latency(Reading reading, TimeSpan span, Bound bound) {
        Sentence sentence = reading.sentence();
        int limit = limit(sentence, bound.from());
        if (bound.kind() == Bound.Kind.LEAST || bound.kind() == Bound.Kind.MORE) {
            reading.leave(bound.from(), span.to());
        } else if (sentence.is(span.to(), LIMITS)) {
            claim(reading, ClauseKind.LATENCY, span, bound.from(), span.to() + 1);
        } else if (limit >= 0) {
            claim(reading, ClauseKind.LATENCY, span, limit, span.to());
        } else if (bound.kind() == Bound.Kind.MOST) {
            int from = sentence.at(bound.from() - 1).equals("in") ? bound.from() - 1 : bound.from();
            claim(reading, ClauseKind.LATENCY, span, from, span.to());
        }
    }

    /** Where "takes about" or "runs for" before a time begins; -1: nothing of the kind stands there. */
    private static int taking(Sentence sentence, int from) {
        boolean lasting = false;
        for (int i = from - 1; i >= from - 5; i--) {
            if (sentence.is(i, TAKES)) {
                return i;
            }
            if (lasting && sentence.is(i, RUNS)) {
                return i;
            }
            lasting |= sentence.is(i, LASTING);
            if (!sentence.is(i, FILLERS)) {
                return -1;
            }
        }
        return -1;
    }

    /** Where "timeout of" or "answer in" before a time begins; -1: nothing of the kind stands there. */
    private static int limit(Sentence sentence, int from) {
        boolean in = false;
        for (int i = from - 1; i >= from - 4; i--) {
            if (sentence.is(i, LIMITS) || (in && sentence.is(i, ANSWERS))) {
                return i;
            }
            in |= sentence.at(i).equals("in");
            if (!sentence.is(i, FILLERS)) {
                return -1;
            }
        }
        return -1;
    }

    private static void claim(Reading reading, ClauseKind kind, TimeSpan span, int from, int to) {
        Verdict verdict = reading.negation().ofPhrase(from, to);
        if (verdict.stance() == Stance.ASKED) {
            reading.claim(kind, span.length().toString(), from, to);
        } else {
            reading.leave(verdict.from(), verdict.to());
        }
    }
}
