package dev.substraterouter.infer;

/** Takes from a sentence what it is for. Stateless. */
@FunctionalInterface
interface Rule {
    void read(Reading reading);
}
