package dev.substraterouter.cases;

import static dev.substraterouter.cases.CaseRig.WORK;
import static dev.substraterouter.cases.CaseRig.on;
import static dev.substraterouter.cases.CaseRig.policy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.substraterouter.Placement;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.cases.CaseRig.Crew;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.HealthLimits;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.PolicyException;
import dev.substraterouter.policy.PolicySink;
import dev.substraterouter.policy.PolicySource;
import dev.substraterouter.policy.QueueLimits;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.testkit.HandDrivenTime;
import dev.substraterouter.trace.Attempt;
import dev.substraterouter.trace.Considered;
import dev.substraterouter.trace.RouterEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** One whole policy after another. */
class ReloadCasesTest {
    private static final int RELOADS = 1_000;
    private static final int PICKS = 100_000;

    @Test
    @DisplayName("every pick during a thousand reloads sees one whole policy, and never none [J65]")
    void wholePolicies() throws Exception {
        Policy odd = policyOf("odd", "b", "a");
        Policy even = policyOf("even", "b", "c");
        try (CaseRig rig = new CaseRig(odd);
                Crew crew = new Crew(3)) {
            AtomicInteger picks = new AtomicInteger();
            AtomicInteger reloads = new AtomicInteger();
            crew.atOnce(thread -> {
                if (thread == 0) {
                    for (int reload = 0; reload < RELOADS; reload++) {
                        while (picks.get() < reload * (PICKS / RELOADS)) {
                            Thread.yield(); // so that reloads fall among all picks, not only among the first
                        }
                        rig.router.reload(reload % 2 == 0 ? even : odd);
                        reloads.incrementAndGet();
                    }
                } else {
                    while (reloads.get() < RELOADS || picks.get() < PICKS) {
                        Placement placement = rig.place(WORK);
                        picks.incrementAndGet();
                        Attempt attempt = placement.trace().attempts().get(0);
                        String wanted = attempt.revision() % 2 == 1 ? "odd" : "even";
                        assertThat(placement.candidate().model()).contains(wanted);
                        assertThat(placement.endpoint().getHost()).isEqualTo(wanted);
                        assertThat(placement.substrateId()).isEqualTo(wanted.equals("odd") ? "a" : "c");
                        assertThat(attempt.substrateId()).isEqualTo(placement.substrateId());
                        assertThat(attempt.considered())
                                .as("the candidates of that revision and no others")
                                .extracting(Considered::substrateId)
                                .isSubsetOf("b", wanted.equals("odd") ? "a" : "c");
                        placement.succeed();
                        if (picks.get() % 16 == 0) {
                            assertThat(rig.router.policy().workloads()).hasSize(1);
                            assertThat(rig.router.substrates()).hasSize(2);
                            assertThat(rig.router.recommend(WORK).candidates()).hasSize(2);
                        }
                    }
                }
            });
            assertThat(rig.router.policy().revision()).isEqualTo(1 + RELOADS);
            assertThat(picks.get()).isGreaterThanOrEqualTo(PICKS);
            assertThat(rig.router.shutdown(Duration.ZERO))
                    .as("every lease came back")
                    .isTrue();
        }
    }

    @Test
    @DisplayName("who waits while policies come and go is served once by a whole one, and never lost [J65]")
    void waitersSeeWholePolicies() throws Exception {
        Policy odd = policyOf("odd", "b", "a");
        Policy even = policyOf("even", "b", "c");
        try (CaseRig rig = new CaseRig(odd);
                Crew crew = new Crew(2)) {
            for (int round = 0; round < 300; round++) {
                List<Placement> open = rig.takeAll(WORK);
                CompletableFuture<Placement> waiter = rig.router.placeAsync(WORK);
                crew.atOnce(thread -> {
                    if (thread == 0) {
                        rig.router.reload(even);
                        rig.router.reload(odd);
                    } else {
                        open.get(0).succeed();
                    }
                });
                Placement placement = waiter.join();
                String wanted = placement.trace().attempts().get(0).revision() % 2 == 1 ? "odd" : "even";
                assertThat(placement.endpoint().getHost()).isEqualTo(wanted);
                placement.close();
                open.forEach(Placement::close);
                assertThat(rig.leases("a")).isZero();
                assertThat(rig.leases("b")).isZero();
            }
        }
    }

