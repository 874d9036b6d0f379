package dev.substraterouter.infer;

import dev.substraterouter.model.Need;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The codebase ("in the mirage repo") and the MCP servers to reach ("via the mirage and github MCP servers"). */
final class NamesRule implements Rule {
    private static final Set<String> REPOS = Set.of("repo", "repository", "codebase");
    private static final Set<String> SERVERS = Set.of("mcp", "mcps");
    private static final Set<String> CALLED = Set.of("called", "named", ":", "=");
    private static final Set<String> BEFORE_NAME = Words.set("""
                    the our my in from on for of with against via to reach through use using and or , no not
                    without than but access needs need reaches a an & reaching nor contact call calls both
                    either require requires""");
    private static final Set<String> NO_NAMES = Words.set("""
                    , . / : ? a access all an analyse analyze and any are as asap at available be because big
                    build but by called can check clone code codebase current down each edit empty entire
                    every existing explore external first fix for from git has have here huge if in index
                    internal is it itself large legacy listening local main many may mcp mcps multiple must
                    my named need needs never new no nor not now of old on only open or other our own please
                    private protocol public reach reachable read refactor remote repo repository required
                    review right running same scan search second server servers several shared should since
                    single small so some source summarise summarize test that that's the their there this
                    three to today tool tools two up update urgent urgently use uses using very via was when
                    where which while whole will with without works wrong x your""");

    @Override
    public void read(Reading reading) {
        for (int i = 0; i < reading.sentence().size(); i++) {
            if (reading.sentence().is(i, REPOS) && !reading.isReserved(i)) {
                codebase(reading, i);
            } else if (reading.sentence().is(i, SERVERS) && !reading.isReserved(i)) {
                servers(reading, i);
            }
        }
    }

    private static void codebase(Reading reading, int noun) {
        Name before = before(reading, noun);
        Name name = before == null ? behind(reading, noun + 1) : before;
        if (name != null) {
            int from = Math.min(name.from, noun);
            int to = Math.max(name.to, noun + 1);
            reading.claimIfAsked(ClauseKind.CODEBASE, name.text, from, to);
        }
    }

    private static void servers(Reading reading, int noun) {
        int end = noun + 1;
        while (reading.sentence().is(end, Set.of("server", "servers", "s"))) {
            end++;
        }
        List<Name> names = listBefore(reading, noun);
        if (names.isEmpty()) {
            names = listBehind(reading, end);
        }
        claim(reading, names, noun, end);
    }

    private static void claim(Reading reading, List<Name> names, int noun, int end) {
        boolean choice = isChoice(reading.sentence(), names);
        for (int i = 0; i < names.size(); i++) {
            Name name = names.get(i);
            boolean last = i == names.size() - 1;
            int from = i == 0 && name.from > noun ? noun : name.from;
            int to = last && name.from < noun ? end : name.to;
            if (i == 0 || !choice) {
                reading.claimIfAsked(ClauseKind.REACHES, "mcp:" + name.text, from, to);
            } else {
                reading.take(from, to);
            }
        }
        if (choice && reading.clauses().stream().anyMatch(clause -> clause.kind() == ClauseKind.REACHES)) {
            reading.contradict("reaches \"" + reading.sentence().raw(names.get(0).from, names.get(names.size() - 1).to)
                    + "\": a need cannot require one of several; mcp:" + names.get(0).text + " is required");
        }
    }

    private static boolean isChoice(Sentence sentence, List<Name> names) {
        for (int i = 1; i < names.size(); i++) {
            for (int at = names.get(i - 1).to; at < names.get(i).from; at++) {
                if (sentence.at(at).equals("or")) {
                    return true;
                }
            }
        }
        return false;
    }

    private static List<Name> listBefore(Reading reading, int noun) {
        List<Name> names = new ArrayList<>();
        Name name = before(reading, noun);
        while (name != null) {
            names.add(0, name);
            int at = name.from - 1;
            while (reading.sentence().is(at, Set.of("the", "and", "or", ",")) && at > name.from - 4) {
                at--;
            }
            boolean joined =
                    at < name.from - 1 && !reading.sentence().at(at + 1).equals("the");
            name = joined ? before(reading, at + 1) : null;
        }
        return names;
    }

    private static List<Name> listBehind(Reading reading, int from) {
        List<Name> names = new ArrayList<>();
        Name name = behind(reading, from);
        while (name != null) {
            names.add(name);
            int at = name.to;
            while (reading.sentence().is(at, Set.of("and", "or", ","))) {
                at++;
            }
            boolean list = at > name.to && endsList(reading.sentence(), at);
            name = list ? name(reading, at, runEnd(reading.sentence(), at)) : null;
        }
        return names;
    }

    /** A list goes on only with a name that nothing is said of. */
    private static boolean endsList(Sentence sentence, int at) {
        int end = runEnd(sentence, at);
        return sentence.endsPart(end) || sentence.is(end, Set.of("and", "or"));
    }

    private static @Nullable Name before(Reading reading, int noun) {
        int from = runStart(reading.sentence(), noun - 1);
        boolean named =
                sentenceBegins(reading.sentence(), from) || reading.sentence().is(from - 1, BEFORE_NAME);
        return named && from < noun ? name(reading, from, noun) : null;
    }

    private static boolean sentenceBegins(Sentence sentence, int at) {
        return sentence.endsPart(at - 1);
    }

    private static @Nullable Name behind(Reading reading, int at) {
        int from = reading.sentence().is(at, CALLED) ? at + 1 : at;
        return from < reading.sentence().size() ? name(reading, from, runEnd(reading.sentence(), from)) : null;
    }

    private static @Nullable Name name(Reading reading, int from, int to) {
        Sentence sentence = reading.sentence();
        if (from < 0
                || from >= to
                || (to - from == 1 && sentence.is(from, NO_NAMES))
                || !reading.isFree(from, to)
                || sentence.endsPart(from)) {
            return null;
        }
        String text = sentence.raw(from, to);
        return text.length() > Need.MAX_TEXT - 4 || text.startsWith("mcp:") ? null : new Name(text, from, to);
    }

    /** The first word of those written without a space up to this one. */
    private static int runStart(Sentence sentence, int last) {
        int at = last;
        while (at > 0 && last - at < 16 && sentence.joined(at - 1, at) && isPart(sentence, at - 1)) {
            at--;
        }
        return Math.max(at, 0);
    }

    private static int runEnd(Sentence sentence, int first) {
        int at = first + 1;
        while (at < sentence.size() && at - first < 16 && sentence.joined(at - 1, at) && isPart(sentence, at)) {
            at++;
        }
        return at;
    }

    private static boolean isPart(Sentence sentence, int at) {
        return sentence.at(at).equals("/")
                || (!sentence.endsPart(at) && !sentence.at(at).equals(":"));
    }

    private record Name(String text, int from, int to) {}
}
