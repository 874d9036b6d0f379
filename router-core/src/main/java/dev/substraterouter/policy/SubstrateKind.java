package dev.substraterouter.policy;

/** What sort of place a substrate is. */
public enum SubstrateKind {
    /** A node of one's own. */
    LOCAL,
    /** One endpoint that balances over several machines behind itself. */
    POOL,
    /** Somebody else's endpoint. */
    EXTERNAL,
    /** A queue that runs work later. */
    BATCH
}
