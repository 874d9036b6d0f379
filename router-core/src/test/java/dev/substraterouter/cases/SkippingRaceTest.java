package dev.substraterouter.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.Placement;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.model.Need;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.HealthLimits;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.testkit.HandDrivenTime;
import dev.substraterouter.testkit.Statuses;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Of many substrates one at least is open at any moment, though it is another one each time: nobody may be told that there is none. */
@ExtendWith(QuietLog.class)
@Timeout(120)
class SkippingRaceTest {
    /** So many that the open one can move while somebody reads who is shut. */
    private static final int SUBSTRATES = 2_000;
    /** Those from here on open and shut; they are not among the first, which are looked at in any case. */
    private static final int FIRST_MOVING = 80;

    private static final int LAST = SUBSTRATES - 1;

    private static final int ROUNDS = 60;
    private static final int MOVES = 300;
    private static final int QUESTIONS = 20;
    private static final RouteRequest ANY =
            RouteRequest.need(Need.builder().vramGb(1).build());

    @Test
    void nobodyIsRefusedWhileTheOpenOneMoves() throws Exception {
        try (SubstrateRouter router = router(15);
                Crew crew = new Crew(4)) {
            open(router, FIRST_MOVING);
            int[] open = {FIRST_MOVING};
            Crew.Job mover = round -> {
                for (int time = 0; time < MOVES; time++) {
                    int next = open[0] == FIRST_MOVING ? LAST : FIRST_MOVING;
                    open(router, next); // before the other shuts
                    shut(router, open[0]);
                    open[0] = next;
                }
            };
            crew.rounds(ROUNDS, List.of(mover, asking(router), asking(router), asking(router)), round -> {});
        }
    }

    @Test
    void nobodyIsRefusedWhileTwoMoveTheSame() throws Exception {
        try (SubstrateRouter router = router(15);
                Crew crew = new Crew(4)) {
            open(router, LAST);
            AtomicInteger turns = new AtomicInteger();
            Crew.Job flicker = round -> {
                for (int time = 0; time < MOVES; time++) {
                    int one = FIRST_MOVING + turns.incrementAndGet() % 3;
                    if (turns.get() % 2 == 0) {
                        open(router, one);
                    } else {
                        shut(router, one);
                    }
                }
            };
            Crew.Check afterwards = round -> {
                for (int moving = FIRST_MOVING; moving < FIRST_MOVING + 3; moving++) {
                    shut(router, moving);
                }
                Placement only = router.tryPlace(ANY).orElseThrow();
                assertThat(only.substrateId()).isEqualTo(id(LAST));
                only.close();
            };
            crew.rounds(ROUNDS, List.of(flicker, flicker, asking(router), asking(router)), afterwards);
        }
    }

    @Test
    void nobodyIsRefusedWhileAReloadPutsAllUnderOtherLimits() throws Exception {
        try (SubstrateRouter router = router(15);
                Crew crew = new Crew(3)) {
            open(router, LAST);
            Crew.Job reloading = round -> router.reload(policy(round % 2 == 0 ? 20 : 15));
            Crew.Job moving = round -> {
                open(router, FIRST_MOVING);
                shut(router, FIRST_MOVING);
            };
            crew.rounds(ROUNDS, List.of(reloading, moving, asking(router)), round -> {});
        }
    }

    private static Crew.Job asking(SubstrateRouter router) {
        return round -> {
            for (int time = 0; time < QUESTIONS; time++) {
                List<Placement> held = new ArrayList<>();
                router.tryPlace(ANY).ifPresent(held::add);
                held.forEach(Placement::close);
                assertThat(held).as("placements while one is open").hasSize(1);
            }
        };
    }

    private static SubstrateRouter router(int staleSeconds) {
        return SubstrateRouter.builder()
                .policy(policy(staleSeconds))
                .timeSource(new HandDrivenTime())
                .executor(Runnable::run)
                .build();
    }

    private static Policy policy(int staleSeconds) {
        Policy.Builder policy = Policy.builder()
                .health(HealthLimits.builder()
                        .staleAfter(Duration.ofSeconds(staleSeconds))
                        .build());
        for (int at = 0; at < SUBSTRATES; at++) {
            policy.substrate(
                    Substrate.builder(id(at)).vramGb(32).maxConcurrentJobs(1000).build());
        }
        return policy.build();
    }

    private static void open(SubstrateRouter router, int at) {
        router.reportStatus(id(at), Statuses.idle(32));
    }

    private static void shut(SubstrateRouter router, int at) {
        router.reportStatus(id(at), Statuses.loaded(32));
    }

    private static String id(int at) {
        return String.format("s%05d", at);
    }
}
