package dev.substraterouter.properties;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.Placement;
import dev.substraterouter.RoutingException;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.model.DegradedReason;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.EjectionLimits;
import dev.substraterouter.policy.HealthLimits;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.QueueLimits;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.policy.WorkloadQueue;
import dev.substraterouter.status.SubstrateStatus;
import dev.substraterouter.status.Verdict;
import dev.substraterouter.testkit.HandDrivenTime;
import dev.substraterouter.testkit.Statuses;
import dev.substraterouter.trace.Attempt;
import dev.substraterouter.trace.Considered;
import dev.substraterouter.trace.Reason;
import dev.substraterouter.trace.RefusalReason;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The table of the fallback machine, in every state, through the public face of the router. */
class FallbackMachineTest {
    private static final Logger LOG = Logger.getLogger("dev.substraterouter");
    private static final Duration BUSY_FOR = Duration.ofSeconds(20);
    private static final Duration SHORT_WAIT = Duration.ofSeconds(10);
    private static final int CAPACITY = 4;
    private Level before;

    @BeforeEach
    void silence() {
        before = LOG.getLevel();
        LOG.setLevel(Level.OFF);
    }

    @AfterEach
    void speak() {
        LOG.setLevel(before);
    }

    /** How a candidate stands: free, or kept from being taken by exactly one thing. */
    private enum State {
        FREE(null),
        NO_STATUS(Reason.NO_STATUS),
        STALE(Reason.STALE_STATUS),
        NOT_READY(Reason.NOT_READY),
        UNKNOWN(Reason.UNKNOWN_MEASURE),
        LOADED(Reason.GPU_UTIL),
        HOT(Reason.GPU_TEMP),
        FULL_MEMORY(Reason.VRAM),
        FOREIGN_JOBS(Reason.RUNNING_JOBS),
        OWN_JOBS(Reason.RUNNING_JOBS),
        ATTRIBUTE(Reason.ATTRIBUTE),
        PREDICATE(Reason.HEALTH_PREDICATE),
        SAID_BUSY(Reason.BUSY),
        EJECTED(Reason.EJECTED),
        TRIAL(Reason.TRIAL_RUNNING),
        RAMP(Reason.RAMP),
        CORDONED(Reason.CORDONED),
        RESERVED(Reason.RESERVED_FOR_HIGH),
        CLAIMED(Reason.CLAIMED),
        OVERFLOW(Reason.OVERFLOW_LATER),
        TOO_SMALL(Reason.TOO_SMALL),
        AVOIDED(Reason.AVOIDED);

        final Reason reason;

        State(Reason reason) {
            this.reason = reason;
        }

        boolean forGood() {
            return this == TOO_SMALL || this == AVOIDED;
        }

        /** Out until a known moment, further away than {@link #SHORT_WAIT}. */
        boolean knownEnd() {
            return this == EJECTED || this == SAID_BUSY;
        }
    }

    /** How the queue stands when the request comes. */
    private enum Queue {
        EMPTY,
        ONE_FREE,
        FULL,
        FULL_WITH_A_LOWER,
        MAX_WAIT_0
    }

    /** What the design says. */
    private record Answer(int placedOn, RefusalReason refusal) {
        static final Answer WAITS = new Answer(-1, null);
    }

    private static Answer designSays(List<State> states, Queue queue) {
        int free = states.indexOf(State.FREE);
        if (free >= 0) {
            return new Answer(free, null);
        }
        List<State> couldCome =
                states.stream().filter(state -> !state.forGood()).toList();
        if (couldCome.isEmpty()) {
            return new Answer(-1, RefusalReason.NO_ELIGIBLE_SUBSTRATE);
        }
        if (queue == Queue.MAX_WAIT_0) {
            return new Answer(-1, RefusalReason.NO_WAIT);
        }
        if (couldCome.stream().allMatch(State::knownEnd)) {
            return new Answer(-1, RefusalReason.BEYOND_WAIT);
        }
        return queue == Queue.FULL ? new Answer(-1, RefusalReason.QUEUE_FULL) : Answer.WAITS;
    }

