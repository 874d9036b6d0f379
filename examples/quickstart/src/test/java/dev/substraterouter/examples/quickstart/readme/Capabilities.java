package dev.substraterouter.examples.quickstart.readme;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.substraterouter.Placement;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.batch.BatchDispatcher;
import dev.substraterouter.batch.BatchQueue;
import dev.substraterouter.batch.BatchTicket;
import dev.substraterouter.infer.InferredNeed;
import dev.substraterouter.infer.NeedInference;
import dev.substraterouter.model.Need;
import dev.substraterouter.model.PlacementMode;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.Operation;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.trace.Observation;
import dev.substraterouter.trace.PathReport;
import dev.substraterouter.trace.jsonl.JsonLinesTraceSink;
import dev.substraterouter.trace.jsonl.JsonLinesTraces;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The README's Java, a method for each section. */
final class Capabilities {
    private final SubstrateRouter router;
    private final FirstScreen.Worker worker;

    Capabilities(SubstrateRouter router, FirstScreen.Worker worker) {
        this.router = router;
        this.worker = worker;
    }

    byte[] need(String prompt) throws IOException, InterruptedException {
        Need need = Need.builder()
                .capabilities("cuda", "blackwell")
                .vramGb(24)
                .duration(Duration.ofSeconds(40))
                .maxLatency(Duration.ofMinutes(1))
                .build();
        return router.call(
                RouteRequest.need(need).identity("studio-7"),
                placement -> worker.generate(placement.endpoint(), prompt));
    }

    static RouteRequest inWords(String words, Consumer<String> askBack) {
        InferredNeed read = NeedInference.standard().infer(words);
        if (!read.isClear()) {
            askBack.accept(read.explain()); // what was understood of which words, what was not, what contradicts
        }
        RouteRequest request = RouteRequest.need(read.need());
        return read.priority().map(request::priority).orElse(request);
    }

    static SubstrateRouter withOwnWord(Policy policy, java.util.function.BooleanSupplier holidays) {
        return SubstrateRouter.builder()
                .policy(policy)
                .authorizer(access -> access.priority() == Priority.HIGH && holidays.getAsBoolean()
                        ? Optional.of("no HIGH during the holidays")
                        : Optional.empty())
                .build();
    }

    CompletableFuture<Void> drain(String who, String id) {
        if (!router.mayOperate(who, Operation.DRAIN)) {
            throw new SecurityException(who + " may not drain " + id);
        }
        return router.drain(id);
    }

    static RouteRequest preferred() {
        return RouteRequest.workload("portrait")
                .identity("studio-7")
                .prefer("legion") // first, if it is admissible
                .avoid("mirrorforge"); // never
    }

    static RouteRequest urgent() {
        return RouteRequest.workload("upscale")
                .identity("studio-7")
                .priority(Priority.HIGH)
                .maxWait(Duration.ofSeconds(20)) // in the queue, over all attempts
                .deadline(Duration.ofSeconds(60)); // it does not wait past it
    }

    Optional<byte[]> nowOrLater(String prompt, Consumer<String> later) throws IOException, InterruptedException {
        RouteRequest request =
                RouteRequest.workload("portrait").identity("studio-7").priority(Priority.LOW);
        try (Placement placement = router.place(request)) {
            if (placement.mode() == PlacementMode.BATCH) {
                later.accept(prompt); // the host keeps it; closing without an outcome says: not done here
                return Optional.empty();
            }
            byte[] image = worker.generate(placement.endpoint(), prompt);
            placement.succeed();
            return Optional.of(image);
        }
    }

    byte[] inBatch(BatchQueue store, RouteRequest request, String prompt) throws Exception {
        try (BatchDispatcher batch = BatchDispatcher.create(
                router,
                store,
                (placement, job) -> worker.generate(placement.endpoint(), new String(job.payload(), UTF_8)))) {
            BatchTicket ticket = batch.submit(request, prompt.getBytes(UTF_8));
            return ticket.result().get(); // or thenAccept, or ask again later: batch.ticket(id)
        }
    }

    int everywhere() throws IOException, InterruptedException {
        List<Placement> placements =
                router.placeAll(RouteRequest.workload("embed").identity("studio-7"));
        try {
            for (Placement placement : placements) {
                worker.generate(placement.endpoint(), "warm up");
                placement.succeed();
            }
        } finally {
            placements.forEach(Placement::close); // where one has failed, the others too
        }
        return placements.size();
    }

    static PathReport report(Policy policy, Path directory, ExecutorService executor, Consumer<SubstrateRouter> serve)
            throws IOException, InterruptedException {
        try (JsonLinesTraceSink sink = JsonLinesTraceSink.open(directory)) {
            try (SubstrateRouter router = SubstrateRouter.builder()
                    .policy(policy)
                    .executor(executor)
                    .traceSink(sink)
                    .build()) {
                serve.accept(router);
            }
            executor.shutdown(); // what the router has handed over is still written
            executor.awaitTermination(10, TimeUnit.SECONDS);
        }
        return PathReport.of(JsonLinesTraces.read(directory));
    }

    void reviewed(String requestId, Consumer<String> log) {
        router.observe(
                requestId,
                Observation.builder().quality(0.9).reviewed(true).cost(0.40).build());
        log.accept(PathReport.of(router.recentTraces()).explain());
        router.drift().forEach(drift -> log.accept(drift.explain()));
    }
}
