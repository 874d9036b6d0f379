package dev.substraterouter.examples.whatif.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.substraterouter.examples.whatif.Made;
import dev.substraterouter.simulate.SimulationReport;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ComparisonTest {
    private final Entrant fast = Entrant.router("fast", "quick", Made.policy());
    private final Entrant slow = Entrant.router("slow", "steady", Made.policy());
    private final List<String> runs = new ArrayList<>();

    @Test
    void measuresOfOneReport() {
        SimulationReport report = Made.report("one", 1, 20, 720, 10);

        assertThat(Measure.MEAN_LATENCY.of(report)).isCloseTo(20, within(1e-9));
        assertThat(Measure.P95_LATENCY.of(report)).isCloseTo(20, within(0.2));
        assertThat(Measure.LOST.of(report)).isEqualTo(10);
        assertThat(Measure.IN_TIME.of(report)).isEqualTo(90);
        assertThat(Measure.PENALISED_LATENCY.of(report)).isCloseTo(0.9 * 20 + 0.1 * 300, within(1e-9));
        assertThat(Measure.OVERLOADS.of(report)).isEqualTo(20);
        assertThat(Measure.OUT_OF_MEMORY.of(report)).isEqualTo(10);
        assertThat(Measure.UNAVAILABLE.of(report)).isEqualTo(30);
        assertThat(Measure.SWITCHES.of(report)).isEqualTo(50);
        assertThat(Measure.OWNER_SECONDS.of(report)).isEqualTo(720);
        assertThat(Measure.ENERGY.of(report)).isEqualTo(5);
        assertThat(Measure.COLD_LOADS.of(report)).isEqualTo(40);
    }

    @Test
    void everyEntrantGetsEverySeedAtEveryLoad() {
        Results results = comparison(fast, slow.atBaseLoadOnly())
                .firstSeed(7)
                .seeds(2)
                .loads(2, 1)
                .run();

        assertThat(runs)
                .containsExactly("fast 240 7", "slow 240 7", "fast 240 8", "slow 240 8", "fast 480 7", "fast 480 8");
        assertThat(results.loads()).containsExactly(1.0, 2.0);
        assertThat(results.baseLoad()).isEqualTo(1);
        assertThat(results.entrantsAt(2)).containsExactly(fast);
        assertThat(results.requestsPerHour(1)).isEqualTo(100);
        assertThatThrownBy(() -> results.mean("slow", 2, Measure.LOST)).hasMessage("'slow' was not run at load 2.0");
    }

    @Test
    void figuresAndPairedDifferences() {
        Results results = comparison(fast, slow).firstSeed(1).seeds(3).run();

        // fast: 11, 12, 13; slow: 22, 24, 26
        assertThat(results.mean("slow", 1, Measure.MEAN_LATENCY).mean()).isCloseTo(24, within(1e-9));
        Estimate more = results.difference("slow", "fast", 1, Measure.MEAN_LATENCY);
        assertThat(more.mean()).isCloseTo(12, within(1e-9));
        assertThat(more.halfWidth()).isCloseTo(4.302653 / Math.sqrt(3), within(1e-5));
        assertThat(results.ownerSeconds("fast", 1)).containsOnlyKeys("legion");
        assertThat(results.firstRun("fast", 1).seed()).isEqualTo(1);
    }

    @Test
    void progressGrowsToTheWhole() {
        List<Double> told = new ArrayList<>();
        comparison(fast, slow)
                .seeds(2)
                .progress((entrant, load, seed, done) -> told.add(done))
                .run();

        assertThat(told).isSorted().hasSize(8).startsWith(0.125).endsWith(1.0);
    }

    @Test
    void refusesWhatCannotBeCompared() {
        assertThatThrownBy(() -> comparison().run()).hasMessage("no entrants (expected: at least one)");
        assertThatThrownBy(() -> comparison(fast, fast).run()).hasMessage("two entrants are called 'fast'");
        assertThatThrownBy(() -> comparison(fast).seeds(0)).hasMessage("seeds: 0 (expected: 1 or more)");
        assertThatThrownBy(() -> comparison(fast).loads(1, 1))
                .hasMessage("loads: [1.0, 1.0] (expected: different factors above 0)");
        assertThatThrownBy(() -> comparison(fast).loads(0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void reallySimulated() {
        Results results =
                Comparison.of(Made.scenario()).entrants(List.of(fast)).seeds(2).run();

        assertThat(results.mean("fast", 1, Measure.MEAN_LATENCY).mean()).isPositive();
        assertThat(results.requestsPerHour(1)).isBetween(180.0, 300.0);
    }

    private Comparison comparison(Entrant... entrants) {
        return Comparison.of(Made.scenario()).entrants(List.of(entrants)).runner((entrant, scenario, share) -> {
            double perHour = ((dev.substraterouter.simulate.Arrivals.Poisson)
                            scenario.traffic().get(0).arrivals())
                    .perHour();
            runs.add(entrant.name() + " " + Math.round(perHour) + " " + scenario.seed());
            share.accept(0.5);
            share.accept(1);
            double latency = (10 + scenario.seed()) * (entrant.name().equals("slow") ? 2 : 1);
            return Made.report(entrant.name(), scenario.seed(), latency, 100);
        });
    }
}
