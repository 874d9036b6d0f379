package dev.substraterouter.cases;

import static dev.substraterouter.cases.Plan.archive;
import static dev.substraterouter.cases.Plan.cloud;
import static dev.substraterouter.cases.Plan.node;
import static dev.substraterouter.cases.Plan.seconds;
import static dev.substraterouter.cases.Plan.takes;
import static dev.substraterouter.cases.Rig.WORK;
import static dev.substraterouter.cases.Rig.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.substraterouter.Placement;
import dev.substraterouter.SubstratesBusyException;
import dev.substraterouter.model.PlacementMode;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.model.Trust;
import dev.substraterouter.policy.Authorizer;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.QueueLimits;
import dev.substraterouter.policy.QueueOrder;
import dev.substraterouter.policy.StrategyKind;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.testkit.Statuses;
import dev.substraterouter.trace.RefusalReason;
import dev.substraterouter.trace.RouterEvent;
import dev.substraterouter.trace.ServingPath;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where claims, waiting by choice, the batch path and reloads meet. */
@ExtendWith(QuietLog.class)
@Timeout(60)
class ClaimAndReloadEdgesTest {
    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration PROMPT = Duration.ofSeconds(20);

    /** Nobody ages within an hour; who has waited for 10 s claims. */
    private static QueueLimits.Builder queue(QueueOrder order) {
        return QueueLimits.builder()
                .order(order)
                .capacity(100)
                .maxWait(LONG)
                .agesAfter(LONG)
                .holdAfter(seconds(10));
    }

    private static Workload workload(String name, double vramGb, Candidate... route) {
        return Workload.builder(name).vramGb(vramGb).route(route).build();
    }

    private static RouteRequest ask(String workload) {
        return RouteRequest.workload(workload);
    }

    private static void on(String id, CompletableFuture<Placement> future) {
        assertThat(future).isCompleted();
        assertThat(future.join().substrateId()).isEqualTo(id);
    }

    // claims

    @ParameterizedTest
    @EnumSource(
            value = QueueOrder.class,
            names = {"WEIGHTED", "DEADLINE"})
    @DisplayName("two equal waiters that both claim the one slot do not hold it back from each other")
    void equalClaimersDoNotBlockEachOther(QueueOrder order) {
        Policy.Builder policy = Plan.policy(Plan.work().route(takes("s", 40).build()), node("s", 1))
                .queue(queue(order).build());
        try (Rig rig = new Rig(policy)) {
            Placement running = rig.place();
            CompletableFuture<Placement> first = rig.router.placeAsync(WORK);
            CompletableFuture<Placement> second = rig.router.placeAsync(WORK);
            rig.time.advance(seconds(11));
            running.succeed();
            on("s", first);
            assertThat(second).isNotDone();
            assertThat(rig.leases()).isEqualTo(1);
            first.join().succeed();
            on("s", second);
        }
    }

    /** Jobs of three sizes on {@code s}, of which two fit beside each other; {@code small} may go to {@code t} too. */
    private static Policy.Builder sizes() {
        return Plan.policy()
                .substrate(node("s", 3).vramGb(24).build())
                .substrate(node("t", 1).vramGb(24).build())
                .workload(workload("middle", 8, takes("s", 60).build()))
                .workload(workload("big", 20, takes("s", 100).build()))
                .workload(workload(
                        "small", 4, takes("s", 5).build(), takes("t", 5).build()))
                .workload(workload("long", 4, takes("s", 3_000).build()))
                .queue(queue(QueueOrder.WEIGHTED).build());
    }

    @Test
    @DisplayName("a broadcast beside a waiter that a claim holds back ends, and leaves the claimed room alone")
    void aBroadcastLeavesClaimedRoomAlone() {
        RouteRequest small = ask("small").avoid("t");
        try (Rig rig = new Rig(sizes())) {
            Placement running = rig.place(ask("middle"));
            CompletableFuture<Placement> big = rig.router.placeAsync(ask("big"));
            rig.time.advance(seconds(11));
            CompletableFuture<Placement> held = rig.router.placeAsync(small);
            assertThat(big).isNotDone();
            assertThat(held).as("held back by the claim").isNotDone();

            assertThat(assertTimeoutPreemptively(PROMPT, () -> rig.router.placeAll(small)))
                    .isEmpty();
            assertThat(rig.router.recommend(small).best()).isEmpty();
            assertThat(rig.router.tryPlace(small)).isEmpty();
            assertThat(rig.leases("s")).isEqualTo(1);

            List<Placement> everywhere = assertTimeoutPreemptively(PROMPT, () -> rig.router.placeAll(ask("small")));
            assertThat(everywhere).extracting(Placement::substrateId).containsExactly("t");
            assertThat(rig.router.recommend(ask("small")).best()).isEmpty();
            assertThat(rig.router.tryPlace(ask("small"))).isEmpty();
            everywhere.forEach(Placement::succeed);
            assertThat(rig.router.recommend(ask("small")).best().orElseThrow().substrateId())
                    .isEqualTo("t");
            assertThat(rig.place(ask("small")).substrateId()).isEqualTo("t");

            assertThat(big).isNotDone();
            running.succeed();
            on("s", big);
        }
    }

