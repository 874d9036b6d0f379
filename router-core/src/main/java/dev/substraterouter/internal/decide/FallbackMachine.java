package dev.substraterouter.internal.decide;

import dev.substraterouter.model.PlacementMode;
import dev.substraterouter.model.Priority;

/**
 * What happens to a request, given what is admissible.
 *
 * <pre>
 *  primary     a fallback   could any    may it   all out beyond   a place or one      answer
 *  admissible  admissible   ever come?   wait?    its wait?        of lower priority?
 *  ----------  -----------  ----------   ------   --------------   -----------------   ---------------------
 *  yes         -            -            -        -                -                   PRIMARY
 *  no          yes          -            -        -                -                   FALLBACK
 *  no          no           no           -        -                -                   REFUSE_NEVER
 *  no          no           yes          no       -                -                   REFUSE_NOW
 *  no          no           yes          yes      yes              -                   REFUSE_BEYOND_WAIT
 *  no          no           yes          yes      no               a place             WAIT
 *  no          no           yes          yes      no               one of lower p.     WAIT_IN_ITS_PLACE
 *  no          no           yes          yes      no               neither             REFUSE_FULL
 * </pre>
 *
 * <p>Two ways lead around it. Under {@code earliest-finish} a request may wait although one is admissible, but only in a free place and for
 * one that finishes so much earlier ({@link Holding}); without a place it takes the one that is admissible. A request of low priority that
 * is content with either mode takes the batch path, if that is admissible, before it would wait or be refused.
 *
 * <p>There is no state in which nothing is answered, and none in which a request is refused while a candidate is admissible. Who waits is
 * looked at again at every event that could change the answer; when the primary recovers, the next request goes there, because every
 * request starts at the top.
 */
public final class FallbackMachine {
    private FallbackMachine() {}

    /** What happens. */
    public enum Answer {
        /** It is placed on the primary. */
        PRIMARY,
        /** It is placed on the first admissible candidate after the primary. */
        FALLBACK,
        /** It waits in a free place. */
        WAIT,
        /** It waits in the place of one of a lower priority, which is refused. */
        WAIT_IN_ITS_PLACE,
        /** Refused: nothing could ever serve it. */
        REFUSE_NEVER,
        /** Refused: it does not wait. */
        REFUSE_NOW,
        /** Refused: everything is out until after its wait. */
        REFUSE_BEYOND_WAIT,
        /** Refused: every place is taken. */
        REFUSE_FULL
    }

    /** Who may make room for a request in the queue. */
    public enum Room {
        /** A place is free. */
        FREE,
        /** Every place is taken, one of them by somebody of a strictly lower priority. */
        BY_DISPLACING,
        /** Every place is taken by somebody of the same or a higher priority. */
        NONE
    }

    /** Whether a request takes the batch path rather than wait: one of low priority that is content with either mode. */
    public static boolean takesBatch(PlacementMode mode, Priority priority) {
        return mode == PlacementMode.EITHER && priority == Priority.LOW;
    }

    /**
     * The answer to a request for which nothing is admissible.
     *
     * @param none the decision that says so
     * @param batchCouldCome whether it takes a batch path that may yet open
     * @param mayWait whether it has wait left
     * @param waitNanos how much
     * @param room who may make room for it
     */
    public static Answer answer(Decision none, boolean batchCouldCome, boolean mayWait, long waitNanos, Room room) {
        boolean beyondWait = !batchCouldCome && none.allOutFor() > waitNanos;
        return answer(false, false, batchCouldCome || none.couldCome(), mayWait, beyondWait, room);
    }

    /**
     * The answer.
     *
     * @param primary whether the primary is admissible
     * @param fallback whether a candidate after it is
     * @param couldCome whether waiting could bring one
     * @param mayWait whether the request has wait left
     * @param beyondWait whether everything is out until a known time after its wait
     * @param room who may make room for it
     */
    public static Answer answer(
            boolean primary, boolean fallback, boolean couldCome, boolean mayWait, boolean beyondWait, Room room) {
        if (primary) {
            return Answer.PRIMARY;
        }
        if (fallback) {
            return Answer.FALLBACK;
        }
        if (!couldCome) {
            return Answer.REFUSE_NEVER;
        }
        if (!mayWait) {
            return Answer.REFUSE_NOW;
        }
        if (beyondWait) {
            return Answer.REFUSE_BEYOND_WAIT;
        }
        return switch (room) {
            case FREE -> Answer.WAIT;
            case BY_DISPLACING -> Answer.WAIT_IN_ITS_PLACE;
            case NONE -> Answer.REFUSE_FULL;
        };
    }
}
