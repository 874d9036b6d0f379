package dev.substraterouter.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Size;
import org.assertj.core.data.Percentage;

class DistributionTest {
    @Property
    void quantilesAreAtMostOnePercentTooLong(
            @ForAll @Size(min = 1, max = 60) List<@DoubleRange(min = 0, max = 1e5) Double> seconds,
            @ForAll @DoubleRange(min = 0, max = 1) double share) {
        Distribution all = new Distribution();
        double sum = 0;
        for (double one : seconds) {
            all.add(one);
            sum += one;
        }
        List<Double> sorted = seconds.stream().sorted().toList();
        double exact = sorted.get(Math.max(0, (int) Math.ceil(share * sorted.size()) - 1));
        assertThat(all.quantile(share)).isBetween(exact * (1 - 1e-12), Math.max(0.001, exact * 1.0101));
        assertThat(all.count()).isEqualTo(seconds.size());
        assertThat(all.sum()).isEqualTo(sum);
        assertThat(all.max()).isEqualTo(sorted.get(sorted.size() - 1));
        assertThat(all.mean()).isCloseTo(sum / seconds.size(), within(1e-9));
    }

    @Property
    void theCumulativeShareGrowsToOne(
            @ForAll @Size(min = 1, max = 60) List<@DoubleRange(min = 0, max = 1e5) Double> seconds) {
        Distribution all = new Distribution();
        for (double one : seconds) {
            all.add(one);
        }
        Distribution twice = new Distribution();
        twice.add(all);
        twice.add(all);
        assertThat(all.cumulative()).isEqualTo(twice.cumulative());
        double before = 0;
        for (Distribution.Point point : all.cumulative()) {
            assertThat(point.share()).isGreaterThan(before);
            before = point.share();
        }
        assertThat(before).isCloseTo(1, Percentage.withPercentage(1e-9));
    }

    @Property(tries = 1)
    void nothingIsZero() {
        Distribution none = new Distribution();
        assertThat(none.mean()).isZero();
        assertThat(none.quantile(0.5)).isZero();
        assertThat(none.cumulative()).isEmpty();
    }
}
