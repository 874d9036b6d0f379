package dev.substraterouter.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.Placement;
import dev.substraterouter.RouteView;
import dev.substraterouter.RoutingException;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.SubstrateView;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.HealthLimits;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.PollSettings;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.testkit.HandDrivenTime;
import dev.substraterouter.testkit.Recorder;
import dev.substraterouter.testkit.Statuses;
import dev.substraterouter.trace.RouterEvent;
import dev.substraterouter.trace.RoutingTrace;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A router on hand-driven time whose deliveries run on the delivering thread, with everything it has told. */
final class Rig implements AutoCloseable {
    static final RouteRequest WORK = RouteRequest.workload("work");
    static final Duration SECOND = Duration.ofSeconds(1);

    final HandDrivenTime time = new HandDrivenTime();
    final SubstrateRouter router;
    private final Recorder recorder = new Recorder();
    private final Semaphore queued = new Semaphore(0);

    Rig(Policy.Builder policy) {
        this(policy, builder -> {});
    }

    Rig(Policy.Builder policy, Consumer<SubstrateRouter.Builder> more) {
        this(more.andThen(builder -> builder.policy(policy.build())));
    }

    /** A router whose policy is given by the caller too. */
    Rig(Consumer<SubstrateRouter.Builder> more) {
        SubstrateRouter.Builder builder = SubstrateRouter.builder()
                .timeSource(time)
                .executor(Runnable::run)
                .seed(7)
                .listener(this::hear)
                .traceSink(recorder);
        more.accept(builder);
        router = builder.build();
        freshen();
    }

    /** A policy of one workload, {@code work}, with a route over substrates of so many slots, whose status stays fresh for a day. */
    static Policy.Builder pool(int slots, String... ids) {
        Policy.Builder policy = Policy.builder()
                .poll(PollSettings.builder().every(Duration.ofSeconds(5)).build())
                .health(HealthLimits.builder().staleAfter(Duration.ofDays(1)).build())
                .workload(Workload.builder("work").route(ids).build());
        for (String id : ids) {
            policy.substrate(substrate(id, slots));
        }
        return policy;
    }

    static Substrate substrate(String id, int slots) {
        return Substrate.builder(id)
                .endpoint("http://" + id + ":8188")
                .maxConcurrentJobs(slots)
                .build();
    }

    private void hear(RouterEvent event) {
        recorder.on(event);
        if (event instanceof RouterEvent.Queued) {
            queued.release();
        }
    }

    /** Reports every substrate as idle. */
    void freshen() {
        router.policy().substrates().forEach(substrate -> healthy(substrate.id()));
    }

    void healthy(String id) {
        router.reportStatus(id, Statuses.idle(24));
    }

    void loaded(String id) {
        router.reportStatus(id, Statuses.loaded(24));
    }

    Placement place() {
        return place(WORK);
    }

    Placement place(RouteRequest request) {
        return router.tryPlace(request).orElseThrow();
    }

    /** Places work and has it fail by the substrate's fault; returns where. */
    String fault() {
        try (Placement placement = place()) {
            placement.nodeFault(new java.io.IOException("boom"));
            return placement.substrateId();
        }
    }

    /** Lets a substrate fail until it is out. */
    void eject(String id) {
        for (int fault = 0; fault < 100 && view(id).ejectedUntil().isEmpty(); fault++) {
            try (Placement placement = place(WORK.prefer(id))) {
                assertThat(placement.substrateId()).isEqualTo(id);
                placement.nodeFault(new java.io.IOException("boom"));
            }
            healthy(id); // what a failed placement left running is over
        }
        assertThat(view(id).ejectedUntil()).isPresent();
    }

    /** How long a substrate is out from now. */
    Duration outFor(String id) {
        return view(id).ejectedUntil()
                .map(until -> Duration.between(time.wall(), until))
                .orElse(Duration.ZERO);
    }

    SubstrateView view(String id) {
        return router.substrates().stream()
                .filter(view -> view.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    int leases(String id) {
        return view(id).leases();
    }

    /** All leases of all substrates. */
    int leases() {
        return router.substrates().stream().mapToInt(SubstrateView::leases).sum();
    }

    RouteView route() {
        return router.routes().get(0);
    }

    int waiting() {
        return route().waiting();
    }

    /** Waits until so many more requests have told that they wait. */
    void awaitQueued(int more) throws InterruptedException {
        assertThat(queued.tryAcquire(more, 20, TimeUnit.SECONDS))
                .as("%d more wait", more)
                .isTrue();
    }

    List<RouterEvent> events() {
        return recorder.events();
    }

    <E> List<E> heard(Class<E> sort) {
        return recorder.heard(sort);
    }

    void forgetEvents() {
        recorder.forgetEvents();
    }

    List<RoutingTrace> traces() {
        return recorder.traces();
    }

    RoutingTrace lastTrace() {
        List<RoutingTrace> all = traces();
        return all.get(all.size() - 1);
    }

    /** The refusal that a future was completed with. */
    static RoutingException refusal(CompletableFuture<?> future) {
        assertThat(future).isCompletedExceptionally();
        Object failure = future.handle((answer, refused) -> (Object) refused).join();
        assertThat(failure).isInstanceOf(RoutingException.class);
        return (RoutingException) failure;
    }

    @Override
    public void close() {
        router.close();
    }
}
