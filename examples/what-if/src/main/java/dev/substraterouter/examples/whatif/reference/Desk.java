package dev.substraterouter.examples.whatif.reference;

import dev.substraterouter.examples.whatif.bounds.Placed;
import dev.substraterouter.simulate.RandomStream;
import dev.substraterouter.simulate.SimulatedRequest;
import dev.substraterouter.simulate.WorkEnd;
import dev.substraterouter.simulate.World;
import dev.substraterouter.status.SubstrateStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One router's worth of a reference: its waiting line, and how work starts and ends. Not thread-safe. */
final class Desk {
    private static final long ROUTERS = 100_000;
    private static final long COINS = 50;

    private final World world;
    private final ReferenceOptions options;
    private final int router;
    private final Consumer<Placed> placed;
    private final Figures figures;
    private final Map<String, Station> stations;
    private final Map<Long, Waiter> underWay = new HashMap<>();
    private final List<Waiter> line = new ArrayList<>();
    private final Choice choice;
    /** What is done when the line is too long. */
    private final Choice hurried;

    private final int capacity;

    Desk(World world, ReferenceOptions options, int router, Consumer<Placed> placed) {
        RandomStream coins = RandomStream.of(world.scenario().seed(), ROUTERS * router + COINS);
        this.world = world;
        this.options = options;
        this.router = router;
        this.placed = placed;
        this.choice = Choice.of(options, coins);
        this.hurried = options.rule() == Rule.EARLIEST ? Choice.earliest(Double.POSITIVE_INFINITY) : choice;
        this.figures = new Figures(world, options);
        this.stations = figures.stations();
        this.capacity = figures.capacity();
    }

    int waiting() {
        return line.size();
    }

    void arrived(SimulatedRequest request) {
        Waiter waiter = figures.waiter(request);
        if (waiter.ways.isEmpty()) {
            world.refused(request, "no route");
            return;
        }
        underWay.put(request.number(), waiter);
        seek(waiter);
        if (waiter.waiting && line.size() > capacity) {
            makeRoom(waiter);
        }
    }

    /** Places it, or has it wait. */
    private void seek(Waiter waiter) {
        if (options.events()) {
            join(waiter);
            walk(false);
        } else {
            stations.values().forEach(station -> station.beginWalk(now()));
            if (!place(waiter, choice)) {
                join(waiter);
                retryLater(waiter);
            }
        }
        if (waiter.waiting) {
            expireLater(waiter);
        }
    }

    private void join(Waiter waiter) {
        waiter.waiting = true;
        line.add(waiter);
    }

    private void retryLater(Waiter waiter) {
        world.after(world.policy().queue().retryEvery(), () -> {
            if (waiter.waiting) {
                stations.values().forEach(station -> station.beginWalk(now()));
                if (!place(waiter, choice)) {
                    retryLater(waiter);
                }
            }
        });
    }

    private void expireLater(Waiter waiter) {
        if (waiter.expirySeconds < Double.POSITIVE_INFINITY) {
            world.after(Seconds.duration(waiter.expirySeconds - now()), () -> {
                if (waiter.waiting && now() >= waiter.expirySeconds) {
                    turnDown(waiter, "waited too long");
                }
            });
        }
    }

    private void turnDown(Waiter waiter, String reason) {
        waiter.waiting = false;
        line.remove(waiter);
        underWay.remove(waiter.request.number());
        world.refused(waiter.request, reason);
    }

    /** Looks through the line in its order. */
    private void walk(boolean inHurry) {
        double now = now();
        boolean possible = worker();
        for (Station station : stations.values()) {
            station.beginWalk(now);
            possible |= station.mayTake();
        }
        if (!possible || line.isEmpty()) {
            return;
        }
        inOrder(now);
        for (Waiter waiter : List.copyOf(line)) {
            if (inHurry && line.size() <= capacity) {
                return;
            }
            place(waiter, inHurry ? hurried : choice);
        }
    }

    private void inOrder(double now) {
        line.forEach(waiter -> waiter.turn(options.order(), now));
        line.sort(Waiter::compare);
    }

