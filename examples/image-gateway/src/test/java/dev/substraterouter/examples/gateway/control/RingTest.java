package dev.substraterouter.examples.gateway.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.testkit.HandDrivenTime;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RingTest {
    /** Whatever id a client comes back with, what it is given and what it is told is lost make up all it has not seen. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void nothingIsMissedInSilence(long seed) {
        Random random = new Random(seed);
        Ring ring = new Ring(new HandDrivenTime());
        List<Event> all = new ArrayList<>();
        for (int step = 0; step < 700; step++) {
            all.add(ring.add("reloaded", step));
            int seen = random.nextInt(all.size());
            List<Event> given = ring.after(id(all.get(seen)));
            int missed = all.size() - seen - 1;
            int held = Math.min(missed, Ring.SIZE);
            if (held < missed) {
                assertThat(text(given.get(0))).contains("event: lost", "\"count\":" + (missed - held) + "}");
                given = given.subList(1, given.size());
            }
            assertThat(given).as("seed " + seed).isEqualTo(all.subList(all.size() - held, all.size()));
            assertThat(ring.after(null)).isEmpty();
            assertThat(ring.after("0")).hasSize(Math.min(all.size(), Ring.SIZE));
        }
    }

    private static String id(Event event) {
        return text(event).lines().findFirst().orElseThrow().substring("id: ".length());
    }

    private static String text(Event event) {
        return new String(event.bytes(), StandardCharsets.UTF_8);
    }
}
