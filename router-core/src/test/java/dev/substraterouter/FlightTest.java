package dev.substraterouter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.EjectionLimits;
import dev.substraterouter.policy.HealthLimits;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.PolicyException;
import dev.substraterouter.policy.PolicyProblem;
import dev.substraterouter.policy.PolicySink;
import dev.substraterouter.policy.PolicySource;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.testkit.HandDrivenTime;
import dev.substraterouter.testkit.Statuses;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the flight recorder is told. */
class FlightTest {
    private static final RouteRequest FLUX = RouteRequest.workload("flux");

    private final HandDrivenTime time = new HandDrivenTime();

    @TempDir
    Path folder;

    private SubstrateRouter router() {
        SubstrateRouter router = SubstrateRouter.builder()
                .policy(policy())
                .timeSource(time)
                .executor(Runnable::run)
                .traceContext(() -> "0af7651916cd43dd8448eb211c80319c")
                .log(false)
                .build();
        router.reportStatus("a", Statuses.idle(24));
        router.reportStatus("b", Statuses.idle(24));
        return router;
    }

    private static Policy policy() {
        return Policy.builder()
                .health(HealthLimits.builder().staleAfter(Duration.ofDays(1)).build())
                .ejection(EjectionLimits.builder().consecutiveFaults(1).build())
                .substrate(
                        Substrate.builder("a").vramGb(24).maxConcurrentJobs(1).build())
                .substrate(
                        Substrate.builder("b").vramGb(24).maxConcurrentJobs(1).build())
                .workload(Workload.builder("flux").vramGb(8).route("a", "b").build())
                .build();
    }

    private Recording recording() {
        Recording recording = new Recording();
        List.of("Decision", "Wait", "Ejection", "Reload")
                .forEach(event -> recording.enable("dev.substraterouter." + event));
        recording.start();
        return recording;
    }

    private List<RecordedEvent> recorded(Recording recording, String event) throws IOException {
        Path file = folder.resolve(event + ".jfr");
        recording.dump(file);
        return RecordingFile.readAllEvents(file).stream()
                .filter(one -> one.getEventType().getName().equals("dev.substraterouter." + event))
                .sorted(Comparator.comparing(RecordedEvent::getStartTime)) // the recorder's buffers are not
                .toList();
    }

    @Test
    void aDecisionIsRecorded() throws Exception {
        try (SubstrateRouter router = router();
                Recording recording = recording()) {
            assertThat(router.tryPlace(FLUX.requestId("r-1"))).isPresent();
            router.reportStatus("a", Statuses.loaded(24));
            assertThat(router.tryPlace(FLUX.requestId("r-2"))).isPresent();
            assertThat(router.tryPlace(FLUX.requestId("r-3"))).isEmpty();

            List<RecordedEvent> events = recorded(recording, "Decision");
            assertThat(events).extracting(event -> event.getString("requestId")).containsExactly("r-1", "r-2", "r-3");
            assertThat(events).extracting(event -> event.getString("substrate")).containsExactly("a", "b", "none");
            assertThat(events)
                    .extracting(event -> event.getString("path"))
                    .containsExactly("primary", "fallback", "none");
            assertThat(events)
                    .extracting(event -> event.getString("reason"))
                    .containsExactly("none", "running_jobs", "no_wait");
            assertThat(events).extracting(event -> event.getInt("attempt")).containsExactly(1, 1, 0);
            assertThat(events).allSatisfy(event -> {
                assertThat(event.getString("workload")).isEqualTo("flux");
                assertThat(event.getString("traceId")).isEqualTo("0af7651916cd43dd8448eb211c80319c");
                assertThat(event.getLong("revision")).isEqualTo(1);
                assertThat(event.getDuration()).isPositive();
                assertThat(event.getStackTrace()).isNull();
                assertThat(event.getEventType().getCategoryNames()).containsExactly("Substrate Router");
            });
        }
    }

    @Test
    void everyAttemptOfACallIsADecision() throws Exception {
        try (SubstrateRouter router = router();
                Recording recording = recording()) {
            router.call(FLUX.requestId("r-1"), placement -> {
                if (placement.attempt() == 1) {
                    throw new IOException("boom");
                }
                return placement.substrateId();
            });

            List<RecordedEvent> events = recorded(recording, "Decision");
            assertThat(events).extracting(event -> event.getInt("attempt")).containsExactly(1, 2);
            assertThat(events).extracting(event -> event.getString("substrate")).containsExactly("a", "b");
            List<RecordedEvent> ejections = recorded(recording, "Ejection");
            assertThat(ejections).hasSize(1);
            assertThat(ejections.get(0).getString("substrate")).isEqualTo("a");
            assertThat(ejections.get(0).getString("state")).isEqualTo("ejected");
            assertThat(ejections.get(0).getInt("faults")).isEqualTo(1);
            assertThat(ejections.get(0).getDuration("window")).isGreaterThan(Duration.ofSeconds(1));
        }
    }

    @Test
    void anEjectionEndsWithItsTrialOrAReset() throws Exception {
        try (SubstrateRouter router = router();
                Recording recording = recording()) {
            router.tryPlace(FLUX).orElseThrow().nodeFault(new IOException("boom"));
            router.reset("a");
            assertThat(recorded(recording, "Ejection"))
                    .extracting(event -> event.getString("state"))
                    .containsExactly("ejected", "returned");
        }
    }

