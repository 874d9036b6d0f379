package dev.substraterouter.probe.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substraterouter.model.StatusAddress;
import dev.substraterouter.probe.http.FakeAskers.Question;
import dev.substraterouter.status.StatusTarget;
import dev.substraterouter.status.StatusTicket;
import dev.substraterouter.status.SubstrateStatus;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** When addresses are asked, under hand-driven time: no socket, one thread. */
class ScheduleTest {
    private static final Duration EVERY = Duration.ofSeconds(5);
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final ManualTime time = new ManualTime();
    private final FakeAskers askers = new FakeAskers(time);
    private final RecordingSink sink = new RecordingSink();
    private final HttpStatusProbe probe = probe(7, Runnable::run);

    private HttpStatusProbe probe(long seed, Executor executor) {
        return HttpStatusProbe.builder()
                .timeSource(time)
                .executor(executor)
                .seed(seed)
                .askers(() -> askers)
                .build();
    }

    private static StatusTarget target(String id, String... urls) {
        return new StatusTarget(
                id,
                Arrays.stream(urls)
                        .map(url -> StatusAddress.of(URI.create(url)))
                        .toList(),
                EVERY,
                TIMEOUT);
    }

    private static StatusTarget target(String id) {
        return target(id, "http://" + id + ":9100/status");
    }

    private void startWith(StatusTarget... targets) {
        probe.start(sink);
        probe.targets(List.of(targets));
    }

    /** Starts with one target and lets its first question out. */
    private Question startWithOne() {
        startWith(target("a"));
        time.advance(Duration.ofMillis(20));
        assertThat(askers.questions).hasSize(1);
        return askers.last();
    }

    @Test
    void askedInTurnGiveOrTakeTenPercent() {
        askers.answersAtOnce = true;
        startWith(target("a"));
        time.advance(Duration.ofMinutes(10));

        List<Long> gaps = gaps(askers.questions);
        assertThat(gaps).hasSizeBetween(108, 133);
        assertThat(gaps).allMatch(gap -> gap >= 4_500_000_000L && gap <= 5_500_000_000L);
        assertThat(gaps.stream().distinct().count()).isGreaterThan(100);
    }

    private static List<Long> gaps(List<Question> questions) {
        return IntStream.range(1, questions.size())
                .mapToObj(i -> questions.get(i).nanos() - questions.get(i - 1).nanos())
                .toList();
    }

    @Test
    @DisplayName("the first questions to 200 substrates are spread over 20 ms each [J52]")
    void firstQuestionsAreSpread() {
        askers.answersAtOnce = true;
        long start = time.nanos();
        startWith(targets(200));
        time.advance(Duration.ofMillis(4_000));

        assertThat(askers.questions).hasSize(200);
        for (int second = 0; second < 4; second++) {
            long from = start + second * 1_000_000_000L;
            assertThat(askers.questions.stream()
                            .filter(q -> q.nanos() - from >= 0 && q.nanos() - from < 1_000_000_000L))
                    .hasSizeBetween(48, 52);
        }
    }

    @Test
    void theSpreadIsNeverLongerThanTheInterval() {
        startWith(targets(2_000));
        time.advance(EVERY);

        assertThat(askers.questions.stream().map(Question::where).distinct()).hasSize(2_000);
    }

    private static StatusTarget[] targets(int count) {
        return IntStream.range(0, count).mapToObj(i -> target("s" + i)).toArray(StatusTarget[]::new);
    }

    @Test
    @DisplayName("two probes that start together do not stay in phase [J52]")
    void twoProbesDoNotStayInPhase() {
        askers.answersAtOnce = true;
        FakeAskers others = new FakeAskers(time);
        others.answersAtOnce = true;
        HttpStatusProbe other = HttpStatusProbe.builder()
                .timeSource(time)
                .executor(Runnable::run)
                .seed(8)
                .askers(() -> others)
                .build();
        startWith(target("a"));
        other.start(sink);
        other.targets(List.of(target("a")));
        time.advance(Duration.ofMinutes(1));

        List<Long> apart = IntStream.range(0, 10)
                .mapToObj(i -> Math.abs(askers.questions.get(i).nanos()
                        - others.questions.get(i).nanos()))
                .toList();
        assertThat(apart.stream().distinct()).hasSize(10);
        assertThat(apart).anyMatch(gap -> gap > 100_000_000L);
    }

