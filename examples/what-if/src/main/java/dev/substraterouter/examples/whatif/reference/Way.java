package dev.substraterouter.examples.whatif.reference;

/**
 * A candidate of a workload's route or pin.
 *
 * @param station where
 * @param nominalSeconds how long the policy expects a job to take there
 * @param vramGb memory that the policy expects it to take, GiB; 0: not said
 */
record Way(Station station, double nominalSeconds, double vramGb) {}
