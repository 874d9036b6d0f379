package dev.substraterouter.infer;

/** How a sentence stands to a thing that it names. */
enum Stance {
    /** It is required. */
    ASKED,
    /** It would be liked, or is under a condition: a need cannot say so. */
    WISHED,
    /** It is said to be unnecessary: nothing is required, and nothing is lost by not saying so. */
    LIFTED,
    /** It must not be: a need cannot say so. */
    FORBIDDEN
}
