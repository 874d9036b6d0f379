package dev.substraterouter.examples.whatif.compare;

import dev.substraterouter.simulate.SimulationReport;
import dev.substraterouter.simulate.SimulationReport.Node;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/** A figure of a run. Of all but {@link #IN_TIME} less is better. */
public enum Measure {
    /** Mean time from arrival to answer, of those served. */
    MEAN_LATENCY("mean latency", "s", report -> report.latency().mean()),
    /** The time from arrival to answer that 95 % of those served did not exceed. */
    P95_LATENCY("p95 latency", "s", report -> report.latency().quantile(0.95)),
    /** The share of requests refused or failed. */
    LOST("lost", "%", report -> 100 * share(report.lost(), report.offered())),
    /** The share of requests with a deadline and somebody waiting that were served in time. */
    IN_TIME("in time", "%", report -> 100 * report.inTimeShare()),
    /** Mean latency with each refused or failed request charged. */
    PENALISED_LATENCY("penalised latency", "s", SimulationReport::penalisedSeconds),
    /** Placements on a node that was full, for each thousand placements. */
    OVERLOADS("overloads", "/1000", thousand(Node::overloads)),
    /** Works that did not fit into memory, for each thousand placements. */
    OUT_OF_MEMORY("out of memory", "/1000", thousand(Node::outOfMemory)),
    /** Placements on a node that was not to be had, for each thousand placements. */
    UNAVAILABLE("unavailable", "/1000", thousand(Node::unavailable)),
    /** Placements elsewhere than the one of the same workload before, for each thousand placements. */
    SWITCHES("switches", "/1000", report -> 1000 * share(report.switches(), report.placements())),
    /** Seconds in which routed work disturbed an owner, for each hour in which requests came. */
    OWNER_SECONDS("owner-seconds", "s/h", report -> perHour(report, report.ownerSeconds())),
    /** Energy of busy slots for each request. */
    ENERGY("energy", "Wh/request", report -> 1000 * per(kwh(report), (double) report.offered())),
    /** Works that waited for their model, for each thousand placements. */
    COLD_LOADS("cold loads", "/1000", thousand(Node::coldLoads));

    private final String title;
    private final String unit;

    @SuppressWarnings("ImmutableEnumChecker") // a function without state
    private final ToDoubleFunction<SimulationReport> figure;

    Measure(String title, String unit, ToDoubleFunction<SimulationReport> figure) {
        this.title = title;
        this.unit = unit;
        this.figure = figure;
    }

    /** What tables call it. */
    public String title() {
        return title;
    }

    /** Its unit. */
    public String unit() {
        return unit;
    }

    /** Whether more of it is better. */
    public boolean moreIsBetter() {
        return this == IN_TIME;
    }

    /** The figure of a run. */
    public double of(SimulationReport report) {
        return figure.applyAsDouble(report);
    }

    static double perHour(SimulationReport report, double amount) {
        return 3600 * per(amount, report.lengthSeconds());
    }

    private static ToDoubleFunction<SimulationReport> thousand(ToLongFunction<Node> count) {
        return report -> 1000 * share(report.nodes().stream().mapToLong(count).sum(), report.placements());
    }

    private static double kwh(SimulationReport report) {
        return report.nodes().stream().mapToDouble(Node::kwh).sum();
    }

    private static double share(long count, long of) {
        return per((double) count, (double) of);
    }

    private static double per(double amount, double of) {
        return of == 0 ? 0 : amount / of;
    }
}