    /** Work of three lengths on two slots. */
    private static Policy.Builder lengths() {
        Policy.Builder policy = Plan.policy()
                .substrate(node("s", 2).build())
                .queue(queue(QueueOrder.WEIGHTED).build());
        for (Candidate.Builder takes : List.of(takes("s", 5), takes("s", 100), takes("s", 900))) {
            Candidate candidate = takes.build();
            policy.workload(Workload.builder(
                            "s" + candidate.expectedLatency().orElseThrow().toSeconds())
                    .route(candidate)
                    .build());
        }
        return policy;
    }

    @Test
    @DisplayName("two slots that come free at once serve who claims and who has just come")
    void aClaimerTakesOneOfTwoSlots() {
        bothAreServed("s900");
    }

    private static void bothAreServed(String young) {
        try (Rig rig = new Rig(lengths())) {
            rig.router.cordon("s");
            CompletableFuture<Placement> claimer = rig.router.placeAsync(ask("s100"));
            rig.time.advance(seconds(11));
            CompletableFuture<Placement> newer = rig.router.placeAsync(ask(young));
            assertThat(claimer).isNotDone();
            assertThat(newer).isNotDone();
            rig.router.uncordon("s");
            on("s", claimer);
            on("s", newer);
        }
    }

    @Test
    @DisplayName("two slots that come free at once serve who claims and who has just come with shorter work")
    void aClaimerTakesOneOfTwoSlotsFromShorterWork() {
        bothAreServed("s5");
    }

    @Test
    @DisplayName("room beside the one that claimed is given at once to who was held back by its claim")
    void roomBesideAClaimIsGivenAtOnce() {
        try (Rig rig = new Rig(sizes())) {
            Placement running = rig.place(ask("middle"));
            CompletableFuture<Placement> big = rig.router.placeAsync(ask("big"));
            rig.time.advance(seconds(11));
            CompletableFuture<Placement> held =
                    rig.router.placeAsync(ask("small").avoid("t"));
            assertThat(held).isNotDone();
            running.succeed();
            on("s", big);
            on("s", held); // 20 + 4 of 24 GB
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"s5", "s900"})
    @DisplayName("two slots whose leases end one after the other go to who claims first, then to who has just come")
    void aClaimerComesFirst(String young) {
        try (Rig rig = new Rig(lengths())) {
            Placement one = rig.place(ask("s100"));
            Placement other = rig.place(ask("s100"));
            CompletableFuture<Placement> claimer = rig.router.placeAsync(ask("s100"));
            rig.time.advance(seconds(11));
            CompletableFuture<Placement> newer = rig.router.placeAsync(ask(young));
            one.succeed();
            on("s", claimer);
            assertThat(newer).isNotDone();
            other.succeed();
            on("s", newer);
        }
    }

    @Test
    @DisplayName("a claim of NORMAL holds nothing back from HIGH, however long its work")
    void aClaimDoesNotBlockAHigherPriority() {
        try (Rig rig = new Rig(sizes())) {
            rig.place(ask("middle"));
            CompletableFuture<Placement> big = rig.router.placeAsync(ask("big"));
            rig.time.advance(seconds(15));
            assertThat(big).isNotDone();
            assertThat(rig.router.tryPlace(ask("long"))).as("its own class").isEmpty();
            RouteRequest high = ask("long").priority(Priority.HIGH);
            assertThat(rig.router.recommend(high).best().orElseThrow().substrateId())
                    .isEqualTo("s");
            assertThat(rig.router.tryPlace(high)).hasValueSatisfying(placement -> assertThat(placement.substrateId())
                    .isEqualTo("s"));
        }
    }

