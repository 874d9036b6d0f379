package dev.substraterouter.examples.gateway.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.examples.gateway.access.Caller;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Sessions are bounded, and those that are gone make room. */
class SessionsTest {
    private static final Caller ONE = Caller.of("one");
    private static final Caller TWO = Caller.of("two");

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5); // it may wrap around
    private final Sessions sessions = new Sessions(3, 2, Duration.ofNanos(100), now::get);

    @Test
    void oneCallerHasSoManyAndAllTogetherToo() {
        assertThat(open("a", ONE)).isTrue();
        assertThat(open("b", ONE)).isTrue();
        assertThat(open("c", ONE)).isFalse();
        assertThat(open("d", TWO)).isTrue();
        assertThat(open("e", Caller.ANYBODY)).isFalse();
        sessions.gone("a");
        assertThat(open("f", Caller.ANYBODY)).isTrue();
    }

    @Test
    void oneThatIsBeingOpenedCounts() {
        try (Sessions.Opening first = sessions.opening(ONE);
                Sessions.Opening second = sessions.opening(ONE)) {
            assertThat(first).isNotNull();
            assertThat(second).isNotNull();
            assertThat(sessions.opening(ONE)).isNull();
        }
        assertThat(open("a", ONE)).isTrue();
    }

    @Test
    void oneThatIsNotUsedIsForgottenButNotOneInUse() {
        open("idle", ONE);
        open("used", ONE);
        assertThat(sessions.use("used", ONE)).isTrue();
        assertThat(sessions.use("used", TWO)).isFalse();
        now.addAndGet(101);
        assertThat(sessions.use("idle", ONE)).isFalse();
        sessions.used("used");
        now.addAndGet(100);
        assertThat(sessions.use("used", ONE)).isTrue();
    }

    private boolean open(String id, Caller caller) {
        try (Sessions.Opening opening = sessions.opening(caller)) {
            if (opening != null) {
                opening.opened(id);
            }
            return opening != null;
        }
    }
}
