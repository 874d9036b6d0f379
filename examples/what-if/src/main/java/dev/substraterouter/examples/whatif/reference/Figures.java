package dev.substraterouter.examples.whatif.reference;

import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.policy.WorkloadQueue;
import dev.substraterouter.simulate.SimulatedRequest;
import dev.substraterouter.simulate.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the policy says, as one desk needs it: where requests may go, how long they may wait, when they are due. Not thread-safe. */
final class Figures {
    /** A workload without a deadline is due after this many times its time on its primary. */
    private static final double DUE = 2;

    private final World world;
    private final Policy policy;
    private final ReferenceOptions options;
    private final Map<String, Station> stations = new LinkedHashMap<>();
    private final Map<String, List<Way>> ways = new HashMap<>();

    Figures(World world, ReferenceOptions options) {
        this.world = world;
        this.policy = world.policy();
        this.options = options;
        for (Substrate substrate : policy.substrates()) {
            stations.put(substrate.id(), new Station(substrate, policy, world.node(substrate.id()), options));
        }
        policy.workloads().forEach(workload -> ways.put(workload.name(), ways(workload)));
    }

    private List<Way> ways(Workload workload) {
        List<Way> found = new ArrayList<>();
        for (Candidate candidate : workload.candidates()) {
            Station station = stations.get(candidate.on());
            if (station != null) {
                double nominal = candidate
                        .expectedLatency()
                        .map(Seconds::of)
                        .orElseGet(() -> world.meanSeconds(workload.name(), candidate.on()));
                double vram = candidate.vramGb().orElse(workload.vramGb().orElse(0));
                found.add(new Way(station, nominal, vram));
            }
        }
        return found;
    }

    /** By substrate, in the order of the policy. */
    Map<String, Station> stations() {
        return stations;
    }

    /** How many may wait. */
    int capacity() {
        return endless() ? Integer.MAX_VALUE : policy.queue().capacity();
    }

    private boolean endless() {
        return options.rule() == Rule.WORKER_QUEUE;
    }

    Waiter waiter(SimulatedRequest request) {
        List<Way> possible = ways.getOrDefault(request.workload(), List.of());
        return new Waiter(request, possible, maxWait(request), possible.isEmpty() ? 0 : deadline(request, possible));
    }

    private double maxWait(SimulatedRequest request) {
        if (endless()) {
            return Double.POSITIVE_INFINITY;
        }
        Duration declared = policy.workload(request.workload())
                .flatMap(Workload::queue)
                .flatMap(WorkloadQueue::maxWait)
                .orElse(policy.queue().maxWait());
        return Seconds.of(request.request().maxWait().orElse(declared));
    }

    private double deadline(SimulatedRequest request, List<Way> possible) {
        return request.request()
                .deadline()
                .or(() -> policy.workload(request.workload()).flatMap(Workload::deadline))
                .map(Seconds::of)
                .orElse(DUE * possible.get(0).nominalSeconds());
    }

    /** What comes of each way that a request may go now. */
    List<Option> options(Waiter waiter, double now) {
        List<Option> all = new ArrayList<>(waiter.ways.size());
        for (Way way : waiter.ways) {
            all.add(way.station().option(way, service(waiter, way), vramGb(waiter, way), now));
        }
        return all;
    }

    private double service(Waiter waiter, Way way) {
        Station station = way.station();
        return options.exact() ? world.seconds(waiter.request, station.id()) / station.speed() : way.nominalSeconds();
    }

    double vramGb(Waiter waiter, Way way) {
        return options.exact()
                ? world.vramGb(waiter.request.workload(), way.station().id())
                : way.vramGb();
    }
}