    @Test
    @DisplayName("LOW does not take the batch path past somebody who claims it")
    void lowDoesNotPassAClaimOnTheBatchPath() {
        Candidate batch = Candidate.on("archive");
        Policy.Builder policy = Plan.policy()
                .substrate(node("v100", 1).vramGb(24).build())
                .substrate(archive().maxConcurrentJobs(2).vramGb(24).build());
        for (double gb : new double[] {1, 8, 20}) {
            policy.workload(Workload.builder("gb" + (int) gb)
                    .vramGb(gb)
                    .route("v100")
                    .batch(batch)
                    .build());
        }
        try (Rig rig = new Rig(policy)) {
            Placement running = rig.place(ask("gb8").mode(PlacementMode.BATCH));
            assertThat(running.substrateId()).isEqualTo("archive");
            assertThat(rig.place(ask("gb1")).substrateId()).isEqualTo("v100");
            CompletableFuture<Placement> claimer =
                    rig.router.placeAsync(ask("gb20").mode(PlacementMode.BATCH).maxWait(LONG));
            rig.time.advance(seconds(15));
            assertThat(claimer).isNotDone();

            RouteRequest low = ask("gb1").priority(Priority.LOW);
            assertThat(rig.router.recommend(low).best()).isEmpty();
            assertThat(rig.router.tryPlace(low)).isEmpty();
            CompletableFuture<Placement> waiter = rig.router.placeAsync(low);
            assertThat(waiter).isNotDone();
            assertThat(rig.leases("archive")).isEqualTo(1);
            running.succeed();
            on("archive", claimer);
        }
    }

    // the batch path

    @Test
    @DisplayName("LOW waits for its batch path, though all else is out for longer than it may wait")
    void lowWaitsForItsBatchPath() {
        Policy.Builder policy = Plan.policy(
                Plan.work().route("v100").batch(Candidate.on("archive")),
                node("v100", 1),
                archive().maxConcurrentJobs(1));
        try (Rig rig = new Rig(policy)) {
            Placement batch = rig.place(WORK.mode(PlacementMode.BATCH));
            assertThat(batch.substrateId()).isEqualTo("archive");
            Placement live = rig.place();
            assertThat(live.substrateId()).isEqualTo("v100");
            live.busy(seconds(60));
            RouteRequest brief = WORK.maxWait(seconds(30));
            assertThat(refusal(rig.router.placeAsync(brief)).reason())
                    .as("without a way to the batch path")
                    .isEqualTo(RefusalReason.BEYOND_WAIT);
            CompletableFuture<Placement> waiter = rig.router.placeAsync(brief.priority(Priority.LOW));
            assertThat(waiter).isNotDone();
            rig.time.advance(seconds(20));
            assertThat(waiter).isNotDone();
            batch.succeed();
            on("archive", waiter);
            assertThat(waiter.join().mode()).isEqualTo(PlacementMode.BATCH);
            assertThat(waiter.join().trace().lastAttempt().orElseThrow().path()).isEqualTo(ServingPath.BATCH);
        }
    }

    // waiting by choice

    private static Workload.Builder choosy(Candidate... route) {
        return Plan.work().strategy(StrategyKind.EARLIEST_FINISH).route(route);
    }

    @Test
    @DisplayName("who waits by choice in the only place gives it up for one that has no choice")
    void whoWaitsByChoiceGivesItsPlaceUp() {
        Policy.Builder policy = Plan.policy(
                        choosy(takes("slow", 120).build(), takes("fast", 40).build()), node("slow", 1), node("fast", 1))
                .workload(Workload.builder("other")
                        .route(takes("fast", 40).build())
                        .build())
                .queue(QueueLimits.builder().capacity(1).build());
        try (Rig rig = new Rig(policy)) {
            Placement running = rig.place();
            assertThat(running.substrateId()).isEqualTo("fast");
            rig.time.advance(seconds(20));
            CompletableFuture<Placement> choosy = rig.router.placeAsync(WORK);
            assertThat(choosy).isNotDone();
            CompletableFuture<Placement> newcomer = rig.router.placeAsync(ask("other"));
            on("slow", choosy);
            assertThat(newcomer).isNotDone();
            assertThat(rig.heard(RouterEvent.Refused.class)).isEmpty();
            running.succeed();
            on("fast", newcomer);
        }
    }

    /** {@code best} is expected to be done in 56 s, of which 55 s are waiting, {@code second} in 60 s; {@code free} is free. */
    private static Policy.Builder three(long freeTakes) {
        return Plan.policy(
                        choosy(
                                takes("free", freeTakes).build(),
                                takes("second", 40).build(),
                                takes("best", 1).build()),
                        node("free", 1),
                        node("second", 1),
                        node("best", 1))
                .workload(
                        Workload.builder("s55").route(takes("best", 55).build()).build())
                .workload(Workload.builder("s20")
                        .route(takes("second", 20).build())
                        .build());
    }

