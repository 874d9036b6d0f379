package dev.substraterouter.model;

/** How far a place is trusted with the content of a request, most trusted first. */
public enum Trust {
    /** Run by the policy's owner. */
    CONTROLLED,
    /** Run by somebody bound by contract. */
    PARTNER,
    /** Anybody's. */
    PUBLIC
}
