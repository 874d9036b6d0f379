package dev.substraterouter.examples.quickstart;

import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.SubstrateView;
import dev.substraterouter.model.RouteRequest;
import java.util.List;
import java.util.Optional;

/** A router and its workers, as the story looks at them. */
final class Stage {
    private final Story story;
    private final SubstrateRouter router;
    private final Client client;
    private final List<Worker> workers;

    /** The workers are those that tell their status. */
    Stage(Story story, SubstrateRouter router, Worker... workers) {
        this.story = story;
        this.router = router;
        this.client = new Client(router);
        this.workers = List.of(workers);
    }

    Client client() {
        return client;
    }

    /**
     * Asks for work once the router has heard how the work before it ended. A host does not wait for that: a request that comes in the few
     * milliseconds before may fall back, marked {@code IN_DOUBT}. The story waits so that each run tells the same.
     */
    Answer send(RouteRequest request) throws Story.Broken, InterruptedException {
        return send(request, request.workload());
    }

    /** As {@link #send(RouteRequest)}, for a job that the worker knows by a name of its own. */
    Answer send(RouteRequest request, String job) throws Story.Broken, InterruptedException {
        settle();
        return story.end(story.begin(client, request, job));
    }

    /** Waits until the router knows how its workers stand. */
    void settle() throws Story.Broken {
        story.until(
                "the router knows how its workers stand", () -> workers.stream().allMatch(this::knows));
    }

    SubstrateView view(Worker worker) {
        return router.substrates().stream()
                .filter(view -> view.id().equals(worker.id()))
                .findFirst()
                .orElseThrow();
    }

    /** Where a request would be placed now. */
    Optional<String> serving(RouteRequest request) {
        return router.recommend(request).best().map(best -> best.substrateId());
    }

    /** How many requests wait in the queue that all workloads share. */
    int waiting() {
        return router.routes().get(0).waiting();
    }

    private boolean knows(Worker worker) {
        return view(worker)
                .status()
                .filter(status -> worker.running() == 0)
                .filter(status -> status.lastRequest().equals(Optional.ofNullable(worker.lastRequest())))
                .isPresent();
    }
}