    @Test
    @DisplayName("where the best comes free too late, it waits for the second best rather than take a much worse one")
    void holdsForTheSecondBest() {
        try (Rig rig = new Rig(three(120))) {
            rig.place(ask("s55"));
            Placement running = rig.place(ask("s20"));
            CompletableFuture<Placement> waiter = rig.router.placeAsync(WORK.maxWait(seconds(50)));
            assertThat(waiter).as("120 > 1.5 x 60").isNotDone();
            rig.time.advance(seconds(20));
            running.succeed();
            on("second", waiter);
        }
        try (Rig rig = new Rig(three(88))) {
            rig.place(ask("s55"));
            rig.place(ask("s20"));
            on("free", rig.router.placeAsync(WORK.maxWait(seconds(50)))); // 88 <= 1.5 x 60
            assertThat(rig.leases("free")).isEqualTo(1);
        }
        try (Rig rig = new Rig(three(88))) {
            rig.place(ask("s55"));
            rig.place(ask("s20"));
            assertThat(rig.router.placeAsync(WORK.maxWait(seconds(58))))
                    .as("88 > 1.5 x 56")
                    .isNotDone();
        }
        try (Rig rig = new Rig(three(120))) {
            rig.place(ask("s55"));
            rig.place(ask("s20"));
            on("free", rig.router.placeAsync(WORK.maxWait(seconds(19)))); // neither comes in time
        }
    }

    @Test
    @DisplayName("the work of those that wait already counts where memory is short, too")
    void earlierWaitersCountForMemory() {
        Policy.Builder policy = Plan.policy(
                choosy(takes("slow", 120).build(), takes("fast", 40).build()).vramGb(20),
                node("slow", 2).vramGb(24),
                node("fast", 4).vramGb(24));
        try (Rig rig = new Rig(policy)) {
            Placement running = rig.place();
            assertThat(running.substrateId()).isEqualTo("fast");
            rig.time.advance(seconds(20));
            CompletableFuture<Placement> first = rig.router.placeAsync(WORK);
            assertThat(first).as("20 + 40 s").isNotDone();
            on("slow", rig.router.placeAsync(WORK)); // 100 s there, and 120 <= 150
            assertThat(first).isNotDone();
            running.succeed();
            on("fast", first);
        }
    }

    @ParameterizedTest
    @CsvSource({"14, legion", "15, legion", "15.5, mirrorforge", "16, mirrorforge"})
    @DisplayName("the owner is at work above the background of utilisation, not at it")
    void theOwnerIsAtWorkAboveTheBackground(double util, String best) {
        Policy.Builder policy = Plan.policy(
                choosy(takes("mirrorforge", 120).build(), takes("legion", 40).build()),
                node("mirrorforge", 1),
                node("legion", 1).owner(15, 3));
        try (Rig rig = new Rig(policy)) {
            rig.router.reportStatus(
                    "legion", Statuses.healthy(24).gpuUtilPct(util).build());
            assertThat(rig.router.recommend(WORK).best().orElseThrow().substrateId())
                    .isEqualTo(best);
            assertThat(rig.place().substrateId()).isEqualTo(best);
        }
    }

    // reloads

    private static Policy.Builder hospitals(Trust privacy, Substrate.Builder... substrates) {
        String[] ids = new String[substrates.length];
        for (int at = 0; at < ids.length; at++) {
            ids[at] = substrates[at].build().id();
        }
        return Plan.policy(Plan.work().privacy(privacy).route(ids), substrates);
    }

