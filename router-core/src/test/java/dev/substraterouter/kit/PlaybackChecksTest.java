package dev.substraterouter.kit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.model.Trust;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Role;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.testkit.Event;
import dev.substraterouter.testkit.EventSchedule;
import dev.substraterouter.testkit.Playback;
import dev.substraterouter.testkit.PlaybackChecks;
import dev.substraterouter.trace.RefusalReason;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What was right by one policy is wrong by a stricter one: so the judges are shown what a broken router would do. */
class PlaybackChecksTest {
    private static Substrate.Builder legion() {
        return Substrate.builder("legion").vramGb(32).maxConcurrentJobs(1);
    }

    private static Workload.Builder fill() {
        return Workload.builder("fill").vramGb(24).route(candidate());
    }

    private static Candidate candidate() {
        return Candidate.builder("legion")
                .quality(0.5)
                .expectedLatency(Duration.ofSeconds(40))
                .costPerJob(1)
                .build();
    }

    private static Policy policy(Substrate.Builder substrate, Workload.Builder workload, Role... roles) {
        Policy.Builder policy = Policy.builder().substrate(substrate.build()).workload(workload.build());
        for (Role role : roles) {
            policy.role(role);
        }
        return policy.build();
    }

    private static Playback played() {
        Event ask = new Event.Asked(RouteRequest.workload("fill").identity("agent-1"), Event.Way.NOW);
        return new EventSchedule(policy(legion(), fill()), List.of(ask)).play(1);
    }

    private static Playback judgedBy(Policy policy) {
        Playback it = played();
        return new Playback(it.steps(), it.requests(), Map.of(1L, policy), it.traces(), it.events(), it.leaks());
    }

    static Stream<Arguments> stricter() {
        return Stream.of(
                Arguments.of("privacy: controlled (trust there: public)", policy(legion().trust(Trust.PUBLIC), fill())),
                Arguments.of("min_quality: 0.8", policy(legion(), fill().minQuality(0.8))),
                Arguments.of("max_latency: PT30S", policy(legion(), fill().maxLatency(Duration.ofSeconds(30)))),
                Arguments.of("max_cost: 0.5", policy(legion(), fill().maxCost(0.5))),
                Arguments.of("vram_gb: 48.0 (there: 32.0)", policy(legion(), fill().vramGb(48))),
                Arguments.of("capabilities: [cuda] (there: [])", policy(legion(), fill().capabilities("cuda"))),
                Arguments.of(
                        "roles: [operator] ('agent-1' may not use it)",
                        policy(
                                legion(),
                                fill(),
                                Role.builder("operator").identities("ops-*").build())));
    }

    @ParameterizedTest
    @MethodSource("stricter")
    void aBrokenConstraintIsToldWithItsFiguresAndItsStory(String clause, Policy stricter) {
        assertThat(PlaybackChecks.brokenConstraints(judgedBy(stricter)))
                .singleElement()
                .asString()
                .startsWith("'fill' for 'agent-1' was placed on 'legion' (local, trust: ")
                .contains(", which breaks " + clause)
                .endsWith("\n  1. at 0.0 s: ask now for fill by agent-1, EITHER: placed on legion");
    }

    @Test
    void whatIsRightIsNotTold() {
        assertThat(PlaybackChecks.brokenConstraints(played())).isEmpty();
        assertThat(PlaybackChecks.privateWorkOutside(played())).isEmpty();
        assertThat(PlaybackChecks.wrongRefusals(played())).isEmpty();
        assertThat(PlaybackChecks.differences(played(), played())).isEmpty();
    }

    @Test
    void privateWorkOutsideIsTold() {
        assertThat(PlaybackChecks.privateWorkOutside(judgedBy(policy(legion().trust(Trust.PARTNER), fill()))))
                .singleElement()
                .asString()
                .contains("'legion' (local, trust: partner)")
                .contains("although it is controlled");
    }

    @Test
    void aRefusalAgainstTheRecommendationIsTold() {
        Playback it = played();
        Playback.Step step = it.steps().get(0);
        Playback.Answer answer = new Playback.Answer(
                "request-1", Optional.of("legion"), Optional.empty(), Optional.of(RefusalReason.NO_WAIT), "all busy");
        Playback wrong = new Playback(
                List.of(new Playback.Step(step.at(), step.event(), Optional.of(answer))),
                it.requests(),
                it.policies(),
                it.traces(),
                it.events(),
                it.leaks());
        assertThat(PlaybackChecks.wrongRefusals(wrong))
                .singleElement()
                .asString()
                .startsWith("'legion' was admissible, and 'fill' was refused (NO_WAIT): all busy\n");
        assertThat(PlaybackChecks.differences(it, wrong))
                .singleElement()
                .asString()
                .startsWith("step 1: ");
    }
}
