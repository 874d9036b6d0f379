package dev.substraterouter.testkit;

import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Substrate;
import java.time.Duration;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.RandomDistribution;
import net.jqwik.api.Tuple;

/** Schedules of what may happen to a router: statuses, time, requests, ends, operators' acts and reloads. Stateless and thread-safe. */
public final class EventSchedules {
    private static final int MOST_EVENTS = 60;

    private EventSchedules() {}

    /** Schedules for any policy, with reloads of any other. */
    public static Arbitrary<EventSchedule> any() {
        return PolicyArbitraries.policies().tuple2().flatMap(two -> of(two.get1(), two.get2()));
    }

    /**
     * Schedules for a policy: of up to 60 events, half of which ask for something.
     *
     * @param policy the policy in force at the beginning
     * @param others what it may be reloaded with, beside itself
     */
    public static Arbitrary<EventSchedule> of(Policy policy, Policy... others) {
        Arbitrary<Policy> policies = Arbitraries.of(policy, others.length == 0 ? policy : others[0]);
        if (others.length > 1) {
            policies = Arbitraries.oneOf(policies, Arbitraries.of(others));
        }
        return events(policy, policies)
                .list()
                .ofMaxSize(MOST_EVENTS)
                .withSizeDistribution(RandomDistribution.uniform())
                .map(events -> new EventSchedule(policy, events));
    }

    private static Arbitrary<Event> events(Policy policy, Arbitrary<Policy> reloads) {
        Arbitrary<String> ids = Arbitraries.of(policy.substrates()).map(Substrate::id);
        return Arbitraries.frequencyOf(
                Tuple.of(28, asked(policy)),
                Tuple.of(10, ended()),
                Tuple.of(6, told(policy)),
                Tuple.of(8, Arbitraries.just(new Event.AllWell())),
                Tuple.of(
                        5,
                        Arbitraries.of(0, 100, 500, 1_000, 5_000, 20_000)
                                .map(Duration::ofMillis)
                                .map(Event.Passes::new)),
                Tuple.of(1, ids.map(Event.Cordoned::new)),
                Tuple.of(3, ids.map(Event.Uncordoned::new)),
                Tuple.of(1, reloads.map(Event.Reloaded::new)));
    }

    private static Arbitrary<Event> asked(Policy policy) {
        return Combinators.combine(RequestArbitraries.of(policy), Arbitraries.of(Event.Way.class))
                .as(Event.Asked::new);
    }

    private static Arbitrary<Event> ended() {
        Arbitrary<Event.Ending> endings = Arbitraries.frequencyOf(
                Tuple.of(3, Arbitraries.just(Event.Ending.SUCCEEDED)),
                Tuple.of(2, Arbitraries.just(Event.Ending.NODE_FAULT)),
                Tuple.of(3, Arbitraries.of(Event.Ending.class)));
        return Combinators.combine(Arbitraries.integers().between(0, 9), endings)
                .as(Event.Ended::new);
    }

    private static Arbitrary<Event> told(Policy policy) {
        List<Arbitrary<Event>> each = policy.substrates().stream()
                .map(substrate -> StatusArbitraries.any(policy, substrate)
                        .<Event>map(status -> new Event.Told(substrate.id(), status)))
                .toList();
        return Arbitraries.oneOf(each);
    }
}
