package dev.substraterouter.cases;

import static dev.substraterouter.cases.Plan.node;
import static dev.substraterouter.cases.Plan.seconds;
import static dev.substraterouter.cases.Plan.takes;
import static dev.substraterouter.cases.Rig.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.Placement;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.QueueLimits;
import dev.substraterouter.policy.QueueOrder;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.trace.RefusalReason;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** In what order waiters are served, and who gives way. */
@ExtendWith(QuietLog.class)
@Timeout(60)
class QueueOrderTest {
    private static final Duration LONG = Duration.ofHours(1);

    /** Workloads {@code s1}, {@code s2} … on one slot of {@code v100}, each named for the seconds it takes there. */
    private static Policy.Builder policy(Consumer<QueueLimits.Builder> more, long... latencies) {
        QueueLimits.Builder queue = QueueLimits.builder()
                .capacity(100)
                .maxWait(LONG)
                .agesAfter(LONG)
                .holdAfter(LONG);
        more.accept(queue);
        Policy.Builder policy = Plan.policy().substrate(node("v100", 1).build()).queue(queue.build());
        for (long latency : latencies) {
            policy.workload(Workload.builder("s" + latency)
                    .route(takes("v100", latency).build())
                    .build());
        }
        return policy;
    }

    private static Consumer<QueueLimits.Builder> by(QueueOrder order) {
        return queue -> queue.order(order);
    }

    /** Requests that wait for one slot, by name, and the work that holds it. */
    private static final class Line implements AutoCloseable {
        final Rig rig;
        private final Map<String, CompletableFuture<Placement>> waiting = new LinkedHashMap<>();
        private Placement running;

        Line(Policy.Builder policy) {
            rig = new Rig(policy);
            running = rig.place(
                    RouteRequest.workload(rig.router.policy().workloads().get(0).name()));
        }

        CompletableFuture<Placement> arrive(String name, RouteRequest request) {
            CompletableFuture<Placement> future = rig.router.placeAsync(request);
            assertThat(future).as(name).isNotDone();
            waiting.put(name, future);
            return future;
        }

        CompletableFuture<Placement> arrive(String name, long latency, Priority priority) {
            return arrive(name, RouteRequest.workload("s" + latency).priority(priority));
        }

        CompletableFuture<Placement> arrive(String name, long latency) {
            return arrive(name, latency, Priority.NORMAL);
        }

        void after(long seconds) {
            rig.time.advance(seconds(seconds));
        }

        /** Ends the work that runs; returns whose turn it is. */
        String next() {
            running.close();
            for (Map.Entry<String, CompletableFuture<Placement>> waiter : waiting.entrySet()) {
                if (waiter.getValue().isDone()) {
                    running = waiter.getValue().join();
                    waiting.remove(waiter.getKey());
                    return waiter.getKey();
                }
            }
            return "nobody";
        }

        @Override
        public void close() {
            rig.close();
        }
    }

    @Test
    @DisplayName("arrival: first come, first served, whatever the work takes")
    void arrival() {
        try (Line line = new Line(policy(by(QueueOrder.ARRIVAL), 7, 120))) {
            line.arrive("long", 120);
            line.after(1);
            line.arrive("short", 7);
            assertThat(line.next()).isEqualTo("long");
            assertThat(line.next()).isEqualTo("short");
        }
    }

    @Test
    @DisplayName("weighted: short work goes before long work that came a little earlier")
    void weightedTakesShortWorkFirst() {
        try (Line line = new Line(policy(by(QueueOrder.WEIGHTED), 7, 120))) {
            line.arrive("long", 120);
            line.after(1);
            line.arrive("short", 7);
            assertThat(line.next()).isEqualTo("short");
            assertThat(line.next()).isEqualTo("long");
        }
    }

