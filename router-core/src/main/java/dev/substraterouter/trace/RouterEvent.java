package dev.substraterouter.trace;

import dev.substraterouter.model.FaultKind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Something that happened in a router: ids and figures only, never content. */
public sealed interface RouterEvent {
    /**
     * A request was placed.
     *
     * @param requestId the request
     * @param workload what was asked for
     * @param substrateId where it went
     * @param attempt the attempt's number, from 1
     * @param waited how long it had waited
     * @param revision the policy's revision that decided
     */
    record Placed(String requestId, String workload, String substrateId, int attempt, Duration waited, long revision)
            implements RouterEvent {}

    /**
     * A request was placed elsewhere than on its primary.
     *
     * @param requestId the request
     * @param workload what was asked for
     * @param primaryId the substrate it should have gone to
     * @param substrateId where it went
     * @param why why the primary was not taken
     */
    record FellBack(String requestId, String workload, String primaryId, String substrateId, List<Finding> why)
            implements RouterEvent {
        /** Copies the list. */
        public FellBack {
            why = List.copyOf(why);
        }
    }

    /**
     * After falling back, a workload is served by its primary again.
     *
     * @param workload the workload
     * @param substrateId its primary
     */
    record Recovered(String workload, String substrateId) implements RouterEvent {}

    /**
     * A request waits.
     *
     * @param requestId the request
     * @param workload what was asked for
     * @param waiting how many wait in the same places, with this one
     * @param capacity how many places there are
     */
    record Queued(String requestId, String workload, int waiting, int capacity) implements RouterEvent {}

    /**
     * A request was turned down.
     *
     * @param requestId the request
     * @param workload what was asked for
     * @param reason why
     * @param message why in words, with the numbers
     */
    record Refused(String requestId, String workload, RefusalReason reason, String message) implements RouterEvent {}

    /**
     * Placed work failed.
     *
     * @param requestId the request
     * @param workload what was asked for
     * @param substrateId where it failed
     * @param kind whose fault it was
     * @param error the sort of failure, the name of its class
     */
    record Failed(String requestId, String workload, String substrateId, FaultKind kind, String error)
            implements RouterEvent {}

    /**
     * A substrate was taken out after faults.
     *
     * @param substrateId the substrate
     * @param rule the rule that tripped, for example {@code "consecutive faults"}
     * @param observed what was counted
     * @param limit from where on the rule trips
     * @param window for how long it is out
     * @param error the sort of the last failure, the name of its class; empty for a trial that stayed silent
     */
    record Ejected(String substrateId, String rule, int observed, int limit, Duration window, Optional<String> error)
            implements RouterEvent {}

    /**
     * The one trial of a substrate that was out began.
     *
     * @param substrateId the substrate
     */
    record TrialStarted(String substrateId) implements RouterEvent {}

    /**
     * A substrate is back.
     *
     * @param substrateId the substrate
     * @param byOperator whether an operator brought it back
     */
    record Returned(String substrateId, boolean byOperator) implements RouterEvent {}

    /**
     * A lease is open for much longer than its work was expected to take. It is never taken away.
     *
     * @param substrateId where
     * @param requestId the request that holds it
     * @param workload its workload
     * @param open for how long
     * @param limit from when on that is reported
     */
    record LeaseOverdue(String substrateId, String requestId, String workload, Duration open, Duration limit)
            implements RouterEvent {}

    /**
     * A new policy is in force.
     *
     * @param revision its revision
     */
    record Reloaded(long revision) implements RouterEvent {}

    /**
     * A new policy could not be used; the last good one stays in force.
     *
     * @param revision the revision that stays in force
     * @param problems what is wrong, a sentence each
     */
    record ReloadRejected(long revision, List<String> problems) implements RouterEvent {
        /** Copies the list. */
        public ReloadRejected {
            problems = List.copyOf(problems);
        }
    }

    /**
     * The work of a workload takes a different time on a substrate than the policy says, by more than its factor. Told once, until it takes
     * the declared time again.
     *
     * @param workload the workload
     * @param substrateId the substrate
     * @param declared how long the policy expects it to take
     * @param observed the median of the last successes
     * @param n how many successes that is
     */
    record Drifted(String workload, String substrateId, Duration declared, Duration observed, int n)
            implements RouterEvent {}

    /**
     * A substrate's status has become too old.
     *
     * @param substrateId the substrate
     * @param age how old it is
     * @param error why the last question got no answer; empty when none failed
     */
    record StatusLost(String substrateId, Duration age, Optional<String> error) implements RouterEvent {}

    /**
     * A source's statuses tell of no job on a substrate although the router's own work runs there: they are not to be believed. The
     * router's own count holds in any case, and nothing is placed differently by this. Told once, until that source tells of a job.
     *
     * @param substrateId the substrate
     * @param suspicion what is odd about the statuses, in words, with the source and the numbers
     */
    record StatusSuspect(String substrateId, String suspicion) implements RouterEvent {}
}
