package dev.substraterouter.trace;

import static dev.substraterouter.trace.Traces.attempt;
import static dev.substraterouter.trace.Traces.quality;
import static dev.substraterouter.trace.Traces.refused;
import static dev.substraterouter.trace.Traces.served;
import static dev.substraterouter.trace.Traces.trace;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.trace.PathReport.Aspect;
import dev.substraterouter.trace.PathReport.Figure;
import dev.substraterouter.trace.PathReport.Flag;
import dev.substraterouter.trace.PathReport.Group;
import dev.substraterouter.trace.PathReport.Refusals;
import dev.substraterouter.trace.PathReport.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PathReportTest {
    private static final String WORKLOAD = "flux-fill";

    /** As many requests by a path, alike but for their number, from 0. */
    private static List<RoutingTrace> many(int n, ServingPath path, Function<Integer, Observation> observation) {
        String substrate = path == ServingPath.PRIMARY ? "legion" : "mirrorforge";
        return IntStream.range(0, n)
                .mapToObj(i -> served(WORKLOAD, path, substrate, 10).observed(observation.apply(i)))
                .toList();
    }

    @SafeVarargs
    private static PathReport report(List<RoutingTrace>... parts) {
        List<RoutingTrace> all = new ArrayList<>();
        for (List<RoutingTrace> part : parts) {
            all.addAll(part);
        }
        return PathReport.of(all);
    }

    private static Function<Integer, Observation> around(double quality, long seed) {
        Random random = new Random(seed);
        return i -> quality(Math.min(1, Math.max(0, quality + 0.05 * random.nextGaussian())));
    }

    @Test
    void nothingIsKnownOfNothing() {
        PathReport report = PathReport.of(List.of());
        assertThat(report.refusals()).isEmpty();
        assertThat(report.refusalsByWorkload()).isEmpty();
        assertThat(report.byPath()).isEmpty();
        assertThat(report.flags()).isEmpty();
        assertThat(report.explain()).contains("nothing observed");
    }

    @Test
    void eachAttemptCountsInOneRowOfEachSplit() {
        PathReport report = PathReport.of(List.of(trace(
                WORKLOAD,
                List.of(
                        attempt(ServingPath.PRIMARY, "legion", "flux", "1", Outcome.NODE_FAULT, 3),
                        attempt(ServingPath.FALLBACK, "mirrorforge", "flux", "2", Outcome.SUCCEEDED, 40)))));
        assertThat(report.byPath())
                .extracting(Row::attempts, Row::served, Row::failed)
                .containsExactly(tuple(1L, 0L, 1L), tuple(1L, 1L, 0L));
        assertThat(report.bySubstrate())
                .extracting(row -> row.key().substrateId())
                .containsExactly(Optional.of("legion"), Optional.of("mirrorforge"));
        assertThat(report.byModel())
                .extracting(row -> row.key().version())
                .containsExactly(Optional.of("1"), Optional.of("2"));
        assertThat(report.byWorkload())
                .extracting(row -> row.key().path())
                .containsExactly(Optional.of(ServingPath.PRIMARY), Optional.of(ServingPath.FALLBACK));
    }

    @Test
    void whatIsUnknownIsEmptyAndNeverZero() {
        Row row = PathReport.of(
                        List.of(trace(WORKLOAD, List.of(attempt(ServingPath.PRIMARY, "legion", Outcome.OPEN, 0)))))
                .byPath()
                .get(0);
        assertThat(row.attempts()).isEqualTo(1);
        for (Aspect aspect : Aspect.values()) {
            assertThat(row.figure(aspect)).as(aspect.words()).isEmpty();
        }
        assertThat(row.latencyP95()).isEmpty();
    }

    @Test
    void aFailedAttemptIsNoMeasureOfLatencyOrCost() {
        Row row = PathReport.of(List.of(
                        trace(WORKLOAD, List.of(attempt(ServingPath.PRIMARY, "legion", Outcome.NOT_STARTED, 1))),
                        trace(WORKLOAD, List.of(attempt(ServingPath.PRIMARY, "legion", Outcome.BUSY, 1))),
                        served(WORKLOAD, ServingPath.PRIMARY, "legion", 40)))
                .byPath()
                .get(0);
        assertThat(row.attempts()).isEqualTo(3);
        assertThat(row.failed()).isEqualTo(1);
        assertThat(row.latency()).contains(new Figure(1, 40, 0, Double.POSITIVE_INFINITY));
        assertThat(row.computeCost()).contains(new Figure(1, 0.04, 0, Double.POSITIVE_INFINITY));
    }

    @Test
    void anObservationCountsWhereTheRequestWasServed() {
        Observation observation =
                Observation.builder().quality(0.5).reviewed(true).cost(2).build();
        List<Attempt> attempts = List.of(
                attempt(ServingPath.PRIMARY, "legion", Outcome.NODE_FAULT, 3),
                attempt(ServingPath.OVERFLOW, "rented", Outcome.SUCCEEDED, 4));
        RoutingTrace notServed = trace(WORKLOAD, attempts.subList(0, 1)).observed(observation);
        PathReport report = PathReport.of(List.of(trace(WORKLOAD, attempts).observed(observation), notServed));
        Row primary = report.byPath().get(0);
        Row overflow = report.byPath().get(1);
        assertThat(primary.quality()).isEmpty();
        assertThat(overflow.quality())
                .hasValueSatisfying(figure -> assertThat(figure.value()).isEqualTo(0.5));
        assertThat(overflow.reviewRate())
                .hasValueSatisfying(figure -> assertThat(figure.value()).isEqualTo(1));
        assertThat(overflow.observedCost())
                .hasValueSatisfying(figure -> assertThat(figure.value()).isEqualTo(2));
    }

    @Test
    void refusalsBelongToTheirWorkloadAndNamesMadeUpByCallersToOne() {
        PathReport report = PathReport.of(List.of(
                refused("a", RefusalReason.QUEUE_FULL),
                served("a", ServingPath.PRIMARY, "legion", 1),
                served("b", ServingPath.PRIMARY, "legion", 1),
                refused("x1", RefusalReason.UNKNOWN_WORKLOAD),
                refused("x2", RefusalReason.UNKNOWN_WORKLOAD)));
        assertThat(report.refusalsByWorkload())
                .extracting(Refusals::group, Refusals::workload, Refusals::requests, Refusals::refused)
                .containsExactly(
                        tuple(Group.WORKLOAD, Optional.of("a"), 2L, 1L),
                        tuple(Group.WORKLOAD, Optional.of("b"), 1L, 0L),
                        tuple(Group.UNKNOWN_WORKLOADS, Optional.empty(), 2L, 2L));
        assertThat(report.refusals().orElseThrow().share().value()).isEqualTo(0.6);
        assertThat(report.byPath()).hasSize(1);
    }

    @Test
    void aWorseFallbackIsFlaggedWithBothFiguresAndBothWaysOut() {
        PathReport report =
                report(many(60, ServingPath.PRIMARY, around(0.9, 1)), many(40, ServingPath.FALLBACK, around(0.7, 2)));
        assertThat(report.flags()).singleElement().satisfies(flag -> {
            assertThat(flag.workload()).isEqualTo(WORKLOAD);
            assertThat(flag.path()).isEqualTo(ServingPath.FALLBACK);
            assertThat(flag.aspect()).isEqualTo(Aspect.QUALITY);
            assertThat(flag.substrates()).containsExactly("mirrorforge");
            assertThat(flag.primary().n()).isEqualTo(60);
            assertThat(flag.elsewhere().n()).isEqualTo(40);
            assertThat(flag.toString())
                    .contains("observed quality", "fallback (mirrorforge)", "n 60", "n 40", "95 % interval")
                    .contains("worse only when it leaves the primary")
                    .contains("change the pipeline there, or its place in the route")
                    .doesNotContain("because");
        });
        assertThat(report.explain()).contains(report.flags().get(0).toString());
    }

    @Test
    void anEqualFallbackIsNotFlagged() {
        PathReport report =
                report(many(60, ServingPath.PRIMARY, around(0.9, 1)), many(40, ServingPath.FALLBACK, around(0.9, 2)));
        assertThat(report.flags()).isEmpty();
    }

    @Test
    void fewValuesNeverFlag() {
        for (int few : new int[] {1, 2, 19}) {
            assertThat(report(
                                    many(60, ServingPath.PRIMARY, i -> quality(1)),
                                    many(few, ServingPath.FALLBACK, i -> quality(0)))
                            .flags())
                    .isEmpty();
            assertThat(report(
                                    many(few, ServingPath.PRIMARY, i -> quality(1)),
                                    many(60, ServingPath.FALLBACK, i -> quality(0)))
                            .flags())
                    .isEmpty();
        }
    }

    @Test
    void aFewEqualValuesDoNotLookCertain() {
        PathReport report = report(
                many(20, ServingPath.PRIMARY, i -> quality(1)),
                many(20, ServingPath.FALLBACK, i -> quality(i < 3 ? 0 : 1)));
        assertThat(report.flags()).isEmpty();
    }

    @Test
    void aPrimaryThatIsWorseThanAnotherPathIsNotFine() {
        PathReport report = report(
                many(50, ServingPath.PRIMARY, around(0.7, 1)),
                many(50, ServingPath.FALLBACK, around(0.5, 2)),
                many(50, ServingPath.OVERFLOW, around(0.9, 3)));
        assertThat(report.flags()).isEmpty();
    }

    @Test
    void reviewRateLatencyAndCostsAreFlaggedWhenTheyAreHigher() {
        List<RoutingTrace> traces = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            traces.add(served(WORKLOAD, ServingPath.PRIMARY, "legion", 10 + i / 100.0)
                    .observed(Observation.builder()
                            .reviewed(i % 10 == 0)
                            .cost(1 + i / 100.0)
                            .build()));
            traces.add(served(WORKLOAD, ServingPath.OVERFLOW, "rented", 30 + i / 100.0)
                    .observed(Observation.builder()
                            .reviewed(i % 10 != 0)
                            .cost(2 + i / 100.0)
                            .build()));
        }
        assertThat(PathReport.of(traces).flags())
                .extracting(Flag::aspect)
                .containsExactly(Aspect.REVIEW_RATE, Aspect.LATENCY, Aspect.COMPUTE_COST, Aspect.OBSERVED_COST);
        assertThat(PathReport.of(traces).flags().get(1).toString()).contains("latency 30.2 s", "10.2 s");
    }

    @Test
    void theBatchPathIsSlowByDesign() {
        List<RoutingTrace> traces = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            traces.add(served(WORKLOAD, ServingPath.PRIMARY, "legion", 10));
            traces.add(served(WORKLOAD, ServingPath.BATCH, "queue", 3_600));
        }
        assertThat(PathReport.of(traces).flags()).extracting(Flag::aspect).containsExactly(Aspect.COMPUTE_COST);
    }

    @Test
    void aWorkloadIsComparedWithItselfOnly() {
        List<RoutingTrace> traces = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            traces.add(served("quick", ServingPath.PRIMARY, "legion", 1));
            traces.add(served("slow", ServingPath.FALLBACK, "legion", 100));
        }
        assertThat(PathReport.of(traces).flags()).isEmpty();
    }

    @Test
    void needsWithoutAWorkloadAreNotAlikeAndNeverFlagged() {
        List<RoutingTrace> traces = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            traces.add(served(RouteRequest.AD_HOC, ServingPath.PRIMARY, "legion", 1 + i / 100.0));
            traces.add(served(RouteRequest.AD_HOC, ServingPath.FALLBACK, "legion", 100 + i / 100.0));
        }
        PathReport report = PathReport.of(traces);
        assertThat(report.flags()).isEmpty();
        assertThat(report.byWorkload()).hasSize(2);
    }

    @Test
    void aWorkloadMayHaveTheNameOfAGroup() {
        PathReport report = PathReport.of(List.of(
                served("(all)", ServingPath.PRIMARY, "legion", 1),
                served("(other)", ServingPath.PRIMARY, "legion", 1),
                served("(unknown workload)", ServingPath.PRIMARY, "legion", 1),
                refused("x", RefusalReason.UNKNOWN_WORKLOAD)));
        assertThat(report.refusalsByWorkload())
                .extracting(Refusals::group, Refusals::refused)
                .containsExactly(
                        tuple(Group.WORKLOAD, 0L),
                        tuple(Group.WORKLOAD, 0L),
                        tuple(Group.WORKLOAD, 0L),
                        tuple(Group.UNKNOWN_WORKLOADS, 1L));
        assertThat(report.refusals().orElseThrow().group()).isEqualTo(Group.ALL);
        assertThat(report.explain().lines())
                .anyMatch(line -> line.startsWith("'(all)' "))
                .anyMatch(line -> line.startsWith("(all) "))
                .noneMatch(line -> line.startsWith("(other) "));
    }

    @Test
    void splitsAreBoundedAndTheRestIsCountedTogether() {
        int models = PathReport.MAX_KEYS + 50;
        List<RoutingTrace> traces = IntStream.range(0, models)
                .mapToObj(i ->
                        trace("w" + i, List.of(attempt(ServingPath.PRIMARY, "s", "m" + i, "1", Outcome.SUCCEEDED, 1))))
                .toList();
        PathReport report = PathReport.of(traces);
        assertThat(report.byModel()).hasSize(PathReport.MAX_KEYS + 1);
        Row other = report.byModel().get(PathReport.MAX_KEYS);
        assertThat(other.key()).isEqualTo(PathReport.Key.OTHER);
        assertThat(other.attempts()).isEqualTo(50);
        assertThat(report.refusalsByWorkload()).hasSize(PathReport.MAX_KEYS + 1);
        assertThat(report.flags()).isEmpty();
        assertThat(report.explain()).contains("(other)");
    }

    @Test
    void ofManyValuesAnEvenSampleIsKeptTheSameEachTime() {
        List<RoutingTrace> traces = IntStream.range(0, 3 * Sample.MOST_KEPT)
                .mapToObj(i -> served(WORKLOAD, ServingPath.PRIMARY, "legion", i))
                .toList();
        PathReport report = PathReport.of(traces);
        Figure latency = report.byPath().get(0).latency().orElseThrow();
        assertThat(latency.n()).isEqualTo(Sample.MOST_KEPT);
        assertThat(latency.low()).isLessThan(1.5 * Sample.MOST_KEPT);
        assertThat(latency.high()).isGreaterThan(1.5 * Sample.MOST_KEPT).isLessThan(1.6 * Sample.MOST_KEPT);
        assertThat(PathReport.of(traces).byPath()).isEqualTo(report.byPath());
    }

    @Test
    void theTableCanBeRead() {
        String text = report(
                        many(60, ServingPath.PRIMARY, around(0.9, 1)),
                        many(40, ServingPath.FALLBACK, around(0.7, 2)),
                        List.of(refused("odd\nname", RefusalReason.NO_WAIT)))
                .toString();
        assertThat(text)
                .contains("path", "substrate", "model", "workload, path", "flux-fill, fallback", "(all)", "odd?name");
        assertThat(text.lines()).allSatisfy(line -> assertThat(line).doesNotEndWith(" "));
    }
}
