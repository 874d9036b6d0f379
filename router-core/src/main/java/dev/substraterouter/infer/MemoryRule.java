package dev.substraterouter.infer;

import java.util.Set;

/**
 * GPU memory. An amount with a unit is GPU memory unless what stands with it says RAM, disk, data or bandwidth. "At least"
 * and the bare amount mean the same; "more than" and "too small" mean one MiB more; an upper bound is read as the most
 * that the job takes, and reported, since a need sets no bound on the size of a GPU.
 */
final class MemoryRule implements Rule {
    private static final Set<String> MINIMUM = Set.of("minimum", "min");
    private static final double MIB = 1.0 / 1024;
    private static final double MAX_GB = 1 << 20;
    private static final Set<String> GRAPHICS = Set.of("gpu", "video", "graphics", "vram", "device", "hbm", "hbm3");
    private static final Set<String> FOREIGN = Words.set("""
                    ram disk storage ssd nvme dataset datasets data file files download swap bandwidth upload
                    hdd drive host system cpu ddr4 ddr5 checkpoint scratch cache corpus image images video
                    videos footage archive database space traffic dump log logs main bucket volume pdf pdfs
                    zip""");
    private static final Set<String> FILLERS = Words.set("""
                    of in on the free available a an as fast local extra additional server""");
    private static final Set<String> BEFORE = Words.set("""
                    of is : = with size a about the has that be are""");
    private static final Set<String> MEMORY = Set.of("memory", "vram", "ram", "card", "cards", "gpu", "gpus");
    private static final Phrases TOO_BIG =
            Phrases.of("not fit, doesnt fit, wont fit, cant fit, too big for, too large for");
    private static final Phrases TOO_SMALL = Phrases.of("""
                    too small, too little, too tight, not enough, isnt enough, arent enough, insufficient,
                    not sufficient, isnt sufficient, wont do, wont fit, will not do, will not fit, doesnt fit,
                    does not fit, not suffice, wont suffice, isnt quite enough, not quite enough""");

    @Override
    public void read(Reading reading) {
        for (int i = 0; i < reading.sentence().size(); i++) {
            Amount amount = reading.isTaken(i) ? null : Amount.at(reading.sentence(), i);
            if (amount != null && !reading.isReserved(amount.to() - 1)) {
                read(reading, amount);
                i = amount.to() - 1;
            }
        }
        Spread.read(reading);
    }

    private static void read(Reading reading, Amount amount) {
        Sentence sentence = reading.sentence();
        Bound bound = Bound.before(sentence, amount.from());
        int from = leading(sentence, bound.from());
        int end = trailing(sentence, amount.to());
        if (isForeign(sentence, from, amount.to()) || !inRange(amount.gb())) {
            reading.leave(from, foreignEnd(sentence, amount.to()));
            return;
        }
        int small = tooSmall(sentence, end);
        Verdict verdict = small > end || isTooBigFor(sentence, from)
                ? new Verdict(Stance.ASKED, from, small)
                : reading.negation().ofPhrase(from, end);
        if (verdict.stance() == Stance.FORBIDDEN || verdict.stance() == Stance.LIFTED) {
            reading.leave(verdict.from(), verdict.to());
            return;
        }
        claim(reading, amount, bound, Math.max(small, end));
    }

    private static void claim(Reading reading, Amount amount, Bound bound, int end) {
        Sentence sentence = reading.sentence();
        boolean more = bound.kind() == Bound.Kind.MORE
                || isTooBigFor(sentence, bound.from())
                || tooSmall(sentence, trailing(sentence, amount.to())) > 0;
        int gpus = amount.gpus() > 1 ? amount.gpus() : Spread.gpusOf(sentence, amount.to(), end);
        double gb = amount.gb() * (amount.gpus() > 1 ? 1 : gpus) + (more ? MIB : 0);
        if (!inRange(gb)) {
            reading.leave(bound.from(), end);
            return;
        }
        int from = leading(sentence, bound.from());
        String words = sentence.raw(from, end);
        reading.claim(ClauseKind.VRAM, Numbers.text(gb), from, end);
        if (gpus > 1) {
            reading.claim(ClauseKind.SPANS_GPUS, "true", from, end);
        }
        if (amount.choice()) {
            reading.contradict("vram \"" + words + "\": two amounts; the larger is required");
        }
        if (bound.kind() == Bound.Kind.MOST) {
            reading.contradict(
                    "vram \"" + words + "\": read as what the job takes; a need sets no upper bound on a GPU");
        }
    }

