package dev.substraterouter.cases;

import static dev.substraterouter.cases.Plan.node;
import static dev.substraterouter.cases.Plan.seconds;
import static dev.substraterouter.cases.Rig.WORK;
import static dev.substraterouter.cases.Rig.pool;
import static dev.substraterouter.cases.Rig.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.Placement;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.QueueLimits;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.status.GpuStatus;
import dev.substraterouter.status.SubstrateStatus;
import dev.substraterouter.testkit.Statuses;
import dev.substraterouter.trace.Reason;
import dev.substraterouter.trace.RefusalReason;
import dev.substraterouter.trace.RouterEvent;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The cases of the section "Queue, priority, placement". */
@ExtendWith(QuietLog.class)
@Timeout(60)
class PlacementCasesTest {
    private static final Duration MINUTES = Duration.ofMinutes(10);

    // R73

    @Test
    @DisplayName("a wait of 10 s ends after 10 s, whatever runs and for however long [R73]")
    void aWaitEndsAtItsTime() {
        try (Rig rig = new Rig(pool(1, "a"))) {
            rig.place(); // runs for ever
            CompletableFuture<Placement> waiter = rig.router.placeAsync(WORK.maxWait(seconds(10)));
            rig.time.advance(seconds(10).minusNanos(1));
            assertThat(waiter).isNotDone();
            rig.time.advance(Duration.ofNanos(1));
            assertThat(refusal(waiter).reason()).isEqualTo(RefusalReason.WAIT_EXPIRED);
            assertThat(refusal(waiter).trace().waited()).isEqualTo(seconds(10));
            assertThat(rig.waiting()).isZero();
        }
    }

    // R74

    @Test
    @DisplayName("a waiter that is cancelled leaves at once, and its place is free [R74]")
    void aCancelledWaiterLeavesAtOnce() {
        try (Rig rig =
                new Rig(pool(1, "a").queue(QueueLimits.builder().capacity(1).build()))) {
            Placement running = rig.place();
            CompletableFuture<Placement> waiter = rig.router.placeAsync(WORK);
            assertThat(waiter.cancel(true)).isTrue();
            assertThat(rig.waiting()).isZero();
            CompletableFuture<Placement> next = rig.router.placeAsync(WORK);
            assertThat(next).isNotDone();
            running.close();
            assertThat(next).isCompleted();
        }
    }

    // R76

    @Test
    @DisplayName(
            "under endless HIGH load a LOW request is served within its aging, and the reserve for HIGH holds [R76]")
    void lowIsServedWithinItsAgingBesideAReserve() {
        Policy.Builder policy = Plan.policy(Plan.work().route("a"), node("a", 2).reserveForHigh(1))
                .queue(QueueLimits.builder()
                        .capacity(50)
                        .agesAfter(seconds(10))
                        .holdAfter(seconds(10))
                        .maxWait(MINUTES)
                        .build());
        try (Rig rig = new Rig(policy)) {
            RouteRequest high = WORK.priority(Priority.HIGH);
            Deque<CompletableFuture<Placement>> stream = new ArrayDeque<>();
            for (int i = 0; i < 4; i++) {
                stream.add(rig.router.placeAsync(high));
            }
            CompletableFuture<Placement> low = rig.router.placeAsync(WORK.priority(Priority.LOW));
            for (int second = 0; second < 100 && !low.isDone(); second++) {
                rig.time.advance(seconds(1));
                stream.add(rig.router.placeAsync(high));
                if (second % 2 == 0 && stream.peek().isDone()) {
                    stream.poll().join().succeed();
                }
            }
            assertThat(low).isCompleted();
            assertThat(low.join().trace().waited()).isBetween(seconds(20), seconds(30));
            long running = stream.stream()
                    .filter(CompletableFuture::isDone)
                    .filter(one ->
                            one.join().trace().attempts().get(0).latency().isEmpty())
                    .count();
            assertThat(running).as("beside LOW the reserved slot serves HIGH").isLessThanOrEqualTo(1);
            assertThat(rig.leases()).isEqualTo((int) running + 1);
        }
    }

    @Test
    @DisplayName("a slot that is reserved for HIGH is not for others, however long they have waited [R76]")
    void theReserveHolds() {
        Policy.Builder policy = Plan.policy(Plan.work().route("a"), node("a", 2).reserveForHigh(1))
                .queue(QueueLimits.builder()
                        .capacity(50)
                        .agesAfter(seconds(1))
                        .holdAfter(seconds(1))
                        .maxWait(MINUTES)
                        .build());
        try (Rig rig = new Rig(policy)) {
            rig.place(WORK);
            CompletableFuture<Placement> low = rig.router.placeAsync(WORK.priority(Priority.LOW));
            rig.time.advance(seconds(60));
            assertThat(low).as("aged, and declared LOW").isNotDone();
        }
    }

