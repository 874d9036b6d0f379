package dev.substraterouter.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.policy.Policy;
import dev.substraterouter.testkit.Event;
import dev.substraterouter.testkit.EventSchedule;
import dev.substraterouter.testkit.EventSchedules;
import dev.substraterouter.testkit.Playback;
import dev.substraterouter.trace.Attempt;
import dev.substraterouter.trace.RefusalReason;
import dev.substraterouter.trace.RouterEvent;
import dev.substraterouter.trace.RoutingTrace;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;

/** The metrics count what the traces tell, neither more nor less, whatever happens. */
class RouterMetricsPropertyTest {
    private static final String DECISIONS = "substrate.router.decisions";

    @Provide
    Arbitrary<EventSchedule> schedules() {
        return EventSchedules.any();
    }

    @Provide
    Arbitrary<EventSchedule> steady() {
        return EventSchedules.any()
                .map(schedule -> new EventSchedule(
                        schedule.policy(),
                        schedule.events().stream()
                                .filter(event -> !(event instanceof Event.Reloaded))
                                .toList()));
    }

    @Property(tries = 60, shrinking = ShrinkingMode.OFF)
    void theyCountWhatTheTracesTell(@ForAll("steady") EventSchedule schedule, @ForAll long seed) {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        Playback playback =
                schedule.play(seed, router -> RouterMetrics.of(router).bindTo(registry));

        Map<String, Long> expected = new TreeMap<>();
        playback.traces().forEach(trace -> expect(expected, trace));
        assertThat(counted(registry)).as("%s", playback).isEqualTo(expected);

        long fellBack = playback.events().stream()
                .filter(RouterEvent.FellBack.class::isInstance)
                .count();
        double withReason = registry.find(DECISIONS).meters().stream()
                .filter(meter ->
                        !List.of("none", "refused").contains(meter.getId().getTag("outcome")))
                .filter(meter -> !meter.getId().getTag("path").equals("none"))
                .filter(meter -> !meter.getId().getTag("reason").equals("none"))
                .mapToDouble(RouterMetricsPropertyTest::value)
                .sum();
        assertThat((long) withReason).isEqualTo(fellBack);

        assertThat(total(registry, "substrate.router.wait"))
                .isEqualTo(playback.traces().stream()
                        .map(RoutingTrace::waited)
                        .reduce(Duration.ZERO, Duration::plus)
                        .toNanos());
        assertThat(count(registry, "substrate.router.wait"))
                .isEqualTo(playback.events().stream()
                        .filter(RouterEvent.Queued.class::isInstance)
                        .count());
        List<Attempt> attempts = playback.traces().stream()
                .flatMap(trace -> trace.attempts().stream())
                .toList();
        assertThat(count(registry, "substrate.router.service")).isEqualTo(attempts.size());
        assertThat(total(registry, "substrate.router.service"))
                .isEqualTo(attempts.stream()
                        .mapToLong(attempt -> attempt.latency().orElseThrow().toNanos())
                        .sum());
    }

    @Property(tries = 40, shrinking = ShrinkingMode.OFF)
    void afterReloadsTheyNameOnlyWhatThePolicyNames(@ForAll("schedules") EventSchedule schedule, @ForAll long seed) {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        List<RouterMetrics> metrics = new ArrayList<>();
        Playback playback = schedule.play(seed, router -> {
            RouterMetrics bound = RouterMetrics.of(router);
            bound.bindTo(registry);
            metrics.add(bound);
        });

        Policy last = playback.policies().entrySet().stream()
                .max(Map.Entry.comparingByKey())
                .orElseThrow()
                .getValue();
        Names names = Names.of(last);
        assertThat(registry.getMeters()).isNotEmpty().allSatisfy(meter -> {
            for (Tag tag : meter.getId().getTags()) {
                switch (tag.getKey()) {
                    case "workload" ->
                        assertThat(names.workloads().contains(tag.getValue())
                                        || tag.getValue().equals("other"))
                                .as("%s", meter.getId())
                                .isTrue();
                    case "substrate" ->
                        assertThat(names.hasSubstrate(tag.getValue()))
                                .as("%s", meter.getId())
                                .isTrue();
                    case "model" ->
                        assertThat(names.hasModel(tag.getValue()))
                                .as("%s", meter.getId())
                                .isTrue();
                    default -> {}
                }
            }
        });
        metrics.forEach(RouterMetrics::close);
        assertThat(registry.getMeters()).isEmpty();
    }

    private static void expect(Map<String, Long> expected, RoutingTrace trace) {
        for (Attempt attempt : trace.attempts()) {
            expected.merge(
                    String.join(
                            " ",
                            trace.workload(),
                            attempt.substrateId(),
                            word(attempt.path()),
                            attempt.model().orElse("none"),
                            word(attempt.outcome())),
                    1L,
                    Long::sum);
        }
        if (trace.refusal().isPresent()) {
            expected.merge(
                    known(trace) + " none none none refused "
                            + word(trace.refusal().get()),
                    1L,
                    Long::sum);
        } else if (trace.attempts().isEmpty()) {
            expected.merge(known(trace) + " none none none withdrawn none", 1L, Long::sum);
        }
    }

    private static String known(RoutingTrace trace) {
        boolean unknown = trace.refusal().isPresent() && trace.refusal().get() == RefusalReason.UNKNOWN_WORKLOAD;
        return unknown ? "other" : trace.workload();
    }

    /** What was counted, placements without their reason, which traces have in words only. */
    private static Map<String, Long> counted(SimpleMeterRegistry registry) {
        Map<String, Long> counted = new TreeMap<>();
        for (Meter meter : registry.find(DECISIONS).meters()) {
            Meter.Id id = meter.getId();
            boolean placed = !id.getTag("path").equals("none");
            String key = String.join(
                    " ",
                    id.getTag("workload"),
                    id.getTag("substrate"),
                    id.getTag("path"),
                    id.getTag("model"),
                    id.getTag("outcome"));
            counted.merge(placed ? key : key + " " + id.getTag("reason"), (long) value(meter), Long::sum);
        }
        return counted;
    }

    private static double value(Meter meter) {
        return meter.measure().iterator().next().getValue();
    }

    private static long count(SimpleMeterRegistry registry, String name) {
        return registry.find(name).timers().stream().mapToLong(Timer::count).sum();
    }

    private static long total(SimpleMeterRegistry registry, String name) {
        return (long) registry.find(name).timers().stream()
                .mapToDouble(timer -> timer.totalTime(TimeUnit.NANOSECONDS))
                .sum();
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
