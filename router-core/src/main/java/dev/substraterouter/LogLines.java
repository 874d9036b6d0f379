package dev.substraterouter;

import dev.substraterouter.time.TimeSource;
import dev.substraterouter.trace.Finding;
import dev.substraterouter.trace.RouterEvent;
import dev.substraterouter.trace.RouterListener;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One line in the log for what an operator wants to know, at most five a second of each sort; the next line says how many were left out.
 * Called one event at a time.
 */
final class LogLines implements RouterListener {
    private static final int MOST_PER_SECOND = 5;
    private static final long SECOND = 1_000_000_000;

    private final String router;
    private final TimeSource time;
    private final Map<Class<?>, Rate> rates = new HashMap<>();

    LogLines(String router, TimeSource time) {
        this.router = router;
        this.time = time;
    }

    @Override
    public void on(RouterEvent event) {
        String line = line(event);
        boolean grave = event instanceof RouterEvent.StatusSuspect; // somebody must mend the worker
        if (line == null || (!grave && !Log.tells())) {
            return;
        }
        Rate rate = rates.computeIfAbsent(event.getClass(), sort -> new Rate(time.nanos()));
        int leftOut = rate.take(time.nanos());
        if (leftOut >= 0) {
            String text = router + ": " + line + (leftOut == 0 ? "" : " (and " + leftOut + " more like it)");
            if (grave) {
                Log.warning(text, null);
            } else {
                Log.info(text);
            }
        }
    }

    static @Nullable String line(RouterEvent event) {
        if (event instanceof RouterEvent.FellBack e) {
            String why = e.why().stream().map(Finding::text).collect(Collectors.joining(", "));
            return "'" + e.workload() + "' fell back from " + e.primaryId() + " to " + e.substrateId()
                    + (why.isEmpty() ? "" : ": " + why);
        }
        if (event instanceof RouterEvent.Recovered e) {
            return "'" + e.workload() + "' is back on " + e.substrateId();
        }
        if (event instanceof RouterEvent.Ejected e) {
            return String.format(
                    Locale.ROOT,
                    "%s ejected for %.1f s: %s %d >= %d%s",
                    e.substrateId(),
                    e.window().toNanos() / 1e9,
                    e.rule(),
                    e.observed(),
                    e.limit(),
                    e.error().map(error -> " (" + error + ")").orElse(""));
        }
        if (event instanceof RouterEvent.Refused e) {
            return "refused " + e.requestId() + ": " + e.message();
        }
        if (event instanceof RouterEvent.ReloadRejected e) {
            return "policy rejected, revision " + e.revision() + " stays in force: " + String.join("; ", e.problems());
        }
        if (event instanceof RouterEvent.StatusSuspect e) {
            return "statuses of " + e.substrateId() + " are suspect: " + e.suspicion();
        }
        return null;
    }

    /** How many lines of one sort in the running second. */
    private static final class Rate {
        private long since;
        private int written;
        private int leftOut;

        Rate(long now) {
            since = now;
        }

        /** How many were left out before this line, or -1 when this one is left out too. */
        int take(long now) {
            if (now - since >= SECOND) {
                since = now;
                written = 0;
            }
            if (written == MOST_PER_SECOND) {
                leftOut++;
                return -1;
            }
            written++;
            int before = leftOut;
            leftOut = 0;
            return before;
        }
    }
}