    @Test
    void theSameSeedGivesTheSameTimes() {
        FakeAskers others = new FakeAskers(time);
        HttpStatusProbe other = HttpStatusProbe.builder()
                .timeSource(time)
                .executor(Runnable::run)
                .seed(7)
                .askers(() -> others)
                .build();
        other.start(sink);
        other.targets(List.of(targets(50)));
        startWith(targets(50));
        time.advance(Duration.ofSeconds(1));

        assertThat(others.questions.stream().map(Question::nanos))
                .isEqualTo(askers.questions.stream().map(Question::nanos).toList());
    }

    @Test
    void withoutASeedEachProbeHasItsOwnTimes() {
        FakeAskers others = new FakeAskers(time);
        for (FakeAskers each : List.of(askers, others)) {
            HttpStatusProbe own = HttpStatusProbe.builder()
                    .timeSource(time)
                    .executor(Runnable::run)
                    .askers(() -> each)
                    .build();
            own.start(sink);
            own.targets(List.of(targets(50)));
        }
        time.advance(Duration.ofSeconds(1));

        assertThat(others.questions.stream().map(Question::nanos).toList())
                .isNotEqualTo(askers.questions.stream().map(Question::nanos).toList());
    }

    @Test
    void theTimeLimitCoversTheWholeQuestion() {
        Question first = startWithOne();
        time.advance(TIMEOUT);

        assertThat(sink.reasons("a")).containsExactly("timed out after 2.0 s (a:9100)");
        assertThat(first.isCancelled()).isTrue();
        first.reply().answered(FakeAskers.IDLE);
        assertThat(sink.answers("a")).isZero();
    }

    @Test
    void aMissedAnswerIsReportedAndTheNextQuestionComesInTurn() {
        askers.answersAtOnce = true;
        startWithOne();
        askers.answersAtOnce = false;
        time.advance(Duration.ofMillis(5_500));
        askers.last().reply().failed("reset");
        askers.answersAtOnce = true;
        time.advance(Duration.ofSeconds(60));

        assertThat(sink.reasons("a")).containsExactly("reset");
        assertThat(sink.answers("a")).isGreaterThan(9);
    }

    @Test
    @DisplayName("after an edge the next question comes within a second, after none in turn [J53]")
    void edgesAreConfirmedSoon() {
        startWithOne().reply().answered(FakeAskers.IDLE);
        assertNextComesInTurn();
        askers.last().reply().failed("reset");
        assertNextComesWithinASecond();
        askers.last().reply().failed("reset");
        assertNextComesInTurn();
        askers.last().reply().answered(FakeAskers.IDLE);
        assertNextComesWithinASecond();
        askers.last()
                .reply()
                .answered(SubstrateStatus.builder().reachable(false).build());
        assertNextComesWithinASecond();
        askers.last().reply().failed("connection refused");
        assertNextComesInTurn();
    }

    @Test
    @DisplayName("a first question that fails is an edge [J53]")
    void aFirstFailureIsAnEdge() {
        startWithOne().reply().failed("connection refused");
        assertNextComesWithinASecond();
    }

    @Test
    @DisplayName("an edge never makes the interval longer [J53]")
    void edgesNeverLengthenAShortInterval() {
        StatusTarget quick =
                new StatusTarget("a", target("a").addresses(), Duration.ofMillis(100), Duration.ofMillis(50));
        startWith(quick);
        time.advance(Duration.ofMillis(20));
        askers.last().reply().failed("reset");
        time.advance(Duration.ofMillis(110));

        assertThat(askers.questions).hasSize(2);
    }

    private void assertNextComesWithinASecond() {
        int before = askers.questions.size();
        time.advance(Duration.ofMillis(999));
        assertThat(askers.questions).hasSize(before);
        time.advance(Duration.ofMillis(1));
        assertThat(askers.questions).hasSize(before + 1);
    }

    private void assertNextComesInTurn() {
        int before = askers.questions.size();
        time.advance(Duration.ofMillis(4_499));
        assertThat(askers.questions).hasSize(before);
        time.advance(Duration.ofMillis(1_001));
        assertThat(askers.questions).hasSize(before + 1);
    }

