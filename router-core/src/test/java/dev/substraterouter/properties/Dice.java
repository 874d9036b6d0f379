package dev.substraterouter.properties;

import java.util.List;

/** Numbers drawn by jqwik, taken one after the other; zero when there are no more, so that shrinking makes a run shorter and simpler. */
final class Dice {
    private final List<Integer> numbers;
    private int next;

    Dice(List<Integer> numbers) {
        this.numbers = numbers;
    }

    boolean more() {
        return next < numbers.size();
    }

    /** The next number, from 0 to below a bound. */
    int next(int bound) {
        return more() ? Math.floorMod(numbers.get(next++), bound) : 0;
    }
}
