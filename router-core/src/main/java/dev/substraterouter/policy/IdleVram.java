package dev.substraterouter.policy;

/** How the memory of loaded models that serve nothing is counted. */
public enum IdleVram {
    /** As used. */
    HELD,
    /** As free, for models that the policy knows. */
    EVICTABLE
}
