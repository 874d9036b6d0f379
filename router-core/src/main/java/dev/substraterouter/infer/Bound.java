package dev.substraterouter.infer;

import java.util.Set;

/** What the words before an amount say of it, and where they begin. */
record Bound(Kind kind, int from) {
    private static final Set<String> ABOUT = Words.set("""
                    about around roughly approximately some of a an the is : circa be""");
    private static final Phrases LEAST = Phrases.of("""
                    at least, no less than, not less than, no fewer than, minimum, min, minimally, not under,
                    not below, no smaller than, > =, >=""");
    private static final Phrases MORE = Phrases.of("""
                    more than, over, above, greater than, larger than, exceeds, >""");
    private static final Phrases MOST = Phrases.of("""
                    at most, no more than, not more than, up to, max, maximum, under, below, less than, <,
                    < =, <=, no longer than, not longer than, no later than, fewer than, cheaper than,
                    faster than, within, not over, not above, not exceed, never more than, never exceed,
                    limit, budget, smaller than""");

    enum Kind {
        NONE,
        LEAST,
        MORE,
        MOST
    }

    static Bound before(Sentence sentence, int index) {
        int at = index;
        while (sentence.is(at - 1, ABOUT) && index - at < 3) {
            at--;
        }
        int least = LEAST.before(sentence, at);
        int more = MORE.before(sentence, at);
        int most = MOST.before(sentence, at);
        int longest = Math.max(least, Math.max(more, most));
        if (longest == 0) {
            return new Bound(Kind.NONE, index);
        }
        return new Bound(least == longest ? Kind.LEAST : most == longest ? Kind.MOST : Kind.MORE, at - longest);
    }
}
