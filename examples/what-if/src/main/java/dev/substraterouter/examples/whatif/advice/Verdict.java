package dev.substraterouter.examples.whatif.advice;

/** What to do. */
public enum Verdict {
    /** A map from workload to machine does. */
    PIN("Keep the pin"),
    /** A statement of need, without routes, does. */
    MATCHING("Capability matching is enough"),
    /** Routes through the router. */
    ROUTER("The router pays"),
    /** The policy has no route, so that there is nothing to judge. */
    NO_ROUTE("No route to judge");

    private final String words;

    Verdict(String words) {
        this.words = words;
    }

    /** In a few words. */
    public String words() {
        return words;
    }
}
