package dev.substraterouter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.status.GpuStatus;
import dev.substraterouter.status.StatusSink;
import dev.substraterouter.status.StatusSource;
import dev.substraterouter.status.StatusTarget;
import dev.substraterouter.status.StatusTicket;
import dev.substraterouter.status.SubstrateStatus;
import dev.substraterouter.testkit.HandDrivenTime;
import dev.substraterouter.testkit.Statuses;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Statuses of several sources, in and out of order, merged field by field. */
class SourcesTest {
    private final HandDrivenTime time = new HandDrivenTime();
    private final Hand source = new Hand();
    private final RouteRequest request = RouteRequest.workload("w");
    private final SubstrateRouter router = SubstrateRouter.builder()
            .policy(policy("a"))
            .timeSource(time)
            .executor(Runnable::run)
            .statusSource(source)
            .build();

    private static Policy policy(String... ids) {
        Policy.Builder policy = Policy.builder();
        for (String id : ids) {
            policy.substrate(Substrate.builder(id)
                    .status("http://127.0.0.1/" + id)
                    .vramGb(32)
                    .maxConcurrentJobs(2)
                    .build());
        }
        return policy.workload(Workload.builder("w").vramGb(8).route(ids).build())
                .build();
    }

    @AfterEach
    void close() {
        router.close();
        assertThat(source.closed).isTrue();
    }

    @Test
    void theWorstOfTwoSourcesOfOneTimeCounts() {
        answer("worker", Statuses.healthy(32).runningJobs(0).build());
        assertThat(admitted()).isTrue();
        answer("card", SubstrateStatus.builder().gpuUtilPct(93).build());
        assertThat(why()).isEqualTo("gpu util 93 >= 70");
        answer("card", SubstrateStatus.builder().gpuUtilPct(10).build());
        assertThat(admitted()).isTrue();
        answer("card", SubstrateStatus.builder().gpuUtilPct(10).reachable(false).build());
        assertThat(why()).isEqualTo("not ready");
    }

    @Test
    void fieldsOfDifferentSourcesCompleteEachOtherAndGoStaleEachByItself() {
        answer("worker", SubstrateStatus.builder().runningJobs(0).build());
        assertThat(why()).isEqualTo("unknown: gpu util, vram, gpu temp");
        answer(
                "card",
                SubstrateStatus.builder()
                        .gpuUtilPct(5)
                        .vramUsedGb(1)
                        .vramTotalGb(32)
                        .gpuTempC(50)
                        .build());
        assertThat(admitted()).isTrue();
        time.advance(Duration.ofSeconds(10));
        answer("worker", SubstrateStatus.builder().runningJobs(0).build());
        assertThat(admitted()).isTrue();
        time.advance(Duration.ofSeconds(6));
        assertThat(why()).isEqualTo("unknown: gpu util, vram, gpu temp");
    }

    @Test
    void aNewerReadingOfTheSameSourceReplacesItsOlderOneButKeepsWhatItDoesNotTell() {
        answer("worker", Statuses.loaded(32));
        assertThat(admitted()).isFalse();
        answer("worker", SubstrateStatus.builder().gpuUtilPct(10).build());
        assertThat(admitted()).isTrue();
    }

    @Test
    void anAnswerToAnEarlierQuestionIsDropped() {
        StatusTicket early = source.sink.asking("a", "worker");
        time.advance(Duration.ofMillis(10));
        answer("worker", Statuses.loaded(32));
        early.answered(Statuses.idle(32));
        assertThat(why()).contains("gpu util 93 >= 70");
    }

    @Test
    void theFirstAnswerOfATicketWinsAndAMissOnlyLeavesItsReason() {
        StatusTicket ticket = source.sink.asking("a");
        ticket.answered(Statuses.idle(32));
        ticket.answered(Statuses.loaded(32));
        ticket.failed("late");
        assertThat(admitted()).isTrue();
        source.sink.asking("a").failed("connection refused");
        assertThat(admitted()).isTrue();
        time.advance(Duration.ofSeconds(16));
        assertThat(why()).isEqualTo("status stale: 16.4 s > 15.0 s (connection refused)");
        source.sink.asking("gone").answered(Statuses.idle(32));
        source.sink.asking("gone").failed("who");
    }

