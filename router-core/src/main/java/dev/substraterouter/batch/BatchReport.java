package dev.substraterouter.batch;

import dev.substraterouter.trace.Attempt;
import dev.substraterouter.trace.Outcome;
import dev.substraterouter.trace.RoutingTrace;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * What has become of a job so far: a snapshot. Instants are the store's wall clock, for people.
 *
 * @param job the job, with the attempts counted so far
 * @param state where it stands
 * @param queuedAt when it was accepted
 * @param startedAt when its last run began; empty when none has
 * @param endedAt when it ended; empty when it has not
 * @param attempts the trace of every run, and the last of refusals in a row, in order; of many, the last. Of a run under way, and of one that never
 *     reported its end, it is the trace as of its start
 * @param reasons why it was not done so far, in words, in order; of many, the last
 */
public record BatchReport(
        BatchJob job,
        BatchState state,
        Instant queuedAt,
        Optional<Instant> startedAt,
        Optional<Instant> endedAt,
        List<RoutingTrace> attempts,
        List<String> reasons) {
    /** Copies the lists. */
    public BatchReport {
        Objects.requireNonNull(job, "job");
        Objects.requireNonNull(state, "state");
        Objects.requireNonNull(queuedAt, "queuedAt");
        Objects.requireNonNull(startedAt, "startedAt");
        Objects.requireNonNull(endedAt, "endedAt");
        attempts = List.copyOf(attempts);
        reasons = List.copyOf(reasons);
    }

    /** The substrate of the last run; empty when there was none. */
    public Optional<String> substrate() {
        return last(attempt -> Optional.of(attempt.substrateId()));
    }

    /** The model that ran last; empty when there was no run or nobody said. */
    public Optional<String> model() {
        return last(Attempt::model);
    }

    /** The substrate at whose fault the last run ended; empty when it ended otherwise. */
    Optional<String> faulty() {
        return last(attempt ->
                attempt.outcome() == Outcome.NODE_FAULT ? Optional.of(attempt.substrateId()) : Optional.empty());
    }

    private Optional<String> last(Function<Attempt, Optional<String>> figure) {
        for (int at = attempts.size() - 1; at >= 0; at--) {
            Optional<Attempt> attempt = attempts.get(at).lastAttempt();
            if (attempt.isPresent()) {
                return figure.apply(attempt.get());
            }
        }
        return Optional.empty();
    }
}
