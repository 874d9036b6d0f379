package dev.substraterouter.examples.whatif.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class EstimateTest {
    @Test
    void meanAndIntervalOfThreeRuns() {
        // mean 12, standard deviation 2, standard error 2 / sqrt(3), t for 2 degrees 4.302653
        Estimate estimate = Estimate.of(10, 12, 14);

        assertThat(estimate.mean()).isEqualTo(12);
        assertThat(estimate.halfWidth()).isCloseTo(4.96828, within(1e-5));
        assertThat(estimate.above0()).isTrue();
        assertThat(estimate.below0()).isFalse();
    }

    @Test
    void differencesAreTakenRunByRun() {
        // The runs differ by far more than the two: 1, 2, 3 → mean 2, standard error 1 / sqrt(3)
        Estimate difference = Estimate.ofDifference(new double[] {101, 52, 13}, new double[] {100, 50, 10});

        assertThat(difference.mean()).isEqualTo(2);
        assertThat(difference.halfWidth()).isCloseTo(2.48414, within(1e-5));
        assertThat(difference.negated().mean()).isEqualTo(-2);
    }

    @Test
    void equalRunsHaveAnIntervalOfNoWidth() {
        Estimate nothing = Estimate.ofDifference(new double[] {5, 7}, new double[] {5, 7});

        assertThat(nothing).isEqualTo(new Estimate(0, 0, 2));
        assertThat(nothing.above0()).isFalse();
        assertThat(nothing.below0()).isFalse();
    }

    @Test
    void oneRunHasNoInterval() {
        Estimate one = Estimate.of(5);

        assertThat(one.mean()).isEqualTo(5);
        assertThat(one.hasInterval()).isFalse();
        assertThat(one.above0()).isFalse();
        assertThat(Estimate.of().hasInterval()).isFalse();
    }

    @Test
    void runsMustBePaired() {
        assertThatThrownBy(() -> Estimate.ofDifference(new double[2], new double[3]))
                .hasMessage("2 figures against 3 (expected: one of each for each run)");
    }

    @Test
    void studentsTAsInTables() {
        assertThat(StudentT.quantile975(1)).isCloseTo(12.7062, within(2e-4));
        assertThat(StudentT.quantile975(9)).isCloseTo(2.2622, within(2e-4));
        assertThat(StudentT.quantile975(11)).isCloseTo(2.2010, within(2e-4));
        assertThat(StudentT.quantile975(19)).isCloseTo(2.0930, within(2e-4));
        assertThat(StudentT.quantile975(29)).isCloseTo(2.0452, within(2e-4));
        assertThat(StudentT.quantile975(1000)).isCloseTo(1.9623, within(2e-4));
    }
}
