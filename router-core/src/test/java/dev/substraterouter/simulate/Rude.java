package dev.substraterouter.simulate;

import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.policy.Policy;

/** Observers that throw: every few calls a defect, an {@link Error} among them. */
final class Rude {
    private final int every;
    private long calls;

    private Rude(int every) {
        this.every = every;
    }

    /** Has a router watched by them. */
    static SubstrateRouter.Builder listensTo(SubstrateRouter.Builder builder, int every) {
        Rude listener = new Rude(every);
        Rude sink = new Rude(every);
        return builder.listener(event -> listener.called()).traceSink(trace -> sink.called());
    }

    /** What comes of a seed's run that they watch, in words. */
    static String report(long seed, int every) {
        ScenarioDraw.Drawn drawn = ScenarioDraw.of(seed);
        Policy policy = drawn.policy();
        return Simulation.of(policy, drawn.scenario())
                .routerOptions(builder -> listensTo(builder, every))
                .run()
                .toString();
    }

    private void called() {
        calls++;
        if (calls % every == 0) {
            if (calls % 2 == 0) {
                throw new IllegalStateException("an observer's defect");
            }
            throw new AssertionError("an observer's worse defect");
        }
    }
}
