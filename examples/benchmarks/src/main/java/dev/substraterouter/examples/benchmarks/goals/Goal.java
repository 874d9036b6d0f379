package dev.substraterouter.examples.benchmarks.goals;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One line of the table: a figure, and what it should at most be.
 *
 * @param id the number of the goal, which several lines may share
 * @param what what is measured
 * @param kind whether it is a goal at all
 * @param measured the figure
 * @param most what it should at most be, in its own unit; {@link #NONE}: only the comparison counts
 * @param times which multiple of the comparison it should at most be; where both are given, either is enough
 * @param than what it is compared with; null: nothing
 */
record Goal(
        String id,
        String what,
        Kind kind,
        Figure measured,
        double most,
        double times,
        @Nullable Denominator than) {
    /** No limit of this sort. */
    static final double NONE = -1;

    /** What a line is there for. */
    enum Kind {
        /** It should be met. */
        GOAL,
        /** It would be good to meet it. */
        STRETCH,
        /** It is shown and not judged. */
        SHOWN
    }

    /** A goal that is met at an absolute figure. */
    static Goal atMost(String id, String what, Figure measured, double most) {
        return new Goal(id, what, Kind.GOAL, measured, most, NONE, null);
    }

    /** A goal that is met at a multiple of something else. */
    static Goal times(String id, String what, Figure measured, double times, Denominator than) {
        return new Goal(id, what, Kind.GOAL, measured, NONE, times, than);
    }

    /** A figure without a goal. */
    static Goal shown(String id, String what, Figure measured) {
        return new Goal(id, what, Kind.SHOWN, measured, NONE, NONE, null);
    }

    /** The same as something that would be good. */
    Goal stretch() {
        return new Goal(id, what, Kind.STRETCH, measured, most, times, than);
    }

    /** The same, met too when the figure is within a multiple of what the machine does anyhow. */
    Goal orTimes(double enough, Denominator control) {
        return new Goal(id, what, kind, measured, most, enough, control);
    }

    /** The figures that it needs, those it is compared with before its own: they run beside each other. */
    List<Figure> figures() {
        return than == null
                ? List.of(measured)
                : Stream.concat(than.parts().stream(), Stream.of(measured)).toList();
    }
}
