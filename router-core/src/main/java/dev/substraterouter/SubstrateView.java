package dev.substraterouter;

import dev.substraterouter.policy.SubstrateKind;
import dev.substraterouter.status.SubstrateStatus;
import dev.substraterouter.status.Verdict;
import dev.substraterouter.trace.Finding;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One substrate as it stands now: a snapshot.
 *
 * @param id its id
 * @param kind what sort of place it is
 * @param hardware what it is made of, for people
 * @param capabilities what it can do
 * @param codebases the codebases it holds
 * @param status what it last said, by whichever source was the last; empty when it never said anything
 * @param statusAge how old that is
 * @param sources what each source last said, the newest first; those that had been silent for too
 *     long when another one spoke are left out
 * @param verdict whether work may go there now, apart from what a job needs
 * @param reasons everything that speaks against it now
 * @param suspicions why its statuses are not to be believed, a sentence each; empty when nothing speaks against them. A suspicion opens and
 *     closes nothing: it is for whoever looks after the substrate
 * @param leases the router's own leases there, those included whose work may still run
 * @param maxConcurrentJobs how many jobs may run there at once; {@link Integer#MAX_VALUE} without a limit
 * @param ejectedUntil until when it is out after faults; empty when it is not, or when only its trial is awaited
 * @param lastError the sort of its newest fault, the name of its class; empty when there was none
 * @param cordoned whether an operator has taken it out
 * @param availability the share of the watched time in which it passed its gate, 0 to 1; empty before anything was watched
 */
public record SubstrateView(
        String id,
        SubstrateKind kind,
        Optional<String> hardware,
        List<String> capabilities,
        List<String> codebases,
        Optional<SubstrateStatus> status,
        Optional<Duration> statusAge,
        List<SourceStatus> sources,
        Verdict verdict,
        List<Finding> reasons,
        List<String> suspicions,
        int leases,
        int maxConcurrentJobs,
        Optional<Instant> ejectedUntil,
        Optional<String> lastError,
        boolean cordoned,
        OptionalDouble availability) {
    /** Copies the lists. */
    public SubstrateView {
        capabilities = List.copyOf(capabilities);
        codebases = List.copyOf(codebases);
        sources = List.copyOf(sources);
        reasons = List.copyOf(reasons);
        suspicions = List.copyOf(suspicions);
    }
}
