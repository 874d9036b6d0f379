package dev.substraterouter.policy.cli;

/** How an answer is told; the constants are the words of the command line. */
enum OutputFormat {
    /** For people. */
    text,
    /** For programs. */
    json
}