    @Test
    void answersAsTheTableSaysForTwoCandidates() {
        for (State first : State.values()) {
            for (State second : State.values()) {
                for (Queue queue : Queue.values()) {
                    check(List.of(first, second), queue);
                }
            }
        }
    }

    /** Each three states with one queue, the next one each time; with every queue in the soak profile. */
    @Test
    void answersAsTheTableSaysForThreeCandidates() {
        Queue[] queues = Queue.values();
        int number = 0;
        for (List<State> three : threes()) {
            check(three, queues[number++ % queues.length]);
        }
    }

    @Test
    @Tag("soak")
    void answersAsTheTableSaysForThreeCandidatesAndEveryQueue() {
        for (List<State> three : threes()) {
            for (Queue queue : Queue.values()) {
                check(three, queue);
            }
        }
    }

    private static List<List<State>> threes() {
        List<List<State>> threes = new ArrayList<>();
        for (State first : State.values()) {
            for (State second : State.values()) {
                for (State third : State.values()) {
                    threes.add(List.of(first, second, third));
                }
            }
        }
        return threes;
    }

    @ParameterizedTest
    @EnumSource(
            value = State.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"FREE", "TOO_SMALL", "AVOIDED"})
    void goesToThePrimaryAsSoonAsItRecovers(State state) {
        try (Stage stage = new Stage(List.of(state, State.CORDONED))) {
            CompletableFuture<Placement> waiting =
                    stage.router.placeAsync(stage.request(Queue.EMPTY).maxWait(Duration.ofDays(1)));
            assertThat(waiting).as("%s", state).isNotDone();
            stage.heal(0, state);
            assertThat(waiting).as("%s healed", state).isCompleted();
            assertThat(waiting.join().substrateId()).isEqualTo("s0");
            assertThat(waiting.join().degraded().contains(DegradedReason.NOT_PRIMARY))
                    .isEqualTo(state == State.OVERFLOW); // overflow sorts last, whatever the route says
        }
    }

    private static void check(List<State> states, Queue queue) {
        try (Stage stage = new Stage(states)) {
            List<CompletableFuture<Placement>> others = stage.fill(queue);
            CompletableFuture<Placement> answer = stage.router.placeAsync(stage.request(queue));
            compare(states, queue, designSays(states, queue), answer, stage);
            long outranked = others.stream()
                    .filter(CompletableFuture::isCompletedExceptionally)
                    .count();
            boolean displaces = queue == Queue.FULL_WITH_A_LOWER && designSays(states, queue) == Answer.WAITS;
            assertThat(outranked).as("%s %s: outranked", states, queue).isEqualTo(displaces ? 1 : 0);
        } catch (RuntimeException unexpected) {
            throw new AssertionError(states + " " + queue, unexpected);
        }
    }

    private static void compare(
            List<State> states, Queue queue, Answer expected, CompletableFuture<Placement> answer, Stage stage) {
        String what = states + " " + queue;
        if (expected == Answer.WAITS) {
            assertThat(answer).as(what).isNotDone();
            assertThat(stage.waiting())
                    .as(what)
                    .isEqualTo(queue == Queue.EMPTY ? 1 : CAPACITY); // displacing keeps it full
        } else if (expected.refusal() != null) {
            RoutingException refused = refusal(answer, what);
            assertThat(refused.reason()).as(what).isEqualTo(expected.refusal());
            checkReasons(refused.trace().considered(), states, states.size(), what);
            assertThat(refused.retryAfter().isPresent())
                    .as(what)
                    .isEqualTo(expected.refusal() != RefusalReason.NO_ELIGIBLE_SUBSTRATE);
        } else {
            assertThat(answer).as(what).isCompleted();
            Placement placement = answer.join();
            assertThat(placement.substrateId()).as(what).isEqualTo("s" + expected.placedOn());
            boolean fallback = expected.placedOn() != primary(states);
            assertThat(placement.degraded().contains(DegradedReason.NOT_PRIMARY))
                    .as(what)
                    .isEqualTo(fallback);
            assertThat(placement.trace().fellBack()).as(what).isEqualTo(fallback);
            Attempt attempt = placement.trace().lastAttempt().orElseThrow();
            List<Considered> passedOver = attempt.considered().stream()
                    .filter(one -> !one.admissible())
                    .toList();
            checkReasons(passedOver, states, expected.placedOn(), what);
        }
    }

    /** The first one as it is tried: overflow sorts last. */
    private static int primary(List<State> states) {
        return (int) states.stream().takeWhile(State.OVERFLOW::equals).count() % states.size();
    }

    private static RoutingException refusal(CompletableFuture<Placement> answer, String what) {
        assertThat(answer).as(what).isCompletedExceptionally();
        try {
            answer.join();
            throw new AssertionError(what);
        } catch (CompletionException thrown) {
            return (RoutingException) thrown.getCause();
        }
    }

    /** Each candidate before the one that was taken is named with its one reason; overflow comes last and need not be named. */
    private static void checkReasons(List<Considered> considered, List<State> states, int upTo, String what) {
        for (int at = 0; at < upTo; at++) {
            State state = states.get(at);
            String id = "s" + at;
            if (state != State.OVERFLOW || upTo == states.size()) {
                assertThat(considered).as(what).anySatisfy(one -> {
                    assertThat(one.substrateId()).isEqualTo(id);
                    assertThat(one.findings().get(0).reason()).isEqualTo(state.reason);
                });
            }
        }
    }

    /** A router whose candidates stand as they should. */
    private static final class Stage implements AutoCloseable {
        private static final Map<String, String> QUIET = Map.of("owner_busy", "false");
        private final HandDrivenTime time = new HandDrivenTime();
        private final List<State> states;
        private final List<Placement> held = new ArrayList<>();
        private final List<CompletableFuture<Placement>> huge = new ArrayList<>();
        final SubstrateRouter router;

        Stage(List<State> states) {
            this.states = states;
            router = SubstrateRouter.builder()
                    .policy(policy(states))
                    .timeSource(time)
                    .executor(Runnable::run)
                    .healthPredicate((status, context) ->
                            status.attributes().containsKey("objection") ? Verdict.fail("objects") : Verdict.pass())
                    .build();
            router.cordon("elsewhere");
            before();
            each(State.CLAIMED, this::claim);
            if (states.contains(State.CLAIMED)) {
                time.advance(Duration.ofSeconds(11));
            }
            each(State.EJECTED, this::eject);
            each(State.SAID_BUSY, id -> hold(id).busy(BUSY_FOR));
            each(State.OWN_JOBS, id -> List.of(hold(id), hold(id)));
            each(State.CORDONED, router::cordon);
            reportBad();
        }

        private static Policy policy(List<State> states) {
            Policy.Builder policy = Policy.builder()
                    .health(HealthLimits.builder()
                            .staleAfter(Duration.ofHours(1))
                            .requireAttributes(QUIET)
                            .build())
                    .ejection(EjectionLimits.builder()
                            .consecutiveFaults(1)
                            .window(Duration.ofSeconds(60))
                            .maxWindow(Duration.ofSeconds(60))
                            .trialTimeout(Duration.ofDays(1))
                            .ramp(Duration.ofDays(1))
                            .build())
                    .queue(QueueLimits.builder()
                            .capacity(CAPACITY)
                            .retryEvery(Duration.ofDays(1)) // who waits is woken, or is never looked at
                            .agesAfter(Duration.ofDays(1))
                            .build())
                    .substrate(Substrate.builder("elsewhere")
                            .vramGb(8)
                            .maxConcurrentJobs(1)
                            .build());
            for (int at = 0; at < states.size(); at++) {
                State state = states.get(at);
                String id = "s" + at;
                policy.substrate(Substrate.builder(id)
                        .vramGb(state == State.TOO_SMALL ? 4 : 32)
                        .maxConcurrentJobs(2)
                        .reserveForHigh(state == State.RESERVED ? 2 : 0)
                        .overflow(state == State.OVERFLOW)
                        .build());
                policy.workload(Workload.builder("on " + id).vramGb(1).pin(id).build());
                policy.workload(Workload.builder("huge on " + id)
                        .vramGb(state == State.TOO_SMALL ? 4 : 32)
                        .pin(id)
                        .queue(WorkloadQueue.builder().capacity(1).build())
                        .build());
            }
            return policy.workload(Workload.builder("elsewhere")
                            .vramGb(1)
                            .pin("elsewhere")
                            .build())
                    .workload(Workload.builder("work")
                            .vramGb(8)
                            .overflowAfter(Duration.ofSeconds(5))
                            .route(IntStream.range(0, states.size())
                                    .mapToObj(at -> "s" + at)
                                    .toArray(String[]::new))
                            .build())
                    .build();
        }

        private void each(State state, java.util.function.Consumer<String> action) {
            for (int at = 0; at < states.size(); at++) {
                if (states.get(at) == state) {
                    action.accept("s" + at);
                }
            }
        }

        /** What takes time to bring about. */
        private void before() {
            if (states.contains(State.STALE)) {
                each(State.STALE, id -> router.reportStatus(id, well().build()));
                time.advance(Duration.ofMinutes(61));
            }
            for (int at = 0; at < states.size(); at++) {
                if (!Set.of(State.STALE, State.NO_STATUS, State.UNKNOWN).contains(states.get(at))) {
                    router.reportStatus("s" + at, well().build());
                }
            }
            if (states.contains(State.TRIAL) || states.contains(State.RAMP)) {
                each(State.TRIAL, this::eject);
                each(State.RAMP, this::eject);
                time.advance(Duration.ofSeconds(60));
                each(State.TRIAL, this::hold);
                each(State.RAMP, id -> {
                    hold(id).succeed();
                    hold(id);
                });
            }
        }

        private void reportBad() {
            report(State.NOT_READY, well().reachable(false));
            report(
                    State.UNKNOWN,
                    SubstrateStatus.builder()
                            .gpuUtilPct(1)
                            .vramUsedGb(0)
                            .vramTotalGb(32)
                            .runningJobs(0)
                            .attribute("owner_busy", "false"));
            report(State.LOADED, well().gpuUtilPct(93));
            report(State.HOT, well().gpuTempC(85));
            report(State.FULL_MEMORY, well().vramUsedGb(31));
            report(State.FOREIGN_JOBS, well().runningJobs(1).queuedJobs(1));
            report(State.ATTRIBUTE, well().attribute("owner_busy", "true"));
            report(State.PREDICATE, well().attribute("objection", "yes"));
        }

        private void report(State state, SubstrateStatus.Builder status) {
            SubstrateStatus bad = status.build();
            each(state, id -> router.reportStatus(id, bad));
        }

        private static SubstrateStatus.Builder well() {
            return Statuses.healthy(32).attribute("owner_busy", "false");
        }

        private Placement hold(String id) {
            Placement placement = router.tryPlace(
                            RouteRequest.workload("on " + id).priority(Priority.HIGH))
                    .orElseThrow();
            held.add(placement);
            return placement;
        }

        private void eject(String id) {
            hold(id).fail(new ConnectException("refused"));
        }

        /** A small job runs, one that needs everything has waited long for it to end. */
        private void claim(String id) {
            hold(id);
            huge.add(router.placeAsync(RouteRequest.workload("huge on " + id).maxWait(Duration.ofDays(1))));
        }

        List<CompletableFuture<Placement>> fill(Queue queue) {
            int waiters =
                    switch (queue) {
                        case EMPTY, MAX_WAIT_0 -> 0;
                        case ONE_FREE -> CAPACITY - 1;
                        case FULL, FULL_WITH_A_LOWER -> CAPACITY;
                    };
            List<CompletableFuture<Placement>> waiting = new ArrayList<>();
            for (int number = 0; number < waiters; number++) {
                boolean lower = queue == Queue.FULL_WITH_A_LOWER && number == 1;
                waiting.add(router.placeAsync(RouteRequest.workload("elsewhere")
                        .priority(lower ? Priority.LOW : Priority.NORMAL)
                        .maxWait(Duration.ofDays(1))));
            }
            return waiting;
        }

        RouteRequest request(Queue queue) {
            RouteRequest request =
                    RouteRequest.workload("work").maxWait(queue == Queue.MAX_WAIT_0 ? Duration.ZERO : SHORT_WAIT);
            for (int at = 0; at < states.size(); at++) {
                request = states.get(at) == State.AVOIDED ? request.avoid("s" + at) : request;
            }
            return request;
        }

        int waiting() {
            return router.routes().stream()
                    .filter(route -> route.workload().equals("work"))
                    .findFirst()
                    .orElseThrow()
                    .waiting();
        }

        /** Takes away what keeps a candidate from being taken. */
        void heal(int at, State state) {
            String id = "s" + at;
            switch (state) {
                case EJECTED -> time.advance(Duration.ofSeconds(60));
                case OVERFLOW -> time.advance(Duration.ofSeconds(5));
                case TRIAL -> held.get(held.size() - 1).succeed();
                case RAMP, OWN_JOBS -> held.get(held.size() - 1).close();
                case CORDONED -> router.uncordon(id);
                case CLAIMED -> huge.get(0).cancel(true);
                case RESERVED -> router.reload(policy(List.of(State.FREE, State.CORDONED)));
                default -> router.reportStatus(id, well().build());
            }
        }

        @Override
        public void close() {
            held.forEach(Placement::close);
            router.close();
        }
    }

    /** A hundred threads ask at once, a thousand times: exactly the slots are placed and exactly the places are taken. */
    @Test
    void givesExactlyTheSlotsAndExactlyThePlaces() throws Exception {
        int threads = 100;
        int rounds = 1_000;
        int slots = 3;
        Policy policy = Policy.builder()
                .queue(QueueLimits.builder()
                        .capacity(CAPACITY)
                        .maxWait(Duration.ofDays(1))
                        .build())
                .substrate(Substrate.builder("only")
                        .vramGb(32)
                        .maxConcurrentJobs(slots)
                        .build())
                .workload(Workload.builder("work").vramGb(1).route("only").build())
                .build();
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try (SubstrateRouter router = SubstrateRouter.builder()
                .policy(policy)
                .timeSource(new HandDrivenTime())
                .executor(Runnable::run)
                .build()) {
            router.reportStatus("only", Statuses.idle(32));
            CyclicBarrier start = new CyclicBarrier(threads);
            List<List<CompletableFuture<Placement>>> answers = new ArrayList<>();
            int[] wrong = new int[1];
            CyclicBarrier end = new CyclicBarrier(threads, () -> wrong[0] += settle(answers, slots) ? 0 : 1);
            List<Callable<Void>> tasks = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                List<CompletableFuture<Placement>> mine = new ArrayList<>();
                answers.add(mine);
                tasks.add(() -> {
                    for (int round = 0; round < rounds; round++) {
                        start.await();
                        mine.add(router.placeAsync(RouteRequest.workload("work")));
                        end.await();
                    }
                    return null;
                });
            }
            for (Future<Void> one : pool.invokeAll(tasks, 60, TimeUnit.SECONDS)) {
                one.get();
            }
            assertThat(wrong[0]).as("rounds with another count").isZero();
        } finally {
            pool.shutdownNow();
        }
    }

    /** Counts a round and clears it away; runs while every thread waits at the barrier. */
    private static boolean settle(List<List<CompletableFuture<Placement>>> answers, int slots) {
        List<CompletableFuture<Placement>> round =
                answers.stream().flatMap(List::stream).toList();
        long refused = round.stream()
                .filter(CompletableFuture::isCompletedExceptionally)
                .count();
        List<CompletableFuture<Placement>> waiting =
                round.stream().filter(one -> !one.isDone()).toList();
        List<CompletableFuture<Placement>> placed = round.stream()
                .filter(one -> one.isDone() && !one.isCompletedExceptionally())
                .toList();
        waiting.forEach(one -> one.cancel(true));
        placed.forEach(one -> one.join().close());
        answers.forEach(List::clear);
        return placed.size() == slots && waiting.size() == CAPACITY && refused == round.size() - slots - CAPACITY;
    }

    @Test
    void namesEveryReasonThatTheTableUses() {
        assertThat(Arrays.stream(State.values()).map(state -> state.reason))
                .contains(Reason.RAMP, Reason.CLAIMED, Reason.OVERFLOW_LATER, Reason.RESERVED_FOR_HIGH);
    }
}
