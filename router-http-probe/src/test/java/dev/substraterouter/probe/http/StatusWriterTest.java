package dev.substraterouter.probe.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.status.GpuStatus;
import dev.substraterouter.status.SubstrateStatus;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** What is written is read back as it was. */
class StatusWriterTest {
    private static String written(SubstrateStatus status) {
        return new String(StatusWriter.write(status), StandardCharsets.US_ASCII);
    }

    private static SubstrateStatus readBack(SubstrateStatus status) throws NoStatusException {
        return new SubstrateFormat()
                .read(new StatusAnswer(200, "/status", "application/json", StatusWriter.write(status)));
    }

    @Test
    void theExampleOfTheDesign() {
        SubstrateStatus status = SubstrateStatus.builder()
                .gpuUtilPct(41)
                .vramUsedGb(12.5)
                .vramTotalGb(32)
                .gpuTempC(66)
                .runningJobs(1)
                .queuedJobs(0)
                .lastRequest(Instant.parse("2026-05-04T10:00:00Z"))
                .loadedModels("flux1-dev")
                .gpuUtilOtherPct(3)
                .attribute("owner_busy", "false")
                .gpu(GpuStatus.builder(0)
                        .utilPct(41)
                        .vramUsedGb(12.5)
                        .vramTotalGb(32)
                        .tempC(66)
                        .build())
                .build();
        assertThat(written(status))
                .isEqualTo("{\"gpu_util_pct\":41.0,\"vram_used_gb\":12.5,\"vram_total_gb\":32.0,\"gpu_temp_c\":66.0,"
                        + "\"gpu_util_other_pct\":3.0,\"running_jobs\":1,\"queued_jobs\":0,"
                        + "\"last_request_ts\":\"2026-05-04T10:00:00Z\",\"loaded_models\":[\"flux1-dev\"],"
                        + "\"attributes\":{\"owner_busy\":\"false\"},\"gpus\":[{\"index\":0,\"util_pct\":41.0,"
                        + "\"vram_used_gb\":12.5,\"vram_total_gb\":32.0,\"temp_c\":66.0}]}");
    }

    @Test
    void whatIsUnknownIsAbsent() {
        assertThat(written(SubstrateStatus.builder().build())).isEqualTo("{}");
    }

    @Test
    void knownToBeEmptyIsNotUnknown() throws NoStatusException {
        SubstrateStatus none = SubstrateStatus.builder().loadedModels().build();
        assertThat(readBack(none).loadedModels()).contains(Set.of());
    }

    @Test
    void aPartIsNotWrittenAsTheWhole() throws NoStatusException {
        SubstrateStatus part = NvidiaSmiText.read(0, NvidiaSmiTextTest.fixture("nvidia-smi-mig.csv"));
        assertThat(written(part)).doesNotContain("gpu_util_pct").contains("\"vram_total_gb\"");
        assertThat(readBack(part).partial()).isEqualTo(part.partial());
        assertThat(readBack(part).gpuUtilPct()).isEqualTo(part.gpuUtilPct());
    }

    @Test
    void textOfAnyKindDoesNotBreakIt() throws NoStatusException {
        SubstrateStatus odd = SubstrateStatus.builder()
                .attribute("card", "\ud800 \" \\ \u2028 \u0000 é")
                .build();
        assertThat(readBack(odd).attributes().get("card")).endsWith("é");
    }

    @Test
    void whyItIsNotReady() {
        SubstrateStatus loading = SubstrateStatus.builder().notReady("loading").build();
        assertThat(written(loading)).isEqualTo("{\"not_ready\":\"loading\"}");
        assertThat(written(SubstrateStatus.builder().reachable(false).build()))
                .isEqualTo("{\"not_ready\":\"not ready\"}");
    }

    @Test
    void errorsAreJson() {
        assertThat(new String(StatusWriter.error("no \"card\""), StandardCharsets.US_ASCII))
                .isEqualTo("{\"error\":\"no \\\"card\\\"\"}");
    }

