package dev.substraterouter.examples.quickstart;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.substraterouter.Placement;
import dev.substraterouter.RoutingException;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.batch.BatchDispatcher;
import dev.substraterouter.batch.BatchReport;
import dev.substraterouter.batch.BatchState;
import dev.substraterouter.batch.BatchTicket;
import dev.substraterouter.batch.InMemoryBatchQueue;
import dev.substraterouter.infer.InferredNeed;
import dev.substraterouter.infer.NeedInference;
import dev.substraterouter.model.Need;
import dev.substraterouter.model.PlacementMode;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.probe.http.HttpStatusProbe;
import dev.substraterouter.trace.Observation;
import dev.substraterouter.trace.PathReport;
import dev.substraterouter.trace.Reason;
import dev.substraterouter.trace.RefusalReason;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;

/** Act 3: requests say what they need, not where; the policy says who may ask for what, and what must not leave the building. */
final class NeedAct {
    private static final RouteRequest FLUX_DEV =
            RouteRequest.workload("flux-dev").identity("studio-7");
    private static final RouteRequest FLUX_FILL =
            RouteRequest.workload("flux-fill").identity("studio-7");
    /** A job of the workers that is no workload of the policy. */
    private static final String CAPTION = "caption";

    private final Story story;
    private final Worker mirrorforge;
    private final Worker legion;
    private final SubstrateRouter router;
    private final Stage stage;
    private final BatchDispatcher batch;

    NeedAct(Story story, Policy policy, Worker mirrorforge, Worker legion) {
        this.story = story;
        this.mirrorforge = mirrorforge;
        this.legion = legion;
        router = SubstrateRouter.builder()
                .policy(policy)
                .statusSource(HttpStatusProbe.create())
                .build();
        stage = new Stage(story, router, mirrorforge, legion);
        Client client = stage.client();
        batch = BatchDispatcher.builder(
                        router,
                        InMemoryBatchQueue.create(),
                        (placement, job) -> client.post(
                                placement.endpoint(), job.request().workload(), new String(job.payload(), UTF_8)))
                .every(Duration.ofMillis(50)) // default: 1 s
                .build();
    }

    void play() throws Story.Broken, InterruptedException {
        story.act(
                "Act 3: needs. The policy is needs.yaml: capabilities, privacy, roles, a rented machine, a batch path.");
        try (router;
                batch) {
            inWords();
            preferred();
            notAllowed();
            memoryShort();
            report();
            story.expect("every lease came back", router.shutdown(Duration.ofSeconds(5)));
        }
    }

    private void inWords() throws Story.Broken, InterruptedException {
        story.step("Somebody says what is needed, in words");
        String words = "Confidential: a Blackwell card, 24 GB of VRAM, takes 40 s, ideally quiet";
        story.tell('"' + words + '"');
        InferredNeed read = NeedInference.standard().infer(words);
        read.explain().lines().forEach(story::tell);
        story.expect(
                "a wish that no need can say is told, not dropped",
                read.notUnderstood().equals(List.of("ideally quiet")));
        Answer answer = stage.send(RouteRequest.need(read.need()).identity("studio-7"), "portrait");
        story.expect("it goes where that card is", answer.by("legion"));
    }

    private void preferred() throws Story.Broken, InterruptedException {
        story.step("Both machines satisfy a smaller need; 'prefer' says which comes first");
        RouteRequest small = RouteRequest.need(
                        Need.builder().capabilities("cuda").vramGb(8).build())
                .identity("studio-7");
        Answer plain = stage.send(small, CAPTION);
        Answer preferred = stage.send(small.prefer("mirrorforge"), CAPTION);
        story.expect(
                "the first by id when they fit alike, and the preferred one",
                plain.by("legion") && preferred.by("mirrorforge"));
    }