    @Test
    @DisplayName("shrinking a limit returns at once, throws nobody out, and admits nobody until there is room [J67]")
    void shrinkingNeverBlocks() {
        Policy wide = policy(8, "a").build();
        Policy narrow = policy(2, "a").build();
        try (CaseRig rig = new CaseRig(wide)) {
            List<Placement> open = rig.takeAll(WORK);
            assertThat(open).hasSize(8);
            CompletableFuture<Placement> waiter = rig.router.placeAsync(WORK);
            rig.router.reload(narrow); // on this very thread: that it comes back is the test
            assertThat(rig.leases("a")).isEqualTo(8);
            assertThat(rig.view("a").maxConcurrentJobs()).isEqualTo(2);
            for (int ended = 0; ended < 6; ended++) {
                open.get(ended).succeed();
                assertThat(rig.leases("a")).isEqualTo(7 - ended);
                assertThat(waiter).isNotDone();
                assertThat(rig.router.tryPlace(WORK)).isEmpty();
            }
            open.get(6).succeed();
            assertThat(waiter).isCompleted();
            assertThat(rig.router.tryPlace(WORK)).isEmpty();
            rig.router.reload(wide);
            assertThat(rig.takeAll(WORK)).hasSize(6);
        }
    }

    @Test
    @DisplayName("shrinking memory, places and the queue returns at once and throws nobody out either [J67]")
    void shrinkingOtherLimits() {
        try (CaseRig rig = new CaseRig(sized(64, 4))) {
            List<Placement> open = rig.takeAll(WORK);
            assertThat(open).hasSize(4);
            List<CompletableFuture<Placement>> waiters = IntStream.range(0, 4)
                    .mapToObj(waiter -> rig.router.placeAsync(WORK))
                    .toList();
            rig.router.reload(sized(32, 1));
            assertThat(waiters).noneMatch(CompletableFuture::isDone);
            assertThat(rig.router.routes().get(0).waiting()).isEqualTo(4);
            assertThat(rig.router.placeAsync(WORK)).isCompletedExceptionally();
            open.get(0).succeed();
            open.get(1).succeed();
            assertThat(waiters).as("16 GB each, 32 GB in all").noneMatch(CompletableFuture::isDone);
            open.get(2).succeed();
            open.get(3).succeed();
            assertThat(waiters.stream().filter(CompletableFuture::isDone)).hasSize(2);
            waiters.get(0).join().succeed();
            waiters.get(1).join().succeed();
            assertThat(waiters).allMatch(CompletableFuture::isDone);
        }
    }

    @Test
    @DisplayName("two reloads at once are two revisions, one after the other [J68]")
    void reloadsAreSerialised() throws Exception {
        Policy one = policyOf("one", "a");
        Policy other = policyOf("other", "a");
        try (CaseRig rig = new CaseRig(one);
                Crew crew = new Crew(2)) {
            for (int round = 0; round < 300; round++) {
                long before = rig.router.policy().revision();
                crew.atOnce(thread -> rig.router.reload(thread == 0 ? one : other));
                assertThat(rig.router.policy().revision()).isEqualTo(before + 2);
                String model = rig.router
                        .policy()
                        .workloads()
                        .get(0)
                        .candidates()
                        .get(0)
                        .model()
                        .orElseThrow();
                Placement placement = rig.place(WORK);
                assertThat(placement.endpoint().getHost()).isEqualTo(model);
                assertThat(placement.trace().revision()).isEqualTo(before + 2);
                placement.close();
            }
            assertThat(rig.heard(RouterEvent.Reloaded.class))
                    .extracting(RouterEvent.Reloaded::revision)
                    .containsExactlyElementsOf(
                            LongStream.rangeClosed(2, 601).boxed().toList());
        }
    }

