package dev.substraterouter.policy;

/** How a pin is gated. */
public enum PinGate {
    /** By slots and memory only, the default. */
    FACTS,
    /** Like a route, by utilisation and temperature too. */
    FULL
}
