package dev.substraterouter.examples.benchmarks.goals;

import java.util.ArrayList;
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

    /** Whether the goal is met. A limit whose figures are missing says nothing. */
    Verdict verdict() {
        if (goal.kind() == Goal.Kind.SHOWN) {
            return measured.isEmpty() ? Verdict.NOT_MEASURED : Verdict.SHOWN;
        }
        List<Verdict> verdicts = new ArrayList<>();
        if (goal.most() != Goal.NONE) {
            verdicts.add(judged(measured, goal.most()));
        }
        if (goal.times() != Goal.NONE) {
            verdicts.add(judged(ratio(), goal.times()));
        }
        if (verdicts.contains(Verdict.MET)) {
            return Verdict.MET;
        }
        return verdicts.contains(Verdict.NOT_MEASURED) ? Verdict.NOT_MEASURED : Verdict.NOT_MET;
    }

    /** Its cells: id, what, goal, measured, denominator, ratio, verdict. */
    List<String> cells() {
        return List.of(
                goal.id(),
                goal.what(),
                limit(),
                show(measured),
                goal.than() == null ? "" : goal.than().words() + ": " + show(denominator),
                ratio().isEmpty() ? "" : multiple(ratio().getAsDouble()),
                verdict().toString());
    }

    private static Verdict judged(OptionalDouble figure, double most) {
        if (figure.isEmpty()) {
            return Verdict.NOT_MEASURED;
        }
        return figure.getAsDouble() <= most ? Verdict.MET : Verdict.NOT_MET;
    }

    private String limit() {
        List<String> limits = new ArrayList<>();
        if (goal.most() != Goal.NONE) {
            limits.add("≤ " + goal.measured().unit().format(goal.most()));
        }
        if (goal.times() != Goal.NONE) {
            limits.add("≤ " + multiple(goal.times()));
        }
        return (goal.kind() == Goal.Kind.STRETCH ? "stretch: " : "") + String.join(" or ", limits);
    }

    private String show(OptionalDouble figure) {
        return figure.isEmpty() ? NOT_THERE : goal.measured().unit().format(figure.getAsDouble());
    }

    private static String multiple(double ratio) {
        return String.format(Locale.ROOT, ratio < 100 ? "%.2f×" : "%.0f×", ratio);
    }
}