    private void notAllowed() throws Story.Broken, InterruptedException {
        story.step("An agent asks for a capability that its role does not have");
        Need blackwell =
                Need.builder().capabilities("cuda", "blackwell").vramGb(8).build();
        Answer refused = stage.send(RouteRequest.need(blackwell).identity("agent-3"), CAPTION);
        tellRefusal(refused);
        story.expect("refused", refused.refusedBecause(RefusalReason.NOT_AUTHORIZED));
        Need cuda = Need.builder().capabilities("cuda").vramGb(8).build();
        Answer served = stage.send(RouteRequest.need(cuda).identity("agent-3"), CAPTION);
        story.expect("without it the agent is served", served.servedBy().isPresent());
    }

    private void memoryShort() throws Story.Broken, InterruptedException {
        story.step("Somebody's training takes the memory of both machines; a rented one is free");
        stage.settle();
        mirrorforge.othersHold(40);
        legion.othersHold(20);
        story.until("the router knows", () -> shortOfMemory(FLUX_FILL) && shortOfMemory(FLUX_DEV));
        Answer outside = story.send(stage.client(), FLUX_FILL);
        story.expect(
                "flux-fill is public: it overflows to the rented machine",
                outside.by("rented") && outside.trace().overflow());
        Answer refused = story.send(stage.client(), FLUX_DEV.maxWait(Duration.ZERO));
        tellRefusal(refused);
        story.expect(
                "flux-dev is private: it does not, though the rented machine could do it",
                refused.refusedBecause(RefusalReason.NO_WAIT));
        Future<Answer> waiting = story.begin(stage.client(), FLUX_DEV);
        story.until("it waits", () -> stage.waiting() == 1);
        story.tell("a flux-dev waits, rather than leave the building");
        BatchTicket later = mayWait();

        story.step("The training is over");
        mirrorforge.othersEnd();
        legion.othersEnd();
        Answer atHome = story.end(waiting);
        story.expect(
                "the one that waited is served at home",
                atHome.waited() && (atHome.by("mirrorforge") || atHome.by("legion")));
        byte[] image = story.await("the batch job is done", later.result());
        String where = later.report().flatMap(BatchReport::substrate).orElse("nowhere");
        story.tell("the batch job was done on " + where + ": " + new String(image, UTF_8));
        story.expect("and so is the one that could wait", where.equals("mirrorforge") || where.equals("legion"));
    }

    /** Whether the router has heard, and has no doubt, that none of our machines has the memory. */
    private boolean shortOfMemory(RouteRequest request) {
        return router.recommend(request).candidates().stream()
                .filter(candidate -> !candidate.substrateId().equals("rented"))
                .noneMatch(candidate -> candidate.admissible()
                        || candidate.reasons().stream().anyMatch(finding -> finding.reason() == Reason.IN_DOUBT));
    }

    /** Work of low priority does not wait in the queue: it goes to the batch path, and is done when nobody else needs the place. */
    private BatchTicket mayWait() throws Story.Broken, InterruptedException {
        RouteRequest low = FLUX_DEV.priority(Priority.LOW);
        try (Placement placement = router.place(low)) {
            story.expect(
                    "another of priority LOW goes to the batch path at once",
                    placement.mode() == PlacementMode.BATCH
                            && placement.substrateId().equals("archive"));
        } // closed with no outcome: it is handed over, not done
        BatchTicket ticket = batch.submit(low, "a harbour".getBytes(UTF_8));
        story.expect("and is kept there", ticket.state() == BatchState.QUEUED);
        return ticket;
    }

    private void report() {
        story.step("What the traces tell of the ways that work took");
        router.recentTraces().stream()
                .filter(trace -> trace.served())
                .forEach(trace -> router.observe(
                        trace.requestId(),
                        Observation.builder().quality(0.9).reviewed(false).build()));
        PathReport.of(router.recentTraces()).explain().lines().forEach(story::tell);
    }

    private void tellRefusal(Answer answer) {
        answer.refusal().map(RoutingException::getMessage).ifPresent(story::tell);
    }
}