    @Property(tries = 200)
    void roundTrip(@ForAll("statuses") SubstrateStatus status) throws NoStatusException {
        SubstrateStatus back = readBack(status);
        assertThat(back.gpuUtilPct()).isEqualTo(status.gpuUtilPct());
        assertThat(back.gpuUtilOtherPct()).isEqualTo(status.gpuUtilOtherPct());
        assertThat(back.vramUsedGb()).isEqualTo(status.vramUsedGb());
        assertThat(back.vramTotalGb()).isEqualTo(status.vramTotalGb());
        assertThat(back.gpuTempC()).isEqualTo(status.gpuTempC());
        assertThat(back.runningJobs()).isEqualTo(status.runningJobs());
        assertThat(back.queuedJobs()).isEqualTo(status.queuedJobs());
        assertThat(back.lastRequest()).isEqualTo(status.lastRequest());
        assertThat(back.loadedModels()).isEqualTo(status.loadedModels());
        assertThat(back.attributes()).isEqualTo(status.attributes());
        assertThat(back.partial()).isEqualTo(status.partial());
        assertThat(back.gpus()).isEqualTo(status.gpus());
        assertThat(back.oddities()).isEmpty();
    }

    @Provide
    Arbitrary<SubstrateStatus> statuses() {
        Arbitrary<Optional<Double>> share = Arbitraries.doubles().between(0, 1).optional();
        Arbitrary<SubstrateStatus.Builder> figures =
                Combinators.combine(share, share, share, share, share, share).as(StatusWriterTest::figures);
        Arbitrary<List<String>> models =
                Arbitraries.strings().ofMaxLength(12).list().uniqueElements().ofMaxSize(4);
        Arbitrary<Map<String, String>> attributes = Arbitraries.maps(
                        Arbitraries.strings().ofMaxLength(8).filter(StatusWriterTest::isProper),
                        Arbitraries.strings().ofMaxLength(20).filter(StatusWriterTest::isProper))
                .ofMaxSize(4);
        Arbitrary<List<GpuStatus>> gpus = Combinators.combine(share, share, share, share)
                .as(StatusWriterTest::gpu)
                .list()
                .ofMaxSize(4);
        return Combinators.combine(
                        figures,
                        models.filter(all -> all.stream().allMatch(StatusWriterTest::isProper))
                                .optional(),
                        attributes,
                        gpus)
                .as((status, loaded, texts, cards) -> {
                    loaded.ifPresent(status::loadedModels);
                    texts.forEach(status::attribute);
                    for (int i = 0; i < cards.size(); i++) {
                        status.gpu(indexed(i, cards.get(i)));
                    }
                    return status.build();
                });
    }

    /** Surrogates in pairs. */
    private static boolean isProper(String text) {
        return text.codePoints().noneMatch(c -> Character.getType(c) == Character.SURROGATE);
    }

    private static SubstrateStatus.Builder figures(
            Optional<Double> util,
            Optional<Double> other,
            Optional<Double> used,
            Optional<Double> temp,
            Optional<Double> jobs,
            Optional<Double> queued) {
        SubstrateStatus.Builder status = SubstrateStatus.builder();
        util.ifPresent(value -> status.gpuUtilPct(100 * value));
        other.ifPresent(value -> status.gpuUtilOtherPct(100 * value));
        used.ifPresent(value -> status.vramUsedGb(32 * value).vramTotalGb(32));
        temp.ifPresent(
                value -> status.gpuTempC(120 * value - 20).lastRequest(Instant.ofEpochSecond((long) (1e9 * value), 7)));
        jobs.ifPresent(value -> status.runningJobs((int) (9 * value)));
        queued.ifPresent(value -> status.queuedJobs((int) (9 * value)));
        return status;
    }

    private static GpuStatus gpu(
            Optional<Double> util, Optional<Double> used, Optional<Double> total, Optional<Double> temp) {
        GpuStatus.Builder gpu = GpuStatus.builder(0);
        util.ifPresent(value -> gpu.utilPct(100 * value));
        used.ifPresent(value -> gpu.vramUsedGb(10 * value));
        total.ifPresent(value -> gpu.vramTotalGb(40 + 40 * value));
        temp.ifPresent(value -> gpu.tempC(100 * value));
        return gpu.build();
    }

    private static GpuStatus indexed(int index, GpuStatus gpu) {
        GpuStatus.Builder copy = GpuStatus.builder(index);
        gpu.utilPct().ifPresent(copy::utilPct);
        gpu.vramUsedGb().ifPresent(copy::vramUsedGb);
        gpu.vramTotalGb().ifPresent(copy::vramTotalGb);
        gpu.tempC().ifPresent(copy::tempC);
        return copy.build();
    }
}
