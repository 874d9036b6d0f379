package dev.substraterouter.properties;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.BackpressureException;
import dev.substraterouter.Placement;
import dev.substraterouter.RankedCandidate;
import dev.substraterouter.Recommendation;
import dev.substraterouter.RouteView;
import dev.substraterouter.RoutingException;
import dev.substraterouter.SubstrateFaultException;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.SubstrateView;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.properties.NaiveRouter.End;
import dev.substraterouter.properties.NaiveRouter.Req;
import dev.substraterouter.status.HealthPredicate;
import dev.substraterouter.status.StatusSink;
import dev.substraterouter.status.StatusSource;
import dev.substraterouter.status.StatusTarget;
import dev.substraterouter.status.StatusTicket;
import dev.substraterouter.status.SubstrateStatus;
import dev.substraterouter.status.Verdict;
import dev.substraterouter.testkit.HandDrivenTime;
import dev.substraterouter.trace.Attempt;
import dev.substraterouter.trace.Considered;
import dev.substraterouter.trace.Finding;
import dev.substraterouter.trace.Reason;
import dev.substraterouter.trace.RouterEvent;
import dev.substraterouter.trace.RoutingTrace;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** One run: the router and the model side by side. */
final class Duel implements AutoCloseable {
    private static final List<String> SUBSTRATES = List.of("a", "b", "c");
    private static final List<String> WORKLOADS = List.of("big", "resident", "pinned", "queued", "steady");
    private static final String OBJECTION = "objection";

    private final Random random;
    private final PolicyDraw policies;
    private final HandDrivenTime time = new HandDrivenTime();
    private final SubstrateRouter router;
    private final NaiveRouter model;
    private final List<Live> live = new ArrayList<>();
    private final Map<String, RoutingTrace> traces = new HashMap<>();
    private final Map<String, Req> ended = new HashMap<>();
    private final List<Ticket> tickets = new ArrayList<>();
    private final Asked source = new Asked(time);
    private long requests;
    private long placed;
    private long placedEvents;
    private String did = "";

    Duel(long seed, Function<Random, PolicyDraw> draw) {
        random = new Random(seed);
        policies = draw.apply(random);
        Policy policy = policies.first();
        HealthPredicate objecting = (status, context) ->
                "true".equals(status.attributes().get(OBJECTION)) ? Verdict.fail("objects") : Verdict.pass();
        router = SubstrateRouter.builder()
                .policy(policy)
                .timeSource(time)
                .executor(Runnable::run)
                .statusSource(source)
                .healthPredicate(objecting)
                .traceSink(this::traced)
                .listener(event -> placedEvents += event instanceof RouterEvent.Placed ? 1 : 0)
                .recentTraces(100_000)
                .seed(seed)
                .build();
        model = new NaiveRouter(policy, time.nanos(), place -> ejectedUntil(place.id));
    }

    /** Runs a duel of so many steps; the seed and the step are told when the two disagree. Returns how many were placed. */
    static long run(long seed, int steps, Function<Random, PolicyDraw> draw) {
        try (Duel duel = new Duel(seed, draw)) {
            for (int step = 0; step < steps; step++) {
                try {
                    duel.step();
                } catch (RuntimeException | AssertionError failure) {
                    throw new AssertionError(
                            "seed " + seed + ", step " + step + ": " + duel.did + "\n" + failure.getMessage() + "\n"
                                    + duel.picture(),
                            failure);
                }
            }
            duel.checkAllTraces();
            return duel.placed;
        }
    }

    /** How both see it, for whoever must find out which of them is wrong. */
    String picture() {
        StringBuilder picture = new StringBuilder("at " + time.nanos() + ", queue of the model: ");
        model.waiting().forEach(one -> picture.append(one.number).append(' '));
        for (Live one : live) {
            picture.append("\n")
                    .append(one)
                    .append(", arrived ")
                    .append(one.req.arrival)
                    .append("; router: ");
            picture.append(one.req.driven ? one.started + " " + one.result : String.valueOf(one.placing));
            picture.append("; model: ").append(one.req.attempts).append(" ").append(one.req.refusal);
            picture.append(one.req.lease != null ? ", holds " + one.req.lease.mib + " MiB" : "");
            picture.append(one.req.waiting ? ", waits for " + model.survey(one.req) : "");
        }
        router.substrates()
                .forEach(view ->
                        picture.append("\n").append(view).append("\n  model: ").append(model.place(view.id())));
        model.policy().workloads().forEach(one -> picture.append("\n")
                .append(router.recommend(RouteRequest.workload(one.name())).explain()));
        return picture.toString();
    }

