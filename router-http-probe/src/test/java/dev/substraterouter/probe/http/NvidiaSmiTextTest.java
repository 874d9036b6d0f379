package dev.substraterouter.probe.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import dev.substraterouter.model.Measure;
import dev.substraterouter.status.GpuStatus;
import dev.substraterouter.status.SubstrateStatus;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalDouble;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every form in which the tool is known to print, and any other text. */
class NvidiaSmiTextTest {
    private static final String HEADER =
            "index, uuid, name, utilization.gpu [%], memory.used [MiB], memory.total [MiB], temperature.gpu\n";

    static String fixture(String name) {
        try (InputStream in = NvidiaSmiTextTest.class.getResourceAsStream("/status/" + name)) {
            assertThat(in).as(name).isNotNull();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failed) {
            throw new java.io.UncheckedIOException(failed);
        }
    }

    private static SubstrateStatus read(String output) {
        return NvidiaSmiText.read(0, output);
    }

    private static GpuStatus one(String output) {
        SubstrateStatus status = read(output);
        assertThat(status.gpus()).hasSize(1);
        return status.gpus().get(0);
    }

    /** The sample bodies, each with the record that was written down for it. */
    @Nested
    class Fixtures {
        @ParameterizedTest
        @CsvSource(
                nullValues = "-",
                value = {
                    // file, cards, mean util, max util, used GiB, total GiB, temp
                    "nvidia-smi-normal.csv,                 1, 37,   37,  8.906,   23.988,  61",
                    "nvidia-smi-multi-noheader-nounits.csv, 4, 52.5, 100, 187.704, 320.0,   72",
                    "nvidia-smi-na-gb10.csv,                1, 42,   42,  -,       -,       58",
                    "nvidia-smi-mig.csv,                    2, 88,   88,  59.062,  159.295, 61",
                    "nvidia-smi-unknown-error.csv,          2, 33.5, 55,  8.116,   47.977,  63",
                    "nvidia-smi-not-supported.csv,          1, -,    -,   0.209,   1.957,   44",
                    "nvidia-smi-jetson.csv,                 1, -,    -,   -,       -,       -"
                })
        void record(String file, int cards, Double mean, Double max, Double used, Double total, Double temp) {
            SubstrateStatus status = read(fixture(file));
            assertThat(status.gpus()).hasSize(cards);
            same(status.gpuUtilPct(), mean);
            same(status.gpuUtilMaxPct(), max);
            same(status.vramUsedGb(), used);
            same(status.vramTotalGb(), total);
            same(status.gpuTempC(), temp);
            assertThat(status.runningJobs()).isEmpty();
            assertThat(status.queuedJobs()).isEmpty();
            assertThat(status.loadedModels()).isEmpty();
            assertThat(status.lastRequest()).isEmpty();
            assertThat(status.reachable()).isTrue();
        }

        private static void same(OptionalDouble value, Double expected) {
            if (expected == null) {
                assertThat(value).isEmpty();
            } else {
                assertThat(value.getAsDouble()).isEqualTo(expected, offset(0.001));
            }
        }

        @Test
        void cardsHaveTheirNames() {
            GpuStatus gpu = one(fixture("nvidia-smi-normal.csv"));
            assertThat(gpu.uuid()).contains("GPU-00000000-0000-4000-8000-000000000001");
            assertThat(gpu.name()).contains("NVIDIA GeForce RTX 4090");
            assertThat(one(fixture("nvidia-smi-not-supported.csv")).uuid()).isEmpty();
            assertThat(one(fixture("nvidia-smi-jetson.csv")).uuid()).isEmpty();
            assertThat(one(fixture("nvidia-smi-jetson.csv")).name()).contains("Orin (nvgpu)");
        }

        @Test
        void aPartOfTheCardsIsNotTheWhole() {
            assertThat(read(fixture("nvidia-smi-mig.csv")).partial()).containsExactly(Measure.GPU_UTIL);
            assertThat(read(fixture("nvidia-smi-unknown-error.csv")).partial()).containsExactly(Measure.GPU_TEMP);
            assertThat(read(fixture("nvidia-smi-normal.csv")).partial()).isEmpty();
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "nvidia-smi-normal.csv | ok",
                    "nvidia-smi-na-gb10.csv | ok",
                    "nvidia-smi-mig.csv | ok",
                    "nvidia-smi-jetson.csv | no readings",
                    "nvidia-smi-unknown-error.csv | gpu 1: temperature.gpu: Unknown Error"
                })
        void theCardsState(String file, String state) {
            assertThat(read(fixture(file)).attributes()).containsEntry("card", state);
        }

