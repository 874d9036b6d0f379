package dev.substraterouter.infer;

import java.util.ArrayList;
import java.util.List;

/** The same words always mean the same. */
final class PhraseRule implements InferenceRule {
    private final Sentence phrase;
    private final ClauseKind kind;
    private final String value;

    PhraseRule(String words, ClauseKind kind, String value) {
        phrase = Sentence.of(words);
        if (phrase.size() == 0) {
            throw new IllegalArgumentException("phrase: '" + words + "' (expected: at least one word)");
        }
        this.kind = Clause.of(kind, value, words, 0, words.length()).kind();
        this.value = value;
    }

    @Override
    public List<Clause> read(String text) {
        Sentence sentence = Sentence.of(text);
        List<Clause> found = new ArrayList<>();
        for (int i = 0; i + phrase.size() <= sentence.size(); i++) {
            if (occursAt(sentence, i)) {
                int last = i + phrase.size() - 1;
                found.add(Clause.of(kind, value, text, sentence.start(i), sentence.end(last)));
            }
        }
        return found;
    }

    private boolean occursAt(Sentence sentence, int from) {
        for (int i = 0; i < phrase.size(); i++) {
            if (!sentence.at(from + i).equals(phrase.at(i))) {
                return false;
            }
        }
        return true;
    }
}
