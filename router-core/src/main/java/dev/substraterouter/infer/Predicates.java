package dev.substraterouter.infer;

import java.util.List;
import java.util.Set;

/** What a sentence says of a thing behind its name: that it is not needed, not allowed, or only liked. */
final class Predicates {
    private static final Set<String> FILLERS = Words.set("""
                    is are was be it should would will can may must does do really strictly support gpu gpus
                    card cards s a there""");
    private static final Set<String> NOT = Set.of(
            "not",
            "isnt",
            "arent",
            "wont",
            "doesnt",
            "cant",
            "cannot",
            "never",
            "neednt",
            "mustnt",
            "shouldnt",
            "wouldnt");
    private static final Set<String> ALLOWED = Words.set("""
                    allowed ok okay fine acceptable available supported option possible wanted work works be
                    permitted used good suitable do use welcome wish""");
    private static final Set<String> FORBIDDEN = Set.of(
            "forbidden", "prohibited", "banned", "excluded", "disallowed", "impossible", "unsupported", "unavailable");
    private static final Phrases NO_GO =
            Phrases.of("no go, nogo, off limits, out of the question, off the table, taboo, verboten, out");
    private static final Set<String> UNNEEDED = Set.of("unnecessary", "irrelevant");
    private static final Phrases LIKED = Phrases.of("""
                    optional, preferred, nice, if possible, if available, a plus, a bonus, welcome,
                    if you can""");

    private final Set<String> needs;
    private final Set<String> wishes;

    Predicates(Set<String> needs, Set<String> wishes) {
        this.needs = needs;
        this.wishes = wishes;
    }

    Verdict judge(Sentence sentence, int from, int to) {
        if (sentence.at(to).equals("free") && sentence.joined(to - 1, to)) {
            return new Verdict(Stance.FORBIDDEN, from, to + 1);
        }
        for (int i = to; i < to + 4; i++) {
            int liked = LIKED.at(sentence, i);
            if (liked > 0) {
                return new Verdict(Stance.WISHED, from, i + liked);
            }
            if (sentence.is(i, FORBIDDEN)) {
                return new Verdict(Stance.FORBIDDEN, from, i + 1);
            }
            int noGo = i > to ? NO_GO.at(sentence, i) : 0;
            if (noGo > 0) {
                return new Verdict(Stance.FORBIDDEN, from, i + noGo);
            }
            if (sentence.is(i, UNNEEDED)) {
                return new Verdict(Stance.LIFTED, from, i + 1);
            }
            if (sentence.is(i, NOT)) {
                return denied(sentence, from, to, i);
            }
            if (!sentence.is(i, FILLERS)) {
                break;
            }
        }
        return new Verdict(Stance.ASKED, from, to);
    }

    /** Whether a word of need stands right behind: "no NVLink needed". */
    boolean isNeeded(Sentence sentence, int to) {
        return end(sentence, to) > to;
    }

    /** Where the words of need behind the name end. */
    int end(Sentence sentence, int to) {
        for (int i = to; i < to + 5 && !sentence.endsPart(i); i++) {
            if (sentence.is(i, needs)) {
                return i + 1;
            }
            if (!sentence.is(i, FILLERS) && !sentence.is(i, NOT)) {
                break;
            }
        }
        return to;
    }

    private Verdict denied(Sentence sentence, int from, int to, int not) {
        for (int i = not + 1; i < not + 5 && !sentence.endsPart(i) && !sentence.is(i, wishes); i++) {
            if (sentence.is(i, needs) || sentence.says(i, List.of("have", "to"))) {
                return new Verdict(Stance.LIFTED, from, i + 1);
            }
            if (sentence.is(i, ALLOWED)) {
                return new Verdict(Stance.FORBIDDEN, from, i + 1);
            }
        }
        return new Verdict(Stance.ASKED, from, to);
    }
}