    @Test
    @DisplayName("after a reload the host is asked again before anybody who waits is served")
    void theHostIsAskedAgainAfterAReload() {
        AtomicInteger asked = new AtomicInteger();
        Authorizer authorizer = access -> {
            boolean hospital = access.identity().filter("hospital"::equals).isPresent();
            asked.addAndGet(hospital ? 1 : 0);
            boolean open = access.need().privacy().filter(Trust.PUBLIC::equals).isPresent();
            return hospital && open ? Optional.of("patients' data stays here") : Optional.empty();
        };
        Policy.Builder closed = hospitals(Trust.CONTROLLED, node("local", 1));
        try (Rig rig = new Rig(closed, builder -> builder.authorizer(authorizer))) {
            rig.place();
            CompletableFuture<Placement> hospital =
                    rig.router.placeAsync(WORK.identity("hospital").requestId("h-1"));
            CompletableFuture<Placement> clinic =
                    rig.router.placeAsync(WORK.identity("clinic").requestId("c-1"));
            assertThat(hospital).isNotDone();
            assertThat(clinic).isNotDone();

            int before = asked.get();
            rig.router.reload(closed.build());
            assertThat(asked.get()).as("asked again").isGreaterThan(before);
            assertThat(hospital).as("nothing has changed for it").isNotDone();
            assertThat(clinic).isNotDone();

            rig.router.reload(
                    hospitals(Trust.PUBLIC, node("local", 1), cloud("cloud")).build());
            assertThat(refusal(hospital).reason()).isEqualTo(RefusalReason.NOT_AUTHORIZED);
            rig.healthy("cloud");
            on("cloud", clinic);
            assertThat(rig.leases("cloud")).isEqualTo(1);
            assertThat(rig.heard(RouterEvent.Placed.class))
                    .noneMatch(placed -> placed.requestId().equals("h-1"));
            assertThat(rig.waiting()).isZero();
        }
    }

    @Test
    @DisplayName("who the host still lets wait after a reload is served in its turn")
    void whoMayStillAskIsServed() {
        Policy.Builder closed = hospitals(Trust.CONTROLLED, node("local", 1));
        try (Rig rig = new Rig(closed, builder -> builder.authorizer(access -> Optional.empty()))) {
            Placement running = rig.place();
            CompletableFuture<Placement> waiter = rig.router.placeAsync(WORK.identity("clinic"));
            rig.router.reload(closed.build());
            rig.router.reload(closed.build());
            assertThat(waiter).isNotDone();
            running.succeed();
            on("local", waiter);
        }
    }

    @Test
    @DisplayName(
            "while the host is slow to say whether a waiter may still ask, its time is up without anybody looking again and again")
    void aSlowHostKeepsNobodyBusy() {
        Policy.Builder closed = hospitals(Trust.CONTROLLED, node("local", 1));
        Deque<Runnable> held = new ArrayDeque<>();
        AtomicBoolean slow = new AtomicBoolean();
        Executor executor = task -> {
            if (slow.get()) {
                held.add(task);
            } else {
                task.run();
            }
        };
        try (Rig rig = new Rig(closed, builder -> builder.authorizer(access -> Optional.empty())
                .executor(executor))) {
            rig.place();
            CompletableFuture<Placement> waiter =
                    rig.router.placeAsync(WORK.identity("clinic").maxWait(Duration.ofSeconds(3)));
            slow.set(true);
            rig.router.reload(closed.build());
            assertTimeoutPreemptively(Duration.ofSeconds(30), () -> rig.time.advance(Duration.ofSeconds(5)));
            assertThat(waiter).as("nobody has said that it may still ask").isNotDone();
            assertThat(held)
                    .as("asked once for each look until the answer, which are few")
                    .hasSizeLessThan(20);

            slow.set(false);
            held.forEach(Runnable::run);
            assertThat(refusal(waiter).reason()).isEqualTo(RefusalReason.WAIT_EXPIRED);
            assertThat(rig.waiting()).isZero();
        }
    }

    @Test
    @DisplayName(
            "a pin that asks for facts only is told to come back when the own work is done, however loaded the machine says it is")
    void aPinOnFactsComesBackWithTheSlot() {
        Policy.Builder policy = Plan.policy(Workload.builder("work").pin("local"), node("local", 1));
        try (Rig rig = new Rig(policy)) {
            for (int done = 0; done < 10; done++) {
                rig.healthy("local");
                try (Placement placement = rig.place()) {
                    rig.time.advance(Duration.ofMillis(300));
                    placement.succeed();
                }
            }
            rig.loaded("local");
            rig.place();
            assertThatExceptionOfType(SubstratesBusyException.class)
                    .isThrownBy(() -> rig.router.place(WORK.maxWait(Duration.ZERO)))
                    .satisfies(busy -> assertThat(busy.retryAfter()).contains(Duration.ofMillis(300)));
        }
    }

