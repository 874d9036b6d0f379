package dev.substraterouter.examples.whatif;

import dev.substraterouter.examples.whatif.compare.Comparison;
import dev.substraterouter.examples.whatif.compare.Entrant;
import dev.substraterouter.examples.whatif.compare.Figures;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.function.LongSupplier;

/** Says now and then how far a long comparison is: nothing in the first seconds, then a line at most every few. Not thread-safe. */
final class ProgressLines implements Comparison.Progress {
    private static final long EVERY_NANOS = Duration.ofSeconds(3).toNanos();

    private final PrintWriter out;
    private final LongSupplier nanoTime;
    private long last;

    ProgressLines(PrintWriter out, LongSupplier nanoTime) {
        this.out = out;
        this.nanoTime = nanoTime;
        this.last = nanoTime.getAsLong();
    }

    @Override
    public void at(Entrant entrant, double load, long seed, double done) {
        long now = nanoTime.getAsLong();
        if (now - last >= EVERY_NANOS) {
            last = now;
            out.printf(
                    Locale.ROOT,
                    "%3.0f %%  %s, load %s, seed %d%n",
                    100 * done,
                    entrant.name(),
                    Figures.setting(load),
                    seed);
            out.flush();
        }
    }
}