        @Test
        void failures() {
            assertUnknown(
                    NvidiaSmiText.read(18, fixture("nvidia-smi-driver-mismatch.txt")),
                    "nvidia-smi ended with 18 (driver and library of different versions): "
                            + "Failed to initialize NVML: Driver/library version mismatch");
            assertUnknown(
                    NvidiaSmiText.read(0, fixture("nvidia-smi-driver-mismatch.txt")),
                    "Failed to initialize NVML: Driver/library version mismatch");
            assertUnknown(NvidiaSmiText.read(0, fixture("nvidia-smi-no-devices.txt")), "No devices were found");
            assertUnknown(
                    NvidiaSmiText.read(6, fixture("nvidia-smi-no-devices.txt")),
                    "nvidia-smi ended with 6: No devices were found");
        }
    }

    static void assertUnknown(SubstrateStatus status, String reason) {
        assertThat(status).isEqualTo(NvidiaSmiText.unknown(reason));
        assertThat(status.attributes()).containsEntry("card", reason);
        assertThat(status.gpus()).isEmpty();
        assertThat(status.gpuUtilPct()).isEmpty();
        assertThat(status.vramUsedGb()).isEmpty();
        assertThat(status.reachable()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"9, driver not loaded", "12, driver library not found", "15, a GPU fell off the bus"})
    void exitCodesHaveAMeaning(int code, String meaning) {
        assertUnknown(NvidiaSmiText.read(code, ""), "nvidia-smi ended with " + code + " (" + meaning + ")");
    }

    @Test
    void figuresOfAToolThatFailedAreNotBelieved() {
        assertThat(NvidiaSmiText.read(15, fixture("nvidia-smi-normal.csv")).gpus())
                .isEmpty();
    }

    @Test
    void windowsLinesEmptyLinesAndWarnings() {
        String printed = "\r\n" + fixture("nvidia-smi-normal.csv").replace("\n", "\r\n")
                + "\r\nWARNING: infoROM is corrupted at gpu 0000:01:00.0\r\n\n";
        SubstrateStatus status = read(printed);
        assertThat(status.gpus())
                .isEqualTo(read(fixture("nvidia-smi-normal.csv")).gpus());
        assertThat(status.attributes()).containsEntry("card", "ok");
        assertThat(status.oddities())
                .containsExactly("nvidia-smi said: WARNING: infoROM is corrupted at gpu 0000:01:00.0");
    }

    @Test
    void aCommaInTheNameShiftsNothing() {
        SubstrateStatus status = read(HEADER
                + "0, GPU-a, Acme, Inc. 4090, 37 %, 9120 MiB, 24564 MiB, 61\n"
                + "1, GPU-b, Acme 4090, 10 %, 1024 MiB, 24576 MiB, 40\n");
        assertThat(status.gpus()).hasSize(2);
        assertThat(status.gpus().get(0))
                .isEqualTo(GpuStatus.builder(0)
                        .note("a row of 8 cells (expected: 7)")
                        .build());
        assertThat(status.gpus().get(1).vramUsedGb()).hasValue(1);
        assertThat(status.partial()).contains(Measure.VRAM, Measure.GPU_UTIL, Measure.GPU_TEMP);
        assertThat(status.oddities()).contains("gpu 0: a row of 8 cells (expected: 7)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1, GPU-b, Ac", "1, GPU-b, Acme, 5, 1024, ", "1,", "1"})
    void aTruncatedRowIsACardOfWhichNothingIsKnown(String last) {
        SubstrateStatus status = read("0, GPU-a, Acme, 37, 9120, 24564, 61\n" + last);
        assertThat(status.gpus()).hasSize(2);
        assertThat(status.gpus().get(1).index()).isEqualTo(1);
        assertThat(status.gpus().get(1).vramTotalGb()).isEmpty();
        assertThat(status.partial()).contains(Measure.VRAM);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[N/A]",
                "N/A",
                "[Not Supported]",
                "[Insufficient Permissions]",
                "[Requested functionality has been deprecated]",
                "",
                "[n/a]"
            })
    void tokensThatTellNothing(String token) {
        GpuStatus gpu = one("0, GPU-a, Acme, " + token + ", " + token + ", 24564, " + token + "\n");
        assertThat(gpu.utilPct()).isEmpty();
        assertThat(gpu.vramUsedGb()).isEmpty();
        assertThat(gpu.tempC()).isEmpty();
        assertThat(gpu.vramTotalGb()).isPresent();
        assertThat(gpu.note()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"[GPU is lost]", "[GPU requires reset]", "ERR!"})
    void aFaultMakesTheWholeCardUnknown(String token) {
        SubstrateStatus status = read("0, GPU-a, Acme, " + token + ", 0 MiB, 24564 MiB, 30\n"
                + "1, GPU-b, Acme, 5 %, 1024 MiB, 24576 MiB, 40\n");
        GpuStatus lost = status.gpus().get(0);
        assertThat(lost.vramUsedGb()).isEmpty();
        assertThat(lost.vramTotalGb()).isEmpty();
        assertThat(lost.tempC()).isEmpty();
        assertThat(lost.note()).contains(token.replace("[", "").replace("]", ""));
        assertThat(status.gpus().get(1).vramTotalGb()).hasValue(24);
        assertThat(status.attributes().get("card")).startsWith("gpu 0: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"abc", "1e3", "24564 GiB", "0x10", "--5", "12345678901234567890", "[What Else]", "NaN"})
    void whatIsNoFigureIsUnknownWithANote(String cell) {
        GpuStatus gpu = one("0, GPU-a, Acme, 5, 1024, " + cell + ", 40\n");
        assertThat(gpu.vramTotalGb()).isEmpty();
        assertThat(gpu.note().orElse("")).contains("memory.total");
    }

    @Test
    void whatCannotBeIsUnknownWithANote() {
        assertThat(one("0, GPU-a, Acme, 101, 1024, 24564, 40\n").utilPct()).isEmpty();
        assertThat(one("0, GPU-a, Acme, 5, 2048, 1024, 40\n").vramUsedGb()).isEmpty();
        assertThat(one("0, GPU-a, Acme, 5, 0, 0, 40\n").vramTotalGb()).isEmpty();
        assertThat(one("0, GPU-a, Acme, 5, 0, 1024, 400\n").note()).isPresent();
    }

    @Test
    void numbersThatAreNoneOfTheirOwnGiveWayToPositions() {
        SubstrateStatus status = read("0, GPU-a, Acme, 5, 1, 1024, 40\n0, GPU-b, Acme, 6, 2, 1024, 41\n");
        assertThat(status.gpus()).extracting(GpuStatus::index).containsExactly(0, 1);
    }

    @Test
    void printedTextIsShownShortAndPlain() {
        SubstrateStatus status = NvidiaSmiText.read(1, "\u001b[31mred\u202e " + "x".repeat(10_000));
        assertThat(status.attributes().get("card")).hasSizeLessThan(250).doesNotContain("\u001b", "\u202e");
    }

    @Property(tries = 300)
    void anyText(@ForAll String text, @ForAll int code) {
        assertSound(NvidiaSmiText.read(code, text));
        assertSound(NvidiaSmiText.read(0, text));
    }

    @Property(tries = 300)
    void anyCells(@ForAll("tables") String table) {
        assertSound(NvidiaSmiText.read(0, table));
        assertSound(NvidiaSmiText.read(0, HEADER + table));
    }

    @Provide
    Arbitrary<String> tables() {
        Arbitrary<String> cell = Arbitraries.of(
                "0",
                "1",
                "63",
                "-1",
                "37 %",
                "37",
                "9120 MiB",
                "24564 MiB",
                "[N/A]",
                "ERR!",
                "[GPU is lost]",
                "",
                "é",
                "1.5",
                "999999999999",
                "[Unknown Error]",
                "index",
                "memory.total [MiB]",
                "\"",
                "[",
                "]");
        return cell.list()
                .ofMaxSize(9)
                .map(cells -> String.join(", ", cells))
                .list()
                .ofMaxSize(70)
                .map(rows -> String.join("\n", rows));
    }

    private static void assertSound(SubstrateStatus status) {
        assertThat(status.attributes()).containsKey("card");
        assertThat(status.gpus()).hasSizeLessThanOrEqualTo(SubstrateFormat.MAX_GPUS);
        for (GpuStatus gpu : status.gpus()) {
            gpu.utilPct().ifPresent(value -> assertThat(value).isBetween(0.0, 100.0));
            gpu.vramTotalGb().ifPresent(value -> assertThat(value).isPositive());
        }
        assertThat(Optional.ofNullable(status.attributes().get("card"))).isPresent();
    }
}
