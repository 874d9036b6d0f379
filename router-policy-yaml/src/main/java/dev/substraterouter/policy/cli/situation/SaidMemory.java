package dev.substraterouter.policy.cli.situation;

import dev.substraterouter.policy.Substrate;
import dev.substraterouter.status.SubstrateStatus;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.DoubleUnaryOperator;

/** What is said of the memory of one substrate, which is understood when all is said: the order of the words does not matter. For one thread. */
final class SaidMemory {
    private static final double MOST_GB = 1 << 20;

    private final Substrate substrate;
    private final List<Word> totals = new ArrayList<>();
    private final List<Word> fillings = new ArrayList<>();

    /**
     * One word.
     *
     * @param text as it was said
     * @param gb its figure
     * @param needsTotal whether it says nothing where the total is not known
     * @param used how much is used then, of a total
     */
    private record Word(String text, double gb, boolean needsTotal, DoubleUnaryOperator used) {}

    SaidMemory(Substrate substrate) {
        this.substrate = substrate;
    }

    void total(String text, double gb) {
        totals.add(new Word(text, gb, false, total -> 0));
    }

    void used(String text, double gb) {
        fillings.add(new Word(text, gb, false, total -> gb));
    }

    void free(String text, double gb) {
        fillings.add(new Word(text, gb, true, total -> total - gb));
    }

    void full(String text) {
        fillings.add(new Word(text, 0, true, total -> total));
    }

    /**
     * Puts it into a status: nothing is used unless something else was said.
     *
     * @throws IllegalArgumentException if it cannot be, or if one word says what another does
     */
    void tell(SubstrateStatus.Builder status) {
        refuseSeveral(totals);
        refuseSeveral(fillings);
        OptionalDouble total = total();
        total.ifPresent(status::vramTotalGb);
        status.vramUsedGb(0);
        fillings.forEach(word -> status.vramUsedGb(used(word, total)));
    }

    private void refuseSeveral(List<Word> words) {
        if (words.size() > 1) {
            throw wrong(String.join(",", words.stream().map(Word::text).toList()), "one of them");
        }
    }

    private OptionalDouble total() {
        totals.forEach(word -> refuseOutside(word, MOST_GB));
        return totals.isEmpty()
                ? substrate.vramGb()
                : OptionalDouble.of(totals.get(0).gb());
    }

    private double used(Word word, OptionalDouble total) {
        if (total.isEmpty() && word.needsTotal()) {
            throw wrong(word.text(), "vram_gb in the policy, or total:GB beside it");
        }
        refuseOutside(word, total.orElse(MOST_GB));
        return word.used().applyAsDouble(total.orElse(MOST_GB));
    }

    private void refuseOutside(Word word, double most) {
        if (!(word.gb() >= 0 && word.gb() <= most)) {
            throw wrong(
                    word.text(),
                    "0 to " + BigDecimal.valueOf(most).stripTrailingZeros().toPlainString() + " GB");
        }
    }

    private IllegalArgumentException wrong(String said, String expected) {
        return new IllegalArgumentException(substrate.id() + ": '" + said + "' (expected: " + expected + ")");
    }
}
