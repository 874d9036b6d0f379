package dev.substraterouter.infer;

import dev.substraterouter.model.Need;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the rules found in one sentence so far. Every word is taken by at most one of them. Confined to one call. */
final class Reading {
    private final Sentence sentence;
    private final Negation negation;
    private final boolean[] taken;
    private final boolean[] claimed;
    private boolean[] reserved;
    private final List<Clause> clauses = new ArrayList<>();
    private final List<Left> left = new ArrayList<>();
    private final List<String> contradictions = new ArrayList<>();
    private final Map<ClauseKind, Set<String>> values = new HashMap<>();

    Reading(Sentence sentence) {
        this.sentence = sentence;
        taken = new boolean[sentence.size()];
        claimed = new boolean[sentence.size()];
        reserved = new boolean[sentence.size()];
        negation = new Negation(sentence, this::isTaken);
    }

    Sentence sentence() {
        return sentence;
    }

    Negation negation() {
        return negation;
    }

    boolean isTaken(int index) {
        return index >= 0 && index < taken.length && taken[index];
    }

    boolean isFree(int from, int to) {
        for (int i = from; i < to; i++) {
            if (isTaken(i)) {
                return false;
            }
        }
        return true;
    }

    /** Whether the word is one of a clause. */
    boolean isClaimed(int index) {
        return index >= 0 && index < claimed.length && claimed[index];
    }

    /** Whether a rule of the host has taken the word. */
    boolean isReserved(int index) {
        return index >= 0 && index < reserved.length && reserved[index];
    }

    /** Keeps the words taken so far from the standard rules, those that read every word included. */
    void reserve() {
        reserved = taken.clone();
    }

    /** Takes the words as a clause; more names than a need can hold are left. */
    void claim(ClauseKind kind, String value, int from, int to) {
        Set<String> known = values.computeIfAbsent(kind, unused -> new HashSet<>());
        if (kind.adds() && known.size() == Need.MAX_NAMES && !known.contains(Need.canonical(value))) {
            leave(from, to);
            return;
        }
        known.add(Need.canonical(value));
        take(from, to);
        Arrays.fill(claimed, from, to, true);
        clauses.add(Clause.of(kind, value, sentence.text(), sentence.start(from), sentence.end(to - 1)));
    }

    /** Claims the name if the sentence asks for it, else says or drops what it says instead. */
    void claimIfAsked(ClauseKind kind, String value, int from, int to) {
        settle(negation.ofName(from, to), kind, value);
    }

    /** Acts by the verdict on a value that stands at these words. */
    void settle(Verdict verdict, ClauseKind kind, String value) {
        switch (verdict.stance()) {
            case ASKED -> claim(kind, value, verdict.from(), verdict.to());
            case LIFTED -> take(verdict.from(), verdict.to());
            case WISHED, FORBIDDEN -> leave(verdict.from(), verdict.to());
        }
    }

    /** Takes the words, which ask for nothing. */
    void take(int from, int to) {
        Arrays.fill(taken, Math.max(0, from), Math.min(to, taken.length), true);
    }

    /** Takes the words as something that is not understood, or that a need cannot say. */
    void leave(int from, int to) {
        left.removeIf(words -> from <= words.from && words.to <= to);
        left.add(new Left(from, to));
        take(from, to);
    }

    void contradict(String what) {
        contradictions.add(what);
    }

    List<Clause> clauses() {
        return clauses.stream().sorted(Comparator.comparingInt(Clause::start)).toList();
    }

    List<String> contradictions() {
        return contradictions;
    }

    /** What was left, and what nobody took and means something, in the order of the sentence. */
    List<String> notUnderstood() {
        List<Left> all = new ArrayList<>(left);
        for (int i = 0; i < taken.length; i++) {
            take(i, i + (isTaken(i) ? 0 : negation.idiom(i)));
            int end = i;
            while (isLoose(end)) {
                end++;
            }
            if (end > i) {
                all.add(new Left(i, end));
                i = end;
            }
        }
        all.sort(Comparator.comparingInt(Left::from).thenComparingInt(Left::to));
        return all.stream()
                .map(words -> sentence.raw(words.from(), words.to()))
                .distinct()
                .toList();
    }

    private boolean isLoose(int index) {
        return index < taken.length && !taken[index] && !StopWords.contains(sentence.at(index));
    }

    private record Left(int from, int to) {}
}
