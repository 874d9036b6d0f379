package dev.substraterouter.properties;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.Placement;
import dev.substraterouter.SubstrateFaultException;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.EjectionLimits;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.status.StatusTicket;
import dev.substraterouter.testkit.HandDrivenTime;
import dev.substraterouter.trace.Considered;
import dev.substraterouter.trace.Reason;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.lifecycle.BeforeProperty;

/**
 * Own load and foreign load, with workers that tell the truth: the router's own work never sends work away, and what others run between
 * two polls never makes it take more than there is.
 */
class LoadPropertyTest {
    private static final Logger LOG = Logger.getLogger("dev.substraterouter");
    private static final double GB_PER_JOB = 7;
    private static final double UTIL_PER_JOB = 47;
    private static final RouteRequest WORK = RouteRequest.workload("work");
    private Level before;

    @BeforeProperty
    void silence() {
        before = LOG.getLevel();
        LOG.setLevel(Level.OFF);
    }

    @AfterProperty
    void speak() {
        LOG.setLevel(before);
    }

    /** Two workers, a router, and a poll that takes a while. */
    private static final class Scene implements AutoCloseable {
        final HandDrivenTime time = new HandDrivenTime();
        final Worker.Poll poll = new Worker.Poll();
        final Worker primary;
        final Worker spare;
        final SubstrateRouter router;
        final int slots;
        final Dice dice;
        /** What others run on the primary, by its newest status. */
        int knownJobs;

        double knownGb;

        Scene(int slots, double gb, Dice dice) {
            this.slots = slots;
            this.dice = dice;
            primary = new Worker("primary", gb, GB_PER_JOB, UTIL_PER_JOB);
            spare = new Worker("spare", 1_000, GB_PER_JOB, 1);
            router = SubstrateRouter.builder()
                    .policy(Policy.builder()
                            .ejection(EjectionLimits.builder()
                                    .consecutiveFaults(1_000)
                                    .faultsOfLast(64, 64)
                                    .build())
                            .substrate(substrate("primary", gb, slots)
                                    .utilPerJobPct(UTIL_PER_JOB)
                                    .build())
                            .substrate(substrate("spare", 1_000, 100)
                                    .utilPerJobPct(1)
                                    .build())
                            .workload(Workload.builder("work")
                                    .vramGb(GB_PER_JOB)
                                    .route("primary", "spare")
                                    .build())
                            .build())
                    .timeSource(time)
                    .executor(Runnable::run)
                    .statusSource(poll)
                    .build();
            poll();
        }

        private static Substrate.Builder substrate(String id, double gb, int slots) {
            return Substrate.builder(id)
                    .status("http://" + id + "/status")
                    .vramGb(gb)
                    .maxConcurrentJobs(slots);
        }

        private double noise() {
            return dice.next(5) - 2.0;
        }

        /** Asks both and has their answers after a while; nothing begins or ends from 100 ms before until then. */
        void poll() {
            pass(101);
            StatusTicket first = poll.ask("primary");
            StatusTicket second = poll.ask("spare");
            pass(dice.next(1_500));
            first.answered(primary.status(noise()));
            second.answered(spare.status(noise()));
        }

        void pass(long millis) {
            time.advance(Duration.ofMillis(millis));
        }

        Optional<Placement> request() {
            Optional<Placement> placed = router.tryPlace(WORK);
            placed.ifPresent(one -> worker(one).own.add(one));
            return placed;
        }

        private Worker worker(Placement placement) {
            return placement.substrateId().equals("primary") ? primary : spare;
        }

        void end(Worker worker) {
            if (!worker.own.isEmpty()) {
                worker.own.remove(dice.next(worker.own.size())).succeed();
            }
        }

        /** The placement fails; its work goes on. */
        void fail(Worker worker) {
            if (!worker.own.isEmpty()) {
                worker.own.remove(dice.next(worker.own.size())).nodeFault(new SubstrateFaultException("lost touch"));
                worker.zombies++;
            }
        }

        @Override
        public void close() {
            router.close();
        }
    }

    /** While nothing moves in a status' window, the primary takes as many as it has slots, one after the other, whatever it reports. */
    @Property(tries = 300)
    void ownLoadNeverSendsWorkAway(
            @ForAll @IntRange(min = 1, max = 6) int slots,
            @ForAll @Size(min = 10, max = 150) List<@IntRange(min = 0, max = 99_999) Integer> numbers) {
        try (Scene scene = new Scene(slots, slots * GB_PER_JOB, new Dice(numbers))) {
            while (scene.dice.more()) {
                switch (scene.dice.next(8)) {
                    case 0, 1, 2 -> {
                        boolean room = scene.primary.own.size() < slots;
                        assertThat(scene.request().orElseThrow().substrateId())
                                .as("%d of %d taken", scene.primary.own.size(), slots)
                                .isEqualTo(room ? "primary" : "spare");
                    }
                    case 3 -> scene.end(scene.primary);
                    case 4 -> scene.end(scene.spare);
                    case 5 -> scene.pass(scene.dice.next(3_000));
                    default -> scene.poll();
                }
                scene.poll(); // the newest status is always one with a clean window, and fresh
            }
        }
    }

