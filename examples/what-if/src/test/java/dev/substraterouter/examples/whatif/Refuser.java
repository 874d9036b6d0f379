package dev.substraterouter.examples.whatif;

import dev.substraterouter.simulate.Contender;
import dev.substraterouter.simulate.SimulatedRequest;
import dev.substraterouter.simulate.World;

/** Refuses everything. */
final class Refuser implements Contender {
    private World world;

    @Override
    public String name() {
        return "refuser";
    }

    @Override
    public void begin(World begun) {
        world = begun;
    }

    @Override
    public void arrived(SimulatedRequest request) {
        world.refused(request, "NO");
    }

    @Override
    public void hungUp(SimulatedRequest request) {}

    @Override
    public int waiting() {
        return 0;
    }
}
