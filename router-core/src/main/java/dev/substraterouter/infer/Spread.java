package dev.substraterouter.infer;

import java.util.List;
import java.util.Set;

/** Whether memory may be spread over several GPUs. */
final class Spread {
    private static final Set<String> CARDS = Set.of("gpu", "gpus", "card", "cards");
    private static final Phrases SEVERAL = Phrases.of("""
                    multi gpu, multigpu, multiple gpus, multiple cards, several gpus, several cards,
                    across gpus, across cards, both gpus, both cards, over gpus""");
    private static final Phrases SINGLE = Phrases.of("""
                    single gpu, single card, one gpu, one card, one single gpu, the same gpu""");
    private static final Set<String> OVER = Set.of("across", "over", "between", "on", "spread", "split");
    private static final Phrases EACH = Phrases.of("""
                    each, apiece, per gpu, per card, a piece""");

    private Spread() {}

    static void read(Reading reading) {
        Sentence sentence = reading.sentence();
        for (int i = 0; i < sentence.size(); i++) {
            int single = SINGLE.at(sentence, i);
            int several = Math.max(SEVERAL.at(sentence, i), overSome(sentence, i));
            if (single > 0 && reading.isFree(i, i + single)) {
                claim(reading, "false", i, i + single);
            } else if (several > 0 && reading.isFree(i, i + several)) {
                claim(reading, "true", i, i + several);
            }
        }
    }

    /** How many GPUs an amount is of: "16 GB each on two GPUs", "16 GB x 2"; 1: the amount is the whole. */
    static int gpusOf(Sentence sentence, int to, int end) {
        Quantity times = sentence.at(to).equals("x") ? Quantity.at(sentence, to + 1) : null;
        if (times != null && times.isCount()) {
            return (int) times.value();
        }
        boolean each =
                EACH.at(sentence, to) > 0 || EACH.at(sentence, end) > 0 || sentence.says(to, List.of("on", "each"));
        return each ? count(sentence, to) : 1;
    }

    private static int count(Sentence sentence, int near) {
        for (int i = Math.max(0, near - 12); i < near + 12; i++) {
            Quantity count = Quantity.at(sentence, i);
            if (count != null && count.isCount() && gpus(sentence, i + count.length()) > 0) {
                return (int) count.value();
            }
        }
        return 1;
    }

    /** "across two GPUs": how many words. */
    private static int overSome(Sentence sentence, int index) {
        if (!sentence.is(index, OVER)) {
            return 0;
        }
        Quantity count = Quantity.at(sentence, index + 1);
        int at = index + 1 + (count == null ? 0 : count.length());
        int cards = count != null && count.isCount() ? gpus(sentence, at) : 0;
        return cards > 0 ? at + cards - index : 0;
    }

    private static int gpus(Sentence sentence, int index) {
        for (int i = index; i < index + 3; i++) {
            if (sentence.is(i, CARDS)) {
                return i + 1 - index;
            }
            if (sentence.endsPart(i) || sentence.isNumber(i)) {
                return 0;
            }
        }
        return 0;
    }

    private static void claim(Reading reading, String value, int from, int to) {
        reading.settle(reading.negation().ofPhrase(from, to), ClauseKind.SPANS_GPUS, value);
    }
}
