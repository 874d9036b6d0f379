package dev.substraterouter.testkit;

import dev.substraterouter.BackpressureException;
import dev.substraterouter.Placement;
import dev.substraterouter.Recommendation;
import dev.substraterouter.RoutingException;
import dev.substraterouter.SubstrateFaultException;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.model.PlacementMode;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.HealthLimits;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.trace.RefusalReason;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;

/** Lets events happen to a router, on one thread and hand-driven time, and writes down what comes of them. Used once. */
final class EventPlayer {
    private final HandDrivenTime time = new HandDrivenTime();
    private final long start = time.nanos();
    private final Recorder recorder = new Recorder();
    private final Map<Long, Policy> policies = new LinkedHashMap<>();
    private final Map<String, RouteRequest> requests = new LinkedHashMap<>();
    private final List<Playback.Step> steps = new ArrayList<>();
    private final List<Open> open = new ArrayList<>();
    private final SubstrateRouter router;
    private Duration longestStale = Duration.ZERO;

    EventPlayer(Policy policy, long seed) {
        router = SubstrateRouter.builder()
                .policy(policy.withoutNetwork()) // nobody looks names up here
                .timeSource(time)
                .executor(Runnable::run)
                .listener(recorder)
                .traceSink(recorder)
                .recentTraces(0)
                .log(false)
                .seed(seed)
                .build();
        inForce();
        allWell();
    }

    /** Work that is open: held by hand, or the stage of a call. */
    private record Open(Placement placement, Optional<CompletableFuture<String>> stage) {}

    void show(Consumer<SubstrateRouter> watcher) {
        watcher.accept(router);
    }

    Playback play(List<Event> events) {
        List<String> leaks;
        try (router) {
            for (Event event : events) {
                Optional<Playback.Answer> answer = happen(event);
                steps.add(new Playback.Step(Duration.ofNanos(time.nanos() - start), event, answer));
            }
        } finally {
            leaks = finish();
        }
        return new Playback(steps, requests, policies, recorder.traces(), recorder.events(), leaks);
    }

    private List<String> finish() {
        while (!open.isEmpty()) {
            end(open.remove(0), Event.Ending.SUCCEEDED);
        }
        time.advance(longestStale.plusSeconds(1)); // what failed work may still hold there counts no longer
        List<String> leaks = new ArrayList<>(LeakCheck.held(router));
        leaks.addAll(LeakCheck.scheduled(time));
        List<String> ended =
                recorder.traces().stream().map(trace -> trace.requestId()).toList();
        requests.keySet().stream()
                .filter(id -> !ended.contains(id))
                .forEach(id -> leaks.add("request '" + id + "' has no trace (expected: one)"));
        return leaks;
    }

    private Optional<Playback.Answer> happen(Event event) {
        if (event instanceof Event.Asked asked) {
            return Optional.of(ask(asked));
        } else if (event instanceof Event.Passes passes) {
            time.advance(passes.by());
        } else if (event instanceof Event.Told told) {
            if (known(told.substrateId())) {
                router.reportStatus(told.substrateId(), told.status());
            }
        } else if (event instanceof Event.AllWell) {
            allWell();
        } else if (event instanceof Event.Ended ended) {
            if (!open.isEmpty()) {
                end(open.remove(Math.floorMod(ended.which(), open.size())), ended.how());
            }
        } else if (event instanceof Event.Cordoned cordoned) {
            if (known(cordoned.substrateId())) {
                router.cordon(cordoned.substrateId());
            }
        } else if (event instanceof Event.Uncordoned uncordoned) {
            if (known(uncordoned.substrateId())) {
                router.uncordon(uncordoned.substrateId());
            }
        } else if (event instanceof Event.Reloaded reloaded) {
            router.reload(reloaded.policy().withoutNetwork());
            inForce();
        }
        return Optional.empty();
    }

    private boolean known(String id) {
        return router.policy().substrate(id).isPresent();
    }

