package dev.substraterouter.properties;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.BackpressureException;
import dev.substraterouter.Placement;
import dev.substraterouter.RankedCandidate;
import dev.substraterouter.Recommendation;
import dev.substraterouter.RoutingException;
import dev.substraterouter.SubstrateFaultException;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.SubstrateView;
import dev.substraterouter.model.PlacementMode;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Role;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.SubstrateKind;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.status.SubstrateStatus;
import dev.substraterouter.testkit.HandDrivenTime;
import dev.substraterouter.trace.Attempt;
import dev.substraterouter.trace.Considered;
import dev.substraterouter.trace.Finding;
import dev.substraterouter.trace.Reason;
import dev.substraterouter.trace.RefusalReason;
import dev.substraterouter.trace.RoutingTrace;
import dev.substraterouter.trace.ServingPath;
import dev.substraterouter.verify.Constraints;
import dev.substraterouter.verify.Constraints.Offer;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One run of a router through random requests, outcomes, statuses, operators' acts and reloads. All it was ever asked and did is held against
 * {@link Constraints}: each attempt against the policy of its revision, each refusal and each recommendation against the policy in force.
 */
final class ContractWalk implements AutoCloseable {
    /** The reasons that never change under one policy; each is a clause of the oracle. */
    static final Set<Reason> FOR_GOOD = EnumSet.of(
            Reason.ROLE,
            Reason.BATCH_ONLY,
            Reason.AVOIDED,
            Reason.CAPABILITY,
            Reason.CODEBASE,
            Reason.REACH,
            Reason.PRIVACY,
            Reason.QUALITY,
            Reason.LATENCY,
            Reason.COST,
            Reason.TOO_SMALL);

    /** What rules a candidate out for one request only, so that it is still told of. */
    private static final Set<Reason> FOR_NOW = EnumSet.of(Reason.AVOIDED);

    /** How often something was reached, so that a run which never gets anywhere does not pass for a good one. */
    static final class Tally {
        private final Map<String, Long> counts = new TreeMap<>();

        void saw(String what) {
            counts.merge(what, 1L, Long::sum);
        }

        void atLeast(long least, String... all) {
            for (String what : all) {
                assertThat(counts.getOrDefault(what, 0L))
                        .as("%s, of %s", what, counts)
                        .isGreaterThanOrEqualTo(least);
            }
        }

        @Override
        public String toString() {
            return counts.toString();
        }
    }

    /** A request as it was made. */
    private record Asked(RouteRequest request, boolean interactive, boolean everywhere, int fragility, long revision) {
        Asked neverWaiting() {
            return new Asked(request.maxWait(Duration.ZERO), interactive, everywhere, fragility, revision);
        }

        PlacementMode mode() {
            return interactive ? PlacementMode.INTERACTIVE : request.mode();
        }

        RouteRequest effective() {
            return request.mode(mode());
        }
    }

    private record Foretold(Optional<Recommendation> recommendation, Optional<RefusalReason> refused) {
        Optional<String> best() {
            return recommendation.flatMap(Recommendation::best).map(RankedCandidate::substrateId);
        }
    }

    private record Running(Placement placement, CompletableFuture<String> stage) {}

    private final Random random;
    private final Tally tally;
    private final ContractPolicies draw;
    private final HandDrivenTime time = new HandDrivenTime();
    private final SubstrateRouter router;
    private final Map<Long, Policy> policies = new HashMap<>();
    private final Map<String, Asked> asked = new HashMap<>();
    private final List<RoutingTrace> traces = new ArrayList<>();
    private final List<Placement> open = new ArrayList<>();
    private final List<Running> running = new ArrayList<>();
    private int checked;
    private long events;
    private String did = "";

    private ContractWalk(long seed, Tally tally) {
        random = new Random(seed);
        this.tally = tally;
        draw = new ContractPolicies(random);
        router = SubstrateRouter.builder()
                .policy(draw.next())
                .timeSource(time)
                .executor(Runnable::run)
                .traceSink(traces::add)
                .listener(event -> events++)
                .recentTraces(0)
                .seed(seed)
                .build();
        policies.put(router.policy().revision(), router.policy());
        policy().substrates().forEach(this::report);
    }