    /** The line is too long by one. */
    private void makeRoom(Waiter newcomer) {
        if (options.events()) {
            walk(true);
        }
        if (line.size() > capacity) {
            turnDown(leaving(newcomer), "queue full");
        }
    }

    private Waiter leaving(Waiter newcomer) {
        Waiter leaving = newcomer;
        inOrder(now());
        switch (options.order()) {
            case ARRIVAL -> {}
            case WEIGHTED -> {
                for (Waiter waiter : line) {
                    boolean newer = waiter.request.number() > leaving.request.number();
                    leaving = waiter.batch() && (newer || !leaving.batch()) ? waiter : leaving;
                }
            }
            case DEADLINE -> leaving = line.get(line.size() - 1);
        }
        return leaving;
    }

    private boolean place(Waiter waiter, Choice by) {
        Option chosen = by.choose(figures.options(waiter, now()), now());
        if (chosen == null) {
            return false;
        }
        start(waiter, chosen);
        return true;
    }

    private void start(Waiter waiter, Option option) {
        Station station = option.station();
        Flight flight = station.depart(option, figures.vramGb(waiter, option.way()), now());
        waiter.flight = flight;
        waiter.waiting = false;
        line.remove(waiter);
        placed.accept(new Placed(waiter.request.number(), station.id(), now()));
        flight.stop = world.start(waiter.request, station.id(), router, end -> over(waiter, flight, end));
    }

    private void over(Waiter waiter, Flight flight, WorkEnd end) {
        flight.station.returned(flight);
        waiter.flight = null;
        switch (end.kind()) {
            case DONE -> {
                underWay.remove(waiter.request.number());
                world.served(waiter.request, flight.station.id());
            }
            case REFUSED -> {
                refused(flight.station, end.status());
                again(waiter);
            }
            case OUT_OF_MEMORY, NOT_REACHED -> elsewhere(waiter, flight.station, end, true);
            case NODE_FAILED ->
                elsewhere(waiter, flight.station, end, waiter.request.request().idempotent());
            case GIVEN_UP -> fail(waiter, end);
        }
        wake();
    }

    private void refused(Station station, @Nullable SubstrateStatus status) {
        if (status != null) {
            station.refused(status, now());
        } else {
            station.box(now());
        }
    }

    private void elsewhere(Waiter waiter, Station station, WorkEnd end, boolean allowed) {
        if (allowed && options.ledger() && !worker()) {
            station.box(now());
            again(waiter);
        } else {
            fail(waiter, end);
        }
    }

    private void fail(Waiter waiter, WorkEnd end) {
        underWay.remove(waiter.request.number());
        world.failed(waiter.request, end.kind().name());
    }

    /** Puts it back at the head of the line, which may be too long by it. */
    private void again(Waiter waiter) {
        waiter.returned = true;
        seek(waiter);
        if (waiter.waiting && !options.ledger() && line.size() > capacity) {
            turnDown(waiter, "queue full");
        }
    }

    void hungUp(SimulatedRequest request) {
        Waiter waiter = underWay.remove(request.number());
        if (waiter == null) {
            return;
        }
        Flight flight = waiter.flight;
        if (flight != null && flight.stop != null) {
            flight.stop.run();
            flight.station.returned(flight);
        }
        waiter.waiting = false;
        line.remove(waiter);
        world.failed(request, "client gone");
        wake();
    }

    void asking(String substrate) {
        Station station = stations.get(substrate);
        if (station != null) {
            station.asking();
        }
    }

    void answered(String substrate, SubstrateStatus status) {
        Station station = stations.get(substrate);
        if (station != null) {
            station.answered(status, now());
            wake();
        }
    }

    /** Sees every node as it is. */
    void look() {
        stations.values().forEach(station -> station.look(now()));
        wake();
    }

    private void wake() {
        if (options.events()) {
            walk(false);
        }
    }

    private boolean worker() {
        return options.rule() == Rule.WORKER_QUEUE;
    }

    private double now() {
        return Seconds.of(world.nanos());
    }
}
