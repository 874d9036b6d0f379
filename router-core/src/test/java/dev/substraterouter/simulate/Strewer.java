package dev.substraterouter.simulate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Starts every request at once on one node, whatever it says, and keeps how each ended. */
final class Strewer implements Contender {
    private final String substrate;
    private final List<String> ends = new ArrayList<>();
    private final Map<Long, Runnable> stops = new HashMap<>();
    private @Nullable World world;

    Strewer(String substrate) {
        this.substrate = substrate;
    }

    /** Number, kind and second of each end, in the order of the ends. */
    List<String> ends() {
        return ends;
    }

    @Override
    public String name() {
        return "strewer";
    }

    @Override
    public void begin(World running) {
        world = running;
    }

    @Override
    public void arrived(SimulatedRequest request) {
        World running = world;
        if (running == null) {
            throw new IllegalStateException("not begun");
        }
        stops.put(request.number(), running.start(request, substrate, 0, end -> {
            ends.add(String.format(Locale.ROOT, "%d %s %.2f", request.number(), end.kind(), running.nanos() / 1e9));
            if (end.kind() == WorkEnd.Kind.DONE) {
                running.served(request, substrate);
            } else {
                running.failed(request, end.kind().name());
            }
        }));
    }

    @Override
    public void hungUp(SimulatedRequest request) {
        World running = world;
        Runnable stop = stops.get(request.number());
        if (running != null && stop != null) {
            stop.run();
            ends.add(String.format(Locale.ROOT, "%d HUNG_UP %.2f", request.number(), running.nanos() / 1e9));
            running.failed(request, "hung up");
        }
    }

    @Override
    public int waiting() {
        return 0;
    }
}
