package dev.substraterouter.cases;

import static dev.substraterouter.cases.Plan.node;
import static dev.substraterouter.cases.Plan.seconds;
import static dev.substraterouter.cases.Rig.WORK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.substraterouter.Placement;
import dev.substraterouter.RankedCandidate;
import dev.substraterouter.SourceStatus;
import dev.substraterouter.SubstrateFaultException;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.SubstrateView;
import dev.substraterouter.SubstratesBusyException;
import dev.substraterouter.model.DegradedReason;
import dev.substraterouter.model.Measure;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.HealthLimits;
import dev.substraterouter.policy.OnStale;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.PolicyException;
import dev.substraterouter.policy.PollSettings;
import dev.substraterouter.policy.StrategyKind;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.status.GpuStatus;
import dev.substraterouter.status.SubstrateStatus;
import dev.substraterouter.testkit.HandDrivenTime;
import dev.substraterouter.testkit.Statuses;
import dev.substraterouter.trace.Finding;
import dev.substraterouter.trace.Reason;
import dev.substraterouter.trace.RefusalReason;
import dev.substraterouter.trace.RouterEvent;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What went wrong elsewhere: who is healthy, for how long a status counts, and what happens when nobody is. */
@ExtendWith(QuietLog.class)
@Timeout(60)
class HealthCasesTest {
    private static final Duration WINDOW = Duration.ofSeconds(15);

    /** As {@link Rig#pool}, with each substrate out at its first fault. */
    private static Policy.Builder nervous(int slots, String... ids) {
        return Rig.pool(slots, ids).ejection(CaseRig.after(1, WINDOW).build());
    }

    /** Substrates whose statuses count for 15 s. */
    private static Policy.Builder polled(HealthLimits.Builder health, String... ids) {
        Policy.Builder policy = Policy.builder()
                .health(health.build())
                .workload(Workload.builder("work").route(ids).build());
        for (String id : ids) {
            policy.substrate(node(id, 2).status("http://" + id + ":9100/status").build());
        }
        return policy;
    }

    private static Rig polledRig(HandSource source, HealthLimits.Builder health, String... ids) {
        return new Rig(polled(health, ids), builder -> builder.statusSource(source));
    }

    private static List<Reason> reasons(SubstrateView view) {
        return view.reasons().stream().map(Finding::reason).toList();
    }

    /** Where work would go now; nothing is left behind. */
    private static Optional<String> next(Rig rig, RouteRequest request) {
        Optional<Placement> placement = rig.router.tryPlace(request);
        placement.ifPresent(Placement::succeed);
        return placement.map(Placement::substrateId);
    }

    // R1

    static List<Exception> connectionFailures() {
        return List.of(
                new ConnectException("Connection refused"),
                new ConnectException("Verbindungsaufbau abgelehnt"),
                new ConnectException(),
                new CompletionException("anything", new ConnectException("Connection refused")),
                new ExecutionException("no connection was made", new ConnectException("refused")),
                new HttpConnectTimeoutException("HTTP connect timed out"),
                new NoRouteToHostException("No route to host"),
                new UnknownHostException("a"),
                new IOException("connection reset"));
    }

    @ParameterizedTest
    @MethodSource("connectionFailures")
    @DisplayName("whatever a refused connection is called, the same request goes elsewhere and the next ones too [R1]")
    void aRefusedConnectionIsAFault(Exception refused) throws Exception {
        try (Rig rig = new Rig(nervous(2, "a", "b"))) {
            String served = rig.router.call(WORK, placement -> {
                if (placement.substrateId().equals("a")) {
                    throw refused;
                }
                return placement.substrateId();
            });
            assertThat(served).isEqualTo("b");
            assertThat(rig.heard(RouterEvent.Ejected.class))
                    .extracting(RouterEvent.Ejected::substrateId)
                    .containsExactly("a");
            assertThat(rig.lastTrace().attempts()).extracting("substrateId").containsExactly("a", "b");
            rig.healthy("a");
            assertThat(next(rig, WORK)).contains("b");
        }
    }

    // R2

