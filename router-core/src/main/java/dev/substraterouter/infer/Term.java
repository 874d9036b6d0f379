package dev.substraterouter.infer;

import java.util.List;
import java.util.Set;

/**
 * Words that name a capability.
 *
 * @param words the words, divided by spaces
 * @param name the name a policy uses
 * @param notBehind words before it that give it another meaning ("alan turing")
 * @param notAhead words behind it that give it another meaning ("turing test")
 */
record Term(List<String> words, String name, Set<String> notBehind, Set<String> notAhead) {

    static Term of(String words, String name) {
        return new Term(List.of(words.split(" ", -1)), name, Set.of(), Set.of());
    }

    Term notBehind(String... others) {
        return new Term(words, name, Set.of(others), notAhead);
    }

    Term notAhead(String... others) {
        return new Term(words, name, notBehind, Set.of(others));
    }

    int length() {
        return words.size();
    }

    boolean standsAt(Sentence sentence, int index) {
        for (int i = 0; i < words.size(); i++) {
            if (!sentence.at(index + i).equals(words.get(i))) {
                return false;
            }
        }
        return !sentence.is(index - 1, notBehind) && !sentence.is(index + words.size(), notAhead);
    }
}
