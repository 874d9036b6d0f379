package dev.substraterouter.cases;

import static dev.substraterouter.cases.Plan.cloud;
import static dev.substraterouter.cases.Plan.node;
import static dev.substraterouter.cases.Plan.seconds;
import static dev.substraterouter.cases.Plan.takes;
import static dev.substraterouter.cases.Plan.work;
import static dev.substraterouter.cases.Rig.WORK;
import static dev.substraterouter.cases.Rig.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substraterouter.Placement;
import dev.substraterouter.SubstrateFaultException;
import dev.substraterouter.model.DegradedReason;
import dev.substraterouter.model.Trust;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.QueueLimits;
import dev.substraterouter.policy.StrategyKind;
import dev.substraterouter.trace.Attempt;
import dev.substraterouter.trace.Reason;
import dev.substraterouter.trace.RefusalReason;
import dev.substraterouter.trace.ServingPath;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** External endpoints: as a primary, as the faster one, as overflow, and never for what must stay. */
@ExtendWith(QuietLog.class)
@Timeout(60)
class ExternalPlacementTest {
    private static Policy.Builder overflow(Duration after) {
        return Plan.policy(
                work().privacy(Trust.PUBLIC).overflowAfter(after).route("cloud", "local"),
                cloud("cloud").overflow(true),
                node("local", 1));
    }

    @Test
    @DisplayName("an external primary is used first, though the local fallback is cheaper")
    void anExternalPrimaryComesFirst() {
        Policy.Builder policy = Plan.policy(
                work().privacy(Trust.PUBLIC)
                        .route(
                                Candidate.builder("cloud").costPerJob(0.50).build(),
                                Candidate.builder("local").costPerJob(0.01).build()),
                cloud("cloud").maxConcurrentJobs(1),
                node("local", 1));
        try (Rig rig = new Rig(policy)) {
            Placement first = rig.place();
            assertThat(first.substrateId()).isEqualTo("cloud");
            assertThat(first.degraded()).isEmpty();
            assertThat(first.endpoint()).isEqualTo(URI.create("https://cloud.example.com"));
            Attempt attempt = first.trace().lastAttempt().orElseThrow();
            assertThat(attempt.external()).isTrue();
            assertThat(attempt.path()).isEqualTo(ServingPath.PRIMARY);
            assertThat(first.trace().overflow()).isFalse();
            Placement second = rig.place();
            assertThat(second.substrateId()).isEqualTo("local");
            assertThat(second.degraded()).contains(DegradedReason.NOT_PRIMARY);
            Attempt fallback = second.trace().lastAttempt().orElseThrow();
            assertThat(fallback.external()).isFalse();
            assertThat(fallback.path()).isEqualTo(ServingPath.FALLBACK);
        }
    }

    @Test
    @DisplayName("an external endpoint that never reported any status is used, by what is known")
    void anExternalEndpointNeedsNoStatus() {
        Policy.Builder policy = Plan.policy(
                work().privacy(Trust.PUBLIC).route("cloud"), cloud("cloud").maxConcurrentJobs(1));
        HandDriven.withoutStatuses(policy, router -> {
            Placement only = router.tryPlace(WORK).orElseThrow();
            assertThat(only.substrateId()).isEqualTo("cloud");
            assertThat(router.tryPlace(WORK)).as("its limit holds").isEmpty();
        });
    }

    @Test
    @DisplayName("work that is in a hurry goes to an external endpoint that finishes first")
    void theFastestMayBeExternal() {
        Policy.Builder policy = Plan.policy(
                work().privacy(Trust.PUBLIC)
                        .strategy(StrategyKind.EARLIEST_FINISH)
                        .route(takes("local", 60).build(), takes("cloud", 10).build()),
                node("local", 1),
                cloud("cloud").maxConcurrentJobs(1));
        try (Rig rig = new Rig(policy)) {
            assertThat(rig.place().substrateId()).isEqualTo("cloud");
            assertThat(rig.place().substrateId()).isEqualTo("local");
        }
    }

    @Test
    @DisplayName("overflow is taken only when nothing else is admissible, wherever it is written")
    void overflowIsTakenLast() {
        try (Rig rig = new Rig(overflow(Duration.ZERO))) {
            Placement first = rig.place();
            assertThat(first.substrateId()).isEqualTo("local");
            assertThat(first.trace().overflow()).isFalse();
            Placement second = rig.place();
            assertThat(second.substrateId()).isEqualTo("cloud");
            assertThat(second.trace().overflow()).isTrue();
            assertThat(second.trace().lastAttempt().orElseThrow().path()).isEqualTo(ServingPath.OVERFLOW);
            first.close();
            assertThat(rig.place().substrateId()).isEqualTo("local");
        }
    }

    @Test
    @DisplayName("a wish for the overflow does not open it")
    void aWishDoesNotOpenTheOverflow() {
        try (Rig rig = new Rig(overflow(Duration.ZERO))) {
            assertThat(rig.place(WORK.prefer("cloud")).substrateId()).isEqualTo("local");
        }
    }

