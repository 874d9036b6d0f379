package dev.substraterouter;

import dev.substraterouter.trace.TraceContext;
import org.jspecify.annotations.Nullable;

/** Asks the host in which trace of its own a request is made. Whatever it does, the request goes on. */
final class TraceIds {
    private TraceIds() {}

    /** The id of the host's trace; null: there is none, or none that can be kept. */
    @SuppressWarnings("CatchingUnchecked") // foreign code
    static @Nullable String of(TraceContext context) {
        try {
            String id = context.traceId();
            return id == null || none(id) ? null : bounded(id);
        } catch (Throwable broken) {
            Log.warning("the trace context threw; the request has no trace id", broken);
            return null;
        }
    }

    private static @Nullable String bounded(String id) {
        if (id.length() <= TraceContext.MAX_LENGTH) {
            return id;
        }
        Log.warning(
                "trace id of " + id.length() + " characters is left out (expected: at most " + TraceContext.MAX_LENGTH
                        + ")",
                null);
        return null;
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
