package dev.substraterouter.batch;

import dev.substraterouter.Placement;
import dev.substraterouter.RankedCandidate;
import dev.substraterouter.Recommendation;
import dev.substraterouter.RouterClosedException;
import dev.substraterouter.RoutingException;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.SubstratesBusyException;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.trace.Reason;
import java.util.Optional;
import java.util.Set;

/**
 * The places that the router has now, never a waiting one. It is asked for a recommendation first, which leaves no trace of the many times that
 * the answer is no. Thread-safe.
 */
final class Places {
    /** What no waiting ends. */
    private static final Set<Reason> FOR_GOOD = Set.of(Reason.TOO_SMALL, Reason.AVOIDED);
    /** A workload that no policy has: whoever asks for it learns whether the router is closed, and costs it nothing else. */
    private static final RouteRequest NOTHING = RouteRequest.workload("(is the router closed?)");

    private final SubstrateRouter router;

    Places(SubstrateRouter router) {
        this.router = router;
    }

    /** Whether the router is closed. */
    boolean closed() {
        try {
            router.recommend(NOTHING);
            return false;
        } catch (RouterClosedException closed) {
            return true;
        } catch (RoutingException open) {
            return false;
        }
    }

    /**
     * The answer to a request.
     *
     * @return empty when there is no place now
     * @throws RoutingException when there could never be one
     */
    Optional<Placement> place(RouteRequest request) {
        try {
            return busy(request) ? Optional.empty() : router.tryPlace(request);
        } catch (SubstratesBusyException busy) {
            return Optional.empty();
        }
    }

    /** A place anywhere but at one substrate; empty when there is none now, or could never be. */
    Optional<Placement> placeElsewhere(RouteRequest request, String substrateId) {
        RouteRequest elsewhere = request.avoid(substrateId);
        try {
            return router.recommend(elsewhere).best().isEmpty() ? Optional.empty() : router.tryPlace(elsewhere);
        } catch (RoutingException none) {
            return Optional.empty();
        }
    }

    /**
     * Checks that a request could be placed at some time.
     *
     * @throws RoutingException when it could not
     */
    void check(RouteRequest request) {
        Recommendation now = router.recommend(request);
        if (now.candidates().stream().allMatch(Places::forGood)) {
            router.tryPlace(request).ifPresent(Placement::close);
        }
    }

    /** Whether there is no place now but could be later; what could never be placed is left to be refused, with a trace of its own. */
    private boolean busy(RouteRequest request) {
        try {
            Recommendation now = router.recommend(request);
            return now.best().isEmpty() && !now.candidates().stream().allMatch(Places::forGood);
        } catch (RoutingException never) {
            return false;
        }
    }

    private static boolean forGood(RankedCandidate candidate) {
        return candidate.reasons().stream().anyMatch(finding -> FOR_GOOD.contains(finding.reason()));
    }
}