    @Test
    @DisplayName("weighted: NORMAL weighs 3, to the second")
    void normalWeighsThree() {
        try (Line line = new Line(policy(by(QueueOrder.WEIGHTED), 10, 20))) {
            line.arrive("long", 20); // 60
            line.after(29);
            line.arrive("short", 10); // 29 + 30
            assertThat(line.next()).isEqualTo("short");
        }
        try (Line line = new Line(policy(by(QueueOrder.WEIGHTED), 10, 20))) {
            line.arrive("long", 20); // 60
            line.after(31);
            line.arrive("short", 10); // 31 + 30
            assertThat(line.next()).isEqualTo("long");
        }
    }

    @Test
    @DisplayName("weighted: HIGH weighs 1 and LOW 10")
    void highWeighsOneAndLowTen() {
        try (Line line = new Line(policy(by(QueueOrder.WEIGHTED), 10, 20))) {
            line.arrive("long", 20, Priority.HIGH); // 20
            line.after(11);
            line.arrive("short", 10, Priority.HIGH); // 11 + 10; with a weight of 3 it would be first
            assertThat(line.next()).isEqualTo("long");
        }
        try (Line line = new Line(policy(by(QueueOrder.WEIGHTED), 10, 20))) {
            line.arrive("long", 20, Priority.LOW); // 200
            line.after(99);
            line.arrive("short", 10, Priority.LOW); // 99 + 100; with a weight of 3 it would be second
            assertThat(line.next()).isEqualTo("short");
        }
    }

    @Test
    @DisplayName("weighted: the weights of the policy count")
    void theWeightsCount() {
        try (Line line =
                new Line(policy(queue -> queue.order(QueueOrder.WEIGHTED).weights(1, 2), 10, 20))) {
            line.arrive("long", 20); // 20
            line.after(11);
            line.arrive("short", 10); // 11 + 10
            assertThat(line.next()).isEqualTo("long");
        }
    }

    @Test
    @DisplayName("weighted: short NORMAL work may go before long HIGH work")
    void shortNormalWorkMayGoBeforeLongHighWork() {
        try (Line line = new Line(policy(by(QueueOrder.WEIGHTED), 7, 120))) {
            line.arrive("high", 120, Priority.HIGH); // 120
            line.arrive("normal", 7); // 21
            assertThat(line.next()).isEqualTo("normal");
        }
    }

    @Test
    @DisplayName("weighted: what counts is the fastest candidate of the route, free or not")
    void theFastestCandidateCounts() {
        Policy.Builder policy = policy(by(QueueOrder.WEIGHTED), 30)
                .substrate(node("fast", 1).build())
                .workload(Workload.builder("both")
                        .route(takes("v100", 120).build(), takes("fast", 20).build())
                        .build());
        try (Line line = new Line(policy)) {
            line.rig.router.cordon("fast");
            line.arrive("both", RouteRequest.workload("both")); // 60
            line.after(1);
            line.arrive("one", 30); // 1 + 90
            assertThat(line.next()).isEqualTo("both");
        }
    }

    @Test
    @DisplayName("weighted: nobody is overtaken for ever")
    void nobodyIsOvertakenForEver() {
        try (Line line = new Line(policy(by(QueueOrder.WEIGHTED), 7, 120))) {
            CompletableFuture<Placement> longOne = line.arrive("long", 120); // 360
            int seconds = 0;
            for (String turn = ""; !turn.equals("long"); turn = line.next()) {
                assertThat(seconds).isLessThan(400);
                line.after(1);
                seconds++;
                line.arrive("short " + seconds, 7);
            }
            assertThat(longOne.join().trace().waited()).isBetween(seconds(330), seconds(361));
        }
    }

    @Test
    @DisplayName("weighted: the weight is that of the declared priority, however long it waits: its arrival ages it")
    void agingDoesNotChangeTheWeight() {
        for (long age : new long[] {9, 11, 179, 181}) {
            try (Line line =
                    new Line(policy(queue -> queue.order(QueueOrder.WEIGHTED).agesAfter(seconds(10)), 40, 100))) {
                line.arrive("long", 100); // 300
                line.after(age);
                line.arrive("short", 40); // age + 120
                assertThat(line.next()).as("after %d s", age).isEqualTo(age < 180 ? "short" : "long");
            }
        }
    }