    @Test
    void aHangingAddressIsAskedAgainOnlyAfterItsTimeLimitAndDelaysNoOther() {
        startWith(target("a"), target("b"));
        for (int i = 0; i < 600; i++) {
            time.advance(Duration.ofMillis(100));
            for (Question question : List.copyOf(askers.questions)) {
                if (question.where().url().getHost().equals("b") && !question.isCancelled()) {
                    question.reply().answered(FakeAskers.IDLE);
                }
            }
        }
        assertThat(sink.answers("b")).isBetween(10L, 14L);
        assertThat(sink.reasons("a")).hasSizeBetween(10, 14);
    }

    @Test
    void refreshAsksAtOnceAndTheRhythmStartsAnew() {
        startWithOne().reply().answered(FakeAskers.IDLE);
        time.advance(Duration.ofSeconds(3));
        probe.refresh("a");

        assertThat(askers.questions).hasSize(2);
        askers.last().reply().answered(FakeAskers.IDLE);
        assertNextComesInTurn();
    }

    @Test
    void refreshBeforeTheFirstQuestionTakesItsPlace() {
        startWith(target("a"));
        probe.refresh("a");
        askers.last().reply().answered(FakeAskers.IDLE);
        time.advance(Duration.ofSeconds(4));

        assertThat(askers.questions).hasSize(1);
        assertThat(time.scheduled()).isOne();
    }

    @Test
    void aRefreshFromWithinTheAnswerLeavesOneTimer() {
        HttpStatusProbe own = probe(1, Runnable::run);
        boolean[] once = {true};
        own.start((id, source) -> new StatusTicket() {
            @Override
            public void answered(SubstrateStatus status) {
                if (once[0]) {
                    once[0] = false;
                    own.refresh(id);
                }
            }

            @Override
            public void failed(String reason) {}
        });
        askers.answersAtOnce = true;
        own.targets(List.of(target("a")));
        time.advance(Duration.ofMillis(20));

        assertThat(askers.questions).hasSize(2);
        assertThat(time.scheduled()).isOne();
        own.close();
        assertThat(time.scheduled()).isZero();
    }

    @Test
    void refreshesDuringAQuestionGiveExactlyOneMoreRightAfterIt() {
        Question first = startWithOne();
        probe.refresh("a");
        probe.refresh("a");
        probe.refresh("a");
        assertThat(askers.questions).hasSize(1);
        first.reply().answered(FakeAskers.IDLE);

        assertThat(askers.questions).hasSize(2);
        askers.last().reply().answered(FakeAskers.IDLE);
        assertThat(askers.questions).hasSize(2);
        assertNextComesInTurn();
    }

    @Test
    void refreshOfAHangingAddressFollowsItsTimeLimit() {
        startWithOne();
        probe.refresh("a");
        time.advance(TIMEOUT);

        assertThat(askers.questions).hasSize(2);
        assertThat(askers.questions.get(0).isCancelled()).isTrue();
    }

    @Test
    void refreshOfAnUnknownSubstrateIsLeftAlone() {
        probe.refresh("a");
        startWith(target("a"));
        probe.refresh("b");

        assertThat(askers.questions).isEmpty();
    }

    @Test
    void addressesOfOneSubstrateAreAskedEachByItself() {
        startWith(target("a", "http://a:1/status", "http://a:2/status"));
        time.advance(Duration.ofMillis(20));
        assertThat(askers.questions).hasSize(2);
        askers.questions.get(0).reply().answered(FakeAskers.IDLE);
        time.advance(TIMEOUT);

        assertThat(sink.of("a").stream().map(a -> a.source).toList())
                .containsExactly("http://a:1/status", "http://a:2/status");
        assertThat(sink.answers("a")).isOne();
        assertThat(sink.reasons("a")).hasSize(1);
        probe.refresh("a");
        assertThat(askers.questions).hasSize(4);
    }