    /** Walks so many steps; one in {@code broadcasts} requests is placed everywhere at once. */
    static void run(long seed, int steps, int broadcasts, Tally tally) {
        try (ContractWalk walk = new ContractWalk(seed, tally)) {
            int step = 0;
            try {
                for (; step < steps; step++) {
                    walk.step(broadcasts);
                    walk.checkTraces();
                }
                walk.finish();
            } catch (Exception | AssertionError failure) {
                throw new AssertionError(
                        "seed " + seed + ", step " + step + ": " + walk.did + "\n" + failure.getMessage(), failure);
            }
        }
    }

    @Override
    public void close() {
        router.close();
    }

    private void finish() {
        did = "finish";
        while (!open.isEmpty() || !running.isEmpty()) { // what ends lets others begin
            if (open.isEmpty()) {
                running.remove(0).stage().complete("done");
            } else {
                open.remove(0).close();
            }
        }
        router.close();
        checkTraces();
        assertThat(traces.stream().map(RoutingTrace::requestId).collect(Collectors.toSet()))
                .as("who has a trace")
                .containsAll(asked.keySet());
    }

    private void step(int broadcasts) throws Exception {
        int dice = random.nextInt(100);
        if (dice < 50) {
            if (random.nextInt(broadcasts) == 0) {
                placeAll();
            } else {
                ask();
            }
        } else if (dice < 74) {
            end();
        } else if (dice < 82) {
            report(draw.pick(policy().substrates()));
        } else if (dice < 86) {
            operate();
        } else if (dice < 89) {
            reload();
        } else {
            pass();
        }
    }

    // what is done

    private void ask() throws Exception {
        int dice = random.nextInt(100);
        if (dice < 45) {
            tryPlace();
        } else if (dice < 60) {
            placeAsync();
        } else if (dice < 70) {
            place();
        } else if (dice < 85) {
            call();
        } else {
            callAsync();
        }
    }

    private Asked arrive(boolean interactive, boolean everywhere) {
        String id = "request-" + asked.size();
        Asked one = new Asked(
                draw.request(policy()).requestId(id),
                interactive,
                everywhere,
                draw.pick(List.of(0, 50, 80, 100)),
                policy().revision());
        asked.put(id, one);
        return one;
    }

    private void tryPlace() {
        Asked one = arrive(false, false);
        did = "tryPlace " + told(one);
        Foretold foretold = foretell(one);
        Optional<Placement> placed = Optional.empty();
        Optional<RoutingException> refused = Optional.empty();
        try {
            placed = router.tryPlace(one.request());
        } catch (RoutingException refusal) {
            refused = Optional.of(refusal);
        }
        assertThat(placed.map(Placement::substrateId))
                .as("tryPlace after %s", foretold)
                .isEqualTo(foretold.best());
        foretold.refused()
                .ifPresent(reason -> assertThat(refused(one)).as("as foretold").contains(reason));
        if (placed.isPresent()) {
            placedNow(one, foretold, placed.get());
            open.add(placed.get());
        } else {
            checkRefusal(one, refused);
        }
    }

    private void place() throws InterruptedException {
        Asked one = arrive(false, false);
        one = one.neverWaiting();
        asked.put(one.request().requestId().orElseThrow(), one);
        did = "place " + told(one);
        Foretold foretold = foretell(one);
        try {
            Placement placed = router.place(one.request());
            placedNow(one, foretold, placed);
            open.add(placed);
        } catch (RoutingException refusal) {
            assertThat(foretold.best()).as("refused by place").isEmpty();
            checkRefusal(one, Optional.of(refusal));
        }
    }

    private void placeAsync() {
        Asked one = arrive(false, false);
        did = "placeAsync " + told(one);
        Foretold foretold = foretell(one);
        CompletableFuture<Placement> placing = router.placeAsync(one.request());
        if (!placing.isDone()) {
            tally.saw("waited");
        } else if (placing.isCompletedExceptionally()) {
            checkRefusal(one, Optional.of(refusal(placing)));
        } else {
            placedNow(one, foretold, placing.join());
        }
        placing.thenAccept(open::add);
    }