    @Test
    @DisplayName("arrival: aging lifts a waiter one class")
    void agingLiftsAClass() {
        for (long age : new long[] {9, 11}) {
            try (Line line = new Line(policy(queue -> queue.agesAfter(seconds(10)), 7))) {
                line.arrive("low", 7, Priority.LOW);
                line.after(age);
                line.arrive("normal", 7);
                assertThat(line.next()).as("after %d s", age).isEqualTo(age < 10 ? "normal" : "low");
            }
            try (Line line = new Line(policy(queue -> queue.agesAfter(seconds(10)), 7))) {
                line.arrive("low", 7, Priority.LOW);
                line.after(age * 2);
                line.arrive("high", 7, Priority.HIGH);
                assertThat(line.next()).as("after %d s", 2 * age).isEqualTo(age < 10 ? "high" : "low");
            }
        }
    }

    /** Waits with a deadline of its workload: the workload {@code due} takes 40 s and is due 80 s after it was asked for. */
    private static Policy.Builder due(QueueOrder order) {
        return policy(by(order), 100, 200)
                .workload(Workload.builder("due")
                        .deadline(seconds(80))
                        .route(takes("v100", 40).build())
                        .build());
    }

    @Test
    @DisplayName("deadline: who can still meet its deadline is ordered as weighted")
    void onTimeItIsOrderedAsWeighted() {
        try (Line line = new Line(due(QueueOrder.DEADLINE))) {
            line.arrive("due", RouteRequest.workload("due")); // 120
            line.after(1);
            line.arrive("other", 100); // 301
            line.after(38);
            assertThat(line.next()).isEqualTo("due");
        }
    }

    @Test
    @DisplayName("deadline: who can no longer meet it stands 400 s farther back, and not behind everybody")
    void lateOnesStandBack() {
        try (Line line = new Line(due(QueueOrder.DEADLINE))) {
            line.arrive("due", RouteRequest.workload("due")); // 120 + 400, once 40 s have passed
            line.after(1);
            line.arrive("soon", 100); // 301
            line.arrive("later", 200); // 601
            line.after(50);
            assertThat(line.next()).isEqualTo("soon");
            assertThat(line.next()).isEqualTo("due");
            assertThat(line.next()).isEqualTo("later");
        }
        try (Line line = new Line(due(QueueOrder.WEIGHTED))) {
            line.arrive("due", RouteRequest.workload("due"));
            line.after(1);
            line.arrive("soon", 100);
            line.after(50);
            assertThat(line.next()).as("weighted knows no deadline").isEqualTo("due");
        }
    }

    @Test
    @DisplayName("deadline: a request's own deadline counts, and is never waited past")
    void ownDeadlinesCount() {
        try (Line line = new Line(policy(by(QueueOrder.DEADLINE), 40, 100))) {
            CompletableFuture<Placement> due =
                    line.arrive("due", RouteRequest.workload("s40").deadline(seconds(80))); // 120 + 400
            line.arrive("soon", 100); // 300
            line.after(41);
            assertThat(line.next()).isEqualTo("soon");
            line.after(39);
            assertThat(refusal(due).reason()).isEqualTo(RefusalReason.WAIT_EXPIRED);
        }
    }

    @Test
    @DisplayName("deadline: late work without competition is served all the same")
    void lateWorkIsServed() {
        try (Line line = new Line(due(QueueOrder.DEADLINE))) {
            line.arrive("due", RouteRequest.workload("due"));
            line.after(100);
            assertThat(line.next()).isEqualTo("due");
        }
    }

    private static String displaced(QueueOrder order) {
        try (Line line = new Line(policy(queue -> queue.order(order).capacity(2), 7, 120))) {
            CompletableFuture<Placement> longOne = line.arrive("long", 120);
            line.after(1);
            CompletableFuture<Placement> shortOne = line.arrive("short", 7);
            line.arrive("high", 7, Priority.HIGH);
            CompletableFuture<Placement> gone = longOne.isDone() ? longOne : shortOne;
            assertThat(refusal(gone).reason()).isEqualTo(RefusalReason.OUTRANKED);
            assertThat(longOne.isDone() && shortOne.isDone()).as("one suffices").isFalse();
            return longOne.isDone() ? "long" : "short";
        }
    }

