package dev.substraterouter.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DecimalsTest {
    private static final int MOST_DIGITS = 3;

    @Property(tries = 20_000)
    void anyNumberIsWrittenAsTheFormatterWritesIt(@ForAll long bits, @ForAll @IntRange(max = MOST_DIGITS) int digits) {
        assertAsFormatted(Double.longBitsToDouble(bits), digits);
    }

    @Property(tries = 20_000)
    void tiesAndTheirNeighboursToo(
            @ForAll long number,
            @ForAll @IntRange(max = 5) int shift,
            @ForAll @IntRange(max = MOST_DIGITS) int digits) {
        double tie = (number % 1_000_000_000_000L * 10 + 5) / Math.pow(10, shift);
        assertAsFormatted(tie, digits);
        assertAsFormatted(Math.nextUp(tie), digits);
        assertAsFormatted(Math.nextDown(tie), digits);
    }

    @Test
    void numbersOfEverySizeToo() {
        SplittableRandom random = new SplittableRandom(7);
        for (int at = 0; at < 100_000; at++) {
            double value = (random.nextDouble() - 0.5) * Math.pow(10, random.nextInt(-6, 20));
            assertAsFormatted(value, at % (MOST_DIGITS + 1));
            assertAsFormatted(random.nextInt(100_000) / 1024.0, at % (MOST_DIGITS + 1)); // as MiB in GiB
        }
    }

    @ParameterizedTest
    @ValueSource(
            doubles = {
                0,
                -0.0,
                0.05,
                -0.04,
                0.15,
                0.25,
                0.35,
                2.5,
                9.95,
                0.0005,
                1e14,
                99_999_999_999_999.5,
                1e18,
                1e300,
                Double.MIN_VALUE,
                Double.MAX_VALUE,
                Double.NaN,
                Double.POSITIVE_INFINITY,
                Double.NEGATIVE_INFINITY
            })
    void whatIsOddToo(double value) {
        for (int digits = 0; digits <= MOST_DIGITS; digits++) {
            assertAsFormatted(value, digits);
        }
    }

    @Test
    void nanosecondsAreToldInSeconds() {
        assertThat(Decimals.seconds(1_250_000_000)).isEqualTo("1.3 s");
        assertThat(Decimals.seconds(-50_000_000)).isEqualTo("-0.1 s");
    }

    private static void assertAsFormatted(double value, int digits) {
        assertThat(Decimals.of(value, digits)).isEqualTo(String.format(Locale.ROOT, "%." + digits + "f", value));
    }
}
