package dev.substraterouter.simulate;

/** What a node does with more jobs than it has slots. */
public enum Overload {
    /** Runs them all, each more slowly. One that does not fit into its memory fails after a while. */
    SHARE,
    /** Runs as many as it has slots; the others wait in the node, the first first. */
    QUEUE,
    /** Refuses what it cannot start now, for want of a slot or of memory, at once and with its status. */
    REFUSE
}
