package dev.substraterouter.cases;

import static dev.substraterouter.cases.CaseRig.WORK;
import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.Placement;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.model.Measure;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.HealthLimits;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.status.SubstrateStatus;
import dev.substraterouter.testkit.HandDrivenTime;
import dev.substraterouter.testkit.Statuses;
import dev.substraterouter.trace.RouterEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Statuses that tell of no job although the router's own work runs there. */
@ExtendWith(QuietLog.class)
@Timeout(60)
class SuspectStatusTest {
    private static final Duration POLL = Duration.ofSeconds(5);
    private static final Duration LOAD = Duration.ofSeconds(20);

    private final HandSource source = new HandSource();
    private final HandDrivenTime time = new HandDrivenTime();

    private CaseRig rig(HealthLimits.Builder health, Candidate... route) {
        Policy.Builder policy = Policy.builder().health(health.build());
        for (Candidate candidate : route) {
            policy.substrate(Substrate.builder(candidate.on())
                    .endpoint("http://" + candidate.on() + ":30000")
                    .status("http://" + candidate.on() + ":30000/metrics")
                    .maxConcurrentJobs(2)
                    .build());
        }
        policy.workload(Workload.builder("work").route(route).build());
        SubstrateRouter.Builder builder = SubstrateRouter.builder()
                .timeSource(time)
                .executor(Runnable::run)
                .statusSource(source);
        return new CaseRig(policy.build(), time, builder);
    }

    private CaseRig rig() {
        return rig(HealthLimits.builder(), Candidate.builder("a").build());
    }

    private static SubstrateStatus.Builder jobs(int running, int queued) {
        return Statuses.healthy(24).runningJobs(running).queuedJobs(queued);
    }

    /** A round of polls: each takes 50 ms. */
    private void poll(SubstrateStatus status, String... from) {
        time.advance(POLL);
        for (String one : from) {
            source.poll("a", one, () -> time.advance(Duration.ofMillis(50)), status);
        }
    }

    private void polls(int times, SubstrateStatus status) {
        for (int at = 0; at < times; at++) {
            poll(status, "metrics");
        }
    }

    @Test
    @DisplayName(
            "statuses that never tell of the router's own work are suspect after three, and its own count wins [R22]")
    void ownCountWinsAndTheSourceIsSuspect() {
        try (CaseRig rig = rig()) {
            polls(1, jobs(0, 0).build());
            rig.takeAll(WORK);
            polls(2, jobs(0, 0).build());
            assertThat(rig.view("a").suspicions()).isEmpty();
            assertThat(rig.heard(RouterEvent.StatusSuspect.class)).isEmpty();
            polls(1, jobs(0, 0).build());
            assertThat(rig.view("a").suspicions())
                    .containsExactly("running jobs 0 in 3 statuses of 'metrics' while own work ran there"
                            + " (expected: >= 1); the router's own count holds");
            polls(20, jobs(0, 0).build());
            assertThat(rig.heard(RouterEvent.StatusSuspect.class))
                    .as("told once")
                    .hasSize(1);
            assertThat(rig.router.tryPlace(WORK)).as("two of its own run there").isEmpty();
            assertThat(rig.view("a").verdict().reason()).isEqualTo("jobs 2/2");
        }
    }

    @Test
    @DisplayName("a suspicion neither shuts out nor lets in anybody [R22]")
    void aSuspicionChangesNoDecision() {
        try (CaseRig rig = rig()) {
            polls(1, jobs(0, 0).build());
            Placement first = rig.place(WORK);
            polls(5, jobs(0, 0).build());
            assertThat(rig.view("a").suspicions()).hasSize(1);
            assertThat(rig.view("a").verdict().passes()).isTrue();
            try (Placement second = rig.place(WORK)) {
                assertThat(second.trace().attempts().get(0).considered().get(0).admissible())
                        .isTrue();
                assertThat(rig.router.tryPlace(WORK)).isEmpty();
            }
            first.succeed();
            polls(1, jobs(0, 0).build());
            assertThat(rig.takeAll(WORK)).hasSize(2);
        }
    }

    @Test
    @DisplayName("the first job that a suspect source tells of clears it, running or queued [R22]")
    void aToldJobClearsIt() {
        for (SubstrateStatus told : List.of(jobs(1, 0).build(), jobs(0, 1).build())) {
            try (CaseRig rig = rig()) {
                polls(1, jobs(0, 0).build());
                Placement placement = rig.place(WORK);
                polls(3, jobs(0, 0).build());
                assertThat(rig.view("a").suspicions()).hasSize(1);
                polls(1, told);
                assertThat(rig.view("a").suspicions()).isEmpty();
                polls(2, jobs(0, 0).build());
                assertThat(rig.view("a").suspicions()).as("it begins anew").isEmpty();
                polls(1, jobs(0, 0).build());
                assertThat(rig.heard(RouterEvent.StatusSuspect.class)).hasSize(2);
                placement.succeed();
            }
        }
    }

