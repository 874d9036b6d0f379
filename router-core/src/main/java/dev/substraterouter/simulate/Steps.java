package dev.substraterouter.simulate;

import java.util.ArrayList;
import java.util.List;

/** The steps of a timeline. What happens after the last is left out. */
final class Steps {
    private final VirtualTime time;
    private final double length;

    Steps(VirtualTime time, double runSeconds) {
        this.time = time;
        this.length = runSeconds / SimulationReport.Timeline.STEPS;
    }

    double length() {
        return length;
    }

    /** The step of this moment; the last one afterwards. */
    int now() {
        return Math.min(SimulationReport.Timeline.STEPS - 1, (int) (Spans.seconds(time.passed()) / length));
    }

    /** Adds figure × time to the steps over which some time up to now has passed. */
    void spread(double[] steps, double seconds, double figure) {
        if (figure == 0) { // most are
            return;
        }
        double end = Spans.seconds(time.passed());
        double from = end - seconds;
        for (int at = (int) (from / length); at < steps.length && at * length < end; at++) {
            double part = Math.min(end, (at + 1) * length) - Math.max(from, at * length);
            steps[at] += Math.max(0, part) * figure;
        }
    }

    /** What was spread, as means over each step. */
    List<Double> means(double[] steps) {
        List<Double> means = new ArrayList<>(steps.length);
        for (double step : steps) {
            means.add(step / length);
        }
        return means;
    }
}
