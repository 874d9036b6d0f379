package dev.substraterouter.infer;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Permissions to run outside. One counts only where nothing else can be meant: it names its place in full ("the cloud",
 * "trusted partners"), its part of the sentence says nothing else that is not understood, and the whole text holds no denial,
 * no doubt and no restriction. A permission missed costs a fallback, one that was none costs a secret.
 */
final class Permissions {
    private static final List<String> ALLOWED = List.of("fine", "ok", "okay", "allowed", "acceptable");
    private static final List<String> VERBS = List.of("is", "are");
    private static final List<String> WAYS = List.of(
            "can go to",
            "may go to",
            "can run in",
            "may run in",
            "can run on",
            "may run on",
            "can run at",
            "may run at",
            "can use",
            "may use",
            "ok to use",
            "okay to use",
            "fine to use",
            "can be sent to",
            "may be sent to");
    private static final Phrases PUBLIC = permits(List.of(
            "the cloud",
            "any cloud",
            "public cloud",
            "the public cloud",
            "a public cloud",
            "any public cloud",
            "public clouds",
            "the public clouds"));
    private static final Phrases PARTNER = permits(List.of(
            "trusted partners",
            "a trusted partner",
            "any trusted partner",
            "our partners",
            "our trusted partners",
            "the partners",
            "the trusted partners",
            "partner cloud",
            "the partner cloud",
            "a partner cloud",
            "our partner cloud"));
    /** What may be no place at all: "the public may use", "the clouds are fine". */
    private static final Phrases BARE =
            permits(List.of("cloud", "a cloud", "clouds", "the clouds", "public", "the public", "partner", "partners"));

    /** What may stand beside a permission and takes nothing from it. */
    private static final Set<String> PLAIN = Words.set("""
                    a also and any as data for here in it its job me need needs on our please request
                    require requires run runs so task the this too us use uses we well with work workload
                    you your""");

    private static final Set<String> SUBJECTS = Set.of("it", "this");
    private static final Set<String> SCOPES = Words.set("""
                    among as at because by during else for from in of on otherwise since then though to when where
                    while with""");
    private static final Set<String> DOUBTS = Words.set("""
                    after how long once possibly said say says sure think when who why""");
    /** Words that deny, doubt or restrict wherever they stand. */
    private static final Set<String> BARS = Words.set("""
                    ? aint another against although apart apparently apologies allegedly alternatively aside assume assumed
                    assuming ban banned bans bad barely barred before besides but cancel cancelled canceled careful
                    caution conditional conditionally contrary correction crossed darent decline declined declines
                    denied denies deny depending depends disagree disallow disallowed disallows disapprove dispute
                    don doubt doubted doubtful doubts dubious elsewhere except exception exceptionally exceptions
                    exclude excluded excludes exclusively exempt fail fails false falsely few forbid forbidden
                    forbidding forbids former formerly generally guess hadnt hardly hesitate however hypothetically
                    ideally if illegal illegally impossible inadmissible incorrect incorrectly inside instead
                    internal internally joke joking keep keeps kept kidding later least limit limited little
                    mainly maybe merely might mightnt mistake mistaken mostly must nah nay negative nein neither
                    nix no nobody none nope nor normally not nothing nowhere nt object objected objection occasionally
                    only onsite opposite other others otherwise oughtnt partly pending perhaps prevent
                    prevents previously prohibit prohibited prohibits prohibiting provided pretend questionable
                    rarely rather refuse refused refuses reject rejected rejects remain remains restrict restricted
                    restriction restrictions retract revoke revoked sarcasm scarcely scrap scratch seldom separate
                    separately shant someone sometimes somebody sorry stay stays stop strike subject suppose
                    supposedly t tentatively though temporarily unable unacceptable unauthorised unauthorized
                    uncertain unclear unfortunately unless unlikely unlawful unlike unsure untested until untrue unwise used
                    usually verboten veto vetoed werent whereas whether withdraw withdrawn withheld without
                    wonder wrong yet""");
    /** Denials that are about time and amounts. */
    private static final Phrases HARMLESS = Phrases.of("""
                    no rush, no hurry, not in a hurry, no particular hurry, no later than, no longer than,
                    no more than, no less than, not less than, not more than, not longer than, at least,
                    must have, must support""");