    @Test
    @DisplayName("from the fault on, for as long as it is out, a substrate is chosen not once [R2]")
    void outAtOnceAndForItsWholeTime() {
        try (Rig rig = new Rig(nervous(2, "a", "b"))) {
            assertThat(rig.fault()).isEqualTo("a");
            Duration left = rig.outFor("a");
            assertThat(left).isBetween(Duration.ofMillis(12_750), Duration.ofMillis(17_250));
            while (rig.outFor("a").compareTo(Duration.ofMillis(500)) > 0) {
                assertThat(next(rig, WORK)).contains("b");
                rig.time.advance(Duration.ofMillis(500));
                rig.freshen(); // a good status does not bring it back
            }
            rig.time.advance(rig.outFor("a").minusNanos(1));
            assertThat(next(rig, WORK)).contains("b");
            rig.time.advance(Duration.ofNanos(1));
            assertThat(next(rig, WORK)).as("its trial").contains("a");
        }
    }

    @Test
    @DisplayName("of 25 answers of 500 in a row only the first three reach the substrate [R2]")
    void serverErrorsTakeItOut() throws Exception {
        try (Rig rig = new Rig(Rig.pool(2, "a", "b")
                .ejection(CaseRig.after(3, Duration.ofMinutes(5)).build()))) {
            List<String> asked = new ArrayList<>();
            for (int request = 0; request < 25; request++) {
                rig.router.call(WORK, placement -> {
                    asked.add(placement.substrateId());
                    if (placement.substrateId().equals("a")) {
                        throw new SubstrateFaultException("500");
                    }
                    return "done";
                });
                rig.freshen();
            }
            assertThat(asked.stream().filter("a"::equals)).hasSize(3);
            assertThat(asked.stream().filter("b"::equals)).hasSize(25);
        }
    }

    // R4

    @Test
    @DisplayName("view, recommendation, route and decision say the same of who is out, at every moment [R4]")
    void oneSourceOfTruth() {
        try (Rig rig = new Rig(nervous(4, "a", "b"))) {
            assertThat(rig.fault()).isEqualTo("a");
            rig.freshen();
            SubstrateView out = rig.view("a");
            assertThat(reasons(out)).containsExactly(Reason.EJECTED);
            assertThat(out.verdict().passes()).isFalse();
            assertThat(out.ejectedUntil()).contains(rig.time.wall().plus(rig.outFor("a")));
            int outAtLooks = 0;
            for (int look = 0; look < 100; look++) {
                boolean listed = rig.view("a").verdict().passes();
                RankedCandidate ranked = rig.router.recommend(WORK).candidates().stream()
                        .filter(candidate -> candidate.substrateId().equals("a"))
                        .findFirst()
                        .orElseThrow();
                assertThat(ranked.admissible()).isEqualTo(listed);
                assertThat(rig.route().servingNow()).contains(listed ? "a" : "b");
                assertThat(rig.view("a").ejectedUntil().isPresent()).isEqualTo(!listed);
                assertThat(next(rig, WORK)).contains(listed ? "a" : "b");
                outAtLooks += listed ? 0 : 1;
                rig.time.advance(Duration.ofMillis(333));
            }
            assertThat(outAtLooks).isBetween(38, 52); // 15 s and what jitter makes of it
        }
    }

    // R5

    @Test
    @DisplayName("from the moment a substrate is removed nobody is sent there, waiters included [R5]")
    void aRemovedSubstrateIsNeverPicked() {
        try (Rig rig = new Rig(Rig.pool(2, "a", "b"))) {
            rig.router.cordon("a");
            rig.router.cordon("b");
            List<CompletableFuture<Placement>> waiters =
                    Stream.generate(() -> rig.router.placeAsync(WORK)).limit(2).toList();
            rig.router.reload(Rig.pool(8, "b").build());
            rig.router.uncordon("b");
            assertThat(waiters).allSatisfy(waiter -> assertThat(waiter.join().substrateId())
                    .isEqualTo("b"));
            for (int pick = 0; pick < 50; pick++) {
                assertThat(next(rig, WORK.prefer("a"))).contains("b");
                rig.time.advance(Duration.ofMillis(1));
            }
        }
    }

