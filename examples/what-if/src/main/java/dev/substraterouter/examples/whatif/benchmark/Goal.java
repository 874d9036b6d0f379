package dev.substraterouter.examples.whatif.benchmark;

import dev.substraterouter.examples.whatif.compare.Estimate;
import dev.substraterouter.examples.whatif.compare.Measure;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What was measured for one goal, or one half of it, in its cells. Not thread-safe.
 *
 * <p>It is met if the mean of every cell is within its limit; the interval is told, not judged.
 */
final class Goal {
    private final String id;
    private final String what;
    private final String unit;
    private final int digits;
    private final List<String> measured = new ArrayList<>();
    private final List<String> wanted = new ArrayList<>();
    private final List<String> twins = new ArrayList<>();
    private final List<String> missed = new ArrayList<>();
    private boolean reported;

    /**
     * A goal without measured values yet.
     *
     * @param id its number
     * @param what what is measured
     * @param unit of it
     * @param digits after the point
     */
    Goal(String id, String what, String unit, int digits) {
        this.id = id;
        this.what = what;
        this.unit = unit;
        this.digits = digits;
    }

    /** It is told how it came out and does not bind. */
    Goal reported() {
        reported = true;
        return this;
    }

    /** In a cell it may be at most so much. */
    Goal atMost(Object cell, Estimate value, double limit) {
        return judged(cell, value, "≤ " + number(limit), value.mean() <= limit);
    }

    /** In a cell it is to be at least so much. */
    Goal atLeast(Object cell, Estimate value, double limit) {
        return judged(cell, value, "≥ " + number(limit), value.mean() >= limit);
    }

    private Goal judged(Object cell, Estimate value, String limit, boolean met) {
        String interval = value.hasInterval() && value.halfWidth() > 0 ? " ± " + number(value.halfWidth()) : "";
        measured.add(cell + " " + number(value.mean()) + interval);
        if (!wanted.contains(limit)) {
            wanted.add(limit);
        }
        if (!met) {
            missed.add(cell.toString());
        }
        return this;
    }

    /** Whose time at Legion it costs: owner-seconds an hour, and those of the static order. */
    Goal twin(Series of, Series than) {
        twins.add(seconds(of) + " (" + seconds(than) + ")");
        return this;
    }

    private static String seconds(Series series) {
        return String.format(
                Locale.ROOT, "%.0f", series.estimate(Measure.OWNER_SECONDS).mean());
    }

    private String number(double value) {
        return String.format(Locale.ROOT, "%." + digits + "f", value);
    }

    /** Its number and what is measured. */
    String title() {
        return id + " " + what;
    }

    /** What is wanted, cell by cell where that differs. */
    String wanted() {
        return String.join(" / ", wanted) + unit;
    }

    /** What was measured, cell by cell. */
    String measured() {
        return String.join("; ", measured);
    }

    /** Owner-seconds an hour, cell by cell, those of the static order in brackets. */
    String twins() {
        return String.join("; ", twins);
    }

    /** Whether it is met, and where not. */
    String verdict() {
        String met = missed.isEmpty() ? "met" : "not met: " + String.join(", ", missed);
        return reported ? "reported, " + met : met;
    }
}
