package dev.substraterouter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.testkit.HandDrivenTime;
import dev.substraterouter.testkit.Policies;
import dev.substraterouter.testkit.Statuses;
import dev.substraterouter.trace.RouterEvent;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OperatorsTest {
    private final HandDrivenTime time = new HandDrivenTime();
    private final List<RouterEvent> events = new ArrayList<>();
    private final List<String> kicked = new ArrayList<>();
    private CompletionStage<?> restart = CompletableFuture.completedFuture(null);
    private final RouteRequest fill = RouteRequest.workload("flux-fill");
    private final SubstrateRouter router = SubstrateRouter.builder()
            .policy(Policies.smallest())
            .timeSource(time)
            .executor(Runnable::run)
            .listener(events::add)
            .operator(id -> {
                kicked.add(id);
                return restart;
            })
            .build();

    OperatorsTest() {
        healthy();
    }

    private void healthy() {
        router.reportStatus("mirrorforge", Statuses.idle(64));
        router.reportStatus("legion", Statuses.idle(32));
    }

    @AfterEach
    void close() {
        router.close();
    }

    @Test
    void aCordonedSubstrateTakesNothingAndItsRequestsGoElsewhere() {
        router.cordon("legion");
        assertThat(router.tryPlace(fill).orElseThrow().substrateId()).isEqualTo("mirrorforge");
        assertThat(view("legion").cordoned()).isTrue();
        assertThat(view("legion").verdict().reason()).isEqualTo("cordoned");
        router.uncordon("legion");
        assertThat(router.tryPlace(fill).orElseThrow().substrateId()).isEqualTo("legion");
    }

    @Test
    void uncordoningServesWhoWaits() {
        router.cordon("legion");
        router.cordon("mirrorforge");
        CompletableFuture<Placement> waiter = router.placeAsync(fill);
        assertThat(waiter).isNotDone();
        router.uncordon("legion");
        assertThat(waiter.join().substrateId()).isEqualTo("legion");
    }

    @Test
    void drainCompletesWhenTheLastLeaseEndsAndOnlyUncordonEndsIt() {
        Placement open = router.tryPlace(fill).orElseThrow();
        CompletableFuture<Void> drained = router.drain("legion");
        CompletableFuture<Void> again = router.drain("legion");
        assertThat(drained).isNotDone();
        open.succeed();
        assertThat(drained).isCompleted();
        assertThat(again).isCompleted();
        assertThat(router.drain("legion")).isCompleted();
        assertThat(view("legion").cordoned()).isTrue();
        router.uncordon("legion");
        assertThat(view("legion").cordoned()).isFalse();
    }

    @Test
    void drainWaitsForWorkThatMayStillRunAtMostAsLongAsAStatusStaysFresh() {
        router.tryPlace(fill).orElseThrow().nodeFault(new IOException("reset"));
        CompletableFuture<Void> drained = router.drain("legion");
        assertThat(drained).isNotDone();
        time.advance(Duration.ofSeconds(20));
        assertThat(drained).isCompleted();
    }

    @Test
    void resetEndsAnEjectionWithoutARamp() {
        for (int fault = 0; fault < 3; fault++) {
            fault("sdxl", "mirrorforge");
        }
        assertThat(view("mirrorforge").ejectedUntil()).isPresent();
        assertThat(view("mirrorforge").lastError())
                .hasValueSatisfying(error -> assertThat(error).isEqualTo("java.io.IOException"));
        router.reset("mirrorforge");
        assertThat(view("mirrorforge").ejectedUntil()).isEmpty();
        RouteRequest sdxl = RouteRequest.workload("sdxl");
        assertThat(router.tryPlace(sdxl).orElseThrow().substrateId()).isEqualTo("mirrorforge");
        assertThat(router.tryPlace(sdxl).orElseThrow().substrateId()).isEqualTo("mirrorforge");
        assertThat(events).contains(new RouterEvent.Returned("mirrorforge", true));
    }

    @Test
    void kickRestartsOutOfTheWayAndLiftsItsOwnCordon() {
        CompletableFuture<Void> up = new CompletableFuture<>();
        restart = up;
        CompletableFuture<Void> done = router.kick("legion");
        assertThat(kicked).containsExactly("legion");
        assertThat(view("legion").cordoned()).isTrue();
        up.complete(null);
        assertThat(done).isCompleted();
        assertThat(view("legion").cordoned()).isFalse();
    }

    @Test
    void theCordonOfSeveralKicksLastsUntilTheLastHasEnded() {
        CompletableFuture<Void> slow = new CompletableFuture<>();
        restart = slow;
        CompletableFuture<Void> first = router.kick("legion");
        restart = CompletableFuture.failedFuture(new IllegalStateException("already restarting"));
        assertThat(router.kick("legion")).isCompletedExceptionally();
        assertThat(view("legion").cordoned()).isTrue();
        slow.complete(null);
        assertThat(first).isCompleted();
        assertThat(view("legion").cordoned()).isFalse();
    }

    @Test
    void aFailureThatCannotTellItsCauseEndsItsLease() {
        IOException unspeakable = new IOException() {
            private static final long serialVersionUID = 1L;

            @Override
            public synchronized Throwable getCause() {
                throw new IllegalStateException("no cause");
            }

            @Override
            public String getMessage() {
                throw new IllegalStateException("no words");
            }
        };
        assertThatThrownBy(() -> router.call(fill.idempotent(false), placement -> {
                    throw new java.io.UncheckedIOException("wrapped", unspeakable);
                }))
                .isNotNull();
        assertThatThrownBy(() -> router.call(fill.idempotent(false), placement -> {
                    throw unspeakable;
                }))
                .isSameAs(unspeakable);
        time.advance(Duration.ofSeconds(16));
        assertThat(view("legion").leases()).isZero();
    }

    @Test
    void aDrainDoesNotOutliveTheRouterForLeasesThatOnlyTimeEnds() {
        Placement open = router.tryPlace(fill).orElseThrow();
        CompletableFuture<Void> drained = router.drain("legion");
        router.close();
        assertThat(drained).isNotDone();
        open.nodeFault(new IOException("reset"));
        assertThat(drained).isCompletedExceptionally();
    }

    @Test
    void readinessAsksTheGateAlone() throws InterruptedException {
        assertThat(router.awaitReady(Duration.ofSeconds(5))).isTrue();
        Placement open = router.tryPlace(fill).orElseThrow();
        assertThat(router.awaitReady(Duration.ofSeconds(5))).isTrue();
        open.close();
        router.reportStatus("mirrorforge", Statuses.loaded(64));
        router.reportStatus("legion", Statuses.healthy(32).runningJobs(1).build());
        assertThat(router.awaitReady(Duration.ZERO)).isFalse();
    }

    @Test
    void kickLeavesACordonThatAnOperatorSetMeanwhile() {
        CompletableFuture<Void> up = new CompletableFuture<>();
        restart = up;
        CompletableFuture<Void> done = router.kick("legion");
        router.cordon("legion");
        up.complete(null);
        assertThat(done).isCompleted();
        assertThat(view("legion").cordoned()).isTrue();
    }

    @Test
    void kickWaitsForOwnLeasesButNotLongerThanAStatusStaysFresh() {
        Placement open = router.tryPlace(fill).orElseThrow();
        CompletableFuture<Void> done = router.kick("legion");
        assertThat(done).isNotDone();
        time.advance(Duration.ofSeconds(16));
        assertThat(done).isCompleted();
        assertThat(view("legion").leases()).isEqualTo(1);
        open.close();
        assertThat(view("legion").leases()).isZero();
    }

    @Test
    void aFailedKickSaysSoAndPutsTheSubstrateBack() {
        restart = CompletableFuture.failedFuture(new IOException("no power"));
        assertThat(router.kick("legion")).isCompletedExceptionally();
        assertThat(view("legion").cordoned()).isFalse();
        restart = null;
        assertThatThrownBy(() -> router.kick("legion").join())
                .hasMessageContaining("SubstrateOperator.kick returned null");
    }

    @Test
    void kickWithoutAnOperatorFails() {
        try (SubstrateRouter bare =
                SubstrateRouter.builder().policy(Policies.smallest()).build()) {
            assertThatThrownBy(() -> bare.kick("legion").join()).hasMessageContaining("no SubstrateOperator");
        }
    }

    @Test
    void anUnknownSubstrateIsNamedWithThoseThatAreKnown() {
        assertThatThrownBy(() -> router.cordon("legoin"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no substrate 'legoin' in revision 1 (known: mirrorforge, legion)");
        assertThatThrownBy(() -> router.reportStatus("legoin", Statuses.idle(32)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> router.drain("legoin")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> router.kick("legoin")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> router.reset("legoin")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> router.uncordon("legoin")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void leasesOpenForMuchTooLongAreToldOnceAndNeverTakenAway() {
        Placement open = router.tryPlace(fill).orElseThrow();
        time.advance(Duration.ofMinutes(9));
        assertThat(overdue()).isEmpty();
        time.advance(Duration.ofMinutes(30));
        assertThat(overdue()).hasSize(1);
        assertThat(overdue().get(0).limit()).isEqualTo(Duration.ofMinutes(10));
        assertThat(view("legion").leases()).isEqualTo(1);
        open.close();
    }

    @Test
    void aSleepingMachineMakesNoLeaseOverdue() {
        Placement open = router.tryPlace(fill).orElseThrow();
        time.jump(Duration.ofHours(1));
        assertThat(overdue()).isEmpty();
        assertThat(view("legion").verdict().reason()).contains("stale");
        healthy();
        open.close();
        assertThat(router.tryPlace(fill).orElseThrow().substrateId()).isEqualTo("legion");
    }

    @Test
    void aStatusThatIsLostIsToldOnceUntilItComesBack() {
        time.advance(Duration.ofMinutes(1));
        assertThat(events.stream().filter(RouterEvent.StatusLost.class::isInstance))
                .hasSize(2);
        healthy();
        time.advance(Duration.ofMinutes(1));
        assertThat(events.stream().filter(RouterEvent.StatusLost.class::isInstance))
                .hasSize(4);
    }

    @Test
    void shutdownSaysWhetherEveryLeaseCameBack() throws InterruptedException {
        Placement open = router.tryPlace(fill).orElseThrow();
        assertThat(router.shutdown(Duration.ZERO)).isFalse();
        assertThatThrownBy(() -> router.place(fill)).isInstanceOf(RouterClosedException.class);
        assertThatThrownBy(() -> router.tryPlace(fill))
                .isInstanceOf(RouterClosedException.class)
                .hasMessageContaining("router is closed");
        assertThat(router.placeAsync(fill)).isCompletedExceptionally();
        open.succeed();
        assertThat(router.shutdown(Duration.ofSeconds(5))).isTrue();
    }

    private void fault(String workload, String on) {
        Placement placement = router.tryPlace(RouteRequest.workload(workload)).orElseThrow();
        assertThat(placement.substrateId()).isEqualTo(on);
        placement.nodeFault(new IOException("broken"));
        time.advance(Duration.ofMillis(200));
        healthy();
    }

    private List<RouterEvent.LeaseOverdue> overdue() {
        return events.stream()
                .filter(RouterEvent.LeaseOverdue.class::isInstance)
                .map(RouterEvent.LeaseOverdue.class::cast)
                .toList();
    }

    private SubstrateView view(String id) {
        return router.substrates().stream()
                .filter(view -> view.id().equals(id))
                .findFirst()
                .orElseThrow();
    }
}
