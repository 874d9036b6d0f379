package dev.substraterouter.examples.whatif;

import dev.substraterouter.examples.whatif.compare.Comparison;
import dev.substraterouter.examples.whatif.compare.Figures;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.function.LongSupplier;

/** Says now and then how far a long comparison is: nothing in the first seconds, then a line at most every few. Not thread-safe. */
final class ProgressLines implements Comparison.Progress {
    private static final long EVERY_NANOS = Duration.ofSeconds(3).toNanos();

    private static final double LEAST_DONE = 0.03;

    private final PrintWriter out;
    private final LongSupplier nanoTime;
    private final long begin;
    private long last;

    ProgressLines(PrintWriter out, LongSupplier nanoTime) {
        this.out = out;
        this.nanoTime = nanoTime;
        this.begin = nanoTime.getAsLong();
        this.last = begin;
    }

    @Override
    public void at(String name, double load, long seed, double done) {
        long now = nanoTime.getAsLong();
        if (now - last >= EVERY_NANOS) {
            last = now;
            out.printf(
                    Locale.ROOT,
                    "%3.0f %%  %s, load %s, seed %d%s%n",
                    100 * done,
                    name,
                    Figures.setting(load),
                    seed,
                    left(now - begin, done));
            out.flush();
        }
    }

    /** How long the rest takes if it goes on as so far; nothing while too little is done to tell. */
    private static String left(long nanos, double done) {
        if (done < LEAST_DONE) {
            return "";
        }
        double seconds = nanos / 1e9 * (1 - done) / done;
        return seconds < 90
                ? String.format(Locale.ROOT, "; about %.0f s left", seconds)
                : String.format(Locale.ROOT, "; about %.0f min left", seconds / 60);
    }
}