    @Test
    @DisplayName("overflow opens after overflow_after of waiting, to the moment")
    void overflowOpensLater() {
        try (Rig rig = new Rig(overflow(seconds(12)))) {
            rig.place();
            assertThat(rig.router.tryPlace(WORK))
                    .as("who never waits never gets there")
                    .isEmpty();
            assertThat(rig.router.recommend(WORK).candidates())
                    .filteredOn(candidate -> candidate.substrateId().equals("cloud"))
                    .singleElement()
                    .satisfies(cloud -> {
                        assertThat(cloud.admissible()).isFalse();
                        assertThat(cloud.reasons()).anyMatch(finding -> finding.reason() == Reason.OVERFLOW_LATER);
                    });
            CompletableFuture<Placement> waiter = rig.router.placeAsync(WORK);
            rig.time.advance(seconds(12).minusNanos(1));
            assertThat(waiter).isNotDone();
            rig.time.advance(Duration.ofNanos(1));
            assertThat(waiter).isCompleted();
            assertThat(waiter.join().substrateId()).isEqualTo("cloud");
            assertThat(waiter.join().trace().overflow()).isTrue();
        }
    }

    @Test
    @DisplayName("what comes free before that is taken instead of the overflow")
    void whatComesFreeBeforeIsTaken() {
        try (Rig rig = new Rig(overflow(seconds(12)))) {
            Placement running = rig.place();
            CompletableFuture<Placement> waiter = rig.router.placeAsync(WORK);
            rig.time.advance(seconds(11));
            running.succeed();
            assertThat(waiter).isCompleted();
            assertThat(waiter.join().substrateId()).isEqualTo("local");
        }
    }

    @Test
    @DisplayName("a wait limit before overflow_after ends in a refusal")
    void aShorterWaitNeverReachesTheOverflow() {
        try (Rig rig = new Rig(overflow(seconds(12)))) {
            rig.place();
            CompletableFuture<Placement> waiter = rig.router.placeAsync(WORK.maxWait(seconds(11)));
            rig.time.advance(seconds(11));
            assertThat(refusal(waiter).reason()).isEqualTo(RefusalReason.WAIT_EXPIRED);
        }
    }

    private static Policy.Builder mixed(Trust privacy, Trust trust, int capacity) {
        return Plan.policy(
                        work().privacy(privacy).route("local", "cloud"),
                        node("local", 1),
                        cloud("cloud").trust(trust))
                .queue(QueueLimits.builder().capacity(capacity).build());
    }

    @Test
    @DisplayName("private work never leaves: it waits, or is refused")
    void privateWorkNeverLeaves() {
        try (Rig rig = new Rig(mixed(Trust.CONTROLLED, Trust.PUBLIC, 1))) {
            Placement running = rig.place();
            assertThat(rig.router.tryPlace(WORK)).isEmpty();
            assertThat(rig.router.tryPlace(WORK.prefer("cloud"))).isEmpty();
            CompletableFuture<Placement> waiter = rig.router.placeAsync(WORK);
            assertThat(waiter).isNotDone();
            assertThat(refusal(rig.router.placeAsync(WORK)).reason()).isEqualTo(RefusalReason.QUEUE_FULL);
            rig.time.advance(seconds(29));
            assertThat(waiter).isNotDone();
            running.succeed();
            assertThat(waiter.join().substrateId()).isEqualTo("local");
            CompletableFuture<Placement> next = rig.router.placeAsync(WORK);
            rig.time.advance(seconds(30));
            assertThat(refusal(next).reason()).isEqualTo(RefusalReason.WAIT_EXPIRED);
            assertThat(rig.leases("cloud")).isZero();
        }
    }

    @Test
    @DisplayName("private work that failed locally does not fail over to the outside")
    void privateWorkDoesNotFailOver() {
        try (Rig rig = new Rig(mixed(Trust.CONTROLLED, Trust.PUBLIC, 0))) {
            List<String> tried = new ArrayList<>();
            assertThatThrownBy(() -> rig.router.call(WORK, placement -> {
                        tried.add(placement.substrateId());
                        throw new SubstrateFaultException("502");
                    }))
                    .isInstanceOf(SubstrateFaultException.class);
            assertThat(tried).containsExactly("local");
        }
    }

    @Test
    @DisplayName("each kind of content goes as far as its trust allows and no farther")
    void trustIsALadder() {
        for (Trust privacy : Trust.values()) {
            for (Trust trust : Trust.values()) {
                try (Rig rig = new Rig(mixed(privacy, trust, 0))) {
                    rig.place();
                    boolean allowed = trust.compareTo(privacy) <= 0;
                    assertThat(rig.router.tryPlace(WORK).isPresent())
                            .as("%s work on a %s endpoint", privacy, trust)
                            .isEqualTo(allowed);
                }
            }
        }
    }
}