    /** Workloads {@code s1}, {@code s2} … on one slot, in an order of keys with two places, and one that nobody can serve. */
    private static Policy.Builder keyed(QueueOrder order, long... latencies) {
        Policy.Builder policy = Plan.policy()
                .substrate(node("v100", 1).build())
                .queue(queue(order).capacity(2).build());
        for (long latency : latencies) {
            policy.workload(Workload.builder("s" + latency)
                    .route(takes("v100", latency).build())
                    .build());
        }
        return policy.workload(Workload.builder("nobody")
                .capabilities("warp")
                .route(takes("v100", 1).build())
                .build());
    }

    /** Asks in every way for a workload that both policies know. */
    private static void askInEveryWay(Rig rig, List<CompletableFuture<Placement>> all) {
        RouteRequest high = ask("s40").priority(Priority.HIGH);
        assertThat(rig.router.recommend(ask("s40")).candidates()).hasSize(1);
        assertThat(rig.router.recommend(high).best()).isEmpty();
        assertThat(rig.router.placeAll(ask("s40"))).isEmpty();
        assertThat(rig.router.placeAll(high)).isEmpty();
        assertThat(rig.router.tryPlace(high)).isEmpty();
        all.add(rig.router.placeAsync(high));
    }

    private static final long[] FEW = {40};
    private static final long[] SOME = {20, 30, 40};
    private static final long[] MANY = {1, 2, 3, 4, 5, 6, 7, 20, 30, 40, 50};

    @ParameterizedTest
    @EnumSource(
            value = QueueOrder.class,
            names = {"WEIGHTED", "DEADLINE"})
    @DisplayName("who waits since a policy of more or fewer workloads is in nobody's way after a reload")
    void waitersOfOtherPoliciesAreInNobodysWay(QueueOrder order) {
        for (long[] next : List.of(FEW, MANY)) {
            try (Rig rig = new Rig(keyed(order, SOME))) {
                Placement running = rig.place(ask("s20"));
                List<CompletableFuture<Placement>> all = new ArrayList<>();
                all.add(rig.router.placeAsync(ask("s40")));
                all.add(rig.router.placeAsync(ask("s40")));
                rig.router.reload(keyed(order, next).build());
                rig.time.advance(seconds(11));
                askInEveryWay(rig, all);
                assertThat(all)
                        .filteredOn(CompletableFuture::isDone)
                        .singleElement()
                        .satisfies(gone -> assertThat(refusal(gone).reason()).isEqualTo(RefusalReason.OUTRANKED));
                running.succeed();
                assertThat(rig.leases()).isEqualTo(1);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = QueueOrder.class,
            names = {"WEIGHTED", "DEADLINE"})
    @DisplayName("who comes in the middle of a reload meets waiters of the policy before, and hurts nobody")
    void whoComesInTheMiddleOfAReloadHurtsNobody(QueueOrder order) {
        for (long[] next : List.of(FEW, MANY)) {
            try (Rig rig = new Rig(keyed(order, SOME))) {
                rig.place(ask("s20"));
                List<CompletableFuture<Placement>> all = new ArrayList<>();
                CompletableFuture<Placement> leaving = rig.router.placeAsync(ask("s30"));
                all.add(rig.router.placeAsync(ask("s40")));
                rig.time.advance(seconds(11));
                List<Throwable> failures = new ArrayList<>();
                AtomicInteger meanwhile = new AtomicInteger();
                during(() -> rig.router.reload(keyed(order, next).build()), () -> {
                    if (meanwhile.getAndIncrement() == 0) { // told that nobody can serve one of the workloads
                        try {
                            askInEveryWay(rig, all);
                        } catch (RuntimeException | Error failure) {
                            failures.add(failure);
                        }
                    }
                });
                assertThat(meanwhile.get()).isPositive();
                assertThat(failures).isEmpty();
                if (next == FEW) {
                    assertThat(refusal(leaving).reason()).isEqualTo(RefusalReason.UNKNOWN_WORKLOAD);
                    assertThat(all).noneMatch(CompletableFuture::isDone);
                } else {
                    assertThat(refusal(all.get(0)).reason())
                            .as("the largest key")
                            .isEqualTo(RefusalReason.OUTRANKED);
                    assertThat(leaving).isNotDone();
                }
                assertThat(rig.waiting()).isEqualTo(2);
            }
        }
    }

    /** Runs something, and something else whenever it logs. */
    private static void during(Runnable body, Runnable onLog) {
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord told) {
                onLog.run();
            }

            @Override
            public void flush() {
                // nothing is kept
            }

            @Override
            public void close() {
                // nothing is kept
            }
        };
        QuietLog.LOG.addHandler(handler);
        try {
            body.run();
        } finally {
            QuietLog.LOG.removeHandler(handler);
        }
    }
}
