package dev.substraterouter.examples.whatif.reference;

import java.util.List;

/** The references that have names. Give them to {@link ReferencePolicy#of}. */
public final class References {
    private static final double MARGIN = 1.5;
    private static final double OWNER_WEIGHT = 3;

    private References() {}

    /** Static order by the last status alone; waiters try again regularly, a lack of memory is the client's problem. */
    public static ReferenceOptions naive() {
        return ReferenceOptions.of("naive", Rule.STATIC);
    }

    /** Everything to the primary, which queues by itself; see {@link Rule#WORKER_QUEUE}. */
    public static ReferenceOptions pinWorkerQueue() {
        return tidy("pin, worker's queue", Rule.WORKER_QUEUE);
    }

    /** The primary or none, with ledger and events. */
    public static ReferenceOptions pinGated() {
        return tidy("pin, gated", Rule.PIN);
    }

    /** Each in turn by the last status. */
    public static ReferenceOptions roundRobin() {
        return ReferenceOptions.of("round robin, stale", Rule.ROUND_ROBIN);
    }

    /** The least loaded by the last status. */
    public static ReferenceOptions leastLoadedStale() {
        return ReferenceOptions.of("least loaded, stale", Rule.LEAST_LOADED);
    }

    /** The least loaded, with ledger and events. */
    public static ReferenceOptions leastLoaded() {
        return tidy("least loaded", Rule.LEAST_LOADED);
    }

    /** The less loaded of two by the last status. */
    public static ReferenceOptions twoChoicesStale() {
        return ReferenceOptions.of("two choices, stale", Rule.TWO_CHOICES);
    }

    /** The less loaded of two, with ledger and events. */
    public static ReferenceOptions twoChoices() {
        return tidy("two choices", Rule.TWO_CHOICES);
    }

    /** The fastest that is free, with ledger and events. */
    public static ReferenceOptions fastestFirst() {
        return tidy("fastest first", Rule.FASTEST);
    }

    /** Static order with a ledger. */
    public static ReferenceOptions l1() {
        return ReferenceOptions.of("L1 static + ledger", Rule.STATIC).withLedger();
    }

    /** L1 with events. */
    public static ReferenceOptions l2() {
        return l1().withEvents().named("L2 L1 + events");
    }

    /** L2 with hysteresis. */
    public static ReferenceOptions l3() {
        return l2().hysteresis(true).named("L3 L2 + hysteresis");
    }

    /** L3 with the earliest completion among the free. */
    public static ReferenceOptions l4a() {
        return l3().rule(Rule.EARLIEST).named("L4a earliest completion, never wait");
    }

    /** L3 with the earliest completion, worth a wait. */
    public static ReferenceOptions l4() {
        return l4a().margin(MARGIN).named("L4 earliest completion with wait");
    }

    /** L4 with the weighted order; batch leaves first. */
    public static ReferenceOptions l5() {
        return l4().order(Order.WEIGHTED).named("L5 L4 + weighted order");
    }

    /** L5 with a cost of disturbing the owner of a workstation. */
    public static ReferenceOptions l6() {
        return l5().ownerWeight(OWNER_WEIGHT).named("L6 L5 + owner's cost");
    }

    /** L5 with late requests last. */
    public static ReferenceOptions l7() {
        return l5().order(Order.DEADLINE).named("L7 L5 + late last");
    }

    /** L5 without hysteresis, with exact sizes of requests and exact states of nodes twice a second. */
    public static ReferenceOptions oracle() {
        return l5().hysteresis(false).seeing().named("oracle");
    }

    /** All of them, the simplest first. */
    public static List<ReferenceOptions> all() {
        return List.of(
                naive(),
                pinWorkerQueue(),
                pinGated(),
                roundRobin(),
                leastLoadedStale(),
                leastLoaded(),
                twoChoicesStale(),
                twoChoices(),
                fastestFirst(),
                l1(),
                l2(),
                l3(),
                l4a(),
                l4(),
                l5(),
                l6(),
                l7(),
                oracle());
    }

    private static ReferenceOptions tidy(String name, Rule rule) {
        return ReferenceOptions.of(name, rule).withLedger().withEvents();
    }
}