    private void call() throws Exception {
        Asked one = arrive(true, false);
        one = one.neverWaiting();
        asked.put(one.request().requestId().orElseThrow(), one);
        did = "call " + told(one);
        Asked now = one;
        Foretold foretold = foretell(one);
        try {
            router.call(one.request(), placement -> {
                if (placement.attempt() == 1) {
                    placedNow(now, foretold, placement);
                }
                return work(now);
            });
        } catch (RoutingException refusal) {
            assertThat(foretold.best()).as("refused by call").isEmpty();
            checkRefusal(one, Optional.of(refusal));
        } catch (IllegalStateException | IOException | SubstrateFaultException | BackpressureException last) {
            tally.saw("call failed");
        }
    }

    private void callAsync() {
        Asked one = arrive(true, false);
        did = "callAsync " + told(one);
        Foretold foretold = foretell(one);
        AtomicBoolean starting = new AtomicBoolean(true);
        AtomicReference<AssertionError> thrown = new AtomicReference<>();
        CompletableFuture<String> result = router.callAsync(one.request(), placement -> {
            if (placement.attempt() == 1 && starting.get()) {
                try {
                    placedNow(one, foretold, placement);
                } catch (AssertionError wrong) {
                    thrown.set(wrong); // else it would be the work's failure
                }
            }
            if (draw.chance(one.fragility())) {
                return CompletableFuture.completedFuture(work(one));
            }
            CompletableFuture<String> stage = new CompletableFuture<>();
            running.add(new Running(placement, stage));
            return stage;
        });
        if (result.isCompletedExceptionally()
                && refused(one).isPresent()
                && lastTrace(one).attempts().isEmpty()) {
            checkRefusal(one, Optional.of(refusal(result)));
        }
    }

    /** Work that fails as often as the request is fragile. */
    private String work(Asked one) throws Exception {
        if (!draw.chance(one.fragility())) {
            return "done";
        }
        throw draw.<Exception>pick(
                new ConnectException("refused"),
                new ConnectException("refused"),
                new IOException("reset"),
                new SubstrateFaultException("500"),
                new BackpressureException(Duration.ofSeconds(1 + random.nextInt(3))),
                new BackpressureException(Duration.ZERO),
                new IllegalStateException("mine"));
    }

    private void placeAll() {
        Asked one = arrive(true, true);
        did = "placeAll " + told(one);
        Foretold foretold = foretell(one);
        List<Placement> placed;
        try {
            placed = router.placeAll(one.request());
        } catch (RoutingException refusal) {
            assertThat(foretold.best()).as("refused by placeAll").isEmpty();
            checkRefusal(one, Optional.of(refusal));
            return;
        }
        open.addAll(placed);
        List<String> ids = placed.stream().map(Placement::substrateId).toList();
        assertThat(ids).as("one lease each").doesNotHaveDuplicates();
        Set<String> free = admissible(foretold);
        Set<String> regular = free.stream().filter(id -> !overflow(id)).collect(Collectors.toSet());
        if (regular.isEmpty()) {
            assertThat(free).as("overflow by %s", foretold).containsAll(ids);
            assertThat(ids.isEmpty()).isEqualTo(free.isEmpty());
        } else {
            assertThat(ids).as("all by %s", foretold).containsExactlyInAnyOrderElementsOf(regular);
        }
        placed.forEach(placement -> assertThat(placement.mode()).isEqualTo(PlacementMode.INTERACTIVE));
        tally.saw("broadcast to " + Math.min(3, ids.size()));
        if (ids.stream().anyMatch(this::overflow)) {
            tally.saw("broadcast to overflow");
        }
        if (ids.isEmpty() && !new Constraints(policy()).eligible(one.request()).isEmpty()) {
            checkRefusal(one, Optional.empty());
        }
    }

