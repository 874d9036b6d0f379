package dev.substraterouter.examples.whatif.reference;

import dev.substraterouter.policy.HealthLimits;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.simulate.NodeTruth;
import dev.substraterouter.simulate.Overload;
import dev.substraterouter.status.SubstrateStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;

/** One substrate as one reference sees it: what the ledger and the statuses say, and where its slots stand in a walk. Not thread-safe. */
final class Station {
    /** For how long nothing is placed where memory was lacking or nobody answered. */
    private static final double BOX_SECONDS = 10;
    /** How long an unhealthy node is expected to stay so. */
    private static final double UNHEALTHY_SECONDS = 240;

    private static final double NO_LIMIT = 1e4;
    private static final double OWNER_PCT = 15;

    private final Substrate declared;
    private final NodeTruth truth;
    private final ReferenceOptions options;
    private final Picture picture;
    private final int most;
    private final boolean workstation;
    private final double ownerPct;
    private final List<Flight> flights = new ArrayList<>();
    private double boxedUntil;
    private int freeSlots;
    private final PriorityQueue<Double> ends = new PriorityQueue<>();

    Station(Substrate declared, Policy policy, NodeTruth truth, ReferenceOptions options) {
        HealthLimits limits =
                declared.health().map(own -> own.over(policy.health())).orElse(policy.health());
        this.declared = declared;
        this.truth = truth;
        this.options = options;
        this.picture = new Picture(declared, limits, options);
        this.most = declared.maxConcurrentJobs().orElse(Integer.MAX_VALUE);
        this.workstation = declared.owner().isPresent()
                || truth.model().episodes().stream().anyMatch(episode -> episode.owner());
        this.ownerPct = declared.owner().map(owner -> owner.backgroundUtilPct()).orElse(OWNER_PCT);
    }

    String id() {
        return declared.id();
    }

    void asking() {
        picture.asking(flights);
    }

    void answered(SubstrateStatus status, double now) {
        picture.answered(status, flights, now);
    }

    /** A node that could not take it says how it stands; until its next status it is left alone. */
    void refused(SubstrateStatus status, double now) {
        picture.asking(flights);
        picture.answered(status, flights, now);
        picture.refused();
    }

    /** Sees the node as it is. */
    void look(double now) {
        flights.forEach(flight -> flight.progress(picture.speed(), now));
        picture.look(truth, flights);
    }

    void box(double now) {
        boxedUntil = now + BOX_SECONDS;
    }

    Flight depart(Option option, double vramGb, double now) {
        Flight flight = new Flight(this, vramGb, option.serviceSeconds() * picture.speed(), now);
        flights.add(flight);
        keep(now + option.serviceSeconds());
        return flight;
    }

    void returned(Flight flight) {
        flights.remove(flight);
    }

    /** Jobs on it in relation to its size. */
    double load() {
        return running() / Math.min(most, NO_LIMIT);
    }

    private int running() {
        return options.ledger() ? flights.size() + picture.foreignJobs() : picture.runningJobs();
    }

    /** Whether a worker without a router would be sent one more. */
    boolean workerTakesOne() {
        return truth.model().overload() == Overload.QUEUE || flights.size() < truth.slots();
    }

    /** A walk through the waiting line begins. */
    void beginWalk(double now) {
        freeSlots = Math.max(0, most - running());
        ends.clear();
        if (options.rule() == Rule.EARLIEST) {
            flights.forEach(flight -> ends.add(flight.end(picture.speed(), now)));
        }
    }

    /** Whether a slot is neither taken nor kept. */
    boolean mayTake() {
        return freeSlots > 0;
    }

    /** Takes or keeps the earliest slot up to a moment. */
    void keep(double until) {
        if (freeSlots > 0) {
            freeSlots--;
        } else {
            ends.poll();
        }
        ends.add(until);
    }

    /** What comes of placing a job here. */
    Option option(Way way, double serviceSeconds, double vramGb, double now) {
        boolean healthy = now >= boxedUntil && picture.healthy(vramGb, now);
        double start = freeSlots > 0 ? now : ends.isEmpty() ? now + UNHEALTHY_SECONDS : Math.max(now, ends.peek());
        double ready = healthy ? start : Math.max(start, now + UNHEALTHY_SECONDS);
        boolean free = healthy && mayTake() && picture.fits(vramGb, flights);
        boolean disturbs = workstation && picture.otherUtilPct() >= ownerPct;
        return new Option(
                way,
                serviceSeconds,
                ready + serviceSeconds,
                disturbs ? options.ownerWeight() * serviceSeconds : 0,
                free);
    }

    double speed() {
        return picture.speed();
    }
}
