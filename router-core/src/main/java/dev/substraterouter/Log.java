package dev.substraterouter;

import org.jspecify.annotations.Nullable;

/** The library's log, looked up when the first line is told. What an appender throws hurts nobody. Thread-safe. */
final class Log {
    private static final System.Logger LOG = System.getLogger("dev.substraterouter");

    private Log() {}

    /** Whether anybody reads what is told for information. */
    static boolean tells() {
        return LOG.isLoggable(System.Logger.Level.INFO);
    }

    static void info(String text) {
        log(System.Logger.Level.INFO, text, null);
    }

    static void debug(String text, @Nullable Throwable t) {
        log(System.Logger.Level.DEBUG, text, t);
    }

    static void warning(String text, @Nullable Throwable t) {
        log(System.Logger.Level.WARNING, text, t);
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
