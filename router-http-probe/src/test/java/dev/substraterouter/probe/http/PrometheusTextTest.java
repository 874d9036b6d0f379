package dev.substraterouter.probe.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PrometheusTextTest {
    private static PrometheusText read(String page) {
        return PrometheusText.read(page.getBytes(StandardCharsets.UTF_8), Set.of("a:b", "c"));
    }

    private static List<PrometheusText.Sample> samples(String page) {
        return read(page).samples("a:b");
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1",
        "-1.5, -1.5",
        "+2, 2",
        ".5, 0.5",
        "5., 5",
        "0.120000, 0.12",
        "1e+06, 1000000",
        "1.17e+010, 11700000000",
        "1.23457E+06, 1234570",
        "1e-999, 0",
        "-0, 0",
        "NaN, NaN",
        "nan, NaN",
        "-nan, NaN",
        "+Inf, Infinity",
        "Inf, Infinity",
        "-Inf, -Infinity",
        "infinity, Infinity",
    })
    void theNumbersThatServersPrintAreRead(String text, double value) {
        assertThat(samples("a:b " + text + "\n")).containsExactly(new PrometheusText.Sample(Map.of(), value));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"1d", "1f", "0x1p3", "1_0", "1,5", "", "--1", "e5", "1e", ".", "N/A", "١", "1 2 3", "1 now"})
    void whatIsNoNumberToThemCostsItsLineOnly(String text) {
        PrometheusText page = read("a:b 1\na:b " + text + "\na:b 3\n");

        assertThat(page.samples("a:b")).extracting(PrometheusText.Sample::value).containsExactly(1.0, 3.0);
    }

    @Test
    void labelsMayHoldAnythingAndComeInAnyOrder() {
        assertThat(samples("a:b{x=\"a \\\"quoted\\\" {b}, c # d \\\\ \\n \\t\" , y=\"\",}  7 1767225600000\n"))
                .containsExactly(
                        new PrometheusText.Sample(Map.of("x", "a \"quoted\" {b}, c # d \\ \n \\t", "y", ""), 7));
        assertThat(samples("a:b{} 7\na:b {x=\"ü\"} 8 # {trace=\"1\"} 1.0"))
                .containsExactly(
                        new PrometheusText.Sample(Map.of(), 7), new PrometheusText.Sample(Map.of("x", "ü"), 8));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a:b{x=\"1\" 2",
                "a:b{x=\"1} 2",
                "a:b{x=1} 2",
                "a:b{x} 2",
                "a:b{=\"1\"} 2",
                "a:b{x=\"1\"y=\"2\"} 2",
                "a:b{x=\"1\\",
                "a:b{x=\"name with \"quotes\" inside\"} 2",
                "a:b{",
                "a:b",
                "{x=\"1\"} 2",
                "9 9",
            })
    void aBrokenLineCostsThatLineOnly(String line) {
        PrometheusText page = read("a:b 1\n" + line + "\na:b 3\n");

        assertThat(page.samples("a:b")).extracting(PrometheusText.Sample::value).containsExactly(1.0, 3.0);
    }

    @Test
    void namesAreMatchedWhole() {
        PrometheusText page = read("a:bc 1\na:b_by_reason 2\nxa:b 3\na 4\na:b_total 5\nc 6\n");

        assertThat(page.told("a:b")).isFalse();
        assertThat(page.sum(Set.of(), "a:b", "c")).isEqualTo(6);
    }

    @Test
    void linesMayEndInCrLfOrWithTheBodyAndBeBlank() {
        assertThat(samples("\r\n  \n\ta:b 1\r\n\r\na:b 2")).hasSize(2);
    }

    @Test
    void helpAndTypeWithoutSamplesAreUnknown() {
        PrometheusText page = read("# HELP a:b x\n# TYPE a:b gauge\n");

        assertThat(page.isMetrics()).isTrue();
        assertThat(page.told("a:b")).isFalse();
        assertThat(page.sum(Set.of(), "a:b")).isNaN();
        assertThat(page.max("a:b")).isNaN();
    }

    @ParameterizedTest
    @CsvSource({"''", "upstream connect error", "OK", "# just a comment", "Bad gateway 502"})
    void otherTextIsNoPageOfMetrics(String text) {
        assertThat(read(text).isMetrics()).isFalse();
    }

    @Test
    void aSumLeavesOutWhatIsToldTwice() {
        PrometheusText page = read("""
                a:b{rank="0",tp="0"} 1
                a:b{rank="0",tp="1"} 2
                a:b{rank="1",tp="0"} 4
                """);

        assertThat(page.sum(Set.of("tp"), "a:b")).isEqualTo(6);
        assertThat(page.sum(Set.of(), "a:b")).isEqualTo(7);
        assertThat(page.max("a:b")).isEqualTo(4);
        assertThat(page.labels("rank", "a:b", "c")).containsExactly("0", "1");
    }

    @Test
    void aPageHasItsBounds() {
        assertThat(read("a:b 1\n".repeat(PrometheusText.MAX_SAMPLES)).cut()).isFalse();
        assertThat(read("a:b 1\n".repeat(PrometheusText.MAX_SAMPLES + 1)).cut()).isTrue();
        assertThat(read("\n".repeat(PrometheusText.MAX_LINES + 1)).cut()).isTrue();
        assertThat(samples("a:b{x=\"" + "x".repeat(70_000) + "\"} 1\na:b 2")).hasSize(1);
        assertThat(samples("a:b{" + "x=\"\",".repeat(1_000) + "} 1\na:b 2")).hasSize(1);
        assertThat(samples("a:b " + "1".repeat(1_000) + "\na:b 2")).hasSize(1);
    }

    @Test
    void labelsThatAreMadeToCollideCostNoMoreThanOthers() {
        StringBuilder page = new StringBuilder();
        for (int n = 0; n < 8_192; n++) {
            StringBuilder label = new StringBuilder();
            for (int bit = 0; bit < 13; bit++) {
                label.append((n >> bit & 1) == 0 ? "Aa" : "BB"); // both have the same hash code
            }
            page.append("m{x=\"").append(label).append("\"} 1\n");
        }
        java.time.Duration soon = java.time.Duration.ofSeconds(5);
        org.junit.jupiter.api.Assertions.assertTimeoutPreemptively(soon, () -> assertThat(PrometheusText.read(
                                page.toString().getBytes(java.nio.charset.StandardCharsets.UTF_8),
                                java.util.Set.of("m"))
                        .sum(java.util.Set.of(), "m"))
                .isEqualTo(8_192));
    }
}