    @Test
    void sourcesAreNamedWithoutUserInfoAndQueryAndApartAllTheSame() {
        startWith(target("a", "http://u:pw@a:1/status?key=1", "http://a:1/status?key=2#x", "http://a/", "mailto:x"));
        time.advance(Duration.ofMillis(20));

        assertThat(sink.of("a").stream().map(a -> a.source).toList())
                .containsExactly("http://a:1/status", "http://a:1/status #2", "http://a/", "status");
    }

    @Test
    @DisplayName("a substrate that is removed is no longer asked, and its late answer is dropped [R83]")
    void removedSubstratesStop() {
        Question first = startWithOne();
        probe.targets(List.of());

        assertThat(first.isCancelled()).isTrue();
        assertThat(time.scheduled()).isZero();
        first.reply().answered(FakeAskers.IDLE);
        first.reply().failed("late");
        probe.refresh("a");
        time.advance(Duration.ofMinutes(1));
        assertThat(askers.questions).hasSize(1);
        assertThat(sink.of("a")).noneMatch(RecordingSink.Asked::done);
    }

    @Test
    void theSameTargetsKeepTheirRhythmAndWhatIsInFlight() {
        Question first = startWithOne();
        probe.targets(List.of(target("a")));
        assertThat(first.isCancelled()).isFalse();
        first.reply().answered(FakeAskers.IDLE);
        assertThat(sink.answers("a")).isOne();
        time.advance(Duration.ofSeconds(3));
        probe.targets(List.of(target("a"), target("b")));
        time.advance(Duration.ofMillis(1_400));
        assertThat(sink.of("a")).hasSize(1);
        time.advance(Duration.ofMillis(1_101));

        assertThat(sink.of("a")).hasSize(2);
    }

    @Test
    void changedAddressesAndIntervalsTakeEffect() {
        Question first = startWithOne();
        probe.targets(List.of(target("a", "http://elsewhere:9100/status")));
        assertThat(first.isCancelled()).isTrue();
        time.advance(Duration.ofMillis(20));
        assertThat(askers.last().where().url()).isEqualTo(URI.create("http://elsewhere:9100/status"));

        askers.answersAtOnce = true;
        probe.targets(List.of(
                new StatusTarget("a", target("a").addresses(), Duration.ofMillis(100), Duration.ofMillis(100))));
        int before = askers.questions.size();
        time.advance(Duration.ofSeconds(1));
        assertThat(askers.questions.size() - before).isBetween(9, 12);
    }

    @Test
    void anIntervalOfNothingIsHeldToALeastOne() {
        askers.answersAtOnce = true;
        startWith(new StatusTarget("a", target("a").addresses(), Duration.ZERO, Duration.ZERO));
        time.advance(Duration.ofSeconds(1));

        assertThat(askers.questions).hasSizeBetween(80, 120);
    }

    @Test
    void anIntervalWithoutEndDoesNotOverflow() {
        askers.answersAtOnce = true;
        Duration endless = Duration.ofSeconds(Long.MAX_VALUE);
        startWith(new StatusTarget("a", target("a").addresses(), endless, endless));
        time.advance(Duration.ofDays(1));

        assertThat(askers.questions).hasSize(1);
    }

    @Test
    void aTargetGivenTwiceIsAskedOnce() {
        startWith(target("a"), target("a"));
        time.advance(Duration.ofSeconds(1));
        assertThat(askers.questions).hasSize(1);
        probe.targets(List.of(target("a"), target("a"), target("a")));
        askers.last().reply().answered(FakeAskers.IDLE);
        probe.refresh("a");

        assertThat(askers.questions).hasSize(2);
    }

    @Test
    void targetsMayComeBeforeTheStart() {
        probe.targets(List.of(target("a")));
        time.advance(EVERY);
        assertThat(askers.questions).isEmpty();
        probe.start(sink);
        time.advance(Duration.ofMillis(20));

        assertThat(askers.questions).hasSize(1);
    }

    @Test
    void closingStopsEverythingForGood() {
        Question first = startWithOne();
        probe.close();
        probe.close();
        probe.targets(List.of(target("b")));
        probe.start(sink);
        probe.refresh("a");

        assertThat(first.isCancelled()).isTrue();
        assertThat(askers.closed).isTrue();
        assertThat(time.scheduled()).isZero();
        first.reply().answered(FakeAskers.IDLE);
        assertThat(first.reply().sending()).isFalse();
        assertThat(sink.of("a")).hasSize(1).noneMatch(RecordingSink.Asked::done);
        assertThat(probe.toString()).contains("substrate-probe", "0 addresses", "CLOSED");
    }