    private long ejectedUntil(String id) {
        return view(id).ejectedUntil()
                .map(at -> time.nanos() + Duration.between(time.wall(), at).toNanos())
                .orElse(time.nanos());
    }

    private SubstrateView view(String id) {
        return router.substrates().stream()
                .filter(one -> one.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private void traced(RoutingTrace trace) {
        assertThat(traces.put(trace.requestId(), trace))
                .as("a second trace of one request")
                .isNull();
    }

    void step() {
        int dice = random.nextInt(100);
        if (dice < 14) {
            tryPlace();
        } else if (dice < 24) {
            placeAsync();
        } else if (dice < 34) {
            callAsync();
        } else if (dice < 56) {
            end();
        } else if (dice < 60) {
            cancel();
        } else if (dice < 68) {
            report();
        } else if (dice < 72) {
            ask();
        } else if (dice < 77) {
            answer();
        } else if (dice < 80) {
            operate();
        } else if (dice < 82) {
            reload();
        } else {
            pass();
        }
        compare();
    }

    // requests

    private Req newcomer() {
        Req req = new Req();
        req.number = Long.MAX_VALUE;
        req.arrival = time.nanos();
        req.began = req.arrival;
        req.workload = pick(WORKLOADS);
        req.priority = pick(List.of(Priority.HIGH, Priority.NORMAL, Priority.NORMAL, Priority.LOW));
        if (random.nextInt(3) == 0) {
            req.maxWait = Duration.ofMillis(50L * random.nextInt(400));
        }
        if (random.nextInt(8) == 0) {
            req.avoid = Set.of(pick(SUBSTRATES));
        }
        if (random.nextInt(8) == 0) {
            req.prefer = pick(SUBSTRATES);
        }
        req.idempotent = random.nextInt(4) > 0;
        return req;
    }

    private static RouteRequest request(Req req, String id) {
        RouteRequest request = RouteRequest.workload(req.workload)
                .priority(req.priority)
                .avoid(req.avoid.toArray(String[]::new))
                .idempotent(req.idempotent)
                .requestId(id);
        request = req.maxWait == null ? request : request.maxWait(req.maxWait);
        return req.prefer == null ? request : request.prefer(req.prefer);
    }

    private Live arrive() {
        Req req = newcomer();
        req.number = ++requests;
        Live one = new Live(req, "r" + requests);
        live.add(one);
        return one;
    }

    private void tryPlace() {
        Live one = arrive();
        did = "tryPlace " + one;
        Optional<String> foretold = foretell(one.req, one.request);
        try {
            one.placing = CompletableFuture.completedFuture(
                    router.tryPlace(one.request).orElse(null));
        } catch (RoutingException refused) {
            one.placing = CompletableFuture.failedFuture(refused);
        }
        model.tryPlace(one.req);
        Optional<String> got = Optional.of(one.placing)
                .filter(future -> !future.isCompletedExceptionally())
                .map(CompletableFuture::join)
                .map(Placement::substrateId);
        assertThat(got).as("tryPlace after recommend").isEqualTo(foretold);
    }

    private void placeAsync() {
        Live one = arrive();
        did = "placeAsync " + one;
        one.placing = router.placeAsync(one.request);
        model.place(one.req);
    }

    private void callAsync() {
        Live one = arrive();
        did = "callAsync " + one;
        one.req.driven = true;
        one.result = router.callAsync(one.request, one::start);
        model.place(one.req);
    }

    /** What {@code recommend} says, checked against the model, and that nothing has changed by it. */
    private Optional<String> foretell(Req req, RouteRequest request) {
        List<Object> stood = everything();
        Recommendation recommendation;
        try {
            recommendation = router.recommend(request);
        } catch (RoutingException never) {
            boolean known = model.policy().workload(req.workload).isPresent();
            assertThat(known && model.couldServe(req)).isFalse();
            return Optional.empty();
        } finally {
            assertThat(everything()).as("after recommend").isEqualTo(stood);
        }
        Map<Candidate, Set<Reason>> survey = model.survey(req);
        List<String> expected = new ArrayList<>();
        survey.forEach((c, no) -> expected.addAll(no.isEmpty() ? List.of(c.on()) : List.of()));
        survey.forEach((c, no) -> expected.addAll(no.isEmpty() ? List.of() : List.of(c.on())));
        assertThat(recommendation.candidates())
                .extracting(RankedCandidate::substrateId)
                .as("%s", recommendation)
                .isEqualTo(expected);
        recommendation
                .candidates()
                .forEach(ranked -> survey.forEach((c, no) -> {
                    if (c.on().equals(ranked.substrateId())) {
                        checkReasons(ranked, no);
                    }
                }));
        return recommendation.best().map(RankedCandidate::substrateId);
    }

    private static void checkReasons(RankedCandidate ranked, Set<Reason> no) {
        assertThat(ranked.admissible()).as("%s, model: %s", ranked, no).isEqualTo(no.isEmpty());
        Set<Reason> possible = EnumSet.of(Reason.IN_DOUBT, Reason.STALE_HELD);
        possible.addAll(no);
        assertThat(ranked.reasons())
                .extracting(Finding::reason)
                .as("%s", ranked)
                .isSubsetOf(possible)
                .hasSizeGreaterThanOrEqualTo(no.isEmpty() ? 0 : 1);
    }

    private List<Object> everything() {
        return List.of(router.substrates(), router.routes(), traces.size(), placedEvents, time.scheduled());
    }

    private void end() {
        List<Live> open = live.stream().filter(one -> one.req.lease != null).toList();
        if (open.isEmpty()) {
            did = "nothing to end";
            return;
        }
        Live one = pick(open);
        End how = pick(List.of(
                End.SUCCESS,
                End.SUCCESS,
                End.SUCCESS,
                End.NODE,
                End.NODE,
                End.NOT_STARTED,
                End.BUSY,
                End.REQUEST,
                End.NEUTRAL));
        SubstrateStatus carried = how == End.BUSY && random.nextInt(3) == 0 ? status(one.req.lease.on) : null;
        Duration busyFor = Duration.ofMillis(500L * (1 + random.nextInt(20)));
        did = "end " + one + " on " + one.req.lease.on + " by " + how;
        if (one.req.driven) {
            one.endStage(how, busyFor, carried);
        } else {
            one.endPlacement(how, busyFor, carried);
        }
        model.end(one.req, how, busyFor.toNanos(), carried, carried != null && objected(carried));
    }

    private void cancel() {
        List<Live> open = live.stream()
                .filter(one -> one.req.waiting || (one.req.driven && one.req.lease != null))
                .toList();
        if (open.isEmpty()) {
            did = "nothing to cancel";
            return;
        }
        Live one = pick(open);
        did = "cancel " + one + (one.req.waiting ? ", waiting" : " on " + one.req.lease.on);
        (one.req.driven ? one.result : one.placing).cancel(true);
        if (one.req.waiting) {
            model.withdraw(one.req);
        } else {
            model.end(one.req, End.ABANDONED, 0, null, false);
        }
    }

    // statuses

    private SubstrateStatus status(String id) {
        SubstrateStatus.Builder status = SubstrateStatus.builder();
        double gb = policies.gb(id);
        if (random.nextInt(12) > 0) {
            status.runningJobs(Math.max(0, model.jobs(id) + pick(List.of(0, 0, 0, 0, 0, -1, 1, 2))));
            if (random.nextInt(4) == 0) {
                status.queuedJobs(random.nextInt(2));
            }
        }
        if (random.nextInt(12) > 0) {
            double own = model.ownGb(id);
            status.vramUsedGb(Math.min(gb, Math.max(0, own + pick(List.of(0.0, 0.0, 0.5, 4.0, -3.0)))));
            status.vramTotalGb(random.nextInt(20) == 0 ? gb - 4 : gb);
        }
        if (random.nextInt(12) > 0) {
            status.gpuUtilPct(pick(List.of(0.0, 20.0, 50.0, 64.5, 65.0, 69.5, 70.0, 85.0, 97.0)));
        }
        if (random.nextInt(6) == 0) {
            status.gpuUtilOtherPct(pick(List.of(0.0, 64.5, 66.0, 71.0)));
        }
        if (random.nextInt(12) > 0) {
            status.gpuTempC(pick(List.of(40.0, 55.0, 60.0, 77.5, 78.0, 79.5, 80.0)));
        }
        if (random.nextInt(3) > 0) {
            status.loadedModels(random.nextBoolean() ? List.of("m1") : List.of("other"));
        }
        return status.reachable(random.nextInt(25) > 0)
                .attribute("owner_busy", random.nextInt(25) == 0 ? "true" : "false")
                .attribute(OBJECTION, Boolean.toString(random.nextInt(25) == 0))
                .build();
    }

    private static boolean objected(SubstrateStatus status) {
        return "true".equals(status.attributes().get(OBJECTION));
    }

    private void report() {
        String id = pick(SUBSTRATES);
        SubstrateStatus status = status(id);
        did = "report " + id + " " + status;
        if (!model.knows(id)) {
            assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> router.reportStatus(id, status)))
                    .isInstanceOf(IllegalArgumentException.class);
            return;
        }
        router.reportStatus(id, status);
        model.told(id, "by hand", time.nanos(), true, status, objected(status));
    }

