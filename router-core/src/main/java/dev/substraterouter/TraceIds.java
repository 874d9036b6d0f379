package dev.substraterouter;

import dev.substraterouter.time.TimeSource;
import dev.substraterouter.trace.TraceContext;
import org.jspecify.annotations.Nullable;

/** Asks the host in which trace of its own a request is made. Whatever it does, the request goes on. Thread-safe. */
final class TraceIds {
    private static final int LINES = 5;

    private final TraceContext context;
    private final TimeSource time;
    private final Pace lines;

    TraceIds(TraceContext context, TimeSource time) {
        this.context = context;
        this.time = time;
        this.lines = new Pace(LINES, time);
    }

    /** The id of the host's trace; null: there is none, or none that can be kept. */
    @SuppressWarnings("CatchingUnchecked") // foreign code
    @Nullable
    String current() {
        try {
            String id = context.traceId();
            return id == null || none(id) ? null : bounded(id);
        } catch (Throwable broken) {
            tell("the trace context threw; the request has no trace id", broken);
            return null;
        }
    }

    private @Nullable String bounded(String id) {
        if (id.length() <= TraceContext.MAX_LENGTH) {
            return id;
        }
        tell(
                "trace id left out: " + id.length() + " characters (expected: at most " + TraceContext.MAX_LENGTH + ")",
                null);
        return null;
    }

    private void tell(String line, @Nullable Throwable broken) {
        if (lines.lets(time.nanos())) {
            Log.warning(line, broken);
        }
    }

    private static boolean none(String id) {
        for (int at = 0; at < id.length(); at++) {
            if (id.charAt(at) != '0') {
                return false;
            }
        }
        return true;
    }
}
