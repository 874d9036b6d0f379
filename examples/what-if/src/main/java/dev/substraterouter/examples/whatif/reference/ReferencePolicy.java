package dev.substraterouter.examples.whatif.reference;

import dev.substraterouter.examples.whatif.bounds.Placed;
import dev.substraterouter.simulate.Contender;
import dev.substraterouter.simulate.SimulatedRequest;
import dev.substraterouter.simulate.World;
import dev.substraterouter.status.StatusSink;
import dev.substraterouter.status.StatusTicket;
import dev.substraterouter.status.SubstrateStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A reference at work in one run. It goes by the policy: routes and pins, expected latencies (where one is missing, the mean time that the
 * scenario knows), memory, {@code max_concurrent_jobs}, health limits, and the capacity, longest wait and retry interval of the queue. Roles,
 * trust, priorities, modes, ejection and other limits it leaves alone. A scenario with several routers gets as many of it, each with a
 * waiting line and a ledger of its own, and requests go to them in turn. Not thread-safe.
 *
 * <pre>{@code
 * SimulationReport report = Simulation.of(policy, scenario).contender(ReferencePolicy.of(References.naive())).run();
 * }</pre>
 */
public final class ReferencePolicy implements Contender {
    private static final Duration LOOK = Duration.ofMillis(500);

    private final ReferenceOptions options;
    private final List<Desk> desks = new ArrayList<>();
    private final List<Placed> placements = new ArrayList<>();
    private boolean over;

    private ReferencePolicy(ReferenceOptions options) {
        this.options = Objects.requireNonNull(options, "options");
    }

    /** A reference for one run. */
    public static ReferencePolicy of(ReferenceOptions options) {
        return new ReferencePolicy(options);
    }

    @Override
    public String name() {
        return options.name();
    }

    @Override
    public void begin(World world) {
        for (int router = 0; router < world.scenario().routers(); router++) {
            desks.add(new Desk(world, options, router, placements::add));
        }
        if (options.exact()) {
            look(world);
        } else {
            world.poll(new Statuses());
        }
    }

    private void look(World world) {
        if (!over) {
            desks.forEach(Desk::look);
            world.after(LOOK, () -> look(world));
        }
    }

    @Override
    public void arrived(SimulatedRequest request) {
        desk(request).arrived(request);
    }

    @Override
    public void hungUp(SimulatedRequest request) {
        desk(request).hungUp(request);
    }

    private Desk desk(SimulatedRequest request) {
        return desks.get((int) (request.number() % desks.size()));
    }

    @Override
    public int waiting() {
        int waiting = 0;
        for (Desk desk : desks) {
            waiting += desk.waiting();
        }
        return waiting;
    }

    @Override
    public void end() {
        over = true;
    }

    /** What was started so far, in the order of time; of a request that was started more than once the last entry is the one that counts. */
    public List<Placed> placements() {
        return List.copyOf(placements);
    }

    /** Brings each status to every desk. */
    private final class Statuses implements StatusSink {
        @Override
        public StatusTicket asking(String substrateId, String source) {
            desks.forEach(desk -> desk.asking(substrateId));
            return new StatusTicket() {
                @Override
                public void answered(SubstrateStatus status) {
                    desks.forEach(desk -> desk.answered(substrateId, status));
                }

                @Override
                public void failed(String reason) {
                    // what is known keeps ageing
                }
            };
        }
    }
}