    @Test
    void gpusOfTwoSourcesAreComparedCardByCard() {
        answer("one", cards(10, 90).build());
        assertThat(admitted()).isTrue();
        answer("two", cards(90, 10).build());
        assertThat(admitted()).isFalse();
        assertThat(why()).isEqualTo("gpu 0 util 90 >= 70, gpu 1 util 90 >= 70");
        assertThat(router.recommend(request)
                        .candidates()
                        .get(0)
                        .reasons()
                        .get(0)
                        .text())
                .contains("gpu 0 util 90 >= 70")
                .contains("gpu 1 util 90 >= 70");
    }

    @Test
    void targetsFollowTheReloads() {
        assertThat(source.targets).extracting(StatusTarget::substrateId).containsExactly("a");
        router.reload(policy("b", "c"));
        assertThat(source.targets).extracting(StatusTarget::substrateId).containsExactly("b", "c");
        assertThat(source.targets.get(0).every()).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void aFreshStatusIsAskedForWhenOwnLeasesMovedAndAtMostOnceASecond() {
        answer("worker", Statuses.idle(32));
        Placement placement = router.tryPlace(request).orElseThrow();
        answer("worker", Statuses.idle(32));
        assertThat(source.refreshed).containsExactly("a");
        answer("worker", Statuses.idle(32));
        answer("worker", Statuses.idle(32));
        assertThat(source.refreshed).hasSize(1);
        time.advance(Duration.ofSeconds(1));
        assertThat(source.refreshed).hasSize(2);
        placement.close();
    }

    @Test
    void aFreshStatusIsAskedForShortlyBeforeAFullWorkersMarkEnds() {
        answer("worker", Statuses.idle(32));
        router.tryPlace(request).orElseThrow().busy(Duration.ofSeconds(10));
        source.refreshed.clear();
        time.advance(Duration.ofMillis(8_900));
        assertThat(source.refreshed).isEmpty();
        time.advance(Duration.ofMillis(200));
        assertThat(source.refreshed).containsExactly("a");
        assertThat(router.tryPlace(request)).as("not answered yet").isEmpty();
        time.advance(Duration.ofSeconds(60));
        assertThat(source.refreshed).as("once").hasSize(1);
    }

    @Test
    void aFullWorkerThatHasLeftThePolicyIsNotAskedAgain() {
        answer("worker", Statuses.idle(32));
        router.tryPlace(request).orElseThrow().busy(Duration.ofSeconds(10));
        router.reload(policy("b"));
        source.refreshed.clear();
        time.advance(Duration.ofSeconds(60));
        assertThat(source.refreshed).doesNotContain("a");
    }

    @Test
    void throwingSourcesHurtNobody() {
        source.broken = true;
        router.reset("a");
        router.reload(policy("a", "b"));
        answer("worker", Statuses.idle(32));
        assertThat(admitted()).isTrue();
    }

    private static SubstrateStatus.Builder cards(double one, double two) {
        return SubstrateStatus.builder()
                .runningJobs(0)
                .gpu(GpuStatus.builder(0)
                        .utilPct(one)
                        .tempC(50)
                        .vramUsedGb(0)
                        .vramTotalGb(16)
                        .build())
                .gpu(GpuStatus.builder(1)
                        .utilPct(two)
                        .tempC(50)
                        .vramUsedGb(0)
                        .vramTotalGb(16)
                        .build());
    }

    private void answer(String from, SubstrateStatus status) {
        source.sink.asking("a", from).answered(status);
    }

    private boolean admitted() {
        Optional<Placement> placement = router.tryPlace(request);
        placement.ifPresent(Placement::close);
        time.advance(Duration.ofMillis(200)); // so that the next question does not fall into the window of this lease
        return placement.isPresent();
    }

    private String why() {
        return router.substrates().get(0).verdict().reason();
    }

    private static final class Hand implements StatusSource {
        private StatusSink sink;
        private List<StatusTarget> targets = List.of();
        private final List<String> refreshed = new ArrayList<>();
        private boolean closed;
        private boolean broken;

        @Override
        public void start(StatusSink to) {
            sink = to;
        }

        @Override
        public void targets(List<StatusTarget> all) {
            targets = all;
            if (broken) {
                throw new IllegalStateException("broken");
            }
        }

        @Override
        public void refresh(String substrateId) {
            refreshed.add(substrateId);
            if (broken) {
                throw new IllegalStateException("broken");
            }
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
