package dev.substraterouter.examples.whatif.bounds;

import java.util.List;

/**
 * How fast a machine works over time: constant in each phase, the last of which never ends. Work is counted in seconds at speed 1. Work done
 * up to each phase is kept, so that ends are exact and found without stepping through time. Immutable and thread-safe.
 */
public final class Speeds {
    /** What is never done, seconds; finite, so that sums of such times can still be compared. */
    public static final double NEVER = 1e12;

    private final double[] from;
    private final double[] speed;
    private final double[] done;
    /** The first phase, this one or later, in which jobs may start; -1: there is none. */
    private final int[] open;

    private Speeds(List<Phase> phases) {
        int size = phases.size();
        from = new double[size];
        speed = new double[size];
        done = new double[size];
        open = new int[size];
        for (int at = 0; at < size; at++) {
            from[at] = phases.get(at).fromSeconds();
            speed[at] = phases.get(at).speed();
            done[at] = at == 0 ? 0 : done[at - 1] + (from[at] - from[at - 1]) * speed[at - 1];
        }
        int next = -1;
        for (int at = size - 1; at >= 0; at--) {
            next = phases.get(at).open() ? at : next;
            open[at] = next;
        }
    }

    /**
     * Speeds by phase.
     *
     * @throws IllegalArgumentException unless the first phase begins at 0 and each later than the one before it
     */
    public static Speeds of(List<Phase> phases) {
        if (phases.isEmpty() || phases.get(0).fromSeconds() != 0) {
            throw new IllegalArgumentException("phases " + phases + " (expected: the first begins at 0)");
        }
        for (int at = 1; at < phases.size(); at++) {
            if (!(phases.get(at).fromSeconds() > phases.get(at - 1).fromSeconds())) {
                throw new IllegalArgumentException("phase " + phases.get(at) + " comes after " + phases.get(at - 1)
                        + " (expected: in the order of time)");
            }
        }
        return new Speeds(phases);
    }

    /** Always the same speed, and jobs may always start. */
    public static Speeds constant(double speed) {
        return of(List.of(new Phase(0, speed, true)));
    }

    /**
     * A time of constant speed, up to the next one.
     *
     * @param fromSeconds when it begins, from the beginning of the run
     * @param speed seconds of work done in a second, 0 or more
     * @param open whether jobs may start
     */
    public record Phase(double fromSeconds, double speed, boolean open) {
        /** Checks the figures. */
        public Phase {
            if (!(fromSeconds >= 0 && fromSeconds < NEVER && speed >= 0 && speed <= 1e9)) {
                throw new IllegalArgumentException("phase from " + fromSeconds + " s of speed " + speed
                        + " (expected: from 0 s on, of a speed of 0 to 1e9)");
            }
        }
    }

    /** When work is done that starts as soon as it may from a moment on; {@link #NEVER} if it never may or never ends. */
    public double finish(double readySeconds, double work) {
        int phase = phaseAt(readySeconds);
        int first = open[phase];
        if (first < 0) {
            return NEVER;
        }
        return progress(first, first == phase ? readySeconds : from[first], work);
    }

    /** When work is done that starts at a moment whether it may or not; {@link #NEVER} if it never ends. */
    public double finishUngated(double startSeconds, double work) {
        return progress(phaseAt(startSeconds), startSeconds, work);
    }

    /** The first moment, this one or later, at which a job may start; {@link #NEVER} if there is none. */
    public double nextOpen(double seconds) {
        int phase = phaseAt(seconds);
        int first = open[phase];
        if (first < 0) {
            return NEVER;
        }
        return first == phase ? seconds : from[first];
    }

    /** The work done from one moment to another. */
    public double work(double fromSeconds, double toSeconds) {
        return workUntil(toSeconds) - workUntil(fromSeconds);
    }

    /** The speed at a moment. */
    public double at(double seconds) {
        return speed[phaseAt(seconds)];
    }

    int phases() {
        return from.length;
    }

    double phaseFrom(int phase) {
        return from[phase];
    }

    private double workUntil(double seconds) {
        int phase = phaseAt(seconds);
        return done[phase] + (seconds - from[phase]) * speed[phase];
    }

    private double progress(int first, double start, double work) {
        if (start >= NEVER) {
            return NEVER;
        }
        int phase = first;
        double at = start;
        double left = work;
        while (phase + 1 < from.length) {
            double here = (from[phase + 1] - at) * speed[phase];
            if (left <= here) {
                break;
            }
            left -= here;
            phase++;
            at = from[phase];
        }
        return speed[phase] > 0 ? Math.min(NEVER, at + left / speed[phase]) : left > 0 ? NEVER : at;
    }

    private int phaseAt(double seconds) {
        int low = 0;
        int high = from.length - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (from[middle] <= seconds) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }
}
