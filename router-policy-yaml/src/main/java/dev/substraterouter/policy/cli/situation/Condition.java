package dev.substraterouter.policy.cli.situation;

/** What cannot be told by a status. */
enum Condition {
    /** It never told a status. */
    SILENT,
    /** Its status is too old. */
    STALE,
    /** An operator has taken it out. */
    CORDONED,
    /** It is out after faults. */
    EJECTED
}