    private record Ticket(String id, String source, long asked, NaiveRouter.Place place, StatusTicket ticket) {}

    private void ask() {
        String id = pick(SUBSTRATES);
        String from = pick(List.of("one", "one", "two"));
        did = "ask " + id + " at " + from;
        NaiveRouter.Place place = model.knows(id) ? model.place(id) : null;
        tickets.add(new Ticket(id, from, time.nanos(), place, source.sink.asking(id, from)));
    }

    private void answer() {
        if (tickets.isEmpty()) {
            did = "nothing to answer";
            return;
        }
        Ticket ticket = tickets.remove(random.nextInt(tickets.size()));
        if (random.nextInt(10) == 0) {
            did = "miss " + ticket;
            ticket.ticket.failed("no answer");
            return;
        }
        SubstrateStatus status = status(ticket.id);
        did = "answer " + ticket.id + " at " + ticket.source + " asked " + Duration.ofNanos(time.nanos() - ticket.asked)
                + " ago " + status;
        ticket.ticket.answered(status);
        if (model.knows(ticket.id) && model.place(ticket.id) == ticket.place) {
            model.told(ticket.id, ticket.source, ticket.asked, false, status, objected(status));
        }
    }

    // operators, policy, time

    private void operate() {
        String id = pick(SUBSTRATES);
        if (!model.knows(id)) {
            did = "nothing to operate";
            return;
        }
        int dice = random.nextInt(10);
        if (dice < 3) {
            did = "cordon " + id;
            router.cordon(id);
            model.cordon(id);
        } else if (dice < 8) {
            did = "uncordon " + id;
            router.uncordon(id);
            model.uncordon(id);
        } else {
            did = "reset " + id;
            router.reset(id);
            model.reset(id);
        }
    }

