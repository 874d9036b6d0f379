package dev.substraterouter.trace;

/** Why a candidate was not taken, or what is to be known about how it was taken. */
public enum Reason {
    /** It never said anything of itself. */
    NO_STATUS,
    /** What it last said is too old. */
    STALE_STATUS,
    /** It says, or is known, not to be ready for work. */
    NOT_READY,
    /** A measure that must be known is unknown. */
    UNKNOWN_MEASURE,
    /** The utilisation by others is at or above the limit, or was and has not fallen enough yet. */
    GPU_UTIL,
    /** The temperature is at or above the limit, or was and has not fallen enough yet. */
    GPU_TEMP,
    /** Not enough free GPU memory now. */
    VRAM,
    /** Every job slot is taken. */
    RUNNING_JOBS,
    /** No single GPU passes utilisation, temperature and memory together. */
    NO_SINGLE_GPU,
    /** A required attribute is absent or has another value. */
    ATTRIBUTE,
    /** A predicate of the host said no. */
    HEALTH_PREDICATE,
    /** The worker said that it is full. */
    BUSY,
    /** Out after faults, until a known time. */
    EJECTED,
    /** Out after faults; its one trial runs. */
    TRIAL_RUNNING,
    /** Back after faults; its share is used up for now. */
    RAMP,
    /** Its address is out of the declared scope, or its name was not resolved yet. */
    OUT_OF_SCOPE,
    /** Taken out by an operator. */
    CORDONED,
    /** The free slots are kept for requests of priority HIGH. */
    RESERVED_FOR_HIGH,
    /** Others that wait come first. */
    WAITERS_AHEAD,
    /** Held for one that has waited long. */
    CLAIMED,
    /** It failed this request before. */
    FAILED_BEFORE,
    /** It told this request to come back later. */
    TOLD_TO_WAIT,
    /** The request must not go there. */
    AVOIDED,
    /** The overflow is not open yet: the request has not waited long enough. */
    OVERFLOW_LATER,
    /** It could never hold the job: too little GPU memory in all. */
    TOO_SMALL,
    /** It cannot do what is needed. */
    CAPABILITY,
    /** It does not hold the codebase. */
    CODEBASE,
    /** What must be reachable is not reachable from it. */
    REACH,
    /** It is trusted less than the content requires. */
    PRIVACY,
    /** Its declared quality is too low, or not declared. */
    QUALITY,
    /** Its declared latency is too long, or not declared. */
    LATENCY,
    /** Its declared cost is too high, or not declared. */
    COST,
    /** Whoever asks may not use it. */
    ROLE,
    /** It is a batch queue, which only the batch path uses. */
    BATCH_ONLY,
    /** It passed its gate in too small a share of the watched time. */
    AVAILABILITY,
    /** It is free, but another one is expected to finish so much earlier that the request waits for that one. */
    FASTER_ELSEWHERE,
    /** The figures that decided may contain the router's own load; a fresh status has been asked for. */
    IN_DOUBT,
    /** The status is stale and was held. */
    STALE_HELD
}
