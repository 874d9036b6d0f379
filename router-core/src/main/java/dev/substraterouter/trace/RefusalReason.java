package dev.substraterouter.trace;

/** Why a request was turned down. */
public enum RefusalReason {
    /** All substrates are busy and so are all waiting places. */
    QUEUE_FULL,
    /** All substrates are busy and the request does not wait. */
    NO_WAIT,
    /** It waited its time and nothing came free. */
    WAIT_EXPIRED,
    /**
     * It gave its waiting place to a request of a higher priority or, where waiters are served by deadlines and it can no longer meet its
     * own, to one of the same priority that can.
     */
    OUTRANKED,
    /** Every candidate is out until a known time that lies beyond the request's wait. */
    BEYOND_WAIT,
    /** No substrate could ever serve it. */
    NO_ELIGIBLE_SUBSTRATE,
    /** Who asks may not ask for this. */
    NOT_AUTHORIZED,
    /** The policy has no such workload. */
    UNKNOWN_WORKLOAD,
    /** The router takes no new work. */
    CLOSED
}
