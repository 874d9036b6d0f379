package dev.substraterouter.cases;

import static dev.substraterouter.cases.Plan.node;
import static dev.substraterouter.cases.Rig.WORK;
import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.StrategyKind;
import dev.substraterouter.testkit.Statuses;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The order {@code healthiest}: most head-room first. */
@ExtendWith(QuietLog.class)
@Timeout(60)
class HealthiestTest {
    private static Policy.Builder two(int slots) {
        return Plan.policy(
                Plan.work().strategy(StrategyKind.HEALTHIEST).route("a", "b"), node("a", slots), node("b", slots));
    }

    private static void util(Rig rig, String id, double pct) {
        rig.router.reportStatus(id, Statuses.healthy(24).gpuUtilPct(pct).build());
    }

    private static String best(Rig rig) {
        return rig.router.recommend(WORK).best().orElseThrow().substrateId();
    }

    @Test
    @DisplayName("the one with the most head-room is taken, wherever it is written")
    void mostHeadRoomFirst() {
        try (Rig rig = new Rig(two(4))) {
            util(rig, "a", 60);
            util(rig, "b", 3);
            assertThat(best(rig)).isEqualTo("b");
            assertThat(rig.place().substrateId()).isEqualTo("b");
            util(rig, "a", 3);
            util(rig, "b", 60);
            assertThat(best(rig)).isEqualTo("a");
        }
    }

    @Test
    @DisplayName("a small difference does not switch away from the one written earlier")
    void smallDifferencesDoNotSwitch() {
        try (Rig rig = new Rig(two(4))) {
            util(rig, "a", 6);
            util(rig, "b", 3);
            assertThat(best(rig)).isEqualTo("a");
            util(rig, "a", 3);
            util(rig, "b", 6);
            assertThat(best(rig)).isEqualTo("a");
        }
    }

    @Test
    @DisplayName("the router's own work takes head-room at once, before any status tells of it")
    void ownLoadCounts() {
        try (Rig rig = new Rig(two(2))) {
            assertThat(rig.place().substrateId()).isEqualTo("a");
            assertThat(rig.place().substrateId()).isEqualTo("b");
            assertThat(rig.place().substrateId()).isEqualTo("a");
            assertThat(rig.place().substrateId()).isEqualTo("b");
        }
        try (Rig rig = new Rig(two(4))) {
            List<String> taken = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                taken.add(rig.place().substrateId());
            }
            assertThat(taken.subList(0, 4)).filteredOn("a"::equals).hasSize(2);
            assertThat(taken).filteredOn("a"::equals).hasSize(4);
        }
    }

    @Test
    @DisplayName("free memory and temperature are head-room too")
    void memoryAndTemperatureCount() {
        Policy.Builder policy = Plan.policy(
                Plan.work().vramGb(4).strategy(StrategyKind.HEALTHIEST).route("a", "b"),
                node("a", 4).vramGb(24),
                node("b", 4).vramGb(24));
        try (Rig rig = new Rig(policy)) {
            rig.router.reportStatus("a", Statuses.healthy(24).vramUsedGb(18).build());
            assertThat(best(rig)).isEqualTo("b");
            rig.healthy("a");
            rig.router.reportStatus("a", Statuses.healthy(24).gpuTempC(79).build());
            assertThat(best(rig)).isEqualTo("b");
        }
    }

    @Test
    @DisplayName("the margin is taken from those who can be had: one that is down does not narrow it [R10]")
    void whoIsDownDoesNotNarrowTheMargin() {
        for (String down : List.of("down", "far-away")) {
            Policy.Builder policy = Plan.policy(
                    Plan.work().strategy(StrategyKind.HEALTHIEST).route("a", "b", down),
                    node("a", 4),
                    node("b", 4),
                    node("down", 4),
                    node("far-away", 4).overflow(true));
            try (Rig rig = new Rig(policy)) {
                util(rig, "a", 24);
                util(rig, "b", 10);
                assertThat(best(rig)).as("within the margin of %s alone", down).isEqualTo("a");
                rig.router.reportStatus(
                        "down",
                        Statuses.healthy(24)
                                .gpuUtilPct(0)
                                .gpuTempC(30)
                                .reachable(false)
                                .build());
                rig.router.reportStatus(
                        "far-away",
                        Statuses.healthy(24).gpuUtilPct(0).gpuTempC(30).build());
                assertThat(best(rig)).isEqualTo("a");
                assertThat(rig.place().substrateId()).isEqualTo("a");
            }
        }
    }

    @Test
    @DisplayName("one that fails its gate is not taken however much else is free there")
    void theGateComesFirst() {
        try (Rig rig = new Rig(two(4))) {
            rig.loaded("b");
            util(rig, "a", 60);
            assertThat(best(rig)).isEqualTo("a");
        }
    }
}
