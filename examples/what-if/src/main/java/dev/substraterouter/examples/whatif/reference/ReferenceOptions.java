package dev.substraterouter.examples.whatif.reference;

import java.util.Objects;

/**
 * What a reference does. See {@link References} for those that have names.
 *
 * @param name what reports call it
 * @param rule how it chooses
 * @param ledger whether it counts its own running requests and their memory, knows from the status what of the utilisation is not its
 *     own, and tries a request again elsewhere that met a lack of memory or a node that was gone; without, it goes by the last status only
 * @param events whether the waiting line is looked through at each arrival, end and status; without, each waiter tries again regularly
 *     and newcomers may overtake it
 * @param hysteresis whether two high utilisations in a row make a node degraded and two low ones healthy; without, each one does
 * @param order whose turn it is
 * @param margin {@link Rule#EARLIEST}: a free substrate is taken if it takes at most this many times as long as the best one, wait
 *     included; 1 or more; infinite: never wait for a better one
 * @param ownerWeight {@link Rule#EARLIEST}: this many service times more for a workstation whose owner is at work; 0: none
 * @param exact whether it sees the nodes as they are twice a second, and knows the size of each request
 */
public record ReferenceOptions(
        String name,
        Rule rule,
        boolean ledger,
        boolean events,
        boolean hysteresis,
        Order order,
        double margin,
        double ownerWeight,
        boolean exact) {
    /** Checks the figures. */
    public ReferenceOptions {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(rule, "rule");
        Objects.requireNonNull(order, "order");
        if (!(margin >= 1)) {
            throw new IllegalArgumentException("margin " + margin + " (expected: 1 or more)");
        }
        if (!(ownerWeight >= 0)) {
            throw new IllegalArgumentException("ownerWeight " + ownerWeight + " (expected: 0 or more)");
        }
    }

    /** By a rule, first come first served, without ledger, events and hysteresis. */
    static ReferenceOptions of(String name, Rule rule) {
        return new ReferenceOptions(name, rule, false, false, false, Order.ARRIVAL, Double.POSITIVE_INFINITY, 0, false);
    }

    /** The same under another name. */
    public ReferenceOptions named(String value) {
        return new ReferenceOptions(value, rule, ledger, events, hysteresis, order, margin, ownerWeight, exact);
    }

    /** The same with another rule. */
    public ReferenceOptions rule(Rule value) {
        return new ReferenceOptions(name, value, ledger, events, hysteresis, order, margin, ownerWeight, exact);
    }

    /** The same with the ledger. */
    public ReferenceOptions withLedger() {
        return new ReferenceOptions(name, rule, true, events, hysteresis, order, margin, ownerWeight, exact);
    }

    /** The same with the waiting line looked through at each event. */
    public ReferenceOptions withEvents() {
        return new ReferenceOptions(name, rule, ledger, true, hysteresis, order, margin, ownerWeight, exact);
    }

    /** The same with or without hysteresis. */
    public ReferenceOptions hysteresis(boolean value) {
        return new ReferenceOptions(name, rule, ledger, events, value, order, margin, ownerWeight, exact);
    }

    /** The same with another order. */
    public ReferenceOptions order(Order value) {
        return new ReferenceOptions(name, rule, ledger, events, hysteresis, value, margin, ownerWeight, exact);
    }

    /** The same with another margin. */
    public ReferenceOptions margin(double value) {
        return new ReferenceOptions(name, rule, ledger, events, hysteresis, order, value, ownerWeight, exact);
    }

    /** The same with another weight of the owner. */
    public ReferenceOptions ownerWeight(double value) {
        return new ReferenceOptions(name, rule, ledger, events, hysteresis, order, margin, value, exact);
    }

    /** The same with exact knowledge of the present. */
    ReferenceOptions seeing() {
        return new ReferenceOptions(name, rule, ledger, events, hysteresis, order, margin, ownerWeight, true);
    }
}
