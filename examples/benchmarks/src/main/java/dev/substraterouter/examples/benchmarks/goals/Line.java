package dev.substraterouter.examples.benchmarks.goals;

import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * A goal with what was measured for it.
 *
 * @param goal the goal
 * @param measured the figure
 * @param denominator what it is compared with
 */
record Line(Goal goal, OptionalDouble measured, OptionalDouble denominator) {
    private static final String NOT_THERE = "not measured";

    static Line of(Goal goal, Figures figures) {
        OptionalDouble than = goal.than() == null ? OptionalDouble.empty() : figures.of(goal.than());
        return new Line(goal, figures.of(goal.measured()), than);
    }

    /** The figure as a multiple of what it is compared with; empty when either is missing. */
    OptionalDouble ratio() {
        return measured.isEmpty() || denominator.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(measured.getAsDouble() / denominator.getAsDouble());
    }

    /** Whether the goal is met. */
    Verdict verdict() {
        if (goal.kind() == Goal.Kind.SHOWN) {
            return measured.isEmpty() ? Verdict.NOT_MEASURED : Verdict.SHOWN;
        }
        OptionalDouble judged = goal.than() == null ? measured : ratio();
        if (judged.isEmpty()) {
            return Verdict.NOT_MEASURED;
        }
        return judged.getAsDouble() <= goal.most() ? Verdict.MET : Verdict.NOT_MET;
    }

    /** Its cells: id, what, goal, measured, denominator, ratio, verdict. */
    List<String> cells() {
        return List.of(
                goal.id(),
                goal.what(),
                limit(),
                show(measured),
                goal.than() == null ? "" : goal.than().words() + ": " + show(denominator),
                ratio().isEmpty() ? "" : times(ratio().getAsDouble()),
                verdict().toString());
    }

    private String limit() {
        if (goal.kind() == Goal.Kind.SHOWN) {
            return "";
        }
        String most = goal.than() == null ? goal.measured().unit().format(goal.most()) : times(goal.most());
        return (goal.kind() == Goal.Kind.STRETCH ? "stretch: " : "") + "≤ " + most;
    }

    private String show(OptionalDouble figure) {
        return figure.isEmpty() ? NOT_THERE : goal.measured().unit().format(figure.getAsDouble());
    }

    private static String times(double ratio) {
        return String.format(Locale.ROOT, ratio < 100 ? "%.2f ×" : "%.0f ×", ratio);
    }
}
