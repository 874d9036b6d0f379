package dev.substraterouter.examples.quickstart;

import dev.substraterouter.RoutingException;
import dev.substraterouter.model.DegradedReason;
import dev.substraterouter.trace.Attempt;
import dev.substraterouter.trace.Considered;
import dev.substraterouter.trace.RefusalReason;
import dev.substraterouter.trace.RoutingTrace;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What became of a request.
 *
 * @param trace the router's record of it
 * @param refusal why it was turned down; empty when it was served
 * @param took from asking to the answer
 */
record Answer(RoutingTrace trace, Optional<RoutingException> refusal, Duration took) {
    /** Whether a substrate served it. */
    boolean by(String substrateId) {
        return servedBy().equals(Optional.of(substrateId));
    }

    Optional<String> servedBy() {
        return refusal.isPresent() ? Optional.empty() : trace.lastAttempt().map(Attempt::substrateId);
    }

    /** Whether it was served less well than declared. */
    Set<DegradedReason> degraded() {
        return trace.lastAttempt().map(Attempt::degraded).orElse(Set.of());
    }

    boolean failedOver() {
        return trace.attempts().size() > 1;
    }

    boolean waited() {
        return !trace.waited().isZero();
    }

    boolean refusedBecause(RefusalReason reason) {
        return refusal.map(RoutingException::reason).equals(Optional.of(reason));
    }

    /** Why it went where it went. */
    String why() {
        if (refusal.isPresent()) {
            return refusal.get().reason().toString();
        }
        List<Attempt> attempts = trace.attempts();
        if (failedOver()) {
            return attempts.subList(0, attempts.size() - 1).stream()
                    .map(failed -> failed.substrateId() + " failed: " + failed.outcome())
                    .collect(Collectors.joining("; "));
        }
        String passedOver = attempts.stream()
                .flatMap(attempt -> attempt.considered().stream())
                .filter(considered -> !considered.admissible())
                .map(Considered::toString)
                .collect(Collectors.joining("; "));
        return passedOver.isEmpty() ? "primary" : passedOver;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%-9s -> %-11s  waited %4d ms  took %4d ms  %s",
                trace.workload(),
                servedBy().orElse("refused"),
                trace.waited().toMillis(),
                took.toMillis(),
                why());
    }
}
