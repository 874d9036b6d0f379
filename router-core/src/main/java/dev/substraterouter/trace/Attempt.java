package dev.substraterouter.trace;

import dev.substraterouter.model.DegradedReason;
import dev.substraterouter.model.PlacementMode;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;

/**
 * One placement of a request and what came of it.
 *
 * @param number counted from 1
 * @param considered the candidates looked at up to the one that was taken, of many the first, with why those before it were not taken
 * @param substrateId the substrate that was taken
 * @param external whether it is somebody else's endpoint
 * @param endpoint where the work went; empty: the host serves it itself
 * @param model the model that ran: what the candidate declares, or what the host said really ran
 * @param version its version, likewise
 * @param format its format, as declared
 * @param mode live or batch
 * @param path by which way: the primary, a fallback, overflow or batch
 * @param gpu the GPU on which it was booked; empty when not booked on a single one
 * @param degraded in what way it is less than the primary as declared
 * @param revision the policy's revision that decided
 * @param waited how long the request had waited in the queue until then, over all its attempts
 * @param latency from placement to outcome; empty while open
 * @param cost what its compute has cost by the policy's figures and the time it took; empty while open or without figures
 * @param outcome how it ended
 * @param error the failure in words; empty when there was none
 */
public record Attempt(
        int number,
        List<Considered> considered,
        String substrateId,
        boolean external,
        Optional<URI> endpoint,
        Optional<String> model,
        Optional<String> version,
        Optional<String> format,
        PlacementMode mode,
        ServingPath path,
        OptionalInt gpu,
        Set<DegradedReason> degraded,
        long revision,
        Duration waited,
        Optional<Duration> latency,
        OptionalDouble cost,
        Outcome outcome,
        Optional<String> error) {
    /** Copies the collections. */
    public Attempt {
        considered = List.copyOf(considered);
        degraded = Set.copyOf(degraded);
        Objects.requireNonNull(substrateId, "substrateId");
        Objects.requireNonNull(outcome, "outcome");
    }
}