    private void reload() {
        Policy next = policies.next();
        did = "reload " + next;
        router.reload(next);
        source.refreshed.keySet().removeIf(id -> next.substrate(id).isEmpty()); // it begins anew when it returns
        source.wanted.keySet().removeIf(id -> next.substrate(id).isEmpty());
        model.reload(next);
    }

    private void pass() {
        int dice = random.nextInt(100);
        long ticks = dice < 70 ? 1 + random.nextInt(10) : dice < 98 ? 1 + random.nextInt(80) : 320;
        if (random.nextInt(150) == 0) {
            ticks = 20L * 150; // long enough for faults to be forgotten
        }
        did = "pass " + ticks * 50 + " ms";
        long end = time.nanos() + Duration.ofMillis(50 * ticks).toNanos();
        while (time.nanos() < end) {
            long next = Math.min(end, model.nextEvent());
            time.advance(Duration.ofNanos(next - time.nanos()));
            model.look(next);
            compare();
        }
    }

    // comparing

    private void compare() {
        for (Live one : List.copyOf(live)) {
            one.compare();
            if (one.req.ended) {
                live.remove(one);
                ended.put(one.id, one.req);
                placed += one.req.attempts.size();
                checkTrace(one.req, traces.get(one.id));
            }
        }
        assertThat(traces.size()).as("traces of requests that have ended").isEqualTo(ended.size());
        for (SubstrateView view : router.substrates()) {
            NaiveRouter.Place place = model.place(view.id());
            assertThat(view.leases()).as("leases on %s", view.id()).isEqualTo(place.leases.size());
            assertThat(view.cordoned()).isEqualTo(place.cordoned);
            boolean out = place.phase == NaiveRouter.Phase.OUT && place.until > time.nanos();
            assertThat(view.ejectedUntil().isPresent())
                    .as("%s ejected", view.id())
                    .isEqualTo(out);
            if (out) {
                assertThat(ejectedUntil(view.id())).isEqualTo(place.until);
            }
        }
        for (RouteView route : router.routes()) {
            assertThat((long) route.waiting())
                    .as("waiting for %s", route.workload())
                    .isEqualTo(model.waitingIn(route.workload()));
            assertThat(route.capacity()).isEqualTo(model.capacity(route.workload()));
            Req plain = new Req();
            plain.workload = route.workload();
            plain.arrival = time.nanos();
            plain.began = plain.arrival;
            assertThat(route.servingNow())
                    .as("who serves %s", route.workload())
                    .isEqualTo(model.order(plain).stream()
                            .filter(c -> model.reasons(plain, c).isEmpty())
                            .map(Candidate::on)
                            .findFirst());
        }
        source.checkRefreshes(model.takeRefreshWanted());
    }

