package dev.substraterouter.simulate;

import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Workload;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts what becomes of the requests of a run. Its memory is bounded by what runs at the same time. Not thread-safe. */
final class Tally {
    private final VirtualTime time;
    private final Policy policy;
    private final Steps steps;
    private final Map<String, RequestTally> tallies = new TreeMap<>();
    private final Map<Long, Open> open = new HashMap<>();
    private final Map<String, String> lastOf = new HashMap<>();
    private final double[] waiting = new double[SimulationReport.Timeline.STEPS];
    private final long[] lost = new long[SimulationReport.Timeline.STEPS];
    private long switches;
    private long since;

    /** A request without an end so far. */
    private static final class Open {
        final RequestTally tally;
        double waited;
        boolean abandoned;

        Open(RequestTally tally) {
            this.tally = tally;
        }
    }

    Tally(VirtualTime time, Policy policy, Steps steps) {
        this.time = time;
        this.policy = policy;
        this.steps = steps;
    }

    int open() {
        return open.size();
    }

    void offered(SimulatedRequest request) {
        RequestTally tally = tallies.computeIfAbsent(
                request.workload() + '\n' + request.requestClass().name(),
                key -> new RequestTally(request.workload(), request.requestClass(), deadline(request)));
        tally.offered();
        open.put(request.number(), new Open(tally));
    }

    private double deadline(SimulatedRequest request) {
        return request.request()
                .deadline()
                .or(() -> policy.workload(request.workload()).flatMap(Workload::deadline))
                .map(Spans::seconds)
                .orElse(0.0);
    }

    /** Work for a request has been started somewhere. */
    void placed(SimulatedRequest request, String substrate) {
        String last = lastOf.put(request.workload(), substrate);
        switches += last == null || last.equals(substrate) ? 0 : 1;
        Open one = open.get(request.number());
        if (one != null) {
            one.waited = Spans.seconds(time.passed() - request.arrivalNanos());
        }
    }

    /** Whether it has an end already. */
    boolean over(SimulatedRequest request) {
        return !open.containsKey(request.number());
    }

    void served(SimulatedRequest request, String substrate) {
        Open one = close(request);
        if (!one.abandoned) {
            one.tally.served(substrate, Spans.seconds(time.passed() - request.arrivalNanos()), one.waited);
        }
    }

    void refused(SimulatedRequest request, String reason) {
        Open one = close(request);
        if (!one.abandoned) {
            one.tally.refused(reason);
            lost[steps.now()]++;
        }
    }

    void failed(SimulatedRequest request, String reason) {
        Open one = close(request);
        if (!one.abandoned) {
            one.tally.failed(reason);
            lost[steps.now()]++;
        }
    }

    void abandoned(SimulatedRequest request) {
        Open one = open.get(request.number());
        if (one != null) {
            one.abandoned = true;
            one.tally.abandoned();
        }
    }

    private Open close(SimulatedRequest request) {
        Open one = open.remove(request.number());
        if (one == null) {
            throw new IllegalStateException("request " + request.number() + " ends twice (expected: one end each)");
        }
        return one;
    }

    /** So many have waited up to this moment. */
    void waited(int count) {
        steps.spread(waiting, Spans.seconds(time.passed() - since), count);
        since = time.passed();
    }

    long switches() {
        return switches;
    }

    List<SimulationReport.Requests> requests() {
        return tallies.values().stream().map(RequestTally::report).toList();
    }

    SimulationReport.Timeline timeline(List<SimulationReport.Timeline.OfNode> nodes) {
        List<Long> counts = new ArrayList<>();
        for (long count : lost) {
            counts.add(count);
        }
        return new SimulationReport.Timeline(steps.length(), steps.means(waiting), counts, nodes);
    }
}