    /** Marks beyond ASCII that take nothing from a permission. */
    private static final String PUNCTUATION = "\u00a3\u20ac\u2013\u2014\u201c\u201d\u2026\u00d7\u2264\u2265\u00a0";

    private final Reading reading;
    private final Sentence sentence;

    Permissions(Reading reading) {
        this.reading = reading;
        sentence = reading.sentence();
    }

    /** The permission that begins at this place; its trust is empty when it names no place in full. */
    Found at(int index) {
        int anywhere = PUBLIC.at(sentence, index);
        int partner = PARTNER.at(sentence, index);
        int bare = BARE.at(sentence, index);
        if (anywhere == 0 && partner == 0) {
            return new Found("", bare);
        }
        return anywhere > partner ? new Found("public", anywhere) : new Found("partner", partner);
    }

    /** Whether the permission at these words permits what it says. */
    boolean counts(int from, int to) {
        return isPlainPart(from, to) && isPlainText(from, to) && isCertain(from, to);
    }

    private boolean isPlainPart(int from, int to) {
        int begin = partBegin(from);
        int end = partEnd(to);
        return isPlain(begin, from)
                && isPlain(to, end)
                && !isScope(partBegin(begin - 1), begin - 1)
                && !isScope(end + 1, partEnd(end + 1));
    }

    /** Whether the words from here to there are of another clause, or say nothing. */
    private boolean isPlain(int from, int to) {
        for (int i = from; i < to; i++) {
            boolean copula = sentence.at(i).equals("is") && sentence.is(i - 1, SUBJECTS);
            if (!reading.isClaimed(i) && !sentence.is(i, PLAIN) && !copula) {
                return false;
            }
        }
        return true;
    }

    /** "For the demo" beside a permission restricts it. */
    private boolean isScope(int from, int to) {
        return from >= 0 && from < to && sentence.is(from, SCOPES) && !isPlain(from, to);
    }

    private boolean isPlainText(int from, int to) {
        if (!sentence.text().chars().allMatch(Permissions::isPlain)) {
            return false;
        }
        for (int i = 0; i < sentence.size(); i++) {
            if (i == from) {
                i = to;
            }
            int harmless = Math.max(HARMLESS.at(sentence, i), PrivacyRule.liftedPart(sentence, i));
            Found other = at(i);
            if (harmless > 0) {
                i += harmless - 1;
            } else if (!other.trust().isEmpty()) {
                i += other.length() - 1;
            } else if (bars(i) || PrivacyRule.isOutside(sentence, i)) {
                return false;
            }
        }
        return true;
    }

    private boolean bars(int index) {
        return sentence.is(index, BARS)
                || (reading.negation().denies(index) && !sentence.at(index).equals("than"))
                || (sentence.at(index).endsWith("nt") && sentence.isShortened(index));
    }

    /** What is written with letters that only look like others cannot be read. */
    private static boolean isPlain(int c) {
        return c < 0x80 || Splitter.isApostrophe((char) c) || (c >= 0xc0 && c < 0x250) || PUNCTUATION.indexOf(c) >= 0;
    }

    private boolean isCertain(int from, int to) {
        for (int i = from - 1; !sentence.endsSentence(i); i--) {
            if (sentence.is(i, DOUBTS)) {
                return false;
            }
        }
        for (int i = to; !sentence.endsSentence(i); i++) {
            if (sentence.is(i, DOUBTS)) {
                return false;
            }
        }
        return true;
    }

    private int partBegin(int index) {
        int begin = index;
        while (!sentence.endsPart(begin - 1)) {
            begin--;
        }
        return begin;
    }

    private int partEnd(int index) {
        int end = index;
        while (!sentence.endsPart(end)) {
            end++;
        }
        return end;
    }

    private static Phrases permits(List<String> places) {
        List<String> phrases = new ArrayList<>();
        for (String place : places) {
            ALLOWED.forEach(allowed -> phrases.add(place + " " + allowed));
            ALLOWED.forEach(allowed -> VERBS.forEach(is -> phrases.add(place + " " + is + " " + allowed)));
            WAYS.forEach(way -> phrases.add(way + " " + place));
        }
        return Phrases.of(phrases);
    }

    /** A permission and how many words it has; 0: none. */
    record Found(String trust, int length) {}
}
