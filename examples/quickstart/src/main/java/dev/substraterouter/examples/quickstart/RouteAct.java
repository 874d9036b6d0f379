package dev.substraterouter.examples.quickstart;

import dev.substraterouter.RoutingException;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.model.DegradedReason;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.probe.http.HttpStatusProbe;
import dev.substraterouter.trace.Attempt;
import dev.substraterouter.trace.Outcome;
import dev.substraterouter.trace.Reason;
import dev.substraterouter.trace.RefusalReason;
import dev.substraterouter.trace.RouterEvent;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Act 2: three routes over two machines, through everything that happens to machines. */
final class RouteAct {
    private static final RouteRequest FLUX_DEV = RouteRequest.workload("flux-dev");
    private static final RouteRequest FLUX_FILL = RouteRequest.workload("flux-fill");
    private static final RouteRequest SDXL = RouteRequest.workload("sdxl");

    private final Story story;
    private final Worker mirrorforge;
    private final Worker legion;
    private final List<RouterEvent> events = new CopyOnWriteArrayList<>();
    private final SubstrateRouter router;
    private final Client client;
    private final Stage stage;

    RouteAct(Story story, Policy policy, Worker mirrorforge, Worker legion) {
        this.story = story;
        this.mirrorforge = mirrorforge;
        this.legion = legion;
        router = SubstrateRouter.builder()
                .policy(policy)
                .statusSource(HttpStatusProbe.create())
                .listener(events::add)
                .build();
        stage = new Stage(story, router, mirrorforge, legion);
        client = stage.client();
    }

    void play() throws Story.Broken, InterruptedException, IOException {
        story.act("Act 2: routes. The policy is routing.yaml: flux-fill prefers legion, the others mirrorforge.");
        try (router) {
            healthy();
            backToBack();
            ownerAtWork();
            bothBusy();
            queueFull();
            recovered();
            crash();
            story.step("Closed");
            story.expect("every lease came back", router.shutdown(Duration.ofSeconds(5)));
        }
    }

    private void healthy() throws Story.Broken, InterruptedException {
        story.step("All is well");
        story.expect("ready", router.awaitReady(Duration.ofSeconds(10)));
        Answer dev = send(FLUX_DEV);
        Answer fill = send(FLUX_FILL);
        Answer sdxl = send(SDXL);
        story.expect(
                "each on its primary, none degraded",
                undegraded(dev, "mirrorforge") && undegraded(fill, "legion") && undegraded(sdxl, "mirrorforge"));
    }

    private void backToBack() throws Story.Broken, InterruptedException {
        story.step("Two flux-fill back to back: our own load on legion is no reason to go elsewhere");
        Answer first = send(FLUX_FILL);
        Answer second = send(FLUX_FILL);
        story.expect("both on legion", undegraded(first, "legion") && undegraded(second, "legion"));
    }

    private void ownerAtWork() throws Story.Broken, InterruptedException {
        story.step("Legion's owner is at work");
        othersBegin(legion);
        Answer answer = send(FLUX_FILL);
        story.expect(
                "flux-fill falls back to mirrorforge, marked as degraded",
                answer.by("mirrorforge") && answer.degraded().equals(Set.of(DegradedReason.NOT_PRIMARY)));
        story.expect("and an event says so", happened(RouterEvent.FellBack.class, e -> e.workload()
                .equals("flux-fill")));
    }

    private void bothBusy() throws Story.Broken, InterruptedException {
        story.step("Others fill mirrorforge too: flux-fill waits, and is served as soon as they are gone");
        othersBegin(mirrorforge);
        Future<Answer> waiting = story.begin(client, FLUX_FILL);
        story.until("it waits", () -> stage.waiting() == 1);
        mirrorforge.othersEnd();
        Answer answer = story.end(waiting);
        story.expect("it has waited, and was served by mirrorforge", answer.waited() && answer.by("mirrorforge"));
    }

