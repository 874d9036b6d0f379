package dev.substraterouter.policy.yaml;

import dev.substraterouter.internal.yaml.Node;
import dev.substraterouter.policy.PolicyProblem;
import org.jspecify.annotations.Nullable;

/** The log of policy files. What an appender throws hurts nobody. Thread-safe. */
final class Told {
    private static final System.Logger LOG = System.getLogger("dev.substraterouter.policy");

    /** The longest line; what a file says is cut, and kept on its line. */
    private static final int MAX_LINE = 1_000;

    private Told() {}

    /** Tells the warnings about a policy, one line each. */
    static void warnings(String source, PolicyCheckup checkup) {
        for (PolicyProblem warning : checkup.warnings()) {
            log(System.Logger.Level.WARNING, source + ":" + warning, null);
        }
    }

    static void warning(String text, Throwable t) {
        log(System.Logger.Level.WARNING, text, t);
    }

    static void debug(String text, Throwable t) {
        log(System.Logger.Level.DEBUG, text, t);
    }

    @SuppressWarnings({"CatchingUnchecked", "EmptyCatch"})
    private static void log(System.Logger.Level level, String text, @Nullable Throwable t) {
        try {
            LOG.log(level, Node.shortened(text, MAX_LINE), t);
        } catch (RuntimeException | Error broken) {
            // there is nowhere left to say so
        }
    }
}
