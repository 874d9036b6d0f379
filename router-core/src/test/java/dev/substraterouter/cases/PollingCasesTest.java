package dev.substraterouter.cases;

import static dev.substraterouter.cases.Plan.node;
import static dev.substraterouter.cases.Rig.WORK;
import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.Placement;
import dev.substraterouter.SubstrateView;
import dev.substraterouter.model.DegradedReason;
import dev.substraterouter.policy.HealthLimits;
import dev.substraterouter.policy.OnStale;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.status.StatusTicket;
import dev.substraterouter.testkit.Statuses;
import dev.substraterouter.trace.Finding;
import dev.substraterouter.trace.Reason;
import dev.substraterouter.trace.RouterEvent;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What went wrong elsewhere: statuses that come, stay away or come while something else happens, and pools that change. */
@ExtendWith(QuietLog.class)
@Timeout(60)
class PollingCasesTest {
    private final HandSource source = new HandSource();

    private static Policy.Builder policy(HealthLimits.Builder health, String... ids) {
        Policy.Builder policy = Policy.builder()
                .health(health.build())
                .ejection(CaseRig.after(1, Duration.ofMinutes(1)).build())
                .workload(Workload.builder("work").route(ids).build());
        for (String id : ids) {
            policy.substrate(node(id, 2).status("http://" + id + ":9100/status").build());
        }
        return policy;
    }

    private static Policy.Builder policy(String... ids) {
        return policy(HealthLimits.builder(), ids);
    }

    /** A router that has heard of each of its substrates, over the wire only. */
    private Rig rig(Policy.Builder policy) {
        Rig rig = new Rig(policy, builder -> builder.statusSource(source));
        rig.time.advance(Duration.ofSeconds(16)); // what the rig has reported by hand counts no more
        source.asked().forEach(this::idle);
        rig.forgetEvents();
        return rig;
    }

    private void idle(String id) {
        source.answer(id, "status", Statuses.idle(24));
    }

    private static List<Reason> reasons(SubstrateView view) {
        return view.reasons().stream().map(Finding::reason).toList();
    }

    // J55

    @Test
    @DisplayName(
            "of a pool that changes the kept one keeps all it has, the removed one drains, the new one waits for its first poll [J55]")
    void aChangedPool() {
        try (Rig rig = rig(policy("a", "b"))) {
            Placement onA = rig.place(WORK.prefer("a"));
            Placement onB = rig.place(WORK.prefer("b"));
            CompletableFuture<Void> drained = rig.router.drain("a");
            rig.router.reload(policy("b", "c").build());

            assertThat(source.asked()).containsExactly("b", "c");
            assertThat(rig.router.substrates()).extracting(SubstrateView::id).containsExactly("b", "c");
            assertThat(rig.leases("b")).isEqualTo(1);
            assertThat(reasons(rig.view("b"))).as("its status still counts").isEmpty();
            assertThat(reasons(rig.view("c"))).containsExactly(Reason.NO_STATUS);
            try (Placement next = rig.place(WORK.prefer("c"))) {
                assertThat(next.substrateId()).isEqualTo("b");
            }
            assertThat(drained).as("its own work still runs").isNotDone();
            onA.succeed();
            assertThat(drained).isCompleted();

            idle("c");
            try (Placement next = rig.place(WORK.prefer("c"))) {
                assertThat(next.substrateId()).isEqualTo("c");
            }
            onB.nodeFault(new IOException("reset"));
            idle("b");
            assertThat(rig.view("b").ejectedUntil()).isPresent();
            Duration out = rig.outFor("b");
            rig.router.reload(policy("b", "d").build());
            assertThat(rig.outFor("b")).isEqualTo(out);
        }
    }

