package dev.substraterouter.policy;

/**
 * Somebody works at the substrate; disturbing them costs.
 *
 * @param backgroundUtilPct the owner is at work while the utilisation by others is above this, percent
 * @param costPerHour what an hour of disturbance costs, in the policy's one currency
 */
public record Owner(double backgroundUtilPct, double costPerHour) {}
