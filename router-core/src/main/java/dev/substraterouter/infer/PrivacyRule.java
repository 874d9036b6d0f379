package dev.substraterouter.infer;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Who may see the work. Wide for strict words and narrow for weak ones, since the strictest is what a need without privacy
 * gets anyway: a strict word missed may cost a secret, a weak one missed costs a fallback. A place outside that any word
 * before it denies is kept out; a permission counts only where it is plain, without a condition, a question or a doubt. This
 * rule reads every word, those that other rules have taken too.
 */
final class PrivacyRule implements Rule {
    private static final Phrases STRICT = Phrases.of("""
                    off limits, away from, out of the cloud, off the cloud, off the internet, off cloud,
                    local, stay local, stays local, must stay local, keep local, keep it local, kept local,
                    remain local, local only, only local, locally, on prem, on premise, on premises, onprem,
                    in house, inhouse, confidential, confidentially, confidentiality, private, privately,
                    privacy, pii, phi, hipaa, gdpr, patient, patients, medical record, medical records,
                    health data, personal data, personal information, personal details, sensitive, secret,
                    secrets, proprietary, nda, classified, air gapped, airgapped, self hosted, customer data,
                    client data, not leave, never leave, never leaves, not leaves, mustnt leave, doesnt leave,
                    cant leave, cannot leave, nothing leaves, nothing may leave, dont share, not share,
                    not be shared, stay inside, stays inside, keep inside, stay in our, stays in our,
                    own hardware only, own machines only, only our own, only on our own, leave the building,
                    leave the premises, salary, salaries, passwords, credentials""");
    private static final Set<String> NOT_LOCAL = Words.set("""
                    time file files variable variables copy optimum minimum maximum cache branch path
                    attention news disk ssd storage""");
    private static final Phrases OUTSIDE = Phrases.of("""
                    cloud, clouds, public, external, externally, outside, third party, third parties, partner,
                    partners, internet, offsite, off site, off prem, saas, vendor, vendors, provider,
                    providers, elsewhere, rented, somebody else, someone else, anyone else, others, upload,
                    uploaded, outsourced, abroad, remote""");
    private static final Phrases TIGHT = Phrases.of("""
                    not confidential, isnt confidential, arent confidential, nothing confidential,
                    non confidential, not private, isnt private, nothing private, not sensitive,
                    isnt sensitive, nothing sensitive, non sensitive, no pii, no patient data,
                    no personal data, no customer data, no client data, no secrets, no secret, not secret,
                    nothing secret, not proprietary, no confidential data, no sensitive data, no private data,
                    no need to stay local, no need to keep it local, no need to be local,
                    not have to stay local, doesnt have to stay local, doesnt need to stay local,
                    not need to stay local, neednt stay local, not have to be local, doesnt have to be local,
                    doesnt need to be local, need not stay local, not pii, not classified, no nda,
                    not a secret, without pii, without personal data, not very sensitive""");
    private static final List<String> ALLOWED =
            List.of("fine", "ok", "okay", "allowed", "acceptable", "permitted", "welcome");
    private static final List<String> VERBS = List.of("is", "are", "would be");
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
    private static final List<String> ARTICLES = List.of(" ", " the ", " a ", " any ");
    private static final List<Permission> WEAK = List.of(
            Permission.of("public", List.of("cloud", "clouds", "public", "public cloud", "public clouds")),
            Permission.of("partner", List.of("partner", "partners", "partner cloud", "trusted partners")));
    private static final Set<String> STATED = Set.of("here", "inside", "and", "involved", "included", "so", "at");
    private static final Set<String> DOUBTS = Words.set("""
                    if unless whether once until provided only except but when assuming maybe perhaps
                    possibly after who says said think sure long ? how why though although however sometimes
                    mostly subject depends depending pending""");

    @Override
    public void read(Reading reading) {
        for (int i = 0; i < reading.sentence().size(); i++) {
            if (!reading.isReserved(i)) {
                i = Math.max(i, readAt(reading, i) - 1);
            }
        }
    }

    /** Where what was read at this place ends; 0: nothing was. */
    private static int readAt(Reading reading, int at) {
        Sentence sentence = reading.sentence();
        int lifted = isWhole(sentence, at + TIGHT.at(sentence, at)) ? TIGHT.at(sentence, at) : 0;
        if (lifted > 0) {
            reading.leave(at, at + lifted);
            return at + lifted;
        }
        for (Permission permission : WEAK) {
            int length = permission.phrases.at(sentence, at);
            if (length > 0) {
                return permit(reading, permission, at, at + length);
            }
        }
        return keep(reading, at);
    }

    /** "No patient data here" says that there is none, "no patient data may leave" that there is some. */
    private static boolean isWhole(Sentence sentence, int end) {
        return sentence.endsPart(end) || sentence.is(end, STATED);
    }

    private static int permit(Reading reading, Permission permission, int from, int to) {
        int denial = denial(reading, from, to);
        if (denial < to) {
            reading.claim(ClauseKind.PRIVACY, "controlled", Math.min(denial, from), to);
        } else if (isDoubtful(reading.sentence(), from, to)) {
            reading.leave(from, to);
        } else {
            reading.claim(ClauseKind.PRIVACY, permission.trust, from, to);
        }
        return to;
    }

    private static int keep(Reading reading, int at) {
        Sentence sentence = reading.sentence();
        int strict = STRICT.at(sentence, at);
        if (strict > 0 && !(sentence.at(at).equals("local") && sentence.is(at + 1, NOT_LOCAL))) {
            reading.claim(ClauseKind.PRIVACY, "controlled", at, at + strict);
            return at + strict;
        }
        int outside = OUTSIDE.at(sentence, at);
        if (outside == 0) {
            return 0;
        }
        int denial = denial(reading, at, at + outside);
        Verdict after = reading.negation().ofPhrase(at, at + outside);
        if (denial < at + outside || after.stance() == Stance.FORBIDDEN) {
            int end = Math.max(at + outside, after.to());
            reading.claim(ClauseKind.PRIVACY, "controlled", Math.min(denial, at), end);
            return end;
        }
        return 0;
    }

    /** The denial before the words in their part of the sentence; {@code to}: none. */
    private static int denial(Reading reading, int from, int to) {
        for (int i = from - 1; i >= 0 && !reading.sentence().endsPart(i); i--) {
            if (reading.negation().denies(i) && !reading.sentence().at(i).equals("than")) {
                return i;
            }
        }
        return to;
    }

    private static boolean isDoubtful(Sentence sentence, int from, int to) {
        for (int i = from - 1; !sentence.endsSentence(i); i--) {
            if (sentence.is(i, DOUBTS)) {
                return true;
            }
        }
        int end = to;
        while (!sentence.endsSentence(end)) {
            if (sentence.is(end, DOUBTS)) {
                return true;
            }
            end++;
        }
        return sentence.at(end).equals("?");
    }

    private record Permission(String trust, Phrases phrases) {

        static Permission of(String trust, List<String> places) {
            List<String> phrases = new ArrayList<>();
            for (String place : places) {
                ALLOWED.forEach(allowed -> phrases.add(place + " " + allowed));
                ALLOWED.forEach(allowed -> VERBS.forEach(is -> phrases.add(place + " " + is + " " + allowed)));
                WAYS.forEach(way -> ARTICLES.forEach(article -> phrases.add(way + article + place)));
            }
            return new Permission(trust, Phrases.of(phrases));
        }
    }
}
