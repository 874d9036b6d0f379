package dev.substraterouter.examples.whatif.bounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.substraterouter.examples.whatif.bounds.Speeds.Phase;
import java.util.List;
import org.junit.jupiter.api.Test;

class SpeedsTest {
    /** Full speed to 10 s, closed and at 0.4 to 20 s, then open at 0.5. */
    private static final Speeds SPEEDS =
            Speeds.of(List.of(new Phase(0, 1, true), new Phase(10, 0.4, false), new Phase(20, 0.5, true)));

    @Test
    void runningWorkGoesOnMoreSlowly() {
        assertThat(SPEEDS.finish(6, 3)).isEqualTo(9);
        assertThat(SPEEDS.finish(6, 4)).isEqualTo(10);
        assertThat(SPEEDS.finish(6, 6)).isCloseTo(15, within(1e-9));
        assertThat(SPEEDS.finish(6, 9)).isCloseTo(22, within(1e-9));
    }

    @Test
    void nothingStartsWhileClosed() {
        assertThat(SPEEDS.nextOpen(9.5)).isEqualTo(9.5);
        assertThat(SPEEDS.nextOpen(10)).isEqualTo(20);
        assertThat(SPEEDS.finish(12, 3)).isEqualTo(26);
        assertThat(SPEEDS.finishUngated(12, 3)).isCloseTo(19.5, within(1e-9));
    }

    @Test
    void workBetweenTwoMoments() {
        assertThat(SPEEDS.work(5, 24)).isCloseTo(5 + 4 + 2, within(1e-9));
        assertThat(SPEEDS.at(10)).isEqualTo(0.4);
    }

    @Test
    void whatNeverOpensOrMovesIsNeverDone() {
        assertThat(Speeds.of(List.of(new Phase(0, 1, false))).finish(0, 1)).isEqualTo(Speeds.NEVER);
        assertThat(Speeds.constant(0).finish(0, 1)).isEqualTo(Speeds.NEVER);
        Speeds stopsForGood = Speeds.of(List.of(new Phase(0, 1, true), new Phase(5, 0, true)));
        assertThat(stopsForGood.finish(3, 2)).isEqualTo(5);
        assertThat(stopsForGood.finish(3, 3)).isEqualTo(Speeds.NEVER);
    }

    @Test
    void phasesComeInTheOrderOfTimeFromZero() {
        assertThatThrownBy(() -> Speeds.of(List.of(new Phase(1, 1, true))))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Speeds.of(List.of(new Phase(0, 1, true), new Phase(0, 1, true))))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Phase(0, -1, true)).isInstanceOf(IllegalArgumentException.class);
    }
}