    @Test
    @DisplayName("the first failed connection to a dead substrate takes it out, long before any poll notices [R5]")
    void theFirstErrorCounts() throws Exception {
        HandSource source = new HandSource();
        Policy.Builder policy = polled(HealthLimits.builder(), "a", "b")
                .ejection(CaseRig.after(1, WINDOW).build());
        try (Rig rig = new Rig(policy, builder -> builder.statusSource(source))) {
            List<String> asked = new ArrayList<>();
            for (int request = 0; request < 10; request++) {
                rig.router.call(WORK, placement -> {
                    asked.add(placement.substrateId());
                    if (placement.substrateId().equals("a")) {
                        throw new ConnectException("Connection refused");
                    }
                    return "done";
                });
            }
            assertThat(rig.view("a").status())
                    .as("by its last status it is well")
                    .isPresent();
            assertThat(asked).containsOnlyOnce("a");
            assertThat(asked.stream().filter("b"::equals)).hasSize(10);
        }
    }

    // R7

    @Test
    @DisplayName("work that hangs on one substrate, and who waits for it, hold up no work on another [R7]")
    void oneHungSubstrateBlocksNoOther() throws Exception {
        Policy.Builder policy = Rig.pool(2, "a", "b")
                .workload(Workload.builder("on-a").pin("a").build())
                .workload(Workload.builder("on-b").pin("b").build());
        try (Rig rig = new Rig(policy)) {
            RouteRequest hung = RouteRequest.workload("on-a").maxWait(Duration.ofHours(1));
            List<CompletableFuture<Object>> stages = new ArrayList<>();
            List<CompletableFuture<Object>> calls = new ArrayList<>();
            for (int call = 0; call < 6; call++) { // two run, four wait: every place is taken
                calls.add(rig.router.callAsync(hung, placement -> {
                    CompletableFuture<Object> never = new CompletableFuture<>();
                    stages.add(never);
                    return never;
                }));
            }
            for (int call = 0; call < 50; call++) {
                assertThat(rig.router.<String, RuntimeException>call(
                                RouteRequest.workload("on-b").maxWait(Duration.ZERO), Placement::substrateId))
                        .isEqualTo("b");
            }
            assertThat(calls).noneMatch(CompletableFuture::isDone);
            while (!stages.isEmpty()) {
                stages.remove(0).completeExceptionally(new TimeoutException("the host's own limit"));
                rig.healthy("a");
            }
            calls.forEach(call -> call.cancel(false));
            rig.freshen();
            assertThat(rig.leases()).isZero();
            assertThat(rig.waiting()).isZero();
        }
    }

    // R10

    static Stream<Arguments> downSubstrates() {
        BiConsumer<Rig, String> notReady = (rig, id) -> rig.router.reportStatus(
                id, Statuses.healthy(24).reachable(false).build());
        BiConsumer<Rig, String> loaded = (rig, id) -> rig.loaded(id);
        BiConsumer<Rig, String> hot = (rig, id) ->
                rig.router.reportStatus(id, Statuses.healthy(24).gpuTempC(95).build());
        BiConsumer<Rig, String> cordoned = (rig, id) -> rig.router.cordon(id);
        BiConsumer<Rig, String> silent = (rig, id) -> rig.router.reload(rig.router.policy());
        return Stream.of(StrategyKind.values())
                .flatMap(strategy -> Stream.of(
                        Arguments.of(strategy, "not ready", notReady),
                        Arguments.of(strategy, "loaded", loaded),
                        Arguments.of(strategy, "hot", hot),
                        Arguments.of(strategy, "cordoned", cordoned),
                        Arguments.of(strategy, "silent", silent)));
    }

