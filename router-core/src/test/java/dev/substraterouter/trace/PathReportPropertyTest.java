package dev.substraterouter.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.substraterouter.trace.PathReport.Aspect;
import dev.substraterouter.trace.PathReport.Figure;
import dev.substraterouter.trace.PathReport.Flag;
import dev.substraterouter.trace.PathReport.Refusals;
import dev.substraterouter.trace.PathReport.Row;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.DoubleRange;

class PathReportPropertyTest {
    @Provide
    Arbitrary<List<RoutingTrace>> traces() {
        return trace().list().ofMaxSize(120);
    }

    private static Arbitrary<RoutingTrace> trace() {
        return Combinators.combine(
                        Arbitraries.of("a", "b"),
                        attempt().list().ofMaxSize(3),
                        Arbitraries.of(RefusalReason.class).optional(0.2),
                        observation().optional(0.6))
                .as((workload, attempts, refusal, observation) -> {
                    RoutingTrace trace = Traces.trace(workload, attempts, refusal);
                    return observation.map(trace::observed).orElse(trace);
                });
    }

    private static Arbitrary<Attempt> attempt() {
        return Combinators.combine(
                        Arbitraries.of(ServingPath.class),
                        Arbitraries.of("s", "t"),
                        Arbitraries.of("m", "n"),
                        Arbitraries.of("1", "2"),
                        Arbitraries.frequencyOf(
                                Tuple.of(3, Arbitraries.just(Outcome.SUCCEEDED)),
                                Tuple.of(1, Arbitraries.of(Outcome.class))),
                        Arbitraries.doubles().between(0, 1_000))
                .as(Traces::attempt);
    }

    private static Arbitrary<Observation> observation() {
        return Combinators.combine(
                        Arbitraries.doubles().between(0, 1).optional(),
                        Arbitraries.of(true, false).optional(),
                        Arbitraries.doubles().between(0, 1e9).optional())
                .as((quality, reviewed, cost) -> {
                    Observation.Builder builder = Observation.builder();
                    quality.ifPresent(builder::quality);
                    reviewed.ifPresent(builder::reviewed);
                    cost.ifPresent(builder::cost);
                    return builder.build();
                });
    }

    @Property(tries = 200)
    void theOrderOfTheTracesDoesNotMatter(@ForAll("traces") List<RoutingTrace> traces, @ForAll long seed) {
        List<RoutingTrace> shuffled = new ArrayList<>(traces);
        Collections.shuffle(shuffled, new Random(seed));
        PathReport one = PathReport.of(traces);
        PathReport other = PathReport.of(shuffled);
        assertThat(other.byPath()).isEqualTo(one.byPath());
        assertThat(other.bySubstrate()).isEqualTo(one.bySubstrate());
        assertThat(other.byModel()).isEqualTo(one.byModel());
        assertThat(other.byWorkload()).isEqualTo(one.byWorkload());
        assertThat(other.refusalsByWorkload()).isEqualTo(one.refusalsByWorkload());
        assertThat(other.flags()).isEqualTo(one.flags());
        assertThat(other.explain()).isEqualTo(one.explain());
    }

    @Property(tries = 200)
    void everySplitAddsUpToTheSame(@ForAll("traces") List<RoutingTrace> traces) {
        PathReport report = PathReport.of(traces);
        List<Attempt> attempts =
                traces.stream().flatMap(trace -> trace.attempts().stream()).toList();
        long served = attempts.stream()
                .filter(attempt -> attempt.outcome() == Outcome.SUCCEEDED)
                .count();
        long observed = traces.stream()
                .filter(RoutingTrace::served)
                .flatMap(trace -> trace.observation().stream())
                .filter(known -> known.reviewed().isPresent())
                .count();
        for (List<Row> split : splits(report).toList()) {
            assertThat(split.stream().mapToLong(Row::attempts).sum()).isEqualTo(attempts.size());
            assertThat(split.stream().mapToLong(Row::served).sum()).isEqualTo(served);
            assertThat(split.stream().mapToLong(row -> n(row.latency())).sum()).isEqualTo(served);
            assertThat(split.stream().mapToLong(row -> n(row.reviewRate())).sum())
                    .isEqualTo(observed);
        }
        assertThat(report.refusalsByWorkload().stream()
                        .mapToLong(Refusals::requests)
                        .sum())
                .isEqualTo(traces.size());
    }

