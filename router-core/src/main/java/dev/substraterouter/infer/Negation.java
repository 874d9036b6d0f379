package dev.substraterouter.infer;

import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * Tells what is required from what is denied, by the words around a name. It walks back from the name to the beginning of
 * its part of the sentence for a word that denies ({@code not on}, {@code without}, {@code anything but}), then forward
 * for what is said of it ({@code is not needed}). A new verb ({@code not CUDA and needs ROCm}) ends what a denial covers;
 * a list that goes on with "or" does not. In doubt a thing counts as denied: that is reported, while a requirement that
 * nobody made would send work to the very place it was to avoid.
 */
final class Negation {
    private static final int REACH = 40;
    private static final Set<String> DENIALS = Words.set("""
                    no not never without dont doesnt didnt cant cannot couldnt wont wouldnt isnt arent wasnt
                    mustnt shouldnt neednt hasnt havent neither nor none nobody nothing avoid avoiding avoids
                    except excluding exclude excludes non than lacks lacking unlike instead forbid forbids
                    ban refuse refuses incompatible""");
    private static final Phrases NO_DENIALS = Phrases.of("""
                    no rush, no hurry, no problem, no doubt, no matter, no later than, no longer than,
                    no more than, no less than, not less than, not more than, not only, not just, not merely,
                    dont forget, not forget, never mind, no worries""");
    private static final Set<String> EXCEPTIONS = Set.of("but", "except", "than");
    /** Denials that a denial before them turns round: "not without", "nothing but". */
    private static final Set<String> REVERSIBLE = Set.of("without", "than", "except", "but");

    private static final Set<String> ANY =
            Set.of("anything", "everything", "all", "any", "anywhere", "something", "everywhere");
    private static final Set<String> VERBS = Words.set("""
                    need needs needing require requires requiring use uses using want wants run runs running
                    has have having with must""");
    private static final Set<String> WISHES = Words.set("""
                    preferably ideally optionally maybe perhaps possibly prefer prefers preferred nice if
                    whether unless optional""");
    private static final Set<String> NEEDS = Words.set("""
                    need needs needed needing require requires required requiring necessary necessarily
                    matter matters care mind important mandatory essential unnecessary irrelevant""");
    private static final Set<String> TURNS = Set.of("however", "though", "although", "yet", "whereas", "while");
    private static final Set<String> CONNECTS = Set.of("or", "nor");
    private static final Set<String> PLACES = Set.of("on", "via", "using", "with", "in");
    private static final Predicates AFTER = new Predicates(NEEDS, WISHES);

    private final Sentence sentence;
    private final IntPredicate taken;

    Negation(Sentence sentence, IntPredicate taken) {
        this.sentence = sentence;
        this.taken = taken;
    }

    /** How the sentence stands to a name; a denial of another name may cover it, as in a list. */
    Verdict ofName(int from, int to) {
        return judge(from, to, false);
    }

    /** How the sentence stands to an amount or a phrase, which no denial of another thing covers. */
    Verdict ofPhrase(int from, int to) {
        return judge(from, to, true);
    }

    /** Whether the word denies. */
    boolean denies(int index) {
        if (sentence.is(index, DENIALS)) {
            return NO_DENIALS.at(sentence, index) == 0
                    && (!sentence.at(index).equals("instead")
                            || sentence.at(index + 1).equals("of"));
        }
        return sentence.at(index).equals("but") && isExclusive(index);
    }

    /** How many words of an idiom that only looks like a denial stand here. */
    int idiom(int index) {
        return NO_DENIALS.at(sentence, index);
    }

    /** Whether the word makes what follows a wish or a condition. */
    boolean wishes(int index) {
        return sentence.is(index, WISHES);
    }

    private Verdict judge(int from, int to, boolean alone) {
        Verdict after = AFTER.judge(sentence, from, to);
        int word = governor(from, to, alone);
        if (word < 0) {
            return after;
        }
        if (wishes(word)) {
            return new Verdict(Stance.WISHED, word, to);
        }
        int turned = reversed(word);
        if (turned >= 0) {
            return new Verdict(Stance.ASKED, turned, to);
        }
        boolean lifted = isLifted(word, from) || after.stance() == Stance.LIFTED || AFTER.isNeeded(sentence, to);
        return new Verdict(
                lifted ? Stance.LIFTED : Stance.FORBIDDEN, begin(word), lifted ? AFTER.end(sentence, to) : to);
    }

    /** The word before the name that governs it: a denial or a wish; -1: none. */
    private int governor(int from, int to, boolean alone) {
        boolean placed = false;
        for (int i = from - 1; i >= Math.max(0, from - REACH); i--) {
            if (denies(i) || wishes(i)) {
                return i;
            }
            if (endsCover(i, to) || (alone && sentence.at(i).equals(":")) || (taken.test(i) && (alone || placed))) {
                return -1;
            }
            placed |= sentence.is(i, PLACES);
        }
        return -1;
    }

    private boolean endsCover(int index, int to) {
        if (sentence.at(index).equals(",")) {
            return !listGoesOn(index, to);
        }
        return sentence.endsSentence(index)
                || sentence.at(index).equals("but")
                || sentence.is(index, TURNS)
                || (sentence.is(index, VERBS) && !sentence.is(index - 1, CONNECTS) && !isDenied(index));
    }

    private boolean isDenied(int verb) {
        for (int i = verb - 1;
                i >= verb - 4 && !sentence.endsPart(i) && !sentence.at(i).equals("and");
                i--) {
            if (denies(i) || wishes(i)) {
                return true;
            }
        }
        return false;
    }

    private boolean listGoesOn(int comma, int to) {
        if (!taken.test(comma - 1)) {
            return false;
        }
        for (int i = comma + 1; i < to + 10 && !sentence.endsSentence(i) && !sentence.is(i, VERBS); i++) {
            if (sentence.is(i, CONNECTS)) {
                return true;
            }
        }
        return false;
    }

    private boolean isExclusive(int but) {
        return begin(but) < but && !taken.test(but - 1);
    }

    /** Where "anything but" begins; any other denial begins with itself. */
    private int begin(int word) {
        for (int i = word - 1; i >= word - 3 && sentence.is(word, EXCEPTIONS) && !sentence.endsPart(i); i--) {
            if (sentence.is(i, ANY) || sentence.is(i, DENIALS)) {
                return i;
            }
        }
        return word;
    }

    /** The denial that turns this one round; -1: none does. */
    private int reversed(int word) {
        for (int i = word - 1; i >= word - 8 && sentence.is(word, REVERSIBLE) && !sentence.endsPart(i); i--) {
            if (sentence.is(i, DENIALS) && !taken.test(i)) {
                return i;
            }
        }
        return -1;
    }

    private boolean isLifted(int word, int from) {
        if (sentence.says(word - 2, List.of("with", "or", "without"))) {
            return true;
        }
        for (int i = word - 1; i < Math.min(from, word + 6); i++) {
            if (sentence.is(i, NEEDS) || sentence.says(i, List.of("have", "to"))) {
                return true;
            }
        }
        return false;
    }
}
