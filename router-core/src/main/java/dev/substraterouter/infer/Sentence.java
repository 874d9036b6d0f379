package dev.substraterouter.infer;

import java.util.List;
import java.util.Set;

/** A text as words. A place outside of it holds the empty word. */
final class Sentence {
    private static final Set<String> ENDS = Set.of(".", "?");

    private final String text;
    private final List<Word> words;

    private Sentence(String text, List<Word> words) {
        this.text = text;
        this.words = words;
    }

    static Sentence of(String text) {
        return new Sentence(text, List.copyOf(new Splitter(text).split()));
    }

    String text() {
        return text;
    }

    int size() {
        return words.size();
    }

    String at(int index) {
        return index < 0 || index >= words.size() ? "" : words.get(index).text();
    }

    int start(int index) {
        return words.get(index).start();
    }

    int end(int index) {
        return words.get(index).end();
    }

    /** The words as they were written. */
    String raw(int from, int to) {
        return text.substring(start(from), end(to - 1));
    }

    boolean isNumber(int index) {
        return index >= 0 && index < words.size() && words.get(index).number();
    }

    boolean is(int index, Set<String> any) {
        return any.contains(at(index));
    }

    /** Whether the words, divided by spaces, stand from this place on. */
    boolean says(int index, String phrase) {
        int at = index;
        for (String word : phrase.split(" ", -1)) {
            if (!at(at++).equals(word)) {
                return false;
            }
        }
        return true;
    }

    /** How many words of the longest of the phrases that stands here; 0: none does. */
    int longest(int index, List<String> phrases) {
        int longest = 0;
        for (String phrase : phrases) {
            int length = length(phrase);
            if (length > longest && says(index, phrase)) {
                longest = length;
            }
        }
        return longest;
    }

    /** How many words of the longest of the phrases that ends right before this place; 0: none does. */
    int longestBefore(int index, List<String> phrases) {
        int longest = 0;
        for (String phrase : phrases) {
            int length = length(phrase);
            if (length > longest && says(index - length, phrase)) {
                longest = length;
            }
        }
        return longest;
    }

    boolean endsSentence(int index) {
        return index < 0 || index >= words.size() || is(index, ENDS);
    }

    boolean endsPart(int index) {
        return endsSentence(index) || at(index).equals(",");
    }

    /** Whether the two words were written without a space between them. */
    boolean joined(int left, int right) {
        return left >= 0
                && right < words.size()
                && text.substring(end(left), start(right)).chars().noneMatch(Character::isWhitespace);
    }

    private static int length(String phrase) {
        return 1 + (int) phrase.chars().filter(c -> c == ' ').count();
    }
}
