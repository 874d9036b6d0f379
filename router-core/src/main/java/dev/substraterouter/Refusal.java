package dev.substraterouter;

import dev.substraterouter.internal.decide.Decision;
import dev.substraterouter.internal.decide.Revision;
import dev.substraterouter.internal.gate.Decimals;
import dev.substraterouter.internal.plan.Denial;
import dev.substraterouter.internal.plan.RoutePlan;
import dev.substraterouter.trace.Considered;
import dev.substraterouter.trace.RefusalReason;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Why a request was turned down, as codes and figures; the words are made when they are read.
 *
 * @param reason the code
 * @param journey the request
 * @param decision what the last look saw; null when no candidate was looked at
 * @param waiting how many waited in the same places
 * @param capacity how many places there are
 * @param revision the policy's revision
 * @param detail what there is to say beside the candidates; empty when nothing
 */
record Refusal(
        RefusalReason reason,
        Journey journey,
        @Nullable Decision decision,
        int waiting,
        int capacity,
        long revision,
        String detail)
        implements Found {

    static Refusal of(
            RefusalReason reason, Journey journey, @Nullable Decision decision, RoutePlan route, int waiting) {
        long revision = decision == null ? journey.revisionNow() : decision.revision.number;
        return new Refusal(reason, journey, decision, waiting, route.capacity, revision, "");
    }

    static Refusal closed(Journey journey, Engine engine) {
        return new Refusal(
                RefusalReason.CLOSED,
                journey,
                null,
                0,
                0,
                engine.revision().number,
                " (" + engine.name() + " is closed)");
    }

    /** It has no route under a revision: whoever asks may not, or there is no such workload, or mode is BATCH and it has no batch path. */
    static Refusal withoutRoute(Journey journey, Revision revision) {
        if (revision.compiled.route(journey.request()) != null) {
            return noBatchPath(journey, revision);
        }
        Denial denial = revision.compiled.denial(journey.request());
        RefusalReason reason = denial.notAuthorized() ? RefusalReason.NOT_AUTHORIZED : RefusalReason.UNKNOWN_WORKLOAD;
        return new Refusal(reason, journey, null, 0, 0, revision.number, denial.detail());
    }

    /** The host's own authorizer has something against it. */
    static Refusal forbidden(Journey journey, Revision revision, String objection) {
        return new Refusal(RefusalReason.NOT_AUTHORIZED, journey, null, 0, 0, revision.number, ": " + objection);
    }

    private static Refusal noBatchPath(Journey journey, Revision revision) {
        return new Refusal(
                RefusalReason.NO_ELIGIBLE_SUBSTRATE,
                journey,
                null,
                0,
                0,
                revision.number,
                "it has no batch path, and mode is BATCH");
    }

    Optional<Duration> retryAfter() {
        return switch (reason) {
            case QUEUE_FULL, NO_WAIT, WAIT_EXPIRED, OUTRANKED, BEYOND_WAIT ->
                decision == null ? Optional.empty() : Optional.of(decision.retryAfter());
            case NO_ELIGIBLE_SUBSTRATE, NOT_AUTHORIZED, UNKNOWN_WORKLOAD, CLOSED -> Optional.empty();
        };
    }

    RoutingException exception() {
        return switch (reason) {
            case QUEUE_FULL, NO_WAIT, WAIT_EXPIRED, OUTRANKED, BEYOND_WAIT -> new SubstratesBusyException(this);
            case NO_ELIGIBLE_SUBSTRATE -> new NoEligibleSubstrateException(this);
            case NOT_AUTHORIZED -> new NotAuthorizedException(this);
            case UNKNOWN_WORKLOAD -> new UnknownWorkloadException(this);
            case CLOSED -> new RouterClosedException(this);
        };
    }

    String message() {
        String subject = journey.subject();
        return switch (reason) {
            case QUEUE_FULL -> busy("all substrates busy");
            case NO_WAIT -> busy("all substrates busy, and the request does not wait,");
            case WAIT_EXPIRED -> busy("all substrates stayed busy");
            case OUTRANKED -> busy("outranked by another request while all substrates were busy");
            case BEYOND_WAIT -> busy("all substrates are out for longer than the request may wait");
            case NO_ELIGIBLE_SUBSTRATE ->
                "no substrate could ever serve " + subject + " (revision " + revision + ")"
                        + (detail.isEmpty() ? "" : ": " + detail) + candidates();
            case NOT_AUTHORIZED -> "not authorized to ask for " + subject + detail;
            case UNKNOWN_WORKLOAD -> "no workload " + subject + " in revision " + revision + detail;
            case CLOSED -> "the router takes no new work" + detail;
        };
    }

    private String busy(String what) {
        return what + " for " + journey.subject() + " (waiting " + waiting + "/" + capacity + ", waited "
                + Duration.ofNanos(journey.waitedNanos()).toMillis() + " ms, revision " + revision + ")" + candidates()
                + oldestStatus()
                + retryAfter()
                        .map(after -> "; retry after " + Decimals.seconds(after.toNanos()))
                        .orElse("");
    }

    private String candidates() {
        if (decision == null) {
            return "";
        }
        String more = decision.unlisted() == 0 ? "" : "; and " + decision.unlisted() + " more";
        return decision.considered().stream().map(Considered::toString).collect(Collectors.joining("; ", ": ", more));
    }

    private String oldestStatus() {
        long oldest = decision == null ? -1 : decision.oldestStatusNanos();
        return oldest < 0 ? "" : "; oldest status " + Decimals.seconds(oldest);
    }
}