    private static boolean inRange(double gb) {
        return gb > 0 && gb <= MAX_GB;
    }

    /** "Does not fit on a card with" before the amount. */
    private static boolean isTooBigFor(Sentence sentence, int from) {
        for (int i = from - 1; i >= from - 8 && !sentence.endsPart(i); i--) {
            if (TOO_BIG.at(sentence, i) > 0) {
                return true;
            }
        }
        return false;
    }

    private static int tooSmall(Sentence sentence, int from) {
        for (int i = from; i < from + 6 && !sentence.endsPart(i); i++) {
            int length = TOO_SMALL.at(sentence, i);
            if (length > 0) {
                return i + length;
            }
        }
        return 0;
    }

    /** Where "VRAM of" before the amount begins. */
    private static int leading(Sentence sentence, int from) {
        int at = from - 1;
        while (sentence.is(at, BEFORE) && from - at < 4) {
            at--;
        }
        if (sentence.at(at).equals("memory") && sentence.is(at - 1, GRAPHICS)) {
            return at - 1;
        }
        return sentence.at(at).equals("vram") ? at : from;
    }

    /** The end of "of VRAM", "video memory", "card" behind the amount. */
    private static int trailing(Sentence sentence, int to) {
        int end = memory(sentence, to);
        return sentence.is(end, MINIMUM) ? end + 1 : end;
    }

    private static int memory(Sentence sentence, int to) {
        int at = to;
        while (sentence.is(at, FILLERS) || sentence.is(at, GRAPHICS)) {
            if (sentence.is(at, GRAPHICS) && !sentence.is(at + 1, MEMORY)) {
                return at + 1;
            }
            at++;
        }
        return sentence.is(at, MEMORY) ? at + 1 : to;
    }

    private static boolean isForeign(Sentence sentence, int from, int to) {
        if (isRate(sentence, to)) {
            return true;
        }
        for (int i = to; i < to + 4; i++) {
            if (sentence.is(i, GRAPHICS) && (sentence.is(i, Set.of("vram", "gpu")) || sentence.is(i + 1, MEMORY))) {
                return false;
            }
            if (sentence.is(i, FOREIGN)) {
                return true;
            }
            if (!sentence.is(i, FILLERS)) {
                break;
            }
        }
        return isForeignBefore(sentence, from);
    }

    private static boolean isForeignBefore(Sentence sentence, int from) {
        int at = from - 1;
        while (sentence.is(at, BEFORE) && from - at < 5) {
            at--;
        }
        if (sentence.is(at, Set.of("memory"))) {
            at--;
        }
        return sentence.is(at, FOREIGN) && !sentence.is(at - 1, GRAPHICS) && at >= from - 5;
    }

    private static boolean isRate(Sentence sentence, int to) {
        return sentence.is(to, Set.of("/", "per", "ps", "a"))
                && sentence.is(to + 1, Set.of("s", "sec", "second", "seconds", "minute", "hour", "h", "day"));
    }

    private static int foreignEnd(Sentence sentence, int to) {
        if (isRate(sentence, to)) {
            return to + 2;
        }
        int at = to;
        while (sentence.is(at, FILLERS)
                || (sentence.is(at, FOREIGN) && sentence.is(at + 1, Set.of("memory", "ram", "disk")))) {
            at++;
        }
        return sentence.is(at, FOREIGN) || (at > to && sentence.is(at, MEMORY)) ? at + 1 : to;
    }
}
