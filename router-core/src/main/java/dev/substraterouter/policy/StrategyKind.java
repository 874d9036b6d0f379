package dev.substraterouter.policy;

/** In what order a workload's candidates are tried. */
public enum StrategyKind {
    /** As the route is written. */
    PREFERENCE,
    /** Where the work is expected to finish first. */
    EARLIEST_FINISH,
    /** Where compute, review and error together cost least. */
    OUTCOME_COST,
    /** Where there is most head-room. */
    HEALTHIEST
}
