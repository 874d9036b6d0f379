package dev.substraterouter.testkit;

import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.policy.Policy;
import java.util.List;
import java.util.function.Consumer;

/**
 * What happens to a router, one thing after the other. Immutable and thread-safe; its text is a numbered list.
 *
 * @param policy the policy in force at the beginning
 * @param events what happens
 */
public record EventSchedule(Policy policy, List<Event> events) {
    /** Copies the list. */
    public EventSchedule {
        events = List.copyOf(events);
    }

    /**
     * Lets it all happen to a new router on hand-driven time, on the calling thread. The router is closed afterwards.
     *
     * @param seed the router's own randomness
     */
    public Playback play(long seed) {
        return new EventPlayer(policy, seed).play(events);
    }

    /**
     * As {@link #play(long)}, with somebody who is shown the router before anything happens to it.
     *
     * @param watcher may attach what it likes; runs on the calling thread
     */
    public Playback play(long seed, Consumer<SubstrateRouter> watcher) {
        EventPlayer player = new EventPlayer(policy, seed);
        player.show(watcher);
        return player.play(events);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder().append(policy);
        for (int at = 0; at < events.size(); at++) {
            text.append("\n  ").append(at + 1).append(". ").append(events.get(at));
        }
        return text.toString();
    }
}