    private static List<String> picks(StrategyKind strategy, List<String> ids, BiConsumer<Rig, String> down) {
        Workload.Builder work = Workload.builder("work").strategy(strategy);
        List<Candidate> route = new ArrayList<>();
        Policy.Builder policy = Plan.policy();
        for (String id : ids) {
            route.add(Candidate.builder(id)
                    .expectedLatency(seconds(30))
                    .quality(0.9)
                    .build());
            policy.substrate(node(id, 8).costPerHour(1).build());
        }
        policy.workload(work.route(route.toArray(Candidate[]::new)).build());
        List<String> picks = new ArrayList<>();
        try (Rig rig = new Rig(policy)) {
            for (String id : List.of("a", "b")) {
                rig.router.reportStatus(
                        id, Statuses.healthy(24).runningJobs(5).gpuUtilPct(40).build());
            }
            if (ids.contains("down")) {
                down.accept(rig, "down");
            }
            for (Optional<Placement> one = rig.router.tryPlace(WORK);
                    one.isPresent();
                    one = rig.router.tryPlace(WORK)) {
                picks.add(one.get().substrateId());
            }
        }
        return picks;
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("downSubstrates")
    @DisplayName("a substrate that is down changes nothing among the healthy ones, however idle it looks [R10]")
    void whoIsDownDoesNotCount(StrategyKind strategy, String how, BiConsumer<Rig, String> down) {
        assertThat(how).isNotEmpty();
        List<String> without = picks(strategy, List.of("a", "b"), down);
        assertThat(without).hasSize(6);
        BiConsumer<Rig, String> really = how.equals("silent") ? HealthCasesTest::neverSeen : down;
        assertThat(picks(strategy, List.of("a", "b", "down"), really)).isEqualTo(without);
        assertThat(picks(strategy, List.of("down", "a", "b"), really)).isEqualTo(without);
    }

    /** Puts a substrate that has never said anything in the place of one that has. */
    private static void neverSeen(Rig rig, String id) {
        Policy all = rig.router.policy();
        Policy.Builder others =
                Plan.policy().workload(Workload.builder("work").route("a", "b").build());
        all.substrates().stream()
                .filter(substrate -> !substrate.id().equals(id))
                .forEach(others::substrate);
        rig.router.reload(others.build());
        rig.router.reload(all);
        assertThat(reasons(rig.view(id))).containsExactly(Reason.NO_STATUS);
    }

    // R11

    @Test
    @DisplayName("a status that is too old closes the only substrate, says so, and one new status opens it [R11]")
    void staleIsClosed() {
        HandSource source = new HandSource();
        try (Rig rig = polledRig(source, HealthLimits.builder(), "a")) {
            rig.time.advance(Duration.ofSeconds(15));
            assertThat(next(rig, WORK)).as("exactly at the limit").contains("a");
            rig.time.advance(Duration.ofNanos(1));
            assertThat(reasons(rig.view("a"))).containsExactly(Reason.STALE_STATUS);
            assertThatThrownBy(() -> rig.router.place(WORK.maxWait(Duration.ZERO)))
                    .isInstanceOf(SubstratesBusyException.class)
                    .hasMessageContaining("a status stale: 15.0 s > 15.0 s");
            CompletableFuture<Placement> waiter = rig.router.placeAsync(WORK);
            source.answer("a", "status", Statuses.idle(24));
            assertThat(waiter).isCompleted();
            assertThat(waiter.join().degraded()).isEmpty();
        }
    }

    @Test
    @DisplayName("held, the last status goes on counting, and each placement says so [R11]")
    void staleIsHeld() {
        HandSource source = new HandSource();
        try (Rig rig = polledRig(source, HealthLimits.builder().onStale(OnStale.HOLD), "a")) {
            rig.time.advance(Duration.ofHours(1));
            Placement held = rig.place();
            assertThat(held.degraded()).contains(DegradedReason.STALE_HELD);
            assertThat(held.trace().attempts().get(0).considered().get(0).has(Reason.STALE_HELD))
                    .isTrue();
            held.succeed();
            rig.time.advance(Duration.ofSeconds(1)); // so that no own work is in it
            source.answer("a", "status", Statuses.loaded(24));
            rig.time.advance(Duration.ofHours(1));
            assertThat(rig.router.tryPlace(WORK)).as("so does a bad one").isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 60, 600})
    @DisplayName("a status must count for at least two polls: less is no policy [R11]")
    void stalenessCoversTwoPolls(int poll) {
        PollSettings polls = PollSettings.builder().every(seconds(poll)).build();
        HealthLimits least =
                HealthLimits.builder().staleAfter(seconds(2L * poll)).build();
        HealthLimits less = HealthLimits.builder()
                .staleAfter(seconds(2L * poll).minusMillis(1))
                .build();
        Policy.Builder good = Rig.pool(1, "a").poll(polls).health(least);
        assertThat(good.build().health().staleAfter()).isEqualTo(seconds(2L * poll));
        assertThatThrownBy(() -> Rig.pool(1, "a").poll(polls).health(less).build())
                .isInstanceOfSatisfying(
                        PolicyException.class, bad -> assertThat(bad.problems()).anySatisfy(problem -> {
                            assertThat(problem.path()).isEqualTo("health.stale_after");
                            assertThat(problem.isError()).isTrue();
                            assertThat(problem.message()).contains("at least 2 x poll.every");
                        }));
        assertThatThrownBy(() -> Rig.pool(1, "a")
                        .poll(polls)
                        .health(least)
                        .substrate(node("b", 1).health(less).build())
                        .build())
                .as("one substrate's own limit")
                .isInstanceOf(PolicyException.class)
                .hasMessageContaining("substrates.b.health.stale_after");
    }

    // R13

    @Test
    @DisplayName(
            "with the only one out there is no panic: every request is refused, with the reason and the return [R13]")
    void noPanicWithOne() {
        try (Rig rig = new Rig(nervous(4, "a"))) {
            rig.fault();
            rig.freshen();
            rig.forgetEvents();
            Duration left = rig.outFor("a");
            for (int request = 0; request < 100; request++) {
                assertThat(rig.router.tryPlace(WORK)).isEmpty();
                assertThat(rig.router.tryPlace(WORK.prefer("a"))).isEmpty();
            }
            assertThatThrownBy(() -> rig.router.place(WORK.maxWait(Duration.ofSeconds(5))))
                    .isInstanceOfSatisfying(SubstratesBusyException.class, refused -> {
                        assertThat(refused.reason()).isEqualTo(RefusalReason.BEYOND_WAIT);
                        assertThat(refused.retryAfter()).contains(left);
                    })
                    .hasMessageContaining("a ejected for another");
            assertThat(rig.heard(RouterEvent.Placed.class)).isEmpty();
            assertThat(rig.leases()).isZero();
        }
    }

    @Test
    @DisplayName("with all out for different reasons the refusal names each, and the earliest return [R13]")
    void noPanicWithMany() {
        try (Rig rig = new Rig(nervous(4, "fell", "fell-later", "cordoned", "hot", "busy", "down"))) {
            rig.eject("fell");
            rig.time.advance(Duration.ofSeconds(2));
            rig.eject("fell-later");
            rig.router.cordon("cordoned");
            rig.router.reportStatus("hot", Statuses.healthy(24).gpuTempC(91).build());
            rig.place(WORK.prefer("busy")).busy(Duration.ofSeconds(60));
            rig.router.reportStatus(
                    "down", Statuses.healthy(24).reachable(false).build());
            rig.forgetEvents();
            Duration first = Stream.of("fell", "fell-later")
                    .map(rig::outFor)
                    .min(Duration::compareTo)
                    .orElseThrow();
            assertThatThrownBy(() -> rig.router.place(WORK.maxWait(Duration.ZERO)))
                    .isInstanceOfSatisfying(SubstratesBusyException.class, refused -> {
                        assertThat(refused.retryAfter())
                                .hasValueSatisfying(
                                        after -> assertThat(after).isPositive().isLessThanOrEqualTo(first));
                        assertThat(refused.trace().considered())
                                .hasSize(6)
                                .noneMatch(candidate -> candidate.admissible());
                    })
                    .hasMessageContaining("fell ejected for another")
                    .hasMessageContaining("fell-later ejected for another")
                    .hasMessageContaining("cordoned cordoned")
                    .hasMessageContaining("hot gpu temp 91 >= 80 C")
                    .hasMessageContaining("busy said it is full")
                    .hasMessageContaining("down not ready");
            assertThat(rig.heard(RouterEvent.Placed.class)).isEmpty();
        }
    }

    // R14

    @ParameterizedTest
    @EnumSource
    @DisplayName("whatever binds work to a substrate, it does not go there while that is out [R14]")
    void nothingReachesWhoIsOut(StrategyKind strategy) {
        Policy.Builder policy = Plan.policy(
                        Plan.work()
                                .vramGb(12)
                                .strategy(strategy)
                                .route(
                                        Candidate.builder("a")
                                                .model("flux")
                                                .expectedLatency(seconds(1))
                                                .loadTime(seconds(60))
                                                .quality(1.0)
                                                .build(),
                                        Candidate.builder("b")
                                                .model("flux")
                                                .expectedLatency(seconds(9))
                                                .loadTime(seconds(60))
                                                .quality(0.5)
                                                .build()),
                        node("a", 4).vramGb(24).costPerHour(1),
                        node("b", 4).vramGb(24).costPerHour(9))
                .workload(Workload.builder("pinned").pin("a").build())
                .ejection(CaseRig.after(1, WINDOW).build());
        try (Rig rig = new Rig(policy)) {
            assertThat(next(rig, WORK)).contains("a");
            rig.eject("a");
            // the model is in memory there, and nowhere else
            rig.router.reportStatus(
                    "a",
                    Statuses.healthy(24).vramUsedGb(12).loadedModels("flux").build());
            for (int request = 0; request < 10; request++) {
                assertThat(next(rig, WORK)).contains("b");
                assertThat(next(rig, WORK.prefer("a"))).contains("b");
                assertThat(next(rig, RouteRequest.workload("pinned"))).isEmpty();
            }
            List<Placement> broadcast = rig.router.placeAll(WORK);
            assertThat(broadcast).extracting(Placement::substrateId).containsExactly("b");
            broadcast.forEach(Placement::close);
            assertThat(rig.leases("a")).isZero();
        }
    }

    // R16

    @Test
    @DisplayName(
            "polls that time out while work is done there mean neither out nor not ready, until the status is stale [R16]")
    void missedPollsAreNoFaults() {
        HandSource source = new HandSource();
        try (Rig rig = polledRig(source, HealthLimits.builder(), "a")) {
            source.answer("a", "status", Statuses.idle(24));
            for (int second = 0; second < 15; second++) {
                rig.time.advance(Duration.ofSeconds(1));
                source.miss("a", "timed out after 2.0 s");
                rig.place().succeed();
                assertThat(reasons(rig.view("a"))).isEmpty();
                assertThat(rig.view("a").status()).hasValueSatisfying(status -> assertThat(status.reachable())
                        .isTrue());
            }
            rig.time.advance(Duration.ofSeconds(1));
            source.miss("a", "timed out after 2.0 s");
            assertThat(reasons(rig.view("a"))).containsExactly(Reason.STALE_STATUS);
            assertThat(rig.view("a").verdict().reason())
                    .isEqualTo("status stale: 16.0 s > 15.0 s (timed out after 2.0 s)");
            assertThat(rig.heard(RouterEvent.Ejected.class)).isEmpty();
            source.answer("a", "status", Statuses.idle(24));
            assertThat(next(rig, WORK)).contains("a");
        }
    }

    // R19, R20

    @Test
    @DisplayName("memory in use that nobody can tell is unknown, and not all free [R19]")
    void unknownMemoryIsNotFree() {
        SubstrateStatus untold = SubstrateStatus.builder()
                .gpuUtilPct(3)
                .vramTotalGb(121)
                .gpuTempC(45)
                .runningJobs(0)
                .build();
        try (CaseRig rig = new CaseRig(
                Plan.policy(Plan.work().vramGb(20).route("a"), node("a", 2).vramGb(121))
                        .build())) {
            rig.router.reportStatus("a", untold);
            assertThat(rig.view("a").verdict().reason()).isEqualTo("unknown: vram");
            assertThat(rig.router.tryPlace(CaseRig.WORK)).isEmpty();
        }
    }

    private static SubstrateStatus.Builder mig() {
        return SubstrateStatus.builder()
                .vramUsedGb(11)
                .vramTotalGb(80)
                .gpuTempC(45)
                .runningJobs(0)
                .queuedJobs(0);
    }

    @Test
    @DisplayName("utilisation that a partitioned card cannot tell is unknown, not zero [R20]")
    void utilisationOfPartsIsUnknown() {
        try (CaseRig rig =
                new CaseRig(Plan.policy(Plan.work().route("a"), node("a", 2)).build())) {
            rig.router.reportStatus("a", mig().build());
            assertThat(reasons(rig.view("a"))).containsExactly(Reason.UNKNOWN_MEASURE);
            assertThat(rig.view("a").verdict().reason()).isEqualTo("unknown: gpu util");
            assertThat(rig.router.tryPlace(CaseRig.WORK)).isEmpty();
            GpuStatus.Builder part =
                    GpuStatus.builder(0).vramUsedGb(1).vramTotalGb(20).tempC(45);
            rig.router.reportStatus(
                    "a",
                    mig().gpu(part.build())
                            .gpu(GpuStatus.builder(1)
                                    .vramUsedGb(1)
                                    .vramTotalGb(20)
                                    .tempC(45)
                                    .build())
                            .build());
            assertThat(reasons(rig.view("a"))).containsExactly(Reason.UNKNOWN_MEASURE);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("where utilisation is not asked for, a partitioned card is gated by its jobs and memory [R20]")
    void partsAreGatedByJobsAndMemory(boolean ignored) {
        HealthLimits.Builder health = ignored
                ? HealthLimits.builder().ignore(Measure.GPU_UTIL)
                : HealthLimits.builder().require(Measure.VRAM, Measure.GPU_TEMP, Measure.RUNNING_JOBS);
        Policy.Builder policy = Plan.policy(
                        Plan.work().vramGb(20).route("a"), node("a", 2).vramGb(80))
                .health(health.build());
        try (Rig rig = new Rig(policy)) {
            rig.router.reportStatus("a", mig().build());
            assertThat(reasons(rig.view("a"))).isEmpty();
            List<Placement> two = List.of(rig.place(), rig.place());
            assertThat(rig.router.tryPlace(WORK)).as("two slots").isEmpty();
            two.forEach(Placement::succeed);
            rig.router.reportStatus("a", mig().runningJobs(2).build());
            assertThat(rig.router.tryPlace(WORK)).as("jobs of others").isEmpty();
            rig.router.reportStatus("a", mig().vramUsedGb(61).build());
            assertThat(rig.router.tryPlace(WORK)).as("19 GB are free").isEmpty();
            rig.router.reportStatus("a", mig().gpuTempC(93).build());
            assertThat(rig.router.tryPlace(WORK)).as("too hot").isEmpty();
            rig.router.reportStatus("a", mig().vramUsedGb(60).build());
            assertThat(next(rig, WORK)).contains("a");
        }
    }

    // R23

    /** What a front end believes of a worker: all is well. */
    private static SubstrateStatus.Builder front() {
        return Statuses.healthy(80).vramUsedGb(2);
    }

    static Stream<Arguments> figuresOfTheWorker() {
        return Stream.of(
                Arguments.of(front().gpuUtilPct(99).build(), "gpu util 99 >= 70"),
                Arguments.of(front().gpuTempC(90).build(), "gpu temp 90 >= 80 C"),
                Arguments.of(front().runningJobs(1).queuedJobs(1).build(), "jobs 2/2"),
                Arguments.of(front().vramUsedGb(70).build(), "vram"),
                Arguments.of(front().vramTotalGb(12).build(), "vram"),
                Arguments.of(front().reachable(false).build(), "not ready"));
    }

    @ParameterizedTest
    @MethodSource("figuresOfTheWorker")
    @DisplayName("of two sources the worse counts in each figure, whoever speaks last and however often [R23]")
    void theWorseOfTwoSourcesCounts(SubstrateStatus worker, String why) {
        for (String order : List.of("wf", "fw", "wfff", "fwfwf", "ffw")) {
            HandSource source = new HandSource();
            Policy.Builder policy =
                    Plan.policy(Plan.work().vramGb(20).route("a"), node("a", 2).vramGb(80));
            try (CaseRig rig = rig(policy, source)) {
                for (char who : order.toCharArray()) {
                    rig.time.advance(Duration.ofMillis(900)); // all within one polling interval
                    source.answer("a", who == 'w' ? "worker" : "front", who == 'w' ? worker : front().build());
                }
                assertThatThrownBy(() -> rig.router.place(WORK.maxWait(Duration.ZERO)))
                        .as(order)
                        .isInstanceOf(SubstratesBusyException.class)
                        .hasMessageContaining(why);
            }
        }
    }

    @Test
    @DisplayName("two sources that each see another trouble are not averaged: both count [R23]")
    void troublesOfBothSourcesCount() {
        HandSource source = new HandSource();
        Policy.Builder policy =
                Plan.policy(Plan.work().vramGb(20).route("a"), node("a", 4).vramGb(80));
        try (CaseRig rig = rig(policy, source)) {
            source.answer("a", "worker", front().runningJobs(3).build());
            source.answer("a", "front", front().vramUsedGb(59).build());
            Placement placement = rig.place(WORK);
            assertThat(rig.router.tryPlace(WORK))
                    .as("the fourth job was the last")
                    .isEmpty();
            placement.succeed();
            source.answer("a", "worker", front().runningJobs(3).build());
            source.answer("a", "front", front().vramUsedGb(61).build());
            assertThat(rig.router.tryPlace(WORK)).as("19 GB are free").isEmpty();
            rig.time.advance(Duration.ofSeconds(1));
            source.answer("a", "worker", front().runningJobs(2).build());
            assertThat(rig.router.substrates().get(0).sources())
                    .extracting(
                            SourceStatus::source,
                            one -> one.status().runningJobs().orElse(-1),
                            SourceStatus::age)
                    .containsExactly(tuple("worker", 2, Duration.ZERO), tuple("front", 0, Duration.ofSeconds(1)));
        }
    }

    private static CaseRig rig(Policy.Builder policy, HandSource source) {
        HandDrivenTime time = new HandDrivenTime();
        SubstrateRouter.Builder builder = SubstrateRouter.builder()
                .timeSource(time)
                .executor(Runnable::run)
                .statusSource(source);
        return new CaseRig(policy.build(), time, builder);
    }

    // R25

    @Test
    @DisplayName("a temperature that swings about its limit is one change, and the limit is each substrate's own [R25]")
    void oneTransition() {
        HealthLimits own =
                HealthLimits.builder().maxGpuTempC(85).gpuTempMarginC(5).build();
        HealthLimits other = HealthLimits.builder().maxGpuTempC(90).build();
        Policy.Builder policy = Plan.policy(
                Plan.work().route("a", "b"),
                node("a", 2).health(own),
                node("b", 2).health(other));
        try (Rig rig = new Rig(policy)) {
            List<Boolean> verdicts = new ArrayList<>();
            for (double temp : new double[] {84, 86, 84, 86, 84, 86, 80, 84}) {
                for (String id : List.of("a", "b")) {
                    rig.router.reportStatus(
                            id, Statuses.healthy(24).gpuTempC(temp).build());
                }
                verdicts.add(rig.view("a").verdict().passes());
                assertThat(rig.view("b").verdict().passes()).as("b at %s", temp).isTrue();
                assertThat(next(rig, WORK)).contains(verdicts.get(verdicts.size() - 1) ? "a" : "b");
                rig.time.advance(Duration.ofSeconds(5));
            }
            assertThat(verdicts).containsExactly(true, false, false, false, false, false, false, false);
            rig.router.reportStatus("a", Statuses.healthy(24).gpuTempC(79.9).build());
            assertThat(rig.view("a").verdict().passes()).isTrue();
            rig.router.reportStatus("a", Statuses.healthy(24).gpuTempC(84).build());
            assertThat(rig.view("a").verdict().passes()).isTrue();
        }
    }
}
