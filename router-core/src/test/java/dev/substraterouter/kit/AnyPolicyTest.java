package dev.substraterouter.kit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.testkit.EventSchedule;
import dev.substraterouter.testkit.EventSchedules;
import dev.substraterouter.testkit.Playback;
import dev.substraterouter.testkit.PlaybackChecks;
import dev.substraterouter.trace.Attempt;
import dev.substraterouter.trace.RouterEvent;
import dev.substraterouter.trace.RoutingTrace;
import dev.substraterouter.trace.ServingPath;
import java.util.EnumMap;
import java.util.Map;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;

/** What the kit checks for hosts holds for any policy, over whatever may happen. */
class AnyPolicyTest {
    private static final int TRIES = 150;

    private final Map<ServingPath, Integer> paths = new EnumMap<>(ServingPath.class);
    private int runs;
    private int refused;
    private int failedOver;
    private int ejected;

    @Provide
    Arbitrary<EventSchedule> schedules() {
        return EventSchedules.any();
    }

    @Property(tries = TRIES, seed = "4711", edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.OFF)
    void whateverHappens(@ForAll("schedules") EventSchedule schedule, @ForAll long seed) {
        Playback playback = schedule.play(seed);

        assertThat(PlaybackChecks.brokenConstraints(playback)).isEmpty();
        assertThat(PlaybackChecks.privateWorkOutside(playback)).isEmpty();
        assertThat(PlaybackChecks.wrongRefusals(playback)).isEmpty();
        assertThat(playback.leaks()).isEmpty();
        assertThat(PlaybackChecks.differences(playback, schedule.play(seed))).isEmpty();
        count(playback);
        if (++runs == TRIES) {
            wentEverywhere();
        }
    }

    private void count(Playback playback) {
        for (RoutingTrace trace : playback.traces()) {
            refused += trace.refusal().isPresent() ? 1 : 0;
            failedOver += trace.attempts().size() > 1 ? 1 : 0;
            trace.attempts().stream().map(Attempt::path).forEach(path -> paths.merge(path, 1, Integer::sum));
        }
        ejected += (int) playback.events().stream()
                .filter(RouterEvent.Ejected.class::isInstance)
                .count();
    }

    /** The seed is fixed, and so is how often it leads to what matters. */
    private void wentEverywhere() {
        assertThat(paths).as("placements by path").containsOnlyKeys(ServingPath.values());
        assertThat(paths.values()).as("%s", paths).allMatch(times -> times > 0);
        assertThat(refused).as("refusals").isGreaterThan(100);
        assertThat(failedOver).as("failovers").isPositive();
        assertThat(ejected).as("ejections").isPositive();
    }
}