    private void checkTrace(Req req, RoutingTrace trace) {
        assertThat(trace).as("trace of " + req.number).isNotNull();
        assertThat(trace.attempts()).extracting(Attempt::substrateId).isEqualTo(req.attempts);
        assertThat(trace.attempts()).extracting(Attempt::revision).isEqualTo(req.revisions);
        assertThat(trace.refusal()).isEqualTo(Optional.ofNullable(req.refusal));
        if (trace.refusal().isPresent() && !req.why.isEmpty()) { // else it tells an earlier look, from the queue
            assertThat(trace.considered()).extracting(Considered::substrateId).isEqualTo(List.copyOf(req.why.keySet()));
            trace.considered().forEach(one -> checkWhy(one, req.why.get(one.substrateId())));
        }
        assertThat(trace.waited()).isEqualTo(Duration.ofNanos(req.waited));
        assertThat(trace.served()).isEqualTo(req.served);
        assertThat(trace.priority()).isEqualTo(req.priority);
    }

    private static void checkWhy(Considered one, Set<Reason> why) {
        Set<Reason> possible = EnumSet.of(Reason.IN_DOUBT, Reason.CLAIMED, Reason.WAITERS_AHEAD);
        possible.addAll(why);
        assertThat(one.findings()).extracting(Finding::reason).isNotEmpty().isSubsetOf(possible);
        assertThat(one.admissible()).isFalse();
    }

    void checkAllTraces() {
        List<RoutingTrace> recent = router.recentTraces();
        assertThat(recent.size()).isEqualTo(ended.size());
        recent.forEach(trace -> assertThat(trace).isEqualTo(traces.get(trace.requestId())));
        live.forEach(one -> placed += one.req.attempts.size());
        assertThat(placedEvents).isEqualTo(placed);
    }

    private <T> T pick(Collection<T> from) {
        return List.copyOf(from).get(random.nextInt(from.size()));
    }

    @Override
    public void close() {
        router.close();
    }

    /** One request as its caller sees it. */
    private static final class Live {
        final Req req;
        final String id;
        final RouteRequest request;
        final List<Placement> started = new ArrayList<>();
        CompletableFuture<Placement> placing;
        CompletableFuture<String> result;
        CompletableFuture<String> stage;

        Live(Req req, String id) {
            this.req = req;
            this.id = id;
            this.request = Duel.request(req, id);
        }

        CompletableFuture<String> start(Placement placement) {
            started.add(placement);
            stage = new CompletableFuture<>();
            return stage;
        }

