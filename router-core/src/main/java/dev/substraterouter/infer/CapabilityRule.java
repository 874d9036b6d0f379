package dev.substraterouter.infer;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Capabilities. Of alternatives ("CUDA or ROCm") a need cannot require one of several, so the first is required: a place
 * that has it does satisfy the sentence.
 */
final class CapabilityRule implements Rule {
    private static final Set<String> FILLERS =
            Set.of("a", "an", "the", "on", "or", "and", "/", ",", "either", "x", "two", "with");
    private static final Set<String> ALTERNATIVES = Set.of("or", "/");
    private static final List<Set<String>> EXCLUSIVE = List.of(
            Set.of("cuda", "rocm", "metal"),
            Set.of(
                    "volta",
                    "turing",
                    "ampere",
                    "ada",
                    "hopper",
                    "blackwell",
                    "rdna2",
                    "rdna3",
                    "rdna4",
                    "cdna2",
                    "cdna3",
                    "cdna4"));

    private static final List<Set<String>> KINDS = List.of(
            EXCLUSIVE.get(0),
            EXCLUSIVE.get(1),
            Set.of("fp4", "fp8", "fp16", "bf16", "int4", "int8"),
            Set.of("nvlink", "large-bar"));

    @Override
    public void read(Reading reading) {
        List<Mention> asked = new ArrayList<>();
        Set<String> denied = new HashSet<>();
        for (int i = 0; i < reading.sentence().size(); i++) {
            Term term = Vocabulary.at(reading.sentence(), i);
            if (term != null && reading.isFree(i, i + term.length())) {
                Verdict verdict = reading.negation().ofName(i, i + term.length());
                if (verdict.stance() == Stance.ASKED) {
                    asked.add(new Mention(term.name(), verdict.from(), verdict.to()));
                    reading.take(verdict.from(), verdict.to());
                } else {
                    denied.add(term.name());
                    reading.settle(verdict, ClauseKind.CAPABILITY, term.name());
                }
                i += term.length() - 1;
            }
        }
        claim(reading, asked, denied);
    }

    private static void claim(Reading reading, List<Mention> asked, Set<String> denied) {
        Set<String> required = new HashSet<>();
        for (int i = 0; i < asked.size(); ) {
            int end = groupEnd(reading.sentence(), asked, i);
            List<Mention> group = asked.subList(i, end);
            required.addAll(
                    isChoice(reading.sentence(), group) ? claimFirst(reading, group) : claimAll(reading, group));
            i = end;
        }
        required.stream()
                .filter(denied::contains)
                .sorted()
                .forEach(name -> reading.contradict("capability " + name + ": required and denied; it stays required"));
        EXCLUSIVE.forEach(set -> reportSeveral(reading, required, set));
    }

    private static void reportSeveral(Reading reading, Set<String> required, Set<String> exclusive) {
        List<String> several =
                required.stream().filter(exclusive::contains).sorted().toList();
        if (several.size() > 1) {
            reading.contradict("capability " + String.join(" and ", several)
                    + ": hardly one place has them all; all are required");
        }
    }

    private static Set<String> claimAll(Reading reading, List<Mention> group) {
        Set<String> names = new HashSet<>();
        for (Mention mention : group) {
            reading.claim(ClauseKind.CAPABILITY, mention.name(), mention.from(), mention.to());
            names.add(mention.name());
        }
        return names;
    }

    private static Set<String> claimFirst(Reading reading, List<Mention> group) {
        Mention first = group.get(0);
        Mention last = group.get(group.size() - 1);
        reading.claim(ClauseKind.CAPABILITY, first.name(), first.from(), first.to());
        if (group.stream().anyMatch(mention -> !mention.name().equals(first.name()))) {
            reading.contradict("capability \"" + reading.sentence().raw(first.from(), last.to())
                    + "\": a need cannot require one of several; " + first.name() + " is required");
        }
        return Set.of(first.name());
    }

    private static int groupEnd(Sentence sentence, List<Mention> asked, int first) {
        int end = first + 1;
        while (end < asked.size() && isGap(sentence, asked.get(end - 1), asked.get(end))) {
            end++;
        }
        return end;
    }

    private static boolean isGap(Sentence sentence, Mention left, Mention right) {
        boolean or = false;
        boolean comma = false;
        for (int i = left.to(); i < right.from(); i++) {
            if (!sentence.is(i, FILLERS)) {
                return false;
            }
            or |= sentence.is(i, ALTERNATIVES);
            comma |= sentence.at(i).equals(",");
        }
        return or || (comma && areAlike(left.name(), right.name()));
    }

    /** Only things of a kind are alternatives of each other: "CUDA, Ada or Hopper" is CUDA and one of two. */
    private static boolean areAlike(String left, String right) {
        return KINDS.stream().anyMatch(kind -> kind.contains(left) && kind.contains(right));
    }

    private static boolean isChoice(Sentence sentence, List<Mention> group) {
        for (int i = group.get(0).to(); i < group.get(group.size() - 1).from(); i++) {
            if (sentence.is(i, ALTERNATIVES)) {
                return true;
            }
        }
        return false;
    }

    private record Mention(String name, int from, int to) {}
}