    private void end() {
        if (!running.isEmpty() && random.nextBoolean()) {
            Running one = running.remove(random.nextInt(running.size()));
            did = "end the stage on " + one.placement().substrateId();
            Asked by = asked.get(one.placement().trace().requestId());
            try {
                one.stage().complete(work(by));
            } catch (Exception failure) {
                one.stage().completeExceptionally(failure);
            }
            return;
        }
        if (open.isEmpty()) {
            did = "nothing to end";
            return;
        }
        Placement one = open.remove(random.nextInt(open.size()));
        did = "end the placement on " + one.substrateId();
        switch (random.nextInt(8)) {
            case 0 -> one.nodeFault(new IOException("reset"));
            case 1 -> one.busy(Duration.ofSeconds(random.nextInt(3)));
            case 2 -> one.fail(new ConnectException("refused"));
            default -> one.succeed();
        }
        one.close();
    }

    private void report(Substrate substrate) {
        SubstrateStatus status = draw.status(substrate);
        did = "report " + substrate.id() + " " + status;
        router.reportStatus(substrate.id(), status);
    }

    private void operate() {
        String id = draw.pick(policy().substrates()).id();
        switch (random.nextInt(5)) {
            case 0 -> router.cordon(id);
            case 1 -> router.reset(id);
            default -> policy().substrates().forEach(one -> router.uncordon(one.id()));
        }
        did = "operate on " + id;
    }

    private void reload() {
        did = "reload";
        router.reload(draw.next());
        policies.put(policy().revision(), policy());
        policy().substrates().forEach(this::report);
    }

    private void pass() {
        did = "pass";
        time.advance(Duration.ofMillis(500L * random.nextInt(12)));
        if (draw.chance(70)) {
            policy().substrates().forEach(this::report);
        }
    }

    // what was foretold

    private Foretold foretell(Asked one) {
        List<Object> stood = everything();
        Foretold first = recommend(one);
        Foretold second = recommend(one);
        assertThat(second.refused()).isEqualTo(first.refused());
        assertThat(second.recommendation().map(Recommendation::candidates))
                .as("a second recommendation")
                .isEqualTo(first.recommendation().map(Recommendation::candidates));
        assertThat(second.recommendation().map(Recommendation::explain))
                .isEqualTo(first.recommendation().map(Recommendation::explain));
        assertThat(everything()).as("after recommend").isEqualTo(stood);
        first.recommendation().ifPresent(recommendation -> checkRanking(one, recommendation));
        return first;
    }

    private Foretold recommend(Asked one) {
        try {
            return new Foretold(Optional.of(router.recommend(one.effective())), Optional.empty());
        } catch (RoutingException never) {
            return new Foretold(Optional.empty(), Optional.of(never.reason()));
        }
    }

    private List<Object> everything() {
        return List.of(router.substrates(), router.routes(), router.drift(), traces.size(), events, time.scheduled());
    }

    /** Every candidate that satisfies the contract, and nobody else. */
    private void checkRanking(Asked one, Recommendation recommendation) {
        Constraints oracle = new Constraints(policy());
        assertThat(oracle.mayAsk(one.request())).as("may ask").isTrue();
        Set<String> ranked = recommendation.candidates().stream()
                .map(RankedCandidate::substrateId)
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> eligible = Constraints.ids(
                one.mode() == PlacementMode.BATCH
                        ? batch(oracle, one.request()).toList()
                        : oracle.eligible(one.request()));
        Set<String> possible = new TreeSet<>(eligible);
        Stream.concat(
                        one.mode() == PlacementMode.BATCH ? Stream.of() : oracle.live(one.request()).stream(),
                        one.mode() == PlacementMode.INTERACTIVE
                                ? Stream.of()
                                : oracle
                                        .batch(one.request())
                                        .stream()) // who is only avoided is listed, with that reason
                .filter(offer -> FOR_NOW.containsAll(oracle.violated(one.request(), offer)))
                .forEach(offer -> possible.add(offer.id()));
        assertThat(ranked)
                .as(() -> recommendation + ", clauses: " + broken(oracle, one))
                .isSubsetOf(possible);
        if (one.mode() == PlacementMode.BATCH) {
            assertThat(eligible.isEmpty() || !ranked.isEmpty()).isTrue(); // one queue is enough
        } else {
            assertThat(ranked).as("%s", recommendation).containsAll(eligible);
        }
        recommendation.candidates().stream()
                .filter(candidate -> !candidate.admissible())
                .forEach(candidate -> assertThat(candidate.reasons()).isNotEmpty());
    }

