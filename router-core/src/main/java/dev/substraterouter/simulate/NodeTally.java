package dev.substraterouter.simulate;

import java.util.ArrayList;
import java.util.List;

/** Counts what happens on one node. Not thread-safe. */
final class NodeTally {
    private static final double SECONDS_PER_HOUR = 3600;

    private final Steps steps;
    private long placements;
    private long overloads;
    private long outOfMemory;
    private long refusals;
    private long unreached;
    private long failures;
    private long unavailable;
    private long coldLoads;
    private double busySeconds;
    private double slotSeconds;
    private double ownerSeconds;
    private final long[] served = new long[SimulationReport.Timeline.STEPS];
    private final double[] jobs = new double[SimulationReport.Timeline.STEPS];
    private final double[] foreignUtil = new double[SimulationReport.Timeline.STEPS];
    private final double[] out = new double[SimulationReport.Timeline.STEPS];
    private final double[] owner = new double[SimulationReport.Timeline.STEPS];

    NodeTally(Steps steps) {
        this.steps = steps;
    }

    void placed(boolean whileUnavailable) {
        placements++;
        unavailable += whileUnavailable ? 1 : 0;
    }

    void overload(boolean full) {
        overloads += full ? 1 : 0;
    }

    void outOfMemory() {
        outOfMemory++;
    }

    void refusal() {
        refusals++;
    }

    void unreached() {
        unreached++;
    }

    void failed(boolean lost) {
        failures += lost ? 1 : 0;
    }

    void givenUp() {
        failures++;
    }

    void load(boolean cold) {
        coldLoads += cold ? 1 : 0;
    }

    void served() {
        served[steps.now()]++;
    }

    /** Time passes in which nothing changes on the node. */
    void pass(Node node, double seconds) {
        if (seconds <= 0) {
            return;
        }
        boolean busy = node.jobs() > 0;
        boolean disturbed = node.ownerAtWork();
        busySeconds += busy ? seconds : 0;
        slotSeconds += node.busySlots() * seconds;
        ownerSeconds += busy && disturbed ? seconds : 0;
        steps.spread(jobs, seconds, node.jobs());
        steps.spread(foreignUtil, seconds, node.foreignUtilPct());
        steps.spread(out, seconds, node.unavailable() ? 1 : 0);
        steps.spread(owner, seconds, disturbed ? 1 : 0);
    }

    SimulationReport.Node report(NodeModel model) {
        return new SimulationReport.Node(
                model.substrate(),
                placements,
                overloads,
                outOfMemory,
                refusals,
                unreached,
                failures,
                unavailable,
                coldLoads,
                busySeconds,
                slotSeconds,
                ownerSeconds,
                slotSeconds * model.busyKw() / SECONDS_PER_HOUR);
    }

    SimulationReport.Timeline.OfNode timeline(String substrate) {
        List<Long> counts = new ArrayList<>();
        for (long count : served) {
            counts.add(count);
        }
        return new SimulationReport.Timeline.OfNode(
                substrate, counts, steps.means(jobs), steps.means(foreignUtil), steps.means(out), steps.means(owner));
    }
}
