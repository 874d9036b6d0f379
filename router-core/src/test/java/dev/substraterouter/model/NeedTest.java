package dev.substraterouter.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class NeedTest {
    private static Need.Builder full() {
        return Need.builder()
                .capabilities("CUDA", "large_bar")
                .vramGb(24)
                .spansGpus(true)
                .codebase("Mirage")
                .reaches("mcp:Mirage")
                .privacy(Trust.PARTNER)
                .minQuality(0.8)
                .maxLatency(Duration.ofMinutes(3))
                .maxCost(0.5)
                .minAvailability(0.9)
                .duration(Duration.ofSeconds(40));
    }

    @Test
    void keepsWhatItWasGiven() {
        Need need = full().build();
        assertThat(need.capabilities()).containsExactly("cuda", "large-bar");
        assertThat(need.vramGb()).hasValue(24);
        assertThat(need.spansGpus()).isTrue();
        assertThat(need.codebase()).contains("mirage");
        assertThat(need.reaches()).containsExactly("mcp:mirage");
        assertThat(need.privacy()).contains(Trust.PARTNER);
        assertThat(need.minQuality()).hasValue(0.8);
        assertThat(need.maxLatency()).contains(Duration.ofMinutes(3));
        assertThat(need.maxCost()).hasValue(0.5);
        assertThat(need.minAvailability()).isEqualTo(0.9);
        assertThat(need.duration()).contains(Duration.ofSeconds(40));
    }

    @Test
    void requiresNothingThatWasNotSaid() {
        Need need = Need.builder().build();
        assertThat(need.capabilities()).isEmpty();
        assertThat(need.vramGb()).isEmpty();
        assertThat(need.spansGpus()).isFalse();
        assertThat(need.codebase()).isEmpty();
        assertThat(need.reaches()).isEmpty();
        assertThat(need.privacy()).isEmpty();
        assertThat(need.minQuality()).isEmpty();
        assertThat(need.maxLatency()).isEmpty();
        assertThat(need.maxCost()).isEmpty();
        assertThat(need.minAvailability()).isZero();
        assertThat(need.duration()).isEmpty();
    }

    @Test
    void namesCompareWithoutCaseUnderscoreAndSpace() {
        Need one = Need.builder().capabilities("Large_Bar", "cuda", "CUDA").build();
        Need other =
                Need.builder().capabilities("cuda").capabilities("large bar").build();
        assertThat(one).isEqualTo(other).hasSameHashCodeAs(other);
        assertThat(one.capabilities()).containsExactly("cuda", "large-bar");
    }

    @Test
    void twoNeedsThatRequireTheSameAreEqualAndOthersAreNot() {
        Need need = full().build();
        assertThat(need).isEqualTo(full().build()).hasSameHashCodeAs(full().build());
        List<Consumer<Need.Builder>> changes = List.of(
                other -> other.capabilities("more"),
                other -> other.vramGb(25),
                other -> other.spansGpus(false),
                other -> other.codebase("oasis"),
                other -> other.reaches("db:prod"),
                other -> other.privacy(Trust.PUBLIC),
                other -> other.minQuality(0.81),
                other -> other.maxLatency(Duration.ofMinutes(4)),
                other -> other.maxCost(0.51),
                other -> other.minAvailability(0.91),
                other -> other.duration(Duration.ofSeconds(41)));
        for (int i = 0; i < changes.size(); i++) {
            Need.Builder other = full();
            changes.get(i).accept(other);
            assertThat(other.build()).as("change %d", i).isNotEqualTo(need);
        }
    }

    @Test
    void aBuilderMadeOfItMakesTheSameAndLeavesTheOldOne() {
        Need need = full().build();
        assertThat(need.toBuilder().build()).isEqualTo(need);
        Need.Builder builder = full();
        Need first = builder.build();
        builder.capabilities("later").vramGb(80);
        assertThat(first).isEqualTo(need);
        assertThatThrownBy(() -> need.capabilities().add("x")).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void whatIsOutOfRangeIsRefused() {
        Need.Builder need = Need.builder();
        for (double bad : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThatThrownBy(() -> need.vramGb(bad))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("vramGb: " + bad);
        }
        for (double bad : new double[] {-0.01, 1.01, Double.NaN}) {
            assertThatThrownBy(() -> need.minQuality(bad)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> need.minAvailability(bad)).isInstanceOf(IllegalArgumentException.class);
        }
        for (double bad : new double[] {-0.01, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThatThrownBy(() -> need.maxCost(bad)).isInstanceOf(IllegalArgumentException.class);
        }
        for (Duration bad : new Duration[] {Duration.ZERO, Duration.ofSeconds(-1), Duration.ofDays(366)}) {
            assertThatThrownBy(() -> need.maxLatency(bad)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> need.duration(bad)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(need.minQuality(0)
                        .minQuality(1)
                        .minAvailability(1)
                        .maxCost(0)
                        .build())
                .isNotNull();
    }

    @Test
    void whatACallerMakesUpIsBounded() {
        assertThatThrownBy(() -> Need.builder().capabilities(" ")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Need.builder().codebase("")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Need.builder().reaches("x".repeat(Need.MAX_TEXT + 1)))
                .isInstanceOf(IllegalArgumentException.class);
        Need.Builder many = Need.builder();
        for (int i = 0; i < Need.MAX_NAMES; i++) {
            many.capabilities("c" + i);
        }
        assertThatThrownBy(() -> many.capabilities("one too many")).isInstanceOf(IllegalArgumentException.class);
        assertThat(many.build().capabilities()).hasSize(Need.MAX_NAMES);
    }

    @Test
    void saysInWordsWhatItRequires() {
        assertThat(full().build().toString())
                .contains("cuda", "large-bar", "24 GB", "mirage", "mcp:mirage", "partner")
                .contains("0.8", "180 s", "0.5", "0.9", "40 s");
        assertThat(Need.builder().build()).hasToString("need of anything");
    }

    @Test
    void aRequestForANeedNamesNoWorkload() {
        Need need = full().build();
        RouteRequest request = RouteRequest.need(need).identity("agent-7").requestId("r");
        assertThat(request.need()).contains(need);
        assertThat(request.workload()).isEqualTo(RouteRequest.AD_HOC);
        assertThat(RouteRequest.workload("flux-fill").need()).isEmpty();
    }
}