    private static Map<String, Set<Reason>> broken(Constraints oracle, Asked one) {
        Map<String, Set<Reason>> broken = new TreeMap<>();
        Stream.concat(oracle.live(one.request()).stream(), oracle.batch(one.request()).stream())
                .forEach(offer -> broken.merge(
                        offer.id() + (offer.batchPath() ? " by batch" : ""),
                        oracle.violated(one.request(), offer),
                        (a, b) -> a.size() < b.size() ? a : b));
        return broken;
    }

    private static Stream<Offer> batch(Constraints oracle, RouteRequest request) {
        return oracle.batch(request).stream()
                .filter(offer -> oracle.violated(request, offer).isEmpty());
    }

    private static Set<String> admissible(Foretold foretold) {
        return foretold.recommendation().stream()
                .flatMap(recommendation -> recommendation.candidates().stream())
                .filter(RankedCandidate::admissible)
                .map(RankedCandidate::substrateId)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private boolean overflow(String id) {
        return policy().substrate(id).orElseThrow().overflow();
    }

    /** Placed at the moment of the recommendation, with nobody else acting in between. */
    private void placedNow(Asked one, Foretold foretold, Placement placed) {
        assertThat(Optional.of(placed.substrateId()))
                .as("placed at once after %s", foretold)
                .isEqualTo(foretold.best());
        if (placed.mode() == PlacementMode.BATCH) {
            Priority priority = placed.trace().priority();
            assertThat(one.mode() == PlacementMode.BATCH
                            || (one.mode() == PlacementMode.EITHER && priority == Priority.LOW))
                    .as("batch at once for %s, %s", one, priority)
                    .isTrue();
        } else if (overflow(placed.substrateId())) {
            assertThat(admissible(foretold))
                    .filteredOn(Constraints.ids(new Constraints(policy()).eligible(one.request()))::contains)
                    .as("admissible while overflow was taken")
                    .allMatch(this::overflow);
            tally.saw("overflow at once");
        }
    }

    // refusals

    /** A refusal, or an empty answer, that came at once. */
    private void checkRefusal(Asked one, Optional<RoutingException> thrown) {
        RoutingTrace trace = lastTrace(one);
        RefusalReason reason = trace.refusal().orElseThrow();
        RouteRequest request = one.request();
        Constraints oracle = new Constraints(policy());
        tally.saw("refused " + reason);
        thrown.ifPresent(refusal -> {
            assertThat(refusal.reason()).isEqualTo(reason);
            assertThat(refusal.getMessage()).isNotBlank();
        });
        switch (reason) {
            case UNKNOWN_WORKLOAD -> assertThat(oracle.knows(request)).isFalse();
            case NOT_AUTHORIZED -> checkNotAuthorized(oracle, one, trace, thrown);
            case NO_ELIGIBLE_SUBSTRATE -> checkNoEligible(oracle, one, trace);
            default -> checkBusy(oracle, one, trace);
        }
    }

    private void checkNotAuthorized(
            Constraints oracle, Asked one, RoutingTrace trace, Optional<RoutingException> thrown) {
        RouteRequest request = one.request();
        assertThat(policy().roles()).isNotEmpty();
        if (oracle.mayAsk(request)) {
            assertThat(oracle.live(request))
                    .as("a destination that its roles allow")
                    .allMatch(offer -> oracle.covering(request).stream()
                            .noneMatch(role -> Constraints.allows(role, offer.substrate())));
            tally.saw("no destination allowed");
        } else {
            tally.saw(request.identity().isEmpty() ? "nobody refused" : "somebody refused");
        }
        assertThat(trace.considered()).isEmpty();
        String words = thrown.orElseThrow().getMessage() + " " + thrown.get() + " " + trace;
        Set<String> secrets = new HashSet<>(ContractPolicies.SUBSTRATES);
        secrets.addAll(ContractPolicies.WORKLOADS);
        secrets.add(".example");
        secrets.remove(request.workload());
        assertThat(secrets).as("told in: %s", words).noneMatch(words::contains);
    }

    private void checkNoEligible(Constraints oracle, Asked one, RoutingTrace trace) {
        RouteRequest request = one.request();
        assertThat(oracle.mayAsk(request)).as("may ask").isTrue();
        List<Offer> could = one.mode() != PlacementMode.BATCH
                ? oracle.eligible(request)
                : request.avoid().isEmpty() ? batch(oracle, request).toList() : List.of();
        assertThat(could)
                .as(() -> "who could serve it: " + broken(oracle, one) + "\n" + trace)
                .isEmpty();
        for (Considered considered : trace.considered()) {
            assertThat(considered.admissible()).isFalse();
            assertThat(considered.findings()).as("%s", considered).isNotEmpty();
            Set<Reason> broken = EnumSet.noneOf(Reason.class);
            Stream.concat(oracle.live(request).stream(), oracle.batch(request).stream())
                    .filter(offer -> offer.id().equals(considered.substrateId()))
                    .forEach(offer -> broken.addAll(oracle.violated(request, offer)));
            for (Finding finding : considered.findings()) {
                assertThat(broken).as("%s: %s", considered, trace).contains(finding.reason());
                tally.saw("never: " + finding.reason());
            }
        }
        if (one.mode() != PlacementMode.BATCH) {
            List<Offer> named = oracle.live(request).stream()
                    .filter(offer -> offer.substrate().kind() != SubstrateKind.BATCH)
                    .filter(offer -> request.avoid().isEmpty() && !one.everywhere())
                    .toList();
            assertThat(trace.considered().stream().map(Considered::substrateId).collect(Collectors.toSet()))
                    .as(() -> "who is named, clauses: " + broken(oracle, one))
                    .containsAll(Constraints.ids(named));
        }
    }

    private void checkBusy(Constraints oracle, Asked one, RoutingTrace trace) {
        RouteRequest request = one.request();
        assertThat(oracle.mayAsk(request)).as("may ask").isTrue();
        List<Offer> could = new ArrayList<>(one.mode() == PlacementMode.BATCH ? List.of() : oracle.eligible(request));
        if (one.mode() != PlacementMode.INTERACTIVE) {
            batch(oracle, request).forEach(could::add);
        }
        oracle.live(request).stream()
                .filter(offer -> FOR_NOW.containsAll(oracle.violated(request, offer)))
                .forEach(could::add);
        assertThat(could)
                .as(() -> "who could serve it, although busy: " + broken(oracle, one) + "\n" + trace)
                .isNotEmpty();
        if (one.mode() != PlacementMode.BATCH && !one.everywhere()) {
            assertThat(trace.considered().stream().map(Considered::substrateId).collect(Collectors.toSet()))
                    .as("who is named")
                    .containsAll(Constraints.ids(oracle.eligible(request)));
        }
        Map<String, SubstrateView> views =
                router.substrates().stream().collect(Collectors.toMap(SubstrateView::id, view -> view));
        for (Considered considered : trace.considered()) {
            assertThat(considered.admissible()).as("%s", considered).isFalse();
            assertThat(considered.findings()).as("%s", considered).isNotEmpty();
            SubstrateView view = views.get(considered.substrateId());
            considered.findings().forEach(finding -> checkTemporary(oracle, request, view, finding));
        }
    }

    private void checkTemporary(Constraints oracle, RouteRequest request, SubstrateView view, Finding finding) {
        Reason reason = finding.reason();
        tally.saw("busy: " + reason);
        Optional<SubstrateStatus> status = view.status();
        boolean so =
                switch (reason) {
                    case CORDONED -> view.cordoned();
                    case EJECTED -> view.ejectedUntil().isPresent();
                    case NO_STATUS -> status.isEmpty();
                    case STALE_STATUS -> view.statusAge().orElseThrow().compareTo(Duration.ofSeconds(15)) >= 0;
                    case RUNNING_JOBS ->
                        view.leases()
                                        + status.map(said -> said.runningJobs().orElse(0)
                                                        + said.queuedJobs().orElse(0))
                                                .orElse(0)
                                >= view.maxConcurrentJobs();
                    case GPU_UTIL ->
                        many(view) || status.orElseThrow().gpuUtilPct().orElseThrow() >= 65;
                    case GPU_TEMP ->
                        many(view) || status.orElseThrow().gpuTempC().orElseThrow() >= 78;
                    case NOT_READY -> !status.map(SubstrateStatus::reachable).orElse(false);
                    case NO_SINGLE_GPU ->
                        policy().substrate(view.id()).orElseThrow().gpus() > 1;
                    case RESERVED_FOR_HIGH ->
                        policy().substrate(view.id()).orElseThrow().reserveForHigh() > 0
                                && !request.priority().equals(Optional.of(Priority.HIGH));
                    case OVERFLOW_LATER ->
                        overflow(view.id())
                                && oracle.workload(request)
                                                .map(Workload::overflowAfter)
                                                .orElse(Duration.ZERO)
                                                .compareTo(Duration.ZERO)
                                        > 0;
                    default ->
                        !FOR_GOOD.contains(reason)
                                || Stream.concat(oracle.live(request).stream(), oracle.batch(request).stream())
                                        .filter(offer -> offer.id().equals(view.id()))
                                        .anyMatch(offer ->
                                                oracle.violated(request, offer).contains(reason));
                };
        assertThat(so).as("%s of %s", finding, view).isTrue();
    }

    private boolean many(SubstrateView view) {
        return policy().substrate(view.id()).orElseThrow().gpus() > 1;
    }

    // traces

    private void checkTraces() {
        while (checked < traces.size()) {
            RoutingTrace trace = traces.get(checked++);
            Asked one = asked.get(trace.requestId());
            trace.attempts().forEach(attempt -> {
                try {
                    checkAttempt(one, trace, attempt);
                } catch (AssertionError wrong) {
                    throw new AssertionError(wrong.getMessage() + "\n" + told(one) + "\n" + attempt, wrong);
                }
            });
            one.request().maxWait().ifPresent(limit -> assertThat(trace.waited())
                    .isLessThanOrEqualTo(limit));
            one.request().deadline().ifPresent(limit -> assertThat(trace.waited())
                    .isLessThanOrEqualTo(limit));
            trace.refusal().ifPresent(reason -> tally.saw("ended " + reason));
        }
    }

    /** No clause is relaxed for any attempt, whichever way it came about. */
    private void checkAttempt(Asked one, RoutingTrace trace, Attempt attempt) {
        RouteRequest request = one.request();
        Policy policy = policies.get(attempt.revision());
        Constraints oracle = new Constraints(policy);
        boolean batch = attempt.mode() == PlacementMode.BATCH;
        assertThat(attempt.path() == ServingPath.BATCH).isEqualTo(batch);
        List<Offer> taken = (batch ? oracle.batch(request).stream() : oracle.live(request).stream())
                .filter(offer -> offer.id().equals(attempt.substrateId())
                        && offer.candidate().model().equals(attempt.model()))
                .toList();
        assertThat(taken).as("the candidate that was taken").hasSize(1);
        Offer offer = taken.get(0);
        assertThat(oracle.violated(request, offer))
                .as("clauses violated by %s", offer)
                .isEmpty();
        assertThat(attempt.external()).isEqualTo(offer.substrate().kind() == SubstrateKind.EXTERNAL);
        assertThat(attempt.endpoint()).isEqualTo(offer.candidate().endpoint().or(() -> offer.substrate()
                .endpoint()));
        checkRole(oracle, one, trace, offer);
        checkMode(one, attempt, batch);
        if (!batch && offer.substrate().overflow()) {
            checkOverflow(oracle, one, attempt);
        }
        tally(oracle, one, trace, attempt, offer);
    }

    private void checkRole(Constraints oracle, Asked one, RoutingTrace trace, Offer offer) {
        assertThat(oracle.mayAsk(one.request())).as("may ask").isTrue();
        List<Role> covering = oracle.covering(one.request());
        if (covering.isEmpty() || one.revision() != policy().revision()) {
            return;
        }
        assertThat(covering)
                .as("role %s, priority %s", trace.role(), trace.priority())
                .anyMatch(role -> Constraints.allows(role, offer.substrate()))
                .anyMatch(role -> Constraints.priority(one.request(), role) == trace.priority());
    }

    private static void checkMode(Asked one, Attempt attempt, boolean batch) {
        if (batch) {
            assertThat(one.mode()).as("by the batch path").isNotEqualTo(PlacementMode.INTERACTIVE);
            assertThat(attempt.degraded()).isNotEmpty();
        } else {
            assertThat(one.mode()).as("live").isNotEqualTo(PlacementMode.BATCH);
        }
    }

    /** Everybody else who may serve it was looked at and could not be had, and the request had waited long enough. */
    private static void checkOverflow(Constraints oracle, Asked one, Attempt attempt) {
        for (Offer other : oracle.eligible(one.request())) {
            if (!other.substrate().overflow() && !one.everywhere()) {
                assertThat(attempt.considered())
                        .as(() -> other.id() + " beside the overflow, clauses: " + broken(oracle, one))
                        .anyMatch(considered -> considered.substrateId().equals(other.id()))
                        .noneMatch(
                                considered -> considered.substrateId().equals(other.id()) && considered.admissible());
            }
        }
        Duration after =
                oracle.workload(one.request()).map(Workload::overflowAfter).orElse(Duration.ZERO);
        assertThat(attempt.waited()).as("waited before overflow").isGreaterThanOrEqualTo(after);
    }

    private void tally(Constraints oracle, Asked one, RoutingTrace trace, Attempt attempt, Offer offer) {
        RouteRequest request = one.request();
        tally.saw("attempts");
        tally.saw("path " + attempt.path());
        tally.saw("attempt " + Math.min(4, attempt.number()));
        oracle.justMet(request, offer).forEach(clause -> tally.saw("just met: " + clause));
        count(attempt.external(), "external");
        count(request.need().isPresent(), "by need");
        count(attempt.revision() > 1, "after a reload");
        count(!oracle.covering(request).isEmpty(), "under roles");
        count(attempt.waited().compareTo(Duration.ZERO) > 0, "after waiting");
        count(!request.avoid().isEmpty(), "with somebody avoided");
        count(trace.priority() == Priority.LOW, "priority low");
        count(offer.candidate().spansGpus() && offer.substrate().gpus() > 1, "spanning");
        oracle.workload(request).ifPresent(workload -> {
            count(workload.pin().isPresent(), "by pin");
            count(workload.candidates().isEmpty(), "by a workload without a route");
            count(workload.maxCost().isPresent(), "under a cost limit");
            count(workload.maxLatency().isPresent(), "under a latency limit");
            count(workload.minQuality().isPresent(), "under a quality limit");
        });
    }

    private void count(boolean seen, String what) {
        if (seen) {
            tally.saw(what);
        }
    }

    private Policy policy() {
        return router.policy();
    }

    private RoutingTrace lastTrace(Asked one) {
        String id = one.request().requestId().orElseThrow();
        for (int at = traces.size() - 1; at >= 0; at--) {
            if (traces.get(at).requestId().equals(id)) {
                return traces.get(at);
            }
        }
        throw new AssertionError("no trace of " + id);
    }

    private Optional<RefusalReason> refused(Asked one) {
        return lastTrace(one).refusal();
    }

    private static RoutingException refusal(CompletableFuture<?> refused) {
        try {
            refused.join();
            throw new AssertionError("not refused");
        } catch (CompletionException wrapped) {
            return (RoutingException) wrapped.getCause();
        }
    }

    private static String told(Asked one) {
        RouteRequest it = one.request();
        return it + " by " + it.identity() + ", " + one.mode() + ", avoid " + it.avoid() + ", prefer " + it.prefer()
                + ", max wait " + it.maxWait() + ", deadline " + it.deadline() + ", idempotent " + it.idempotent();
    }
}