    private void inForce() {
        Policy policy = router.policy();
        policies.put(policy.revision(), policy);
        for (Substrate substrate : policy.substrates()) {
            HealthLimits limits =
                    substrate.health().map(own -> own.over(policy.health())).orElse(policy.health());
            longestStale = limits.staleAfter().compareTo(longestStale) > 0 ? limits.staleAfter() : longestStale;
        }
    }

    private void allWell() {
        Policy policy = router.policy();
        for (Substrate substrate : policy.substrates()) {
            router.reportStatus(substrate.id(), StatusArbitraries.idle(policy, substrate));
        }
    }

    private Playback.Answer ask(Event.Asked asked) {
        String id = "request-" + (requests.size() + 1);
        RouteRequest request = asked.request().requestId(id);
        if (asked.way() == Event.Way.CALLING) {
            request = request.mode(PlacementMode.INTERACTIVE);
        }
        requests.put(id, request);
        Optional<Recommendation> foretold = foretell(request);
        int before = open.size();
        Optional<RoutingException> refused = place(request, asked.way());
        return new Playback.Answer(
                id,
                foretold.flatMap(Recommendation::best).map(best -> best.substrateId()),
                open.size() > before ? Optional.of(open.get(before).placement().substrateId()) : Optional.empty(),
                refused.map(RoutingException::reason).or(() -> busy(asked, before)),
                refused.map(Throwable::getMessage)
                        .or(() -> foretold.map(Recommendation::explain))
                        .orElse(""));
    }

    private Optional<Recommendation> foretell(RouteRequest request) {
        try {
            return Optional.of(router.recommend(request));
        } catch (RoutingException never) {
            return Optional.empty();
        }
    }

    /** {@code tryPlace} has no exception for a place that is not there now. */
    private Optional<RefusalReason> busy(Event.Asked asked, int before) {
        return asked.way() == Event.Way.NOW && open.size() == before
                ? Optional.of(RefusalReason.NO_WAIT)
                : Optional.empty();
    }

    private Optional<RoutingException> place(RouteRequest request, Event.Way way) {
        try {
            switch (way) {
                case NOW -> router.tryPlace(request).ifPresent(this::hold);
                case WAITING -> {
                    CompletableFuture<Placement> placing = router.placeAsync(request);
                    placing.thenAccept(this::hold);
                    return refusal(placing);
                }
                default -> {
                    return refusal(router.callAsync(request, this::run));
                }
            }
            return Optional.empty();
        } catch (RoutingException refusal) {
            return Optional.of(refusal);
        }
    }

    private void hold(Placement placement) {
        open.add(new Open(placement, Optional.empty()));
    }

    private CompletableFuture<String> run(Placement placement) {
        CompletableFuture<String> stage = new CompletableFuture<>();
        open.add(new Open(placement, Optional.of(stage)));
        return stage;
    }

    private static Optional<RoutingException> refusal(CompletableFuture<?> future) {
        if (!future.isCompletedExceptionally()) {
            return Optional.empty();
        }
        try {
            future.join();
            return Optional.empty();
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof RoutingException refusal) {
                return Optional.of(refusal);
            }
            throw failed;
        }
    }

    private static void end(Open work, Event.Ending how) {
        Optional<Exception> failure = Optional.ofNullable(
                switch (how) {
                    case SUCCEEDED, GIVEN_UP -> null;
                    case NODE_FAULT -> new SubstrateFaultException("500");
                    case NOT_STARTED -> new ConnectException("refused");
                    case BUSY -> new BackpressureException(Duration.ofSeconds(1));
                    case REQUEST_FAULT -> new IllegalArgumentException("bad prompt");
                });
        if (work.stage().isPresent()) {
            CompletableFuture<String> stage = work.stage().get();
            failure.ifPresentOrElse(stage::completeExceptionally, () -> stage.complete("done"));
            return;
        }
        try (Placement placement = work.placement()) {
            failure.ifPresent(placement::fail);
            if (how == Event.Ending.SUCCEEDED) {
                placement.succeed();
            }
        }
    }
}
