package dev.substraterouter.infer;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/** Phrases found by their first or their last word, so that a long list costs a word of a sentence no more than a short one. */
final class Phrases {
    private final Map<String, List<List<String>>> byFirst = new HashMap<>();
    private final Map<String, List<List<String>>> byLast = new HashMap<>();

    private Phrases(Collection<String> phrases) {
        for (String phrase : phrases) {
            List<String> words = List.of(phrase.split(" ", -1));
            add(byFirst, words.get(0), words);
            add(byLast, words.get(words.size() - 1), words);
        }
    }

    /** The phrases, which commas and lines divide. */
    static Phrases of(String text) {
        return new Phrases(List.of(text.strip().split("\\s*,\\s*", -1)));
    }

    static Phrases of(Collection<String> phrases) {
        return new Phrases(phrases);
    }

    /** How many words of the longest phrase that begins at this place; 0: none does. */
    int at(Sentence sentence, int index) {
        return longest(sentence, byFirst.getOrDefault(sentence.at(index), List.of()), words -> index);
    }

    /** How many words of the longest phrase that ends right before this place; 0: none does. */
    int before(Sentence sentence, int index) {
        return longest(sentence, byLast.getOrDefault(sentence.at(index - 1), List.of()), words -> index - words.size());
    }

    private static int longest(Sentence sentence, List<List<String>> phrases, ToIntFunction<List<String>> begin) {
        for (List<String> words : phrases) {
            if (sentence.says(begin.applyAsInt(words), words)) {
                return words.size();
            }
        }
        return 0;
    }

    private static void add(Map<String, List<List<String>>> index, String key, List<String> words) {
        List<List<String>> all = index.computeIfAbsent(key, unused -> new ArrayList<>());
        all.add(words);
        all.sort(Comparator.<List<String>>comparingInt(List::size).reversed());
    }
}
