package dev.substraterouter.verify;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * A text that two patterns match, in which {@code *} stands for any text. Not thread-safe.
 *
 * <p>Both patterns are read at once: a state is a place in the one and a place in the other, a step writes a character that both may take or
 * skips a star, and the text is what the cheapest path to both ends has written. A character costs 1; what skipping a star costs tells
 * the shortest text from the one without overlaps. The patterns have at most so many characters that there are few thousand states.
 */
final class CommonText {
    private static final int OVERLAP = 1_000_000;
    private static final int NOT_REACHED = Integer.MAX_VALUE;
    private static final char STAR = '*';

    private final String one;
    private final String other;
    private final String filler;
    private final int[] costs;
    private final int[] from;
    private final String[] written;
    private final PriorityQueue<int[]> next = new PriorityQueue<>(Comparator.comparingInt((int[] entry) -> entry[1]));

    private CommonText(String one, String other, String filler) {
        this.one = one;
        this.other = other;
        this.filler = filler;
        int states = (one.length() + 1) * (other.length() + 1);
        this.costs = new int[states];
        this.from = new int[states];
        this.written = new String[states];
        Arrays.fill(costs, NOT_REACHED);
    }

    /** The shortest text that both match, which may be empty; empty: there is none. */
    static Optional<String> shortest(String one, String other) {
        return new CommonText(one, other, "").text();
    }

    /**
     * A text that both match, in which no character is of a literal of both wherever that can be avoided, and in which what is of both
     * stars is the filler; empty: there is none.
     */
    static Optional<String> apart(String one, String other, String filler) {
        return new CommonText(one, other, filler).text();
    }

    /** Whether what stands before the first stars, and after the last ones, speaks against a text that both match. */
    static boolean mayMeet(String one, String other) {
        String start = one.substring(0, star(one));
        String otherStart = other.substring(0, star(other));
        String end = one.substring(one.lastIndexOf(STAR) + 1);
        String otherEnd = other.substring(other.lastIndexOf(STAR) + 1);
        return (start.startsWith(otherStart) || otherStart.startsWith(start))
                && (end.endsWith(otherEnd) || otherEnd.endsWith(end));
    }

    private static int star(String pattern) {
        int star = pattern.indexOf(STAR);
        return star < 0 ? pattern.length() : star;
    }

    private Optional<String> text() {
        step(0, 0, 0, "");
        int end = costs.length - 1;
        while (!next.isEmpty()) {
            int[] entry = next.remove();
            if (entry[1] == costs[entry[0]]) {
                int width = other.length() + 1;
                steps(entry[0], entry[0] / width, entry[0] % width, entry[1]);
            }
        }
        return costs[end] == NOT_REACHED ? Optional.empty() : Optional.of(backFrom(end));
    }

    private void steps(int state, int at, int otherAt, int cost) {
        boolean star = at < one.length() && one.charAt(at) == STAR;
        boolean otherStar = otherAt < other.length() && other.charAt(otherAt) == STAR;
        if (star && otherStar) {
            // what both stars may take is written on the way out, once
            step(state, state + other.length() + 1, cost + filler.length(), filler);
            step(state, state + 1, cost + filler.length(), filler);
        } else if (star) {
            step(state, state + other.length() + 1, cost + overlap(otherAt == other.length()), "");
            if (otherAt < other.length()) {
                step(state, state + 1, cost + 1, other.substring(otherAt, otherAt + 1));
            }
        } else if (otherStar) {
            step(state, state + 1, cost + overlap(at == one.length()), "");
            if (at < one.length()) {
                step(state, state + other.length() + 1, cost + 1, one.substring(at, at + 1));
            }
        } else if (at < one.length() && otherAt < other.length() && one.charAt(at) == other.charAt(otherAt)) {
            step(state, state + other.length() + 2, cost + 1, one.substring(at, at + 1));
        }
    }

    /** A star that is left before the other pattern is at one: what follows it overlaps with a literal of the other. */
    private int overlap(boolean atEnd) {
        return filler.isEmpty() || atEnd ? 0 : OVERLAP;
    }

    private void step(int state, int to, int cost, String text) {
        if (cost < costs[to]) {
            costs[to] = cost;
            from[to] = state;
            written[to] = text;
            next.add(new int[] {to, cost});
        }
    }

    private String backFrom(int end) {
        StringBuilder text = new StringBuilder();
        for (int state = end; state != 0; state = from[state]) {
            text.insert(0, written[state]);
        }
        return text.toString();
    }
}
