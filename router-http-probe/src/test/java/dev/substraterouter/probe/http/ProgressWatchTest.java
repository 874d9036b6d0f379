package dev.substraterouter.probe.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.status.SubstrateStatus;
import dev.substraterouter.testkit.HandDrivenTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** That a server answers, that it is ready, and that its work moves on are three facts (FACTS.md, 14: 1, 2, 3, 4, 20, 23, 34, 66). */
class ProgressWatchTest {
    private static final Duration GRACE = Duration.ofSeconds(120);

    private final HandDrivenTime time = new HandDrivenTime(Long.MAX_VALUE - 1_000_000_000L); // wraps on the way
    private final ProgressWatch watch = new ProgressWatch(time, GRACE);

    private SubstrateStatus after(int seconds, int running, double counter) {
        return after(
                seconds,
                SubstrateStatus.builder().runningJobs(running).progress(counter).build());
    }

    private SubstrateStatus after(int seconds, SubstrateStatus said) {
        time.advance(Duration.ofSeconds(seconds));
        return watch.judged(said);
    }

    @Test
    void jobsWithoutProgressForTheGraceAreStalled() {
        assertThat(after(0, 2, 10).reachable()).isTrue();
        assertThat(after(119, 2, 10).reachable()).isTrue();

        SubstrateStatus stalled = after(1, 2, 10);

        assertThat(stalled.reachable()).isFalse();
        assertThat(stalled.notReady()).hasValue("stalled: 2 jobs and no progress for 120 s");
        assertThat(stalled.attributes()).containsEntry("progressing", "false");
        assertThat(stalled.runningJobs()).hasValue(2);
    }

    @Test
    void aStalledServerThatMovesAgainIsReady() {
        after(0, 2, 10);
        assertThat(after(120, 2, 10).reachable()).isFalse();

        SubstrateStatus moving = after(5, 2, 11);

        assertThat(moving.reachable()).isTrue();
        assertThat(moving.attributes()).containsEntry("progressing", "true");
        assertThat(after(119, 2, 11).reachable()).isTrue();
        assertThat(after(1, 2, 11).reachable()).isFalse();
    }

    @Test
    void aQueueWithNothingRunningStallsTooAndKeepsBothFigures() {
        SubstrateStatus said = SubstrateStatus.builder()
                .runningJobs(0)
                .queuedJobs(900)
                .progress(10)
                .build();
        after(0, said);

        SubstrateStatus stalled = after(120, said);

        assertThat(stalled.reachable()).isFalse();
        assertThat(stalled.runningJobs()).hasValue(0);
        assertThat(stalled.queuedJobs()).hasValue(900);
    }

    @Test
    void anIdleServerNeverStallsAndProvesNothing() {
        after(0, 0, 10);

        SubstrateStatus idle = after(100_000, 0, 10);

        assertThat(idle.reachable()).isTrue();
        assertThat(idle.attributes()).doesNotContainKey("progressing");
        assertThat(after(5, 1, 10).reachable()).isTrue(); // the grace begins with the work
        assertThat(after(119, 1, 10).reachable()).isTrue();
        assertThat(after(1, 1, 10).reachable()).isFalse();
    }

    @Test
    void aRestartIsASignOfLifeAndNoWorkDone() {
        after(0, 1, 10);
        after(119, 1, 10);

        SubstrateStatus restarted = after(1, 1, 0);

        assertThat(restarted.reachable()).isTrue();
        assertThat(restarted.lastRequest()).isEmpty();
    }

    @Test
    void whenTheCounterLastMovedIsWhenItWasLastAtWork() {
        Instant wall = time.wall();
        assertThat(after(0, 1, 10).lastRequest()).isEmpty();
        assertThat(after(5, 1, 11).lastRequest()).hasValue(wall.plusSeconds(5));
        assertThat(after(60, 0, 11).lastRequest()).hasValue(wall.plusSeconds(5));
    }

    @Test
    void whatTheServerSaysOfItsLastRequestComesFirst() {
        Instant said = Instant.parse("2026-01-01T00:00:00Z");
        after(0, 1, 10);

        SubstrateStatus status = after(
                5,
                SubstrateStatus.builder()
                        .runningJobs(1)
                        .progress(11)
                        .lastRequest(said)
                        .build());

        assertThat(status.lastRequest()).hasValue(said);
    }

    @Test
    void jobsThatAreNotKnownAreNoStall() {
        SubstrateStatus said = SubstrateStatus.builder().progress(10).build();
        after(0, said);
        assertThat(after(500, said).reachable()).isTrue();
    }

    @Test
    void aServerWithoutACounterIsLeftAsItIs() {
        SubstrateStatus said = SubstrateStatus.builder().runningJobs(3).build();
        after(0, said);
        assertThat(after(500, said)).isSameAs(said);
    }

    @Test
    void aPageOfVllmAfterAMassAbortIsStalledUntilItsStepsMove() throws Exception {
        String frozen = """
                vllm:num_requests_running{engine="0"} 17.0
                vllm:num_requests_waiting{engine="0"} 42.0
                vllm:iteration_tokens_total_count{engine="0"} 4100.0
                """;
        after(0, Answers.ok("vllm", frozen));
        assertThat(after(120, Answers.ok("vllm", frozen)).reachable()).isFalse();
        assertThat(after(5, Answers.ok("vllm", frozen.replace("4100", "4101"))).reachable())
                .isTrue();
    }

    @Test
    void aQueueOfTgiThatOnlyRisesIsStalled() throws Exception {
        String page = "tgi_queue_size 9\ntgi_batch_current_size 4\ntgi_request_success 500\n";
        after(0, Answers.ok("tgi", page));
        assertThat(after(120, Answers.ok("tgi", page.replace("9", "90"))).reachable())
                .isFalse();
    }

    @Test
    void aGapInWhichNobodyAskedIsNoStall() {
        after(5, 0, 17);
        assertThat(after(180, 1, 17).reachable())
                .as("the job may have begun just now")
                .isTrue();
        assertThat(after(119, 1, 17).reachable()).isTrue();
        assertThat(after(1, 1, 17).reachable()).isFalse();
    }

    @Test
    void aVerdictLapsesSoThatAServerWithFrozenGaugesIsTriedAgain() {
        after(5, 1, 17);
        assertThat(after(599, 1, 17).reachable()).isFalse();
        assertThat(after(1, 1, 17).reachable()).as("tried again").isTrue();
        assertThat(after(119, 1, 17).reachable()).isTrue();
        assertThat(after(1, 1, 17).reachable()).isFalse();
    }
}
