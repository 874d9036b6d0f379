package dev.substraterouter.batch;

import org.jspecify.annotations.Nullable;

/** The batch path's log. What an appender throws hurts nobody. Thread-safe. */
final class BatchLog {
    private static final System.Logger LOG = System.getLogger("dev.substraterouter.batch");

    private BatchLog() {}

    static void debug(String text, @Nullable Throwable t) {
        log(System.Logger.Level.DEBUG, text, t);
    }

    static void info(String text) {
        log(System.Logger.Level.INFO, text, null);
    }

    /** One line; where it came from is for whoever debugs. */
    static void warning(String text, Throwable t) {
        log(System.Logger.Level.WARNING, text + " (" + t.getClass().getName() + ")", null);
        log(System.Logger.Level.DEBUG, text, t);
    }

    @SuppressWarnings({"CatchingUnchecked", "EmptyCatch"})
    private static void log(System.Logger.Level level, String text, @Nullable Throwable t) {
        try {
            LOG.log(level, text, t);
        } catch (RuntimeException | Error broken) {
            // there is nowhere left to say so
        }
    }
}
