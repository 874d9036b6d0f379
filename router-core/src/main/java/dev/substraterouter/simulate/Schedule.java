package dev.substraterouter.simulate;

import java.time.Duration;
import java.util.List;

/** When something is on. Immutable. */
public sealed interface Schedule {
    /** On and off by turns, each for an exponentially distributed time; off at the beginning. */
    static Schedule alternating(Duration meanOn, Duration meanOff) {
        return new Alternating(Spans.positive("mean time on", meanOn), Spans.positive("mean time off", meanOff));
    }

    /** On once. */
    static Schedule once(Duration from, Duration length) {
        return at(List.of(new Span(Spans.notNegative("begin", from), Spans.positive("length", length))));
    }

    /** On at given times, which do not overlap, in their order. */
    static Schedule at(List<Span> spans) {
        return new Given(spans);
    }

    /** From begin to end. */
    static Schedule always() {
        return once(Duration.ZERO, Duration.ofDays(3650));
    }

    /**
     * By turns.
     *
     * @param meanOnSeconds mean time on
     * @param meanOffSeconds mean time off
     */
    record Alternating(double meanOnSeconds, double meanOffSeconds) implements Schedule {}

    /**
     * At given times.
     *
     * @param spans when, in order
     */
    record Given(List<Span> spans) implements Schedule {
        /** Checks that they are in order. */
        public Given {
            spans = List.copyOf(spans);
            double end = 0;
            for (Span span : spans) {
                if (!(span.fromSeconds >= end && span.lengthSeconds > 0)) {
                    throw new IllegalArgumentException("span from " + span.fromSeconds + " s for " + span.lengthSeconds
                            + " s (expected: not before " + end + " s, where the one before ends, and longer than 0)");
                }
                end = span.fromSeconds + span.lengthSeconds;
            }
        }
    }

    /**
     * One time on.
     *
     * @param fromSeconds seconds from the beginning of the run
     * @param lengthSeconds for how long
     */
    record Span(double fromSeconds, double lengthSeconds) {}
}
