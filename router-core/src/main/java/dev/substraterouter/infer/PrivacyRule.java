package dev.substraterouter.infer;

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
    private static final Set<String> STATED = Set.of("here", "inside", "and", "involved", "included", "so", "at");
    /** What may stand before "not confidential" in a part that says nothing else. */
    private static final Set<String> LIFTS =
            Set.of("it", "its", "is", "this", "the", "data", "there", "has", "contains");
    /** Whose leaving is spoken of, and from where. */
    private static final Set<String> SUBJECTS = Words.set("""
                    data dataset datasets file files image images document documents photo photos video videos
                    result results output outputs input inputs prompt prompts work material weights model
                    models everything anything it they content text texts footage recordings""");

    private static final Set<String> LINKS = Words.set("""
                    must may can should shall will is are to has have may ought do does""");
    private static final Set<String> SAID = Words.set("""
                    must stay stays remain remains never not leaves cannot cant mustnt doesnt""");
    private static final Set<String> DETERMINERS = Set.of("the", "our", "this", "my", "these", "all", "any");
    private static final Phrases STAYING = Phrases.of("""
                    not leave, never leave, never leaves, not leaves, mustnt leave, doesnt leave, cant leave,
                    cannot leave, stay inside, stays inside, keep inside, stay in our, stays in our""");
    private static final Set<String> WALLS = Words.set("""
                    building house premises company office offices site network lab laboratory country campus
                    room organisation organization machine machines hospital firm datacenter datacentre
                    institute university perimeter intranet""");

    @Override
    public void read(Reading reading) {
        Permissions permissions = new Permissions(reading);
        for (int i = 0; i < reading.sentence().size(); i++) {
            if (!reading.isReserved(i)) {
                i = Math.max(i, readAt(reading, permissions, i) - 1);
            }
        }
    }

    /** Where what was read at this place ends; 0: nothing was. */
    private static int readAt(Reading reading, Permissions permissions, int at) {
        Sentence sentence = reading.sentence();
        int lifted = isWhole(sentence, at + TIGHT.at(sentence, at)) ? TIGHT.at(sentence, at) : 0;
        if (lifted > 0) {
            reading.leave(at, at + lifted);
            return at + lifted;
        }
        Permissions.Found found = permissions.at(at);
        if (found.length() > 0) {
            return permit(reading, permissions, found, at);
        }
        return keep(reading, at);
    }

    /** "No patient data here" says that there is none, "no patient data may leave" that there is some. */
    private static boolean isWhole(Sentence sentence, int end) {
        return sentence.endsPart(end) || sentence.is(end, STATED);
    }

    /** How many words of "not confidential" stand here, if their part of the sentence says nothing else. */
    static int liftedPart(Sentence sentence, int at) {
        int length = TIGHT.at(sentence, at);
        int begin = at - 1;
        while (sentence.is(begin, LIFTS)) {
            begin--;
        }
        return length > 0 && sentence.endsPart(begin) && sentence.endsPart(at + length) ? length : 0;
    }

    /** Whether the words here name a place outside. */
    static boolean isOutside(Sentence sentence, int at) {
        return OUTSIDE.at(sentence, at) > 0;
    }

    private static int permit(Reading reading, Permissions permissions, Permissions.Found found, int from) {
        int to = from + found.length();
        int denial = denial(reading, from, to);
        if (denial < to) {
            reading.claim(ClauseKind.PRIVACY, "controlled", Math.min(denial, from), to);
        } else if (!found.trust().isEmpty() && permissions.counts(from, to)) {
            reading.claim(ClauseKind.PRIVACY, found.trust(), from, to);
        } else {
            reading.leave(from, to);
        }
        return to;
    }

    private static int keep(Reading reading, int at) {
        Sentence sentence = reading.sentence();
        int strict = STRICT.at(sentence, at);
        if (strict > 0 && !(sentence.at(at).equals("local") && sentence.is(at + 1, NOT_LOCAL))) {
            int end = STAYING.at(sentence, at) > 0 ? walls(sentence, at + strict) : at + strict;
            reading.claim(ClauseKind.PRIVACY, "controlled", subject(reading, at), end);
            return end;
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

    /** Where "the data must" before words of secrecy begins. */
    private static int subject(Reading reading, int at) {
        Sentence sentence = reading.sentence();
        int begin = at;
        while (sentence.is(begin - 1, LINKS)) {
            begin--;
        }
        boolean linked = (begin < at || sentence.is(at, SAID))
                && sentence.is(begin - 1, SUBJECTS)
                && reading.isFree(begin - 1, at);
        if (!linked) {
            return at;
        }
        return sentence.is(begin - 2, DETERMINERS) && !reading.isTaken(begin - 2) ? begin - 2 : begin - 1;
    }

    /** The end of "the building" behind words of staying. */
    private static int walls(Sentence sentence, int to) {
        int end = sentence.is(to, DETERMINERS) ? to + 1 : to;
        return sentence.is(end, WALLS) ? end + 1 : to;
    }
}