    @Test
    @DisplayName("work in short pieces is missed too: statuses between two pieces do not clear a suspicion [R22]")
    void gapsDoNotClearIt() {
        try (CaseRig rig = rig()) {
            for (int piece = 0; piece < 3; piece++) {
                assertThat(rig.view("a").suspicions()).isEmpty();
                polls(2, jobs(0, 0).build());
                Placement placement = rig.place(WORK);
                polls(1, jobs(0, 0).build());
                placement.succeed();
            }
            assertThat(rig.view("a").suspicions()).hasSize(1);
        }
    }

    @Test
    @DisplayName("nothing is suspected where no job could have been told yet, or none runs [R22]")
    void noSuspicionWithoutEvidence() {
        try (CaseRig rig = rig(
                HealthLimits.builder(), Candidate.builder("a").loadTime(LOAD).build())) {
            polls(10, jobs(0, 0).build());
            for (int round = 0; round < 5; round++) {
                Placement placement = rig.place(WORK);
                source.poll(
                        "a",
                        "metrics",
                        () -> time.advance(Duration.ofMillis(50)),
                        jobs(0, 0).build());
                polls(3, jobs(0, 0).build()); // 15 s: it may still be loading
                placement.succeed();
                polls(1, jobs(0, 0).build());
            }
            assertThat(rig.view("a").suspicions()).isEmpty();
            Placement loaded = rig.place(WORK);
            polls(6, jobs(0, 0).build());
            assertThat(rig.view("a").suspicions())
                    .as("the last three came after 20 s")
                    .hasSize(1);
            loaded.succeed();
        }
    }

    @Test
    @DisplayName("a source that does not tell the jobs is not suspected, nor is any where jobs are never judged [R22]")
    void unknownIsNotZero() {
        SubstrateStatus card = SubstrateStatus.builder()
                .gpuUtilPct(3)
                .vramUsedGb(0)
                .vramTotalGb(24)
                .gpuTempC(45)
                .build();
        try (CaseRig rig = rig(
                HealthLimits.builder().ignore(Measure.RUNNING_JOBS),
                Candidate.builder("a").build())) {
            polls(1, jobs(0, 0).build());
            rig.place(WORK);
            polls(5, jobs(0, 0).build());
            assertThat(rig.view("a").suspicions()).isEmpty();
            assertThat(rig.heard(RouterEvent.StatusSuspect.class)).isEmpty();
        }
        try (CaseRig rig = rig()) {
            poll(jobs(0, 0).build(), "metrics");
            rig.place(WORK);
            for (int at = 0; at < 5; at++) {
                poll(card, "card");
                source.poll(
                        "a",
                        "metrics",
                        () -> time.advance(Duration.ofMillis(50)),
                        jobs(1, 0).build());
            }
            assertThat(rig.view("a").suspicions()).isEmpty();
        }
    }

    @Test
    @DisplayName("of two sources only the one that tells of no job is suspect [R22]")
    void eachSourceByItself() {
        try (CaseRig rig = rig()) {
            poll(jobs(0, 0).build(), "front", "engine");
            rig.place(WORK);
            for (int at = 0; at < 4; at++) {
                poll(jobs(0, 0).build(), "front");
                source.poll(
                        "a",
                        "engine",
                        () -> time.advance(Duration.ofMillis(50)),
                        jobs(1, 0).build());
            }
            assertThat(rig.view("a").suspicions()).singleElement().asString().contains("'front'");
        }
    }

    @Test
    @DisplayName("a suspicion is one line of warning in the log, and does not outlive its source in the view [R22]")
    void oneWarning() {
        List<LogRecord> lines = new ArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord line) {
                lines.add(line);
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Level before = QuietLog.LOG.getLevel();
        QuietLog.LOG.addHandler(handler);
        QuietLog.LOG.setLevel(Level.WARNING); // whoever reads warnings only is told too
        try (CaseRig rig = rig()) {
            polls(1, jobs(0, 0).build());
            rig.place(WORK);
            polls(20, jobs(0, 0).build());
            assertThat(lines).singleElement().satisfies(line -> {
                assertThat(line.getLevel()).isEqualTo(Level.WARNING);
                assertThat(line.getMessage())
                        .contains("statuses of a are suspect")
                        .contains("3 statuses of 'metrics'");
            });
            for (int at = 0; at < 5; at++) {
                poll(jobs(1, 0).build(), "other");
            }
            assertThat(rig.view("a").suspicions())
                    .as("the first one went silent")
                    .isEmpty();
        } finally {
            QuietLog.LOG.removeHandler(handler);
            QuietLog.LOG.setLevel(before);
        }
    }
}
