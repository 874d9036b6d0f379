package dev.substraterouter.metrics;

/** The meters, as {@link RouterMetrics} documents them. */
enum Meters {
    DECISIONS("decisions", "Placements that have ended, and requests that were turned down or given up"),
    FALLBACK_SHARE("fallback.share", "The share of the last 63 live placements that was not on the primary"),
    DECISION("decision", "How long it took to place requests that did not wait, one of 64 measured"),
    WAIT("wait", "How long requests waited that had to"),
    SERVICE("service", "How long placements were held"),
    QUEUE_WAITING("queue.waiting", "Requests that wait, by priority"),
    QUEUE_TAKEN("queue.places.taken", "Waiting places that are taken"),
    QUEUE_PLACES("queue.places", "Waiting places that there are"),
    LEASES("substrate.leases", "The router's own leases"),
    FREE_SLOTS("substrate.slots.free", "Job slots that are free, jobs of others counted; NaN without a limit"),
    STATUS_AGE("substrate.status.age", "The age of the newest status; NaN when there never was one"),
    GATE("substrate.gate", "1: open to work in general, 0: not"),
    EJECTED("substrate.ejected", "1: out after faults, or its one trial runs, by state"),
    CORDONED("substrate.cordoned", "1: taken out by an operator"),
    SUSPECT("substrate.suspect", "1: there is something odd about its statuses"),
    DRIFT("drift", "How many times as long as declared the work of a candidate takes; NaN before it is known"),
    REVISION("policy.revision", "The policy's revision in force"),
    RELOADS("reloads", "Policies that were put in force after the first, or turned down"),
    RELOAD_REJECTED("reload.rejected", "1: the last policy was turned down"),
    DROPPED("observers.dropped", "Events and traces that did not reach a listener or sink that does not keep up");

    private static final String PREFIX = "substrate.router.";

    private final String meterName;
    private final String description;

    Meters(String name, String description) {
        this.meterName = PREFIX + name;
        this.description = description;
    }

    String meterName() {
        return meterName;
    }

    String description() {
        return description;
    }
}