        void endStage(End how, Duration busyFor, SubstrateStatus carried) {
            if (how == End.SUCCESS) {
                stage.complete("done");
            } else {
                stage.completeExceptionally(failure(how, busyFor, carried));
            }
        }

        void endPlacement(End how, Duration busyFor, SubstrateStatus carried) {
            Placement placement = placing.join();
            switch (how) {
                case SUCCESS -> placement.succeed();
                case NEUTRAL -> placement.close();
                case BUSY -> {
                    if (carried == null) {
                        placement.busy(busyFor);
                    } else {
                        placement.fail(failure(how, busyFor, carried));
                    }
                }
                default -> placement.fail(failure(how, busyFor, carried));
            }
            placement.close();
        }

        private static Throwable failure(End how, Duration busyFor, SubstrateStatus carried) {
            return switch (how) {
                case NODE -> new SubstrateFaultException("broken");
                case NOT_STARTED -> new ConnectException("refused");
                case BUSY -> new BackpressureException(busyFor, carried);
                case REQUEST -> new IllegalArgumentException("bad request");
                default -> new CancellationException("never mind");
            };
        }

        void compare() {
            if (req.driven) {
                assertThat(started)
                        .extracting(Placement::substrateId)
                        .as("attempts of %s", this)
                        .isEqualTo(req.attempts);
                assertThat(result.isDone()).as("%s is done", this).isEqualTo(req.ended);
            } else {
                boolean resolved = !req.attempts.isEmpty() || req.ended;
                assertThat(placing.isDone()).as("%s is resolved", this).isEqualTo(resolved);
                if (!req.attempts.isEmpty()) {
                    assertThat(placing).as("%s", this).isCompleted();
                    assertThat(List.of(placing.join().substrateId()))
                            .as("%s", this)
                            .isEqualTo(req.attempts);
                }
            }
            if (req.ended && req.refusal != null) {
                assertThat(refusal()).as("refusal of %s", this).isEqualTo(req.refusal);
            }
        }

        private Object refusal() {
            CompletableFuture<?> future = req.driven ? result : placing;
            if (!future.isCompletedExceptionally()) {
                return future.join() == null ? dev.substraterouter.trace.RefusalReason.NO_WAIT : future;
            }
            Throwable failure = future.handle((done, thrown) -> thrown).join();
            if (failure instanceof java.util.concurrent.CompletionException wrapped) {
                failure = wrapped.getCause();
            }
            if (!(failure instanceof RoutingException) && failure.getSuppressed().length == 1) {
                failure = failure.getSuppressed()[0];
            }
            return failure instanceof RoutingException refused ? refused.reason() : failure;
        }

        @Override
        public String toString() {
            return id + " " + req.priority + " '" + req.workload + "' max " + req.maxWait + " avoid " + req.avoid
                    + " prefer " + req.prefer;
        }
    }

    /** A source that is asked by hand, and counts how often it is told to ask out of turn. */
    private static final class Asked implements StatusSource {
        private final HandDrivenTime time;
        private final Map<String, Long> refreshed = new HashMap<>();
        private final Map<String, Long> wanted = new HashMap<>();
        private boolean tooOften;
        StatusSink sink;

        Asked(HandDrivenTime time) {
            this.time = time;
        }

        @Override
        public void start(StatusSink sink) {
            this.sink = sink;
        }

        @Override
        public void targets(List<StatusTarget> targets) {}

        @Override
        public void refresh(String substrateId) {
            Long last = refreshed.put(substrateId, time.nanos());
            tooOften |= last != null && time.nanos() - last < 1_000_000_000L;
        }

        /** Whatever called for a fresh status gets it within a second. */
        void checkRefreshes(Map<String, Long> calls) {
            assertThat(tooOften).as("more than one refresh a second").isFalse();
            calls.forEach(wanted::putIfAbsent);
            wanted.entrySet()
                    .removeIf(call -> refreshed.getOrDefault(call.getKey(), Long.MIN_VALUE) >= call.getValue());
            wanted.forEach((id, since) ->
                    assertThat(time.nanos() - since).as("refresh of %s", id).isLessThanOrEqualTo(1_000_000_000L));
        }

        @Override
        public void close() {}
    }
}