    @Test
    void aWaitIsRecordedWithItsEnd() throws Exception {
        try (SubstrateRouter router = router();
                Recording recording = recording()) {
            Placement held = router.tryPlace(FLUX).orElseThrow();
            assertThat(router.tryPlace(FLUX)).isPresent();
            CompletableFuture<Placement> served =
                    router.placeAsync(FLUX.requestId("w-1").priority(Priority.HIGH));
            CompletableFuture<Placement> cancelled = router.placeAsync(FLUX.requestId("w-2"));
            CompletableFuture<Placement> late =
                    router.placeAsync(FLUX.requestId("w-3").maxWait(Duration.ofSeconds(2)));
            held.succeed();
            cancelled.cancel(true);
            time.advance(Duration.ofSeconds(3));

            assertThat(served).isCompleted();
            assertThat(late).isCompletedExceptionally();
            List<RecordedEvent> events = recorded(recording, "Wait");
            assertThat(events).extracting(event -> event.getString("requestId")).containsExactly("w-1", "w-2", "w-3");
            assertThat(events)
                    .extracting(event -> event.getString("end"))
                    .containsExactly("placed", "withdrawn", "wait_expired");
            assertThat(events)
                    .extracting(event -> event.getString("priority"))
                    .containsExactly("high", "normal", "normal");
            assertThat(events)
                    .allSatisfy(event -> assertThat(event.getDuration()).isPositive());
        }
    }

    @Test
    void aReloadIsRecorded() throws Exception {
        try (SubstrateRouter router = router();
                Recording recording = recording()) {
            router.reload(policy());
            List<RecordedEvent> events = recorded(recording, "Reload");
            assertThat(events).hasSize(1);
            assertThat(events.get(0).getLong("revision")).isEqualTo(2);
            assertThat(events.get(0).getBoolean("accepted")).isTrue();
            assertThat(events.get(0).getInt("problems")).isZero();
            assertThat(events.get(0).getDuration()).isPositive();
        }
    }

    @Test
    void aPolicyThatIsTurnedDownIsRecorded() throws Exception {
        List<PolicySink> sinks = new ArrayList<>();
        PolicySource source = new PolicySource() {
            @Override
            public Policy current() {
                return policy();
            }

            @Override
            public void start(PolicySink sink) {
                sinks.add(sink);
            }

            @Override
            public void close() {}
        };
        try (SubstrateRouter fed = SubstrateRouter.builder()
                        .policySource(source)
                        .log(false)
                        .build();
                Recording recording = recording()) {
            sinks.get(0)
                    .rejected(new PolicyException(
                            List.of(PolicyProblem.of("bad", "", "bad"), PolicyProblem.of("worse", "", "worse"))));
            RecordedEvent event = recorded(recording, "Reload").get(0);
            assertThat(event.getBoolean("accepted")).isFalse();
            assertThat(event.getInt("problems")).isEqualTo(2);
            assertThat(event.getLong("revision")).isEqualTo(1);
            assertThat(fed.figures().rejectedReloads()).isEqualTo(1);
        }
    }

    @Test
    void aThresholdAndNoWishAreKept() throws Exception {
        try (SubstrateRouter router = router();
                Recording recording = new Recording()) {
            recording.disable("dev.substraterouter.Decision");
            recording.enable("dev.substraterouter.Wait").withThreshold(Duration.ofHours(1));
            recording.start();
            assertThat(router.tryPlace(FLUX)).isPresent();
            assertThat(router.tryPlace(FLUX)).isPresent();
            router.placeAsync(FLUX).cancel(true);
            assertThat(recorded(recording, "Decision")).isEmpty();
            assertThat(recorded(recording, "Wait")).isEmpty();
        }
    }

    @Test
    void noMoreDecisionsAreRecordedInASecondThanItCanBear() throws Exception {
        try (SubstrateRouter router = router();
                Recording recording = recording()) {
            for (int request = 0; request < 10_500; request++) {
                router.tryPlace(FLUX).orElseThrow().succeed();
            }
            time.advance(Duration.ofSeconds(1));
            router.tryPlace(FLUX).orElseThrow().succeed();
            List<RecordedEvent> events = recorded(recording, "Decision");
            assertThat(events).hasSize(10_001);
            RecordedEvent last = events.get(10_000);
            assertThat(last.getLong("number")).isEqualTo(10_501);
            assertThat(last.getString("requestId")).isNull();
            String given = router.recentTraces().get(0).requestId();
            assertThat(last.getString("router") + "-" + last.getLong("number")).isEqualTo(given);
        }
    }

    /** In a runtime without the recorder, and without Micrometer, everything else works; while nobody records, its classes stay out. */
    @Test
    void withoutTheRecorderEverythingElseWorks() throws Exception {
        assertThat(child("--limit-modules", "java.base")).isEqualTo("placed");
        assertThat(child("-verbose:class"))
                .doesNotContain("FlightEvents")
                .doesNotContain("io.micrometer")
                .contains("placed");
    }

    private static String child(String... options) throws Exception {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(List.of(options));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), PlacesOne.class.getName()));
        Process child = new ProcessBuilder(command).redirectErrorStream(true).start();
        String told = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(child.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(child.exitValue()).as(told).isZero();
        return told.strip();
    }

    /** A host that places one request, with an id of its own trace. */
    static final class PlacesOne {
        private PlacesOne() {}

        public static void main(String[] args) throws Exception {
            try (SubstrateRouter router = SubstrateRouter.builder()
                    .policy(policy())
                    .traceContext(() -> "t")
                    .log(false)
                    .build()) {
                router.reportStatus("a", Statuses.idle(24));
                router.reportStatus("b", Statuses.idle(24));
                String trace = router.call(
                        FLUX, placement -> placement.trace().traceId().orElseThrow());
                router.reload(policy());
                System.out.println(trace.equals("t") ? "placed" : trace);
            }
        }
    }
}