    @Test
    @DisplayName("while pools come and go there is never a moment with no substrate [J55]")
    void neverEmpty() throws Exception {
        Policy one = policy("a", "b").build();
        Policy other = policy("b", "c").build();
        try (Rig rig = rig(policy("a", "b"));
                Crew crew = new Crew(3)) {
            AtomicInteger picks = new AtomicInteger();
            crew.rounds(
                    200,
                    List.of(
                            round -> rig.router.reload(round % 2 == 0 ? other : one),
                            round -> pick(rig, picks),
                            round -> pick(rig, picks)),
                    round -> assertThat(rig.leases()).isZero());
            assertThat(picks.get()).isEqualTo(400);
            assertThat(rig.router.tryPlace(WORK)).isPresent();
        }
    }

    /** Only {@code b} is in both and has a status in both; two at once have room there. */
    private static void pick(Rig rig, AtomicInteger picks) {
        try (Placement placement = rig.place()) {
            assertThat(placement.substrateId()).isIn("a", "b");
            placement.succeed();
            picks.incrementAndGet();
        }
    }

    // J56

    @ParameterizedTest
    @EnumSource
    @DisplayName(
            "with the status source down the last data is kept, marked when it is too old, and judged as the policy says [J56]")
    void theSourceIsDown(OnStale posture) {
        try (Rig rig = rig(policy(HealthLimits.builder().onStale(posture), "a", "b"))) {
            StatusTicket endless = source.asking("a", "status"); // an answer that never ends
            for (int second = 0; second < 60; second++) {
                rig.time.advance(Duration.ofSeconds(1));
                source.miss("a", "connection refused");
                source.miss("b", "connection refused");
                boolean old = second >= 15;
                SubstrateView view = rig.view("a");
                assertThat(view.status()).as("second %d", second).hasValue(Statuses.idle(24));
                assertThat(view.statusAge()).hasValue(Duration.ofSeconds(second + 1));
                boolean open = !old || posture == OnStale.HOLD;
                assertThat(view.verdict().passes()).isEqualTo(open);
                if (open) {
                    Placement placement = rig.place();
                    assertThat(placement.degraded().contains(DegradedReason.STALE_HELD))
                            .isEqualTo(old);
                    placement.succeed();
                } else {
                    assertThat(rig.router.tryPlace(WORK)).isEmpty();
                    assertThat(reasons(view)).containsExactly(Reason.STALE_STATUS);
                    assertThat(view.verdict().reason()).contains("connection refused");
                }
            }
            assertThat(rig.heard(RouterEvent.StatusLost.class))
                    .extracting(RouterEvent.StatusLost::substrateId)
                    .as("each told once")
                    .containsExactlyInAnyOrder("a", "b");
            assertThat(rig.heard(RouterEvent.Ejected.class)).isEmpty();
            endless.failed("closed");
            idle("a");
            Placement healed = rig.place();
            assertThat(healed.substrateId()).isEqualTo("a");
            assertThat(healed.degraded()).isEmpty();
        }
    }

    // J58

    @Test
    @DisplayName(
            "who begins to wait while a good status is being taken in is served, whoever of the two comes first [J58]")
    void waitersMeetStatuses() throws Exception {
        try (Rig rig = new Rig(Rig.pool(2, "a"));
                Crew crew = new Crew(2)) {
            AtomicReference<CompletableFuture<Placement>> waiter = new AtomicReference<>();
            rig.loaded("a");
            crew.rounds(
                    3_000,
                    List.of(
                            round -> waiter.set(rig.router.placeAsync(WORK.maxWait(Duration.ofHours(1)))),
                            round -> rig.healthy("a")),
                    round -> {
                        assertThat(waiter.get()).as("nothing else will wake it").isCompleted();
                        waiter.get().join().close();
                        rig.loaded("a");
                        assertThat(rig.waiting()).isZero();
                    });
        }
    }