    @Test
    void startingTwiceIsAMistake() {
        probe.start(sink);
        assertThatThrownBy(() -> probe.start(sink)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aProbeClosedBeforeItsStartNeverStarts() {
        probe.close();
        probe.start(sink);
        probe.targets(List.of(target("a")));
        time.advance(EVERY);

        assertThat(askers.questions).isEmpty();
    }

    @Test
    void aStopWhileAQuestionWaitsForItsThreadLeavesNothingBehind() {
        Deque<Runnable> tasks = new ArrayDeque<>();
        HttpStatusProbe queued = probe(1, tasks::add);
        queued.start(sink);
        queued.targets(List.of(target("a")));
        time.advance(Duration.ofMillis(20));
        assertThat(tasks).hasSize(1);
        queued.targets(List.of());
        tasks.remove().run();

        assertThat(askers.questions).isEmpty();
        assertThat(time.scheduled()).isZero();
    }

    @Test
    void aTimeLimitThatPassesBeforeTheQuestionLeavesSaysSo() {
        List<Runnable> tasks = new ArrayList<>();
        HttpStatusProbe queued = probe(1, tasks::add);
        queued.start(sink);
        queued.targets(List.of(target("a")));
        time.advance(Duration.ofMillis(2_020));
        tasks.get(1).run();
        tasks.get(0).run();

        assertThat(sink.reasons("a")).containsExactly("timed out after 2.0 s before it could be asked");
        assertThat(askers.questions).isEmpty();
    }

    @Test
    void anExecutorThatRefusesCostsTheAnswersAndNothingElse() {
        boolean[] open = {false};
        HttpStatusProbe picky = probe(1, task -> {
            if (!open[0]) {
                throw new RejectedExecutionException();
            }
            task.run();
        });
        picky.start(sink);
        picky.targets(List.of(target("a")));
        time.advance(Duration.ofSeconds(10));
        assertThat(askers.questions).isEmpty();
        open[0] = true;
        time.advance(Duration.ofSeconds(6));

        assertThat(askers.questions).isNotEmpty();
    }

    @Test
    void aSinkThatThrowsLosesItsAnswerAndNothingElse() {
        askers.answersAtOnce = true;
        int[] calls = {0};
        HttpStatusProbe bad = probe(1, Runnable::run);
        bad.start((id, source) -> {
            calls[0]++;
            throw new IllegalStateException("the sink's own trouble");
        });
        bad.targets(List.of(target("a")));
        time.advance(Duration.ofSeconds(60));

        assertThat(calls[0]).isGreaterThan(10);
    }

    @Test
    void aTicketThatThrowsLosesItsAnswerAndNothingElse() {
        askers.answersAtOnce = true;
        int[] calls = {0};
        HttpStatusProbe bad = probe(1, Runnable::run);
        bad.start((id, source) -> new StatusTicket() {
            @Override
            public void answered(SubstrateStatus status) {
                calls[0]++;
                throw new IllegalStateException("the sink's own trouble");
            }

            @Override
            public void failed(String reason) {
                throw new AssertionError(reason);
            }
        });
        bad.targets(List.of(target("a")));
        time.advance(Duration.ofSeconds(60));

        assertThat(calls[0]).isGreaterThan(10);
    }

    @Test
    void anAskerThatThrowsIsAFailedAnswer() {
        HttpStatusProbe broken = HttpStatusProbe.builder()
                .timeSource(time)
                .executor(Runnable::run)
                .askers(() -> new Asker.Source() {
                    @Override
                    public Asker to(Address to) {
                        return reply -> {
                            throw new IllegalArgumentException("Bearer secret");
                        };
                    }

                    @Override
                    public void close() {}
                })
                .build();
        broken.start(sink);
        broken.targets(List.of(target("a")));
        time.advance(Duration.ofMillis(20));

        assertThat(sink.reasons("a")).containsExactly("failed: IllegalArgumentException");
    }
}
