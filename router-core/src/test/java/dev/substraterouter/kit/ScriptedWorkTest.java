package dev.substraterouter.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.testkit.HandDrivenTime;
import dev.substraterouter.testkit.LeakCheck;
import dev.substraterouter.testkit.Policies;
import dev.substraterouter.testkit.Recorder;
import dev.substraterouter.testkit.ScriptedWork;
import dev.substraterouter.testkit.Statuses;
import dev.substraterouter.trace.RouterEvent;
import java.net.ConnectException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ScriptedWorkTest {
    private static final RouteRequest FILL = RouteRequest.workload("flux-fill");

    private final HandDrivenTime time = new HandDrivenTime();
    private final Recorder recorder = new Recorder();
    private final SubstrateRouter router = SubstrateRouter.builder()
            .policy(Policies.smallest())
            .timeSource(time)
            .executor(Runnable::run)
            .listener(recorder)
            .traceSink(recorder)
            .log(false)
            .build();

    @BeforeEach
    void healthy() {
        router.reportStatus("mirrorforge", Statuses.idle(64));
        router.reportStatus("legion", Statuses.idle(32));
    }

    @AfterEach
    void nothingIsLeft() {
        router.close();
        assertThat(LeakCheck.held(router)).isEmpty();
        assertThat(LeakCheck.scheduled(time)).isEmpty();
    }

    @Test
    void doesWhatIsWrittenAndThenAnswers() throws Exception {
        ScriptedWork<String> work = ScriptedWork.answering("image")
                .thenFail(new ConnectException("refused"))
                .thenAnswer("second")
                .thenBusy(Duration.ofSeconds(1));

        assertThat(router.call(FILL, work)).isEqualTo("second");
        assertThat(router.call(FILL, work)).as("busy at first").isEqualTo("image");

        assertThat(work.substrates()).containsExactly("legion", "mirrorforge", "legion", "mirrorforge");
        assertThat(work.calls()).isEqualTo(4);
        assertThat(recorder.heard(RouterEvent.Failed.class)).hasSize(2);
        assertThat(recorder.traces()).hasSize(2);
    }

    @Test
    void failsWithTheVeryException() {
        IllegalArgumentException mine = new IllegalArgumentException("bad prompt");
        assertThatThrownBy(() -> router.call(FILL, ScriptedWork.answering("").thenFail(mine)))
                .isSameAs(mine);
    }

    @Test
    void aStageStaysOpenUntilItIsReleased() {
        ScriptedWork<String> work = ScriptedWork.answering("image").thenBlock().thenBlock();
        CompletableFuture<String> first = router.callAsync(FILL, work);
        CompletableFuture<String> second = router.callAsync(FILL, work);
        assertThat(first).isNotDone();
        assertThat(LeakCheck.held(router))
                .containsExactly("mirrorforge: leases: 1 (expected: 0)", "legion: leases: 1 (expected: 0)");

        work.release();
        assertThat(first).isCompletedWithValue("image");
        work.fail(new IllegalArgumentException("bad prompt"));
        assertThat(second).isCompletedExceptionally();
        assertThatThrownBy(work::release).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aCallBlocksItsThreadUntilItIsReleased() throws Exception {
        ScriptedWork<String> work = ScriptedWork.answering("image").thenBlock();
        CompletableFuture<String> answer = new CompletableFuture<>();
        Thread caller = new Thread(() -> {
            try {
                answer.complete(router.call(FILL, work));
            } catch (Exception failure) {
                answer.completeExceptionally(failure);
            }
        });
        caller.start();
        assertThat(work.awaitCalls(1, Duration.ofSeconds(20))).isTrue();
        assertThat(answer).isNotDone();
        work.release();
        assertThat(answer.get(20, TimeUnit.SECONDS)).isEqualTo("image");
        caller.join();
        assertThat(work.substrates()).isEqualTo(List.of("legion"));
    }
}