    @Test
    @DisplayName("a full queue gives up the newest of the lowest priority; weighted and deadline the largest key [R79]")
    void whoGivesWay() {
        assertThat(displaced(QueueOrder.ARRIVAL)).isEqualTo("short");
        assertThat(displaced(QueueOrder.WEIGHTED)).isEqualTo("long");
        assertThat(displaced(QueueOrder.DEADLINE)).isEqualTo("long");
    }

    @Test
    @DisplayName("of several priorities the lowest gives way, by what was declared and not by age [R79]")
    void theLowestDeclaredPriorityGivesWay() {
        try (Line line = new Line(policy(queue -> queue.capacity(2).agesAfter(seconds(10)), 7))) {
            CompletableFuture<Placement> low = line.arrive("low", 7, Priority.LOW);
            line.after(12); // as NORMAL by now
            CompletableFuture<Placement> normal = line.arrive("normal", 7);
            CompletableFuture<Placement> second = line.arrive("second", 7);
            assertThat(refusal(low).reason()).isEqualTo(RefusalReason.OUTRANKED);
            assertThat(normal).isNotDone();
            assertThat(second).isNotDone();
        }
    }

    @Test
    @DisplayName("nobody gives way to its own priority")
    void nobodyGivesWayToItsEqual() {
        for (QueueOrder order : QueueOrder.values()) {
            try (Line line = new Line(policy(queue -> queue.order(order).capacity(1), 7, 120))) {
                line.arrive("long", 120);
                assertThat(refusal(line.rig.router.placeAsync(RouteRequest.workload("s7")))
                                .reason())
                        .isEqualTo(RefusalReason.QUEUE_FULL);
            }
        }
    }

    @Test
    @DisplayName("arrival: LOW is not served while NORMAL or HIGH waits for the same substrate")
    void lowGivesWay() {
        try (Line line = new Line(policy(by(QueueOrder.ARRIVAL), 1, 120))) {
            line.arrive("low", 1, Priority.LOW);
            line.after(1);
            line.arrive("normal", 120);
            assertThat(line.next()).isEqualTo("normal");
            assertThat(line.next()).isEqualTo("low");
        }
    }

    @Test
    @DisplayName("in every order everybody who waits is served once, and nobody twice")
    void everybodyIsServedOnce() {
        for (QueueOrder order : QueueOrder.values()) {
            try (Line line = new Line(policy(by(order), 5, 50, 500))) {
                Deque<String> all = new ArrayDeque<>();
                long[] latencies = {500, 5, 50};
                for (int i = 0; i < 30; i++) {
                    all.add("n" + i);
                    line.arrive("n" + i, latencies[i % 3], Priority.values()[i % 2]);
                    line.after(1);
                }
                Deque<String> served = new ArrayDeque<>();
                for (int i = 0; i < 30; i++) {
                    served.add(line.next());
                }
                assertThat(served).as("%s", order).containsExactlyInAnyOrderElementsOf(all);
                assertThat(line.next()).isEqualTo("nobody");
            }
        }
    }

    @Test
    @DisplayName("weighted: work of unknown latency is served by arrival among its like, and never lost")
    void unknownLatenciesAreServed() {
        Policy.Builder policy = policy(by(QueueOrder.WEIGHTED), 7)
                .workload(Workload.builder("unknown").route("v100").build());
        try (Line line = new Line(policy)) {
            line.arrive("first", RouteRequest.workload("unknown"));
            line.after(1);
            line.arrive("second", RouteRequest.workload("unknown"));
            line.after(1);
            line.arrive("known", 7);
            java.util.List<String> served = java.util.List.of(line.next(), line.next(), line.next());
            assertThat(served).containsExactlyInAnyOrder("first", "second", "known");
            assertThat(served.indexOf("first")).isLessThan(served.indexOf("second"));
        }
    }
}