    private void queueFull() throws Story.Broken, InterruptedException {
        story.step("Others fill mirrorforge again; the queue has 4 places");
        othersBegin(mirrorforge);
        List<Future<Answer>> waiting = new ArrayList<>();
        for (RouteRequest request : List.of(FLUX_FILL, FLUX_DEV, SDXL, SDXL)) {
            waiting.add(story.begin(client, request));
            story.until("it waits", () -> stage.waiting() == waiting.size());
        }
        story.tell("4 requests wait");
        Answer fifth = story.send(client, FLUX_FILL);
        fifth.refusal().map(RoutingException::getMessage).ifPresent(story::tell);
        story.expect(
                "the fifth is refused at once, with when to come back",
                fifth.refusedBecause(RefusalReason.QUEUE_FULL)
                        && fifth.refusal().flatMap(RoutingException::retryAfter).isPresent());
        mirrorforge.othersEnd();
        boolean served = true;
        for (Future<Answer> request : waiting) {
            served &= story.end(request).by("mirrorforge");
        }
        story.expect("the four that waited are served", served);
    }

    private void recovered() throws Story.Broken, InterruptedException {
        story.step("Legion's owner goes home");
        legion.othersEnd();
        untilServing(legion);
        Answer answer = send(FLUX_FILL);
        story.expect("the next flux-fill is back on legion", undegraded(answer, "legion"));
        story.expect("and an event says so", happened(RouterEvent.Recovered.class, e -> e.substrateId()
                .equals("legion")));
    }

    private void crash() throws Story.Broken, InterruptedException, IOException {
        story.step("Legion's worker crashes in the middle of a job; its status agent lives on and sees nothing wrong");
        stage.settle();
        Future<Answer> running = story.begin(client, FLUX_FILL);
        story.until("it runs", () -> legion.running() == 1);
        legion.kill();
        Answer first = story.end(running);
        Optional<Outcome> outcome =
                first.trace().attempts().stream().findFirst().map(Attempt::outcome);
        story.expect(
                "the request fails over to mirrorforge",
                first.by("mirrorforge") && first.failedOver() && outcome.equals(Optional.of(Outcome.NODE_FAULT)));

        for (int more = 0; more < 2; more++) {
            untilServing(legion);
            Answer next = story.send(client, FLUX_FILL);
            story.expect("so does the next, after a refused connection", next.by("mirrorforge") && next.failedOver());
        }
        RouterEvent.Ejected ejected = event(RouterEvent.Ejected.class, e -> true);
        story.tell("legion is ejected for " + ejected.window().toMillis() + " ms: " + ejected.rule() + ", "
                + ejected.observed());
        story.expect("three faults in a row eject legion", ejected.observed() == 3);

        story.step("Legion's worker is started again");
        legion.start();
        story.until(
                "the ejection is over",
                () -> stage.view(legion).ejectedUntil().isEmpty()
                        && stage.serving(FLUX_FILL).equals(Optional.of("legion")));
        Answer trial = send(FLUX_FILL);
        story.expect(
                "one request is its trial",
                undegraded(trial, "legion") && happened(RouterEvent.TrialStarted.class, e -> true));
        story.expect("which brings legion back", happened(RouterEvent.Returned.class, e -> !e.byOperator()));
        untilServing(legion);
        story.expect("the next is on legion as before", undegraded(send(FLUX_FILL), "legion"));
    }

    private Answer send(RouteRequest request) throws Story.Broken, InterruptedException {
        return stage.send(request);
    }

    /** Lets others use a machine, and waits until the router knows. */
    private void othersBegin(Worker worker) throws Story.Broken {
        stage.settle();
        worker.othersBegin();
        story.until("the router knows that others use " + worker.id(), () -> stage.view(worker).reasons().stream()
                .anyMatch(finding -> finding.reason() == Reason.GPU_UTIL));
    }

    private void untilServing(Worker worker) throws Story.Broken {
        stage.settle();
        story.until(worker.id() + " serves flux-fill", () -> stage.serving(FLUX_FILL)
                .equals(Optional.of(worker.id())));
    }

    private boolean undegraded(Answer answer, String substrateId) {
        return answer.by(substrateId) && answer.degraded().isEmpty();
    }

    /** An event that has come or must come in a moment. */
    private <E extends RouterEvent> E event(Class<E> sort, Predicate<E> like) throws Story.Broken {
        Supplier<Optional<E>> find = () -> events.stream()
                .filter(sort::isInstance)
                .map(sort::cast)
                .filter(like)
                .findFirst();
        story.until("an event " + sort.getSimpleName(), () -> find.get().isPresent());
        return find.get().orElseThrow();
    }

    private <E extends RouterEvent> boolean happened(Class<E> sort, Predicate<E> like) throws Story.Broken {
        return like.test(event(sort, like));
    }
}
