package dev.substraterouter.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.Placement;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.SubstrateView;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.EjectionLimits;
import dev.substraterouter.policy.HealthLimits;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.testkit.HandDrivenTime;
import dev.substraterouter.testkit.Recorder;
import dev.substraterouter.testkit.Statuses;
import dev.substraterouter.trace.RouterEvent;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** A router on hand-driven time whose futures and listeners run at once, and what was heard of it. */
final class CaseRig implements AutoCloseable {
    /** The workload that has every substrate on its route. */
    static final RouteRequest WORK = RouteRequest.workload("work");

    final HandDrivenTime time;
    final SubstrateRouter router;
    private final Recorder recorder = new Recorder();

    CaseRig(Policy policy) {
        this(policy, new HandDrivenTime());
    }

    CaseRig(Policy policy, HandDrivenTime time) {
        this(policy, time, SubstrateRouter.builder().timeSource(time).executor(Runnable::run));
    }

    CaseRig(Policy policy, HandDrivenTime time, SubstrateRouter.Builder builder) {
        this.time = time;
        router = builder.policy(policy).listener(recorder).seed(7).build();
    }

    /**
     * A policy in which health is no matter: so many jobs on each substrate, the workload {@code work} with all of them on its route, and
     * for each a workload {@code on-<id>} that is pinned to it.
     */
    static Policy.Builder policy(int jobs, String... ids) {
        Policy.Builder policy =
                Policy.builder().health(HealthLimits.builder().require().build());
        for (String id : ids) {
            policy.substrates(Substrate.builder(id)
                    .endpoint("http://" + id + ":8188")
                    .maxConcurrentJobs(jobs)
                    .build());
            policy.workloads(Workload.builder("on-" + id).pin(id).build());
        }
        return policy.workloads(Workload.builder("work").route(ids).build());
    }

    /** Ejection after so many faults in a row and by no other rule, for a time that neither grows nor exceeds the given one. */
    static EjectionLimits.Builder after(int faults, Duration window) {
        return EjectionLimits.builder()
                .consecutiveFaults(faults)
                .faultsOfLast(64, 64)
                .window(window)
                .maxWindow(window);
    }

    /** The workload that is pinned to a substrate. */
    static RouteRequest on(String id) {
        return RouteRequest.workload("on-" + id);
    }

    Placement place(RouteRequest request) {
        return router.tryPlace(request).orElseThrow();
    }

    /** Makes a substrate fail once, and lets it report that nothing runs there any more. */
    void fault(String id) {
        place(on(id)).nodeFault(new IOException("cable pulled"));
        idle(id);
    }

    /** Has a substrate report that it does nothing. */
    void idle(String id) {
        router.reportStatus(id, Statuses.idle(32));
    }

    /** Has a substrate fail until it is out. */
    void eject(String id) {
        for (int faults = 0; !out(id); faults++) {
            assertThat(faults).as("faults of " + id).isLessThan(100);
            fault(id);
        }
    }

    /** Lets the time pass for which a substrate is out, to the nanosecond. */
    void awaitTrial(String id) {
        time.advance(left(id));
    }

    /** Ejects a substrate, and brings it back on its way through its trial. */
    void ejectAndReturn(String id) {
        eject(id);
        awaitTrial(id);
        place(on(id)).succeed();
    }

    boolean out(String id) {
        return view(id).ejectedUntil().isPresent();
    }

    /** For how long a substrate is out. */
    Duration left(String id) {
        return Duration.between(time.wall(), view(id).ejectedUntil().orElseThrow());
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

    /** Takes everything that can be had now. */
    List<Placement> takeAll(RouteRequest request) {
        List<Placement> all = new ArrayList<>();
        for (var one = router.tryPlace(request); one.isPresent(); one = router.tryPlace(request)) {
            all.add(one.get());
        }
        return all;
    }

    <E extends RouterEvent> List<E> heard(Class<E> sort) {
        return recorder.heard(sort);
    }

    void forgetEvents() {
        recorder.forgetEvents();
    }

    @Override
    public void close() {
        router.close();
    }

    /** Threads that begin something at the same moment. */
    static final class Crew implements AutoCloseable {
        private final int size;
        private final ExecutorService threads;

        Crew(int size) {
            this.size = size;
            threads = Executors.newFixedThreadPool(size);
        }

        /** What one of them does. */
        interface Job {
            void run(int number) throws Exception;
        }

        /** Has each of them do a job, all at once; hands on what any of them threw. */
        void atOnce(Job job) throws Exception {
            CyclicBarrier start = new CyclicBarrier(size);
            List<Future<?>> ends = new ArrayList<>();
            for (int thread = 0; thread < size; thread++) {
                int number = thread;
                ends.add(threads.submit(() -> {
                    start.await(30, TimeUnit.SECONDS);
                    job.run(number);
                    return null;
                }));
            }
            for (Future<?> end : ends) {
                end.get(30, TimeUnit.SECONDS);
            }
        }

        @Override
        public void close() {
            threads.shutdownNow();
        }
    }
}
