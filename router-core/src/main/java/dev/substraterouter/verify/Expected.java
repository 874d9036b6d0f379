package dev.substraterouter.verify;

import dev.substraterouter.model.Measure;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.HealthLimits;
import dev.substraterouter.policy.OnStale;
import dev.substraterouter.policy.PinGate;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.verify.Constraints.Offer;
import java.time.Duration;
import java.util.Set;

/**
 * What a substrate that stands in some way means for a request, by the words of the design and nothing of what decides: the other side of
 * the verification. Not thread-safe.
 */
final class Expected {
    private final Policy policy;
    private final Case subject;
    private final boolean factsOnly;

    Expected(Stage stage, Case subject) {
        this.policy = stage.policy;
        this.subject = subject;
        this.factsOnly = stage.constraints
                .workload(subject.request())
                .filter(workload -> workload.pin().isPresent() && workload.pinGate() == PinGate.FACTS)
                .isPresent();
    }

    /** What it means. */
    enum Effect {
        /** It may be taken. */
        OPEN,
        /** Not now; it may come at any moment. */
        LATER,
        /** Not until a known moment. */
        AT_A_TIME,
        /** Not by this request, whatever happens. */
        NEVER
    }

    /**
     * What it means for one candidate.
     *
     * @param satisfies whether the candidate satisfies every constraint
     */
    Effect of(Stand stand, Offer offer, boolean satisfies) {
        if (!satisfies) {
            return Effect.NEVER;
        }
        Effect extra = extra(stand.extra());
        if (extra != Effect.OPEN) {
            return extra;
        }
        if (stand.outNanos() > 0) {
            return Effect.AT_A_TIME;
        }
        boolean closed = overflowLater(offer) || closed(stand, offer) || noSlot(stand, offer);
        return closed ? Effect.LATER : Effect.OPEN;
    }

    private Effect extra(Stand.Extra extra) {
        return switch (extra) {
            case NOTHING -> Effect.OPEN;
            case AVOIDED, FAILED_BEFORE -> Effect.NEVER;
            case TOLD_TO_WAIT -> Effect.AT_A_TIME;
            case CLAIMED -> Effect.LATER;
            case WANTED -> subject.priority() == Priority.LOW && !aged() ? Effect.LATER : Effect.OPEN;
        };
    }

    private boolean aged() {
        return subject.waited().compareTo(policy.queue().agesAfter()) >= 0;
    }

    private boolean overflowLater(Offer offer) {
        return offer.substrate().overflow() && subject.waited().compareTo(overflowAfter(subject.request())) < 0;
    }

    private Duration overflowAfter(RouteRequest request) {
        return request.need().isPresent()
                ? Duration.ZERO
                : policy.workload(request.workload())
                        .map(Workload::overflowAfter)
                        .orElse(Duration.ZERO);
    }

    /** HIGH may take every slot; others leave those that are kept for it. */
    private boolean noSlot(Stand stand, Offer offer) {
        if (offer.substrate().maxConcurrentJobs().isEmpty()) {
            return false;
        }
        boolean ofOthers = stand.standing().reason().isPresent() && ignores(offer, Measure.RUNNING_JOBS);
        int taken = ofOthers && stand.state().jobs(Stage.NOW) == 0 ? 0 : stand.jobs();
        int kept = subject.priority() == Priority.HIGH ? 0 : offer.substrate().reserveForHigh();
        return taken + 1 > offer.substrate().maxConcurrentJobs().getAsInt() - kept;
    }

    /** Whether what it says of itself, or what is known of it, closes it to this candidate. */
    private boolean closed(Stand stand, Offer offer) {
        if (stand.free()) {
            return false;
        }
        HealthLimits limits = limits(offer);
        Set<Measure> required = policy.health().requiredOn(offer.substrate());
        boolean needsStatus = required.stream().anyMatch(measure -> !ignores(offer, measure))
                || !limits.requireAttributes().isEmpty();
        return switch (stand.standing().reason().orElseThrow()) {
            case NO_STATUS -> needsStatus;
            case STALE_STATUS -> needsStatus && limits.onStale() != OnStale.HOLD;
            case GPU_UTIL -> !factsOnly && !ignores(offer, Measure.GPU_UTIL);
            case GPU_TEMP -> !factsOnly && !ignores(offer, Measure.GPU_TEMP);
            case NO_SINGLE_GPU -> !factsOnly && eachGpuCloses(offer);
            case VRAM -> needsMemory(offer) && !ignores(offer, Measure.VRAM);
            case UNKNOWN_MEASURE -> unknownCloses(stand, offer);
            case RUNNING_JOBS, RESERVED_FOR_HIGH -> false; // by the slots
            case WAITERS_AHEAD -> false; // those it concerns are kept out by it before
            default -> true;
        };
    }

    /** One of them is busy, the others are hot, and each has room. */
    private boolean eachGpuCloses(Offer offer) {
        return !offer.candidate().spansGpus()
                && !ignores(offer, Measure.VRAM)
                && !ignores(offer, Measure.GPU_UTIL)
                && !ignores(offer, Measure.GPU_TEMP);
    }

    private boolean unknownCloses(Stand stand, Offer offer) {
        for (Measure measure : Measure.values()) {
            if (stand.standing().words().startsWith(measure + " ")) {
                boolean noise = measure == Measure.GPU_UTIL || measure == Measure.GPU_TEMP;
                return !ignores(offer, measure) && !(noise && factsOnly);
            }
        }
        throw new IllegalStateException("no measure: " + stand.standing());
    }

    private boolean needsMemory(Offer offer) {
        double needed = offer.candidate()
                .vramGb()
                .orElse(subject.request()
                        .need()
                        .map(need -> need.vramGb().orElse(0))
                        .orElseGet(() -> policy.workload(subject.request().workload())
                                .map(workload -> workload.vramGb().orElse(0))
                                .orElse(0.0)));
        return needed > 0;
    }

    private boolean ignores(Offer offer, Measure measure) {
        return limits(offer).ignore().contains(measure);
    }

    private HealthLimits limits(Offer offer) {
        return offer.substrate().health().map(own -> own.over(policy.health())).orElse(policy.health());
    }
}