    @Property(tries = 200)
    void everyIntervalContainsItsEstimate(@ForAll("traces") List<RoutingTrace> traces) {
        PathReport report = PathReport.of(traces);
        Stream<Figure> ofRows = splits(report)
                .flatMap(List::stream)
                .flatMap(row -> Stream.concat(
                        Stream.of(row.latencyP95()), Stream.of(Aspect.values()).map(row::figure)))
                .flatMap(Optional::stream);
        Stream<Figure> ofRefusals = report.refusalsByWorkload().stream().map(Refusals::share);
        assertThat(Stream.concat(ofRows, ofRefusals)).allSatisfy(figure -> {
            assertThat(figure.n()).isPositive();
            assertThat(figure.low()).isNotNegative().isLessThanOrEqualTo(figure.value());
            assertThat(figure.high()).isGreaterThanOrEqualTo(figure.value());
        });
    }

    @Property(tries = 200, seed = "7")
    void aPlantedFallbackIsFlaggedAndAnEqualOneIsNot(
            @ForAll long seed, @ForAll @DoubleRange(min = 0.3, max = 0.9) double quality) {
        Random random = new Random(seed);
        List<RoutingTrace> planted = new ArrayList<>();
        List<RoutingTrace> equal = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            planted.add(observed(ServingPath.PRIMARY, quality, random));
            planted.add(observed(ServingPath.FALLBACK, quality - 0.15, random));
            double same = quality + 0.1 * random.nextDouble();
            equal.add(observed(ServingPath.PRIMARY, same));
            equal.add(observed(ServingPath.FALLBACK, same));
        }
        assertThat(PathReport.of(planted).flags())
                .extracting(Flag::aspect, Flag::path)
                .containsExactly(tuple(Aspect.QUALITY, ServingPath.FALLBACK));
        assertThat(PathReport.of(equal).flags()).isEmpty();
    }

    /** By chance alone, at most a few in a hundred: intervals that do not overlap ask for more than five in a hundred do. */
    @Property(tries = 1)
    void chanceSeldomFlags() {
        Random random = new Random(42);
        int flagged = 0;
        for (int run = 0; run < 500; run++) {
            List<RoutingTrace> traces = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                traces.add(observed(ServingPath.PRIMARY, 0.8, random));
                traces.add(observed(ServingPath.FALLBACK, 0.8, random));
            }
            flagged += PathReport.of(traces).flags().isEmpty() ? 0 : 1;
        }
        assertThat(flagged).isLessThan(10);
    }

    @Property(tries = 1)
    void anIntervalOfTheMedianHoldsItAboutAsOftenAsItSays() {
        Random random = new Random(42);
        int runs = 2_000;
        int held = 0;
        for (int run = 0; run < runs; run++) {
            double[] values = random.doubles(5 + random.nextInt(60))
                    .map(x -> -Math.log(x))
                    .sorted()
                    .toArray();
            Figure median = Intervals.quantile(values, 0.5).orElseThrow();
            held += median.low() <= Math.log(2) && Math.log(2) <= median.high() ? 1 : 0;
        }
        assertThat(held).isBetween((int) (0.94 * runs), runs);
    }

    private static RoutingTrace observed(ServingPath path, double quality, Random random) {
        return observed(path, quality + 0.1 * random.nextGaussian());
    }

    private static RoutingTrace observed(ServingPath path, double quality) {
        return Traces.served("w", path, path.name(), 1).observed(Traces.quality(Math.min(1, Math.max(0, quality))));
    }

    private static Stream<List<Row>> splits(PathReport report) {
        return Stream.of(report.byPath(), report.bySubstrate(), report.byModel(), report.byWorkload());
    }

    private static long n(Optional<Figure> figure) {
        return figure.map(Figure::n).orElse(0L);
    }
}
