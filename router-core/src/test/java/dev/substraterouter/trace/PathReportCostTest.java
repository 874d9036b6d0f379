package dev.substraterouter.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.trace.PathReport.Aspect;
import dev.substraterouter.trace.PathReport.Flag;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** How often costs are flagged: hardly ever where both paths are alike, whatever the costs, and mostly where one is dearer. */
class PathReportCostTest {
    private static final int RUNS = 400;

    private enum Costs {
        RARE(random -> random.nextInt(20) == 0 ? 5 : 0),
        VERY_RARE(random -> random.nextInt(100) == 0 ? 50 : 0.01),
        LOGNORMAL(random -> Math.exp(1.5 * random.nextGaussian())),
        HEAVY(random -> Math.pow(1 - random.nextDouble(), -1 / 1.2)),
        NORMAL(random -> 10 + random.nextGaussian()),
        EQUAL(random -> 1);

        private final ToDoubleFunction<Random> next;

        Costs(ToDoubleFunction<Random> next) {
            this.next = next;
        }
    }

    static Stream<Arguments> alike() {
        return Stream.of(Costs.values())
                .flatMap(costs -> Stream.of(
                        Arguments.of(costs, 25, 1_000),
                        Arguments.of(costs, 1_000, 25),
                        Arguments.of(costs, 100, 1_000),
                        Arguments.of(costs, 60, 60)));
    }

    @ParameterizedTest
    @MethodSource("alike")
    void equalCostsAreHardlyEverFlagged(Costs costs, int primary, int fallback) {
        Random random = new Random(42);
        int flagged = 0;
        for (int run = 0; run < RUNS; run++) {
            flagged += flags(costs, primary, fallback, 1, random).isEmpty() ? 0 : 1;
        }
        assertThat(flagged).isLessThan(RUNS / 50);
    }

    static Stream<Arguments> dearer() {
        return Stream.of(
                Arguments.of(Costs.NORMAL, 25, 1.2),
                Arguments.of(Costs.EQUAL, 25, 1.2),
                Arguments.of(Costs.RARE, 1_000, 3.0),
                Arguments.of(Costs.LOGNORMAL, 400, 3.0));
    }

    @ParameterizedTest
    @MethodSource("dearer")
    void dearerPathsAreMostlyFlagged(Costs costs, int n, double times) {
        Random random = new Random(42);
        int flagged = 0;
        for (int run = 0; run < 20; run++) {
            List<Flag> flags = flags(costs, n, n, times, random);
            assertThat(flags).allSatisfy(flag -> assertThat(flag.aspect()).isEqualTo(Aspect.OBSERVED_COST));
            flagged += flags.size();
        }
        assertThat(flagged).isGreaterThan(15);
    }

    private static List<Flag> flags(Costs costs, int primary, int fallback, double times, Random random) {
        List<RoutingTrace> traces = new ArrayList<>();
        for (int i = 0; i < primary; i++) {
            traces.add(cost(ServingPath.PRIMARY, costs.next.applyAsDouble(random)));
        }
        for (int i = 0; i < fallback; i++) {
            traces.add(cost(ServingPath.FALLBACK, times * costs.next.applyAsDouble(random)));
        }
        return PathReport.of(traces).flags();
    }

    private static RoutingTrace cost(ServingPath path, double cost) {
        return Traces.served("w", path, path.name(), 1)
                .observed(Observation.builder().cost(cost).build());
    }
}
