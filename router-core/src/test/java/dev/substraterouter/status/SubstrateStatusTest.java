package dev.substraterouter.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.model.Measure;
import dev.substraterouter.testkit.Statuses;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class SubstrateStatusTest {
    @Test
    void whatIsNotSaidIsUnknownAndNeverZero() {
        SubstrateStatus nothing = SubstrateStatus.builder().build();
        assertThat(nothing.gpuUtilPct()).isEmpty();
        assertThat(nothing.vramUsedGb()).isEmpty();
        assertThat(nothing.gpuTempC()).isEmpty();
        assertThat(nothing.runningJobs()).isEmpty();
        assertThat(nothing.loadedModels()).isEmpty();
        assertThat(nothing.reachable()).isTrue();
        assertThat(nothing.oddities()).isEmpty();
        assertThat(SubstrateStatus.builder().loadedModels().build().loadedModels())
                .hasValueSatisfying(models -> assertThat(models).isEmpty());
    }

    @Test
    void whatCannotBeIsUnknownAndSaysSoWhileTheRestIsKept() {
        SubstrateStatus odd = SubstrateStatus.builder()
                .gpuUtilPct(101)
                .gpuUtilOtherPct(-1)
                .vramUsedGb(33)
                .vramTotalGb(32)
                .gpuTempC(Double.NaN)
                .runningJobs(-1)
                .queuedJobs(2)
                .build();
        assertThat(odd.gpuUtilPct()).isEmpty();
        assertThat(odd.gpuUtilOtherPct()).isEmpty();
        assertThat(odd.vramUsedGb()).isEmpty();
        assertThat(odd.vramTotalGb()).isEmpty();
        assertThat(odd.gpuTempC()).isEmpty();
        assertThat(odd.runningJobs()).isEmpty();
        assertThat(odd.queuedJobs()).hasValue(2);
        assertThat(odd.oddities())
                .contains("gpu_util_pct 101.0 (expected: 0 to 100)", "vram_used_gb 33.0 > vram_total_gb 32.0")
                .hasSize(5);
        assertThat(odd.toString()).contains("left out");
    }

    @Test
    void jobsAreTheSumOrWhatIsToldUnsplit() {
        assertThat(SubstrateStatus.builder().jobs(3).build().jobs()).hasValue(3);
        assertThat(SubstrateStatus.builder().jobs(3).build().runningJobs()).isEmpty();
        assertThat(SubstrateStatus.builder()
                        .jobs(3)
                        .runningJobs(1)
                        .queuedJobs(1)
                        .build()
                        .jobs())
                .hasValue(2);
        assertThat(SubstrateStatus.builder().queuedJobs(1).build().jobs()).isEmpty();
    }

    @Test
    void aBuilderOfAStatusHoldsAllOfIt() {
        SubstrateStatus all = SubstrateStatus.builder()
                .gpuUtilPct(3)
                .gpuUtilOtherPct(2)
                .vramUsedGb(1)
                .vramTotalGb(2)
                .gpuTempC(50)
                .jobs(4)
                .progress(17)
                .loadedModels("m")
                .gpu(GpuStatus.builder(0).uuid("u").name("n").note("warm").build())
                .attribute("k", "v")
                .notReady("loading")
                .odd("something")
                .build();
        assertThat(all.toBuilder().build()).isEqualTo(all).hasToString(all.toString());
        assertThat(all.toString()).contains("loading", "warm");
        assertThat(all.toBuilder().progress(18).build()).isNotEqualTo(all);
    }

    @Test
    void figuresForTheWholeAreTakenFromItsGpusThatTell() {
        GpuStatus one = GpuStatus.builder(0)
                .utilPct(40)
                .vramUsedGb(10)
                .vramTotalGb(32)
                .tempC(60)
                .build();
        GpuStatus two = GpuStatus.builder(1)
                .utilPct(20)
                .vramUsedGb(4)
                .vramTotalGb(32)
                .tempC(70)
                .build();
        SubstrateStatus both = SubstrateStatus.builder().gpu(one).gpu(two).build();
        assertThat(both.gpuUtilPct()).hasValue(30);
        assertThat(both.vramUsedGb()).hasValue(14);
        assertThat(both.vramTotalGb()).hasValue(64);
        assertThat(both.gpuTempC()).hasValue(70);
        SubstrateStatus half = SubstrateStatus.builder()
                .gpu(one)
                .gpu(GpuStatus.builder(1).build())
                .build();
        assertThat(half.gpuUtilPct()).hasValue(40);
        assertThat(half.vramUsedGb()).hasValue(10);
        assertThat(half.partial()).containsExactlyInAnyOrder(Measure.GPU_UTIL, Measure.VRAM, Measure.GPU_TEMP);
        assertThat(both.partial()).isEmpty();
        assertThat(both.gpuUtilMaxPct()).hasValue(40);
        assertThat(SubstrateStatus.builder().gpuUtilPct(7).build().gpuUtilMaxPct())
                .hasValue(7);
        assertThat(SubstrateStatus.builder()
                        .gpu(GpuStatus.builder(0).build())
                        .build()
                        .vramUsedGb())
                .isEmpty();
        assertThat(half.gpus()).isEqualTo(List.of(one, GpuStatus.builder(1).build()));
        assertThat(GpuStatus.builder(0).vramUsedGb(9).vramTotalGb(8).build().vramTotalGb())
                .isEmpty();
        assertThat(one.toString()).startsWith("gpu 0 ");
    }

    @Test
    void equalWhenTheSameWasSaid() {
        Instant when = Instant.parse("2026-05-04T10:00:00Z");
        SubstrateStatus one = Statuses.healthy(32)
                .lastRequest(when)
                .attribute("a", "b")
                .loadedModels("m")
                .build();
        SubstrateStatus two = Statuses.healthy(32)
                .lastRequest(when)
                .attribute("a", "b")
                .loadedModels("m")
                .build();
        assertThat(one).isEqualTo(two).hasSameHashCodeAs(two);
        assertThat(one.lastRequest()).contains(when);
        assertThat(one).isNotEqualTo(Statuses.idle(32));
    }

    @Test
    void thePlainPredicatesJudgeOneStatus() {
        HealthContext context = new HealthContext("legion", 70, 80, 1, 24, 0);
        SubstrateStatus idle = Statuses.idle(32);
        HealthPredicate all = HealthPredicates.GPU_UTIL
                .and(HealthPredicates.VRAM)
                .and(HealthPredicates.GPU_TEMP)
                .and(HealthPredicates.RUNNING_JOBS);
        assertThat(all.test(idle, context).passes()).isTrue();
        assertThat(HealthPredicates.GPU_UTIL.test(Statuses.loaded(32), context).reason())
                .isEqualTo("gpu util 93 >= 70");
        assertThat(HealthPredicates.GPU_UTIL
                        .test(
                                Statuses.healthy(32)
                                        .gpuUtilPct(93)
                                        .gpuUtilOtherPct(2)
                                        .build(),
                                context)
                        .passes())
                .isTrue();
        assertThat(HealthPredicates.VRAM
                        .test(Statuses.healthy(32).vramUsedGb(12).build(), context)
                        .reason())
                .isEqualTo("vram free 20.0 < 24.0 GB");
        assertThat(HealthPredicates.GPU_TEMP
                        .test(Statuses.healthy(32).gpuTempC(80).build(), context)
                        .reason())
                .isEqualTo("gpu temp 80 >= 80");
        assertThat(HealthPredicates.RUNNING_JOBS
                        .test(Statuses.healthy(32).queuedJobs(1).build(), context)
                        .reason())
                .isEqualTo("jobs 1/1");
        SubstrateStatus unknown = SubstrateStatus.builder().build();
        assertThat(all.test(unknown, context).reason()).isEqualTo("gpu util unknown");
        assertThat(HealthPredicates.VRAM.test(unknown, context).reason()).isEqualTo("vram unknown");
        assertThat(HealthPredicates.RUNNING_JOBS.test(unknown, context).reason())
                .isEqualTo("running jobs unknown");
    }
}