    /** As above, with polls as they come, whole rows of requests between two of them. */
    @Property(tries = 300)
    void ownLoadNeverSendsWorkAwayBetweenPolls(
            @ForAll @IntRange(min = 1, max = 6) int slots,
            @ForAll @Size(min = 10, max = 150) List<@IntRange(min = 0, max = 99_999) Integer> numbers) {
        try (Scene scene = new Scene(slots, slots * GB_PER_JOB, new Dice(numbers))) {
            while (scene.dice.more()) {
                for (int row = scene.dice.next(2 * slots); row >= 0; row--) {
                    boolean room = scene.primary.own.size() < slots;
                    assertThat(scene.request().orElseThrow().substrateId()).isEqualTo(room ? "primary" : "spare");
                    if (scene.dice.next(3) == 0) {
                        scene.end(scene.primary);
                    }
                    scene.pass(scene.dice.next(200));
                }
                scene.poll();
            }
        }
    }

    /** When leases move inside a window a fallback is allowed, says so, has a fresh status asked for, and is over with it. */
    @Property(tries = 300)
    void aFallbackInDoubtSaysSoAndIsOverWithTheFreshStatus(
            @ForAll @IntRange(min = 1, max = 6) int slots,
            @ForAll @Size(min = 10, max = 150) List<@IntRange(min = 0, max = 99_999) Integer> numbers) {
        try (Scene scene = new Scene(slots, slots * GB_PER_JOB, new Dice(numbers))) {
            while (scene.dice.more()) {
                StatusTicket ticket = scene.poll.ask("primary");
                var answer = scene.primary.status(0);
                for (int moves = scene.dice.next(4); moves >= 0; moves--) {
                    request(scene, slots);
                    if (scene.dice.next(2) == 0) {
                        scene.end(scene.primary);
                    }
                    scene.pass(scene.dice.next(100));
                }
                ticket.answered(scene.dice.next(2) == 0 ? answer : scene.primary.status(0));
                request(scene, slots);
                scene.poll();
                boolean room = scene.primary.own.size() < slots;
                assertThat(scene.request().orElseThrow().substrateId())
                        .as("after a fresh status")
                        .isEqualTo(room ? "primary" : "spare");
            }
        }
    }

    private static void request(Scene scene, int slots) {
        boolean room = scene.primary.own.size() < slots;
        Placement placed = scene.request().orElseThrow();
        assertThat(scene.primary.own.size()).isLessThanOrEqualTo(slots);
        if (room && placed.substrateId().equals("spare")) {
            Considered primary =
                    placed.trace().lastAttempt().orElseThrow().considered().get(0);
            assertThat(primary.has(Reason.IN_DOUBT)).as("%s", primary).isTrue();
            int asked = scene.poll.refreshes;
            scene.pass(1_000);
            assertThat(asked + scene.poll.refreshes)
                    .as("a fresh status is asked for")
                    .isPositive();
        }
    }

    /**
     * Whatever others run, by the newest status, and whatever of ours still runs after its placement failed: a burst between two polls
     * never takes more than is left of slots and memory, wherever in its window the status was measured.
     */
    @Property(tries = 400)
    void aBurstBetweenTwoPollsNeverOverfills(
            @ForAll @IntRange(min = 1, max = 6) int slots,
            @ForAll @Size(min = 10, max = 200) List<@IntRange(min = 0, max = 99_999) Integer> numbers) {
        try (Scene scene = new Scene(slots, 4 * GB_PER_JOB + 3, new Dice(numbers))) {
            Dice dice = scene.dice;
            Worker primary = scene.primary;
            while (dice.more()) {
                primary.zombies -= dice.next(primary.zombies + 1);
                primary.foreignJobs = dice.next(Math.max(1, slots - primary.own.size() - primary.zombies + 1));
                double left = primary.totalGb - primary.usedGb() + primary.foreignGb;
                primary.foreignGb = left <= 0 ? 0 : dice.next((int) left + 1);
                StatusTicket ticket = scene.poll.ask("primary");
                var early = primary.status(0);
                move(scene);
                ticket.answered(dice.next(2) == 0 ? early : primary.status(0));
                scene.knownJobs = primary.foreignJobs;
                scene.knownGb = primary.foreignGb;
                for (int burst = dice.next(2 * slots); burst >= 0; burst--) {
                    move(scene);
                }
                scene.pass(dice.next(2_000));
            }
        }
    }

    /** One request, and perhaps an end; nothing may be too much after it. */
    private static void move(Scene scene) {
        Worker primary = scene.primary;
        int before = primary.own.size();
        scene.request();
        if (primary.own.size() > before) {
            int ours = primary.own.size() + primary.zombies;
            assertThat(scene.knownJobs + ours).as("jobs").isLessThanOrEqualTo(scene.slots);
            assertThat(scene.knownGb + ours * GB_PER_JOB).as("memory").isLessThanOrEqualTo(primary.totalGb);
        }
        switch (scene.dice.next(5)) {
            case 0 -> scene.end(primary);
            case 1 -> scene.fail(primary);
            case 2 -> scene.pass(scene.dice.next(300));
            default -> scene.end(scene.spare);
        }
    }
}
