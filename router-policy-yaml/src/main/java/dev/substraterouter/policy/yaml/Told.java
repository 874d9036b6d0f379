package dev.substraterouter.policy.yaml;

import dev.substraterouter.internal.yaml.Node;
import dev.substraterouter.policy.PolicyProblem;

/** Tells the warnings about policies in the log, one line each. */
final class Doubts {
    private static final System.Logger LOG = System.getLogger("dev.substraterouter.policy");

    /** The longest line; what a file says is cut, and kept on its line. */
    private static final int MAX_LINE = 1_000;

    private Doubts() {}

    static void log(String source, PolicyCheckup checkup) {
        checkup.warnings().forEach(warning -> log(line(source, warning)));
    }

    @SuppressWarnings({"CatchingUnchecked", "EmptyCatch"})
    private static void log(String line) {
        try {
            LOG.log(System.Logger.Level.WARNING, line);
        } catch (RuntimeException | Error broken) {
            // an appender that throws: no reason to turn a policy down, and nowhere left to say so
        }
    }

    private static String line(String source, PolicyProblem warning) {
        return Node.shortened(source + ":" + warning, MAX_LINE);
    }
}