    @Test
    @DisplayName("one bad entry refuses the whole policy, with every problem; nothing of it is in force [J70]")
    void oneBadEntryRefusesAll() {
        AtomicReference<PolicySink> sink = new AtomicReference<>();
        Policy good = policy(1, "a").build();
        HandDrivenTime time = new HandDrivenTime();
        List<RouterEvent> heard = new ArrayList<>();
        try (SubstrateRouter router = SubstrateRouter.builder()
                .policySource(new OneSource(good, sink))
                .timeSource(time)
                .executor(Runnable::run)
                .listener(heard::add)
                .build()) {
            Placement open = router.tryPlace(WORK).orElseThrow();
            Policy.Builder bad = policy(4, "a", "b")
                    .substrates(Substrate.builder("c").maxConcurrentJobs(0).build())
                    .workloads(Workload.builder("new").route("a", "nowhere").build());
            PolicyException problem = catchThrowableOfType(PolicyException.class, bad::build);
            assertThat(problem.problems()).hasSize(2);
            assertThat(problem).hasMessageContaining("max_concurrent_jobs: 0").hasMessageContaining("nowhere");
            sink.get().rejected(problem);

            assertThat(router.policy().revision()).isEqualTo(1);
            assertThat(router.policy().substrates()).hasSize(1);
            assertThat(router.tryPlace(WORK)).as("still one job").isEmpty();
            assertThat(router.substrates()).hasSize(1);
            assertThat(heard)
                    .filteredOn(RouterEvent.ReloadRejected.class::isInstance)
                    .singleElement()
                    .satisfies(event -> {
                        RouterEvent.ReloadRejected rejected = (RouterEvent.ReloadRejected) event;
                        assertThat(rejected.revision()).isEqualTo(1);
                        assertThat(rejected.problems()).hasSize(2);
                    });
            sink.get().changed(policy(4, "a", "b").build());
            assertThat(router.policy().revision()).isEqualTo(2);
            assertThat(router.tryPlace(WORK)).isPresent();
            open.succeed();
        }
    }

    @Test
    @DisplayName("a rejected policy costs no waiter its place and no running work its lease [J70]")
    void rejectionTouchesNobody() {
        AtomicReference<PolicySink> sink = new AtomicReference<>();
        HandDrivenTime time = new HandDrivenTime();
        try (SubstrateRouter router = SubstrateRouter.builder()
                .policySource(new OneSource(policy(1, "a").build(), sink))
                .timeSource(time)
                .executor(Runnable::run)
                .build()) {
            Placement open = router.tryPlace(on("a")).orElseThrow();
            CompletableFuture<Placement> waiter = router.placeAsync(WORK);
            for (int edit = 0; edit < 10; edit++) {
                PolicyException problem = catchThrowableOfType(PolicyException.class, () -> Policy.builder()
                        .substrates(Substrate.builder("a").build())
                        .build());
                sink.get().rejected(problem);
            }
            assertThat(waiter).isNotDone();
            open.succeed();
            assertThat(waiter.join().trace().revision()).isEqualTo(1);
        }
    }

    /** A policy whose every part carries its name; the last substrate is the first of the route. */
    private static Policy policyOf(String name, String... ids) {
        Policy.Builder policy =
                Policy.builder().health(HealthLimits.builder().require().build());
        List<Candidate> route = new ArrayList<>();
        for (String id : ids) {
            policy.substrates(Substrate.builder(id)
                    .endpoint("http://" + name + ":8188")
                    .maxConcurrentJobs(4)
                    .build());
            route.add(0, Candidate.builder(id).model(name).build());
        }
        return policy.workloads(Workload.builder("work")
                        .route(route.toArray(Candidate[]::new))
                        .build())
                .build();
    }

    private static Policy sized(double vramGb, int places) {
        return Policy.builder()
                .health(HealthLimits.builder().require().build())
                .queue(QueueLimits.builder().capacity(places).build())
                .substrates(Substrate.builder("a")
                        .vramGb(vramGb)
                        .maxConcurrentJobs(4)
                        .build())
                .workloads(Workload.builder("work").vramGb(16).route("a").build())
                .build();
    }

    /** A source with one policy, whose sink the test holds. */
    private record OneSource(Policy current, AtomicReference<PolicySink> sink) implements PolicySource {
        @Override
        public void start(PolicySink router) {
            sink.set(router);
        }

        @Override
        public void close() {
            sink.set(null);
        }
    }
}