    // R77

    @Test
    @DisplayName("a big job that small ones would starve gets its card: after hold_after it is held [R77]")
    void aBigJobIsNotStarved() {
        Policy.Builder policy = Plan.policy()
                .substrate(node("a", 8).vramGb(24).build())
                .workload(Workload.builder("big").vramGb(20).route("a").build())
                .workload(Workload.builder("small").vramGb(5).route("a").build())
                .queue(QueueLimits.builder()
                        .capacity(50)
                        .agesAfter(Duration.ofHours(1))
                        .holdAfter(seconds(10))
                        .maxWait(MINUTES)
                        .build());
        RouteRequest small = RouteRequest.workload("small");
        try (Rig rig = new Rig(policy)) {
            Deque<CompletableFuture<Placement>> stream = new ArrayDeque<>();
            for (int i = 0; i < 4; i++) {
                stream.add(rig.router.placeAsync(small));
                assertThat(stream.getLast()).isCompleted();
            }
            CompletableFuture<Placement> big = rig.router.placeAsync(RouteRequest.workload("big"));
            assertThat(big).isNotDone();
            for (int second = 1; second <= 60 && !big.isDone(); second++) {
                rig.time.advance(seconds(1));
                stream.poll().join().succeed();
                if (big.isDone()) {
                    break;
                }
                CompletableFuture<Placement> next = rig.router.placeAsync(small);
                stream.add(next);
                if (second < 10) {
                    assertThat(next).as("before that the gap is filled").isCompleted();
                } else if (second > 10) {
                    assertThat(next).as("held for the big one").isNotDone();
                }
            }
            assertThat(big).isCompleted();
            assertThat(big.join().trace().waited()).isBetween(seconds(10), seconds(15));
        }
    }

    // R79

    @Test
    @DisplayName("one newcomer displaces one waiter, always the same one, whoever else waits [R79]")
    void oneNewcomerDisplacesOne() {
        for (int round = 0; round < 5; round++) {
            try (Rig rig =
                    new Rig(pool(1, "a").queue(QueueLimits.builder().capacity(4).build()))) {
                rig.place();
                Map<String, CompletableFuture<Placement>> waiting = new HashMap<>();
                List<Priority> order = List.of(Priority.NORMAL, Priority.LOW, Priority.LOW, Priority.NORMAL);
                for (int i = 0; i < 4; i++) {
                    waiting.put("w" + i, rig.router.placeAsync(WORK.priority(order.get(i))));
                }
                CompletableFuture<Placement> high = rig.router.placeAsync(WORK.priority(Priority.HIGH));
                assertThat(high).isNotDone();
                assertThat(waiting.entrySet().stream()
                                .filter(waiter -> waiter.getValue().isDone())
                                .map(Map.Entry::getKey))
                        .containsExactly("w2");
                assertThat(refusal(waiting.get("w2")).reason()).isEqualTo(RefusalReason.OUTRANKED);
                assertThat(rig.waiting()).isEqualTo(4);
            }
        }
    }

    // R80

    @Test
    @DisplayName("a substrate that simply fits is taken before anybody is displaced or anything is waited for [R80]")
    void whatSimplyFitsIsTaken() {
        Policy.Builder policy = pool(1, "a", "b")
                .workload(Workload.builder("on-a").pin("a").build())
                .queue(QueueLimits.builder().capacity(2).build());
        try (Rig rig = new Rig(policy)) {
            RouteRequest onA = RouteRequest.workload("on-a");
            rig.place(onA);
            CompletableFuture<Placement> first = rig.router.placeAsync(onA.priority(Priority.LOW));
            CompletableFuture<Placement> second = rig.router.placeAsync(onA.priority(Priority.LOW));
            CompletableFuture<Placement> high = rig.router.placeAsync(WORK.priority(Priority.HIGH));
            assertThat(high).isCompleted();
            assertThat(high.join().substrateId()).isEqualTo("b");
            assertThat(first).isNotDone();
            assertThat(second).isNotDone();
            assertThat(rig.heard(RouterEvent.Refused.class)).isEmpty();
        }
    }

