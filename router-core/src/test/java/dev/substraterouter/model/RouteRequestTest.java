package dev.substraterouter.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RouteRequestTest {
    private final RouteRequest plain = RouteRequest.workload("flux-fill");

    @Test
    void everyMethodReturnsANewRequestAndLeavesTheOldOne() {
        RouteRequest full = plain.identity("agent-7")
                .priority(Priority.HIGH)
                .mode(PlacementMode.INTERACTIVE)
                .maxWait(Duration.ofSeconds(3))
                .deadline(Duration.ofSeconds(9))
                .idempotent(false)
                .prefer("legion")
                .avoid("mirrorforge")
                .avoid("cloud", "archive")
                .requestId("r-1")
                .attribute("tenant", "a")
                .attribute("tenant", "b");
        assertThat(full.workload()).isEqualTo("flux-fill");
        assertThat(full.identity()).contains("agent-7");
        assertThat(full.priority()).contains(Priority.HIGH);
        assertThat(full.mode()).isEqualTo(PlacementMode.INTERACTIVE);
        assertThat(full.maxWait()).contains(Duration.ofSeconds(3));
        assertThat(full.deadline()).contains(Duration.ofSeconds(9));
        assertThat(full.idempotent()).isFalse();
        assertThat(full.prefer()).contains("legion");
        assertThat(full.avoid()).containsExactly("mirrorforge", "cloud", "archive");
        assertThat(full.requestId()).contains("r-1");
        assertThat(full.attributes()).containsOnlyKeys("tenant").containsValue("b");
        assertThat(full).hasToString("RouteRequest[flux-fill, id r-1, HIGH]");
        assertThat(plain.identity()).isEmpty();
        assertThat(plain.priority()).isEmpty();
        assertThat(plain.mode()).isEqualTo(PlacementMode.EITHER);
        assertThat(plain.maxWait()).isEmpty();
        assertThat(plain.deadline()).isEmpty();
        assertThat(plain.idempotent()).isTrue();
        assertThat(plain.avoid()).isEmpty();
        assertThat(plain.attributes()).isEmpty();
    }

    @Test
    void whatACallerMakesUpIsBounded() {
        assertThatThrownBy(() -> plain.maxWait(Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("maxWait: PT-1S (expected: >= 0)");
        assertThatThrownBy(() -> plain.deadline(Duration.ofNanos(-1))).hasMessageContaining("deadline");
        assertThatThrownBy(() -> plain.requestId("x".repeat(257)))
                .hasMessage("requestId: 257 characters (expected: at most 256)");
        RouteRequest sixteen = plain;
        for (int i = 0; i < 16; i++) {
            sixteen = sixteen.attribute("k" + i, "v");
        }
        RouteRequest full = sixteen;
        assertThatThrownBy(() -> full.attribute("k16", "v")).hasMessage("attributes: 17 (expected: at most 16)");
        assertThat(full.attribute("k3", "w").attributes()).hasSize(16);
    }
}
