package dev.substraterouter.batch;

import dev.substraterouter.trace.RoutingTrace;
import java.util.Objects;
import java.util.Optional;

/**
 * Why a job was not done this time.
 *
 * @param reason why, in words
 * @param trace the trace of the run or of the refusal; empty when nothing was asked of the router
 * @param counted whether it counts as an attempt of the job
 */
public record BatchNote(String reason, Optional<RoutingTrace> trace, boolean counted) {
    /** Checks that nothing is null. */
    public BatchNote {
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(trace, "trace");
    }

    /** Whether the router refused the job: its trace is that of a refusal. */
    public boolean refused() {
        return trace.flatMap(RoutingTrace::refusal).isPresent();
    }
}
