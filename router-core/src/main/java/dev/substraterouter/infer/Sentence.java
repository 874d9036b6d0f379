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

    /** Whether the word was written with an apostrophe. */
    boolean isShortened(int index) {
        return index >= 0
                && index < words.size()
                && end(index) - start(index) > at(index).length();
    }

    boolean isNumber(int index) {
        return index >= 0 && index < words.size() && words.get(index).number();
    }

    boolean is(int index, Set<String> any) {
        return any.contains(at(index));
    }

    /** Whether the words stand from this place on. */
    boolean says(int index, List<String> phrase) {
        for (int i = 0; i < phrase.size(); i++) {
            if (!at(index + i).equals(phrase.get(i))) {
                return false;
            }
        }
        return true;
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
}