    @Test
    @DisplayName("several who begin to wait while statuses of two substrates come in are all served [J58]")
    void manyWaitersMeetStatuses() throws Exception {
        try (Rig rig = new Rig(Rig.pool(1, "a", "b"));
                Crew crew = new Crew(4)) {
            rig.loaded("a");
            rig.loaded("b");
            List<AtomicReference<CompletableFuture<Placement>>> waiters =
                    List.of(new AtomicReference<>(), new AtomicReference<>());
            crew.rounds(
                    1_000,
                    List.of(
                            round -> waiters.get(0).set(rig.router.placeAsync(WORK.maxWait(Duration.ofHours(1)))),
                            round -> rig.healthy("a"),
                            round -> waiters.get(1).set(rig.router.placeAsync(WORK.maxWait(Duration.ofHours(1)))),
                            round -> rig.healthy("b")),
                    round -> {
                        assertThat(waiters)
                                .allSatisfy(waiter -> assertThat(waiter.get()).isCompleted());
                        waiters.forEach(waiter -> waiter.get().join().close());
                        rig.loaded("a");
                        rig.loaded("b");
                        assertThat(rig.leases()).isZero();
                    });
        }
    }

    // J59

    private static Policy.Builder moved(String host) {
        return Policy.builder()
                .ejection(CaseRig.after(1, Duration.ofMinutes(1)).build())
                .workload(Workload.builder("work").route("a", "b").build())
                .substrate(node("a", 2)
                        .endpoint("http://" + host + ":8188")
                        .status("http://" + host + ":9100/status")
                        .build())
                .substrate(node("b", 2).status("http://b:9100/status").build());
    }

    @Test
    @DisplayName("a substrate whose address changes is the same substrate: its leases, faults and status stay [J59]")
    void theIdIsTheKey() {
        try (Rig rig = rig(moved("10.0.0.1"))) {
            Placement before = rig.place();
            rig.router.reload(moved("10.0.0.2").build());
            assertThat(source.targets)
                    .filteredOn(target -> target.substrateId().equals("a"))
                    .extracting(target -> target.addresses().get(0).url().getHost())
                    .containsExactly("10.0.0.2");
            assertThat(rig.leases("a")).isEqualTo(1);
            assertThat(reasons(rig.view("a"))).isEmpty();
            Placement after = rig.place();
            assertThat(before.endpoint().getHost()).isEqualTo("10.0.0.1");
            assertThat(after.endpoint().getHost()).isEqualTo("10.0.0.2");
            try (Placement third = rig.place()) {
                assertThat(third.substrateId())
                        .as("two slots, whatever the address")
                        .isEqualTo("b");
            }
            after.nodeFault(new IOException("reset"));
            rig.time.advance(Duration.ofSeconds(1));
            idle("a"); // what the failed work may have left running is over
            assertThat(rig.view("a").ejectedUntil()).isPresent();
            Duration out = rig.outFor("a");
            for (int churn = 3; churn < 30; churn++) {
                rig.router.reload(moved("10.0.0." + churn).build());
            }
            assertThat(rig.outFor("a")).isEqualTo(out);
            assertThat(rig.leases("a")).isEqualTo(1);
            before.succeed();
            assertThat(rig.leases("a")).isZero();
            assertThat(rig.heard(RouterEvent.Ejected.class)).hasSize(1);
        }
    }

    @Test
    @DisplayName("a name that is not found is a missed poll and nothing else: what was known stays [J59]")
    void anUnknownHostIsAMissedPoll() {
        try (Rig rig = rig(moved("a.lan"))) {
            for (int second = 0; second < 15; second++) {
                rig.time.advance(Duration.ofSeconds(1));
                source.miss("a", "unknown host (a.lan:9100)");
                try (Placement placement = rig.place()) {
                    assertThat(placement.substrateId()).isEqualTo("a");
                    assertThat(placement.endpoint().getHost()).isEqualTo("a.lan");
                    placement.succeed();
                }
            }
            rig.time.advance(Duration.ofSeconds(1));
            assertThat(rig.view("a").verdict().reason()).endsWith("(unknown host (a.lan:9100))");
            assertThat(rig.view("a").ejectedUntil()).isEmpty();
            idle("a");
            assertThat(rig.view("a").verdict().passes()).isTrue();
        }
    }
}