    @Test
    @DisplayName("a candidate on which it could never run does not keep a request from one on which it can [R80]")
    void anImpossibleCandidateHoldsNobody() {
        Policy.Builder policy = Plan.policy(
                Plan.work().vramGb(20).route("tiny", "card"),
                node("tiny", 4).vramGb(8),
                node("card", 1).vramGb(24));
        try (Rig rig = new Rig(policy)) {
            rig.router.reportStatus("tiny", Statuses.idle(8));
            Placement running = rig.place(WORK.priority(Priority.HIGH));
            assertThat(running.substrateId()).isEqualTo("card");
            CompletableFuture<Placement> waiter = rig.router.placeAsync(WORK.maxWait(MINUTES));
            rig.time.advance(seconds(60)); // it has a claim by now, and on the right one
            assertThat(waiter).isNotDone();
            running.close();
            assertThat(waiter.join().substrateId()).isEqualTo("card");
        }
    }

    // R82

    private static Policy.Builder models() {
        return Plan.policy()
                .substrate(node("a", 4).vramGb(24).build())
                .workload(Workload.builder("x")
                        .vramGb(16)
                        .route(Candidate.builder("a")
                                .model("x")
                                .loadTime(seconds(60))
                                .build())
                        .build())
                .workload(Workload.builder("y")
                        .vramGb(8)
                        .route(Candidate.builder("a")
                                .model("y")
                                .jobVramGb(1)
                                .loadTime(seconds(60))
                                .build())
                        .build());
    }

    @Test
    @DisplayName("the load of one model does not keep a request from another that is loaded [R82]")
    void aLoadBlocksNoWarmModel() {
        try (Rig rig = new Rig(models())) {
            rig.router.reportStatus(
                    "a", Statuses.healthy(24).vramUsedGb(7).loadedModels("y").build());
            Placement loading = rig.place(RouteRequest.workload("x"));
            assertThat(rig.router.tryPlace(RouteRequest.workload("y")))
                    .as("while x loads")
                    .isPresent();
            CompletableFuture<Placement> second = rig.router.placeAsync(RouteRequest.workload("x"));
            assertThat(second).as("no memory for a second x").isNotDone();
            assertThat(loading.trace().attempts()).hasSize(1);
        }
    }

    @Test
    @DisplayName("who waits for memory does not keep a request from a model that is loaded [R82]")
    void aWaiterBlocksNoWarmModel() {
        try (Rig rig = new Rig(models())) {
            rig.router.reportStatus(
                    "a", Statuses.healthy(24).vramUsedGb(12).loadedModels("y").build());
            CompletableFuture<Placement> big = rig.router.placeAsync(RouteRequest.workload("x"));
            assertThat(big).isNotDone();
            assertThat(rig.router.tryPlace(RouteRequest.workload("y"))).isPresent();
        }
    }

    private static GpuStatus gpu(int index, double usedGb) {
        return GpuStatus.builder(index)
                .utilPct(3)
                .tempC(45)
                .vramUsedGb(usedGb)
                .vramTotalGb(32)
                .build();
    }

    private static SubstrateStatus two(double used0, double used1) {
        return Statuses.healthy(64)
                .vramUsedGb(used0 + used1)
                .gpu(gpu(0, used0))
                .gpu(gpu(1, used1))
                .build();
    }

    @Test
    @DisplayName("memory is free or not on each GPU, not on the host [R82]")
    void memoryIsFreePerGpu() {
        Policy.Builder policy = Plan.policy(
                Plan.work().vramGb(14).route("host"), node("host", 8).vramGb(64).gpus(2));
        try (Rig rig = new Rig(policy)) {
            rig.router.reportStatus("host", two(30, 0));
            assertThat(rig.place().gpu()).hasValue(1);
            assertThat(rig.place().gpu()).hasValue(1);
            assertThat(rig.router.tryPlace(WORK)).as("2 and 4 GiB are left").isEmpty();
            rig.router.reportStatus("host", two(20, 20));
        }
        try (Rig rig = new Rig(policy)) {
            rig.router.reportStatus("host", two(20, 20));
            assertThat(rig.router.tryPlace(WORK)).as("24 GiB, and 12 on each").isEmpty();
            assertThat(rig.router.recommend(WORK).candidates()).singleElement().satisfies(host -> assertThat(
                            host.reasons())
                    .anyMatch(finding -> finding.reason() == Reason.NO_SINGLE_GPU || finding.reason() == Reason.VRAM));
        }
        try (Rig rig = new Rig(policy)) {
            rig.router.reportStatus("host", two(0, 0));
            assertThat(List.of(
                            rig.place().gpu().orElseThrow(), rig.place().gpu().orElseThrow()))
                    .as("two on an empty host do not share a card while one is free")
                    .containsExactlyInAnyOrder(0, 1);
        }
    }
}
