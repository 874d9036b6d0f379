package dev.substraterouter;

import dev.substraterouter.internal.decide.Ask;
import dev.substraterouter.model.FaultKind;
import dev.substraterouter.model.RouteRequest;
import java.time.Duration;

/**
 * Runs work where it is placed, and elsewhere when a substrate fails it: the one owner of retries.
 *
 * <p>Each substrate is tried at most once after a node fault; one that said it is full at the earliest after its word, never sooner than
 * a second. All waiting of a request comes out of one budget. After {@link Placement#commit} nothing is tried again.
 */
final class Failover {
    private static final long LEAST_BUSY_NANOS = Duration.ofSeconds(1).toNanos();

    private final Engine engine;

    Failover(Engine engine) {
        this.engine = engine;
    }

    <T, X extends Exception> T call(RouteRequest request, Work<T, X> work) throws X, InterruptedException {
        Journey journey = engine.beginCall(request);
        Ask ask = journey.ask();
        HeldPlacement placement = engine.placing().place(journey, ask, true);
        while (true) {
            try {
                T answer = work.run(placement);
                placement.succeed();
                journey.end();
                return answer;
            } catch (Throwable t) {
                FaultKind kind = placement.failed(t, interrupted(t));
                if (!goesOn(kind, placement, request)) {
                    journey.end();
                    throw t;
                }
                ask = after(ask, kind, placement, t);
                try {
                    placement = engine.placing().place(journey, ask, true);
                } catch (RoutingException | InterruptedException none) {
                    journey.end();
                    if (none instanceof InterruptedException interrupt) {
                        interrupt.addSuppressed(t);
                        throw interrupt;
                    }
                    t.addSuppressed(none);
                    throw t;
                }
            }
        }
    }

    /** Whether another substrate may be tried. */
    static boolean goesOn(FaultKind kind, HeldPlacement placement, RouteRequest request) {
        if (placement.committed()) {
            return false;
        }
        return switch (kind) {
            case NODE_NOT_STARTED, BUSY -> true;
            case NODE -> request.idempotent();
            case NEUTRAL, REQUEST -> false;
        };
    }

    /** What the request asks after a substrate has failed it. */
    Ask after(Ask ask, FaultKind kind, HeldPlacement placement, Throwable t) {
        String id = placement.substrateId();
        if (kind != FaultKind.BUSY) {
            return ask.without(id);
        }
        long wait = Math.max(LEAST_BUSY_NANOS, engine.busyNanos(t, placement.decision().revision));
        return ask.notBefore(id, engine.time().nanos() + wait);
    }

    @SuppressWarnings("CatchingUnchecked") // a failure that cannot tell its cause must not keep a lease from ending
    private static boolean interrupted(Throwable t) {
        boolean told;
        try {
            told = StandardFaultClassifier.interruption(StandardFaultClassifier.unwrapped(t));
        } catch (Throwable unspeakable) {
            told = false;
        }
        return told || Thread.currentThread().isInterrupted();
    }
}
