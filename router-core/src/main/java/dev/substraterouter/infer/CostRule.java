package dev.substraterouter.infer;

import java.util.Set;

/** The most that the job may cost. Currencies are not converted: the number is one of the currency of the policy. */
final class CostRule implements Rule {
    private static final Set<String> SIGNS = Set.of("$", "\u20ac", "\u00a3");
    private static final Set<String> CURRENCIES = Set.of(
            "dollar", "dollars", "usd", "eur", "euro", "euros", "gbp", "pounds", "bucks", "$", "\u20ac", "\u00a3");
    private static final Set<String> CENTS = Set.of("cent", "cents");
    private static final Set<String> COSTS = Set.of(
            "cost", "costs", "costing", "price", "budget", "spend", "pay", "paying", "charge", "priced", "spending");
    private static final Set<String> RATES = Set.of("/", "per", "an", "a", "hourly", "each");

    @Override
    public void read(Reading reading) {
        for (int i = 0; i < reading.sentence().size(); i++) {
            if (reading.sentence().isNumber(i) && !reading.isTaken(i)) {
                read(reading, i);
            }
        }
    }

    private static void read(Reading reading, int number) {
        Sentence sentence = reading.sentence();
        int from = sentence.is(number - 1, SIGNS) ? number - 1 : number;
        boolean cents = sentence.is(number + 1, CENTS);
        int to = cents || sentence.is(number + 1, CURRENCIES) ? number + 2 : number + 1;
        boolean money = from < number || to > number + 1;
        Bound bound = Bound.before(sentence, from);
        int cost = cost(sentence, bound.from());
        boolean plain = !money && (cost >= 0 || sentence.at(bound.from()).equals("budget")) && endsThere(sentence, to);
        if (!money && !plain) {
            return;
        }
        boolean limit = bound.kind() == Bound.Kind.MOST || (cost >= 0 && isBudget(sentence, cost));
        double value = cents ? Numbers.hundredth(sentence.at(number)) : Double.parseDouble(sentence.at(number));
        int begin = cost >= 0 ? cost : bound.from();
        if (!limit || sentence.is(to, RATES) || Double.isInfinite(value)) {
            reading.leave(begin, to);
            return;
        }
        Verdict verdict = reading.negation().ofPhrase(begin, to);
        if (verdict.stance() == Stance.ASKED) {
            reading.claim(ClauseKind.COST, Numbers.text(value), begin, to);
        } else {
            reading.leave(verdict.from(), verdict.to());
        }
    }

    /** Where the word of cost right before begins; -1: none. */
    private static int cost(Sentence sentence, int from) {
        for (int i = from - 1; i >= from - 3 && !sentence.endsPart(i); i--) {
            if (sentence.is(i, COSTS)) {
                return i;
            }
            if (!sentence.is(i, Set.of("is", "of", ":", "be", "=", "a", "must", "may", "should"))) {
                return -1;
            }
        }
        return -1;
    }

    private static boolean isBudget(Sentence sentence, int cost) {
        return sentence.is(cost, Set.of("budget", "spend", "pay"))
                && Bound.before(sentence, cost + 1).kind() != Bound.Kind.LEAST;
    }

    /** A bare number is money only where nothing is counted by it. */
    private static boolean endsThere(Sentence sentence, int to) {
        return sentence.endsPart(to)
                || StopWords.contains(sentence.at(to))
                || sentence.at(to).equals("but");
    }
}
