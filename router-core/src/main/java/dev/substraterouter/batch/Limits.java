package dev.substraterouter.batch;

import java.time.Duration;

/**
 * What bounds a dispatcher.
 *
 * @param name who claims
 * @param every how often it looks for due jobs when nothing else makes it look
 * @param claimFor how long a claim lasts unless renewed
 * @param maxAttempts how many attempts a job has
 * @param maxRunning how many jobs it runs at once
 * @param refusedFor how long a job that is refused for good is kept
 * @param backoff how long a job pauses between attempts
 */
record Limits(
        String name,
        Duration every,
        Duration claimFor,
        int maxAttempts,
        int maxRunning,
        Duration refusedFor,
        Backoff backoff) {
    /** How many attempts a job has: work that must not run twice has one. */
    int attempts(BatchJob job) {
        return job.request().idempotent() ? maxAttempts : 1;
    }
}
