package dev.substraterouter.metrics;

/** The library's log, as its own package writes it: what an appender throws hurts nobody. Thread-safe. */
final class Log {
    private static final System.Logger LOG = System.getLogger("dev.substraterouter");

    private Log() {}

    @SuppressWarnings({"CatchingUnchecked", "EmptyCatch"})
    static void warning(String text, Throwable t) {
        try {
            LOG.log(System.Logger.Level.WARNING, text, t);
        } catch (RuntimeException | Error broken) {
            // there is nowhere left to say so
        }
    }
}
