package dev.substraterouter.properties;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.Placement;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.IdleVram;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.status.GpuStatus;
import dev.substraterouter.status.SubstrateStatus;
import dev.substraterouter.testkit.HandDrivenTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.logging.Level;
import java.util.logging.Logger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.lifecycle.BeforeProperty;

/** Memory, on one card and on several, against the rules computed by hand. All figures are whole GiB. */
class GpuPropertyTest {
    private static final Logger LOG = Logger.getLogger("dev.substraterouter");
    private static final int GB_PER_GPU = 24;
    private static final int SLOTS = 20;
    private Level before;

    @BeforeProperty
    void silence() {
        before = LOG.getLevel();
        LOG.setLevel(Level.OFF);
    }

    @AfterProperty
    void speak() {
        LOG.setLevel(before);
    }

    /** One GPU as drawn. */
    private record Gpu(int util, int temp, int used) {
        static List<Gpu> drawn(int count, Dice dice) {
            List<Gpu> gpus = new ArrayList<>();
            for (int at = 0; at < count; at++) {
                gpus.add(new Gpu(
                        new int[] {0, 30, 69, 70, 95}[dice.next(5)],
                        new int[] {40, 79, 80, 90}[dice.next(4)],
                        dice.next(GB_PER_GPU + 1)));
            }
            return gpus;
        }

        boolean cool() {
            return util < 70 && temp < 80;
        }

        int free(int keepEach) {
            return GB_PER_GPU - keepEach - used;
        }
    }

    private static SubstrateStatus status(List<Gpu> gpus) {
        SubstrateStatus.Builder status = SubstrateStatus.builder()
                .gpuUtilPct(gpus.stream().mapToInt(Gpu::util).average().orElseThrow())
                .gpuTempC(gpus.stream().mapToInt(Gpu::temp).max().orElseThrow())
                .vramUsedGb(gpus.stream().mapToInt(Gpu::used).sum())
                .vramTotalGb(gpus.size() * GB_PER_GPU)
                .runningJobs(0);
        for (int at = 0; at < gpus.size(); at++) {
            Gpu gpu = gpus.get(at);
            status.gpu(GpuStatus.builder(at)
                    .utilPct(gpu.util)
                    .tempC(gpu.temp)
                    .vramUsedGb(gpu.used)
                    .vramTotalGb(GB_PER_GPU)
                    .build());
        }
        return status.build();
    }

    private static SubstrateStatus sums(int used, int total) {
        return SubstrateStatus.builder()
                .gpuUtilPct(10)
                .gpuTempC(50)
                .vramUsedGb(used)
                .vramTotalGb(total)
                .runningJobs(0)
                .build();
    }

    private static SubstrateRouter router(HandDrivenTime time, Substrate.Builder substrate, Workload... workloads) {
        return SubstrateRouter.builder()
                .policy(Policy.builder()
                        .substrate(substrate.maxConcurrentJobs(SLOTS).build())
                        .workloads(workloads)
                        .build())
                .timeSource(time)
                .executor(Runnable::run)
                .build();
    }

    private static Workload workload(String name, Candidate.Builder candidate, int gb) {
        return Workload.builder(name).vramGb(gb).route(candidate.build()).build();
    }

    private static Optional<Placement> place(SubstrateRouter router, String workload) {
        return router.tryPlace(RouteRequest.workload(workload));
    }

    /** One single GPU must pass utilisation, temperature and memory together, each lease is booked on it, and none is overfilled. */
    @Property(tries = 500)
    void oneGpuMustPassEverything(
            @ForAll @IntRange(min = 2, max = 4) int count,
            @ForAll @IntRange(min = 1, max = 12) int gb,
            @ForAll @IntRange(min = 0, max = 2) int keepEach,
            @ForAll @Size(20) List<@IntRange(min = 0, max = 999) Integer> numbers) {
        List<Gpu> gpus = Gpu.drawn(count, new Dice(numbers));
        int[] free = gpus.stream().mapToInt(gpu -> gpu.free(keepEach)).toArray();
        try (SubstrateRouter router = router(
                new HandDrivenTime(),
                Substrate.builder("s").vramGb(count * GB_PER_GPU).gpus(count).keepFreeGb(count * keepEach),
                workload("work", Candidate.builder("s"), gb))) {
            router.reportStatus("s", status(gpus));
            for (int taken = 0; taken < SLOTS; taken++) {
                int total = Arrays.stream(free).sum();
                boolean fits = total >= gb && fits(gpus, free, gb);
                Optional<Placement> placed = place(router, "work");
                assertThat(placed.isPresent())
                        .as("%s, %d GB free on each: %s", gpus, gb, Arrays.toString(free))
                        .isEqualTo(fits);
                if (placed.isEmpty()) {
                    return;
                }
                int on = placed.get().gpu().orElseThrow();
                assertThat(gpus.get(on).cool()).isTrue();
                free[on] -= gb;
                assertThat(free[on]).isNotNegative();
            }
        }
    }

    private static boolean fits(List<Gpu> gpus, int[] free, int gb) {
        for (int at = 0; at < free.length; at++) {
            if (gpus.get(at).cool() && free[at] >= gb) {
                return true;
            }
        }
        return false;
    }

    /** A candidate that spans GPUs is judged by the sums, and books the same on each. */
    @Property(tries = 300)
    void oneThatSpansIsJudgedBySums(
            @ForAll @IntRange(min = 2, max = 4) int count,
            @ForAll @IntRange(min = 1, max = 60) int gb,
            @ForAll @Size(20) List<@IntRange(min = 0, max = 999) Integer> numbers) {
        List<Gpu> gpus = Gpu.drawn(count, new Dice(numbers));
        double util = gpus.stream().mapToInt(Gpu::util).average().orElseThrow();
        int temp = gpus.stream().mapToInt(Gpu::temp).max().orElseThrow();
        int free = gpus.stream().mapToInt(gpu -> gpu.free(0)).sum();
        try (SubstrateRouter router = router(
                new HandDrivenTime(),
                Substrate.builder("s").vramGb(count * GB_PER_GPU).gpus(count),
                workload("work", Candidate.builder("s").spansGpus(true), Math.min(gb, count * GB_PER_GPU)))) {
            router.reportStatus("s", status(gpus));
            int need = Math.min(gb, count * GB_PER_GPU);
            for (int taken = 0; taken < SLOTS; taken++) {
                Optional<Placement> placed = place(router, "work");
                boolean fits = util < 70 && temp < 80 && free >= need;
                assertThat(placed.isPresent())
                        .as("%s, %d of %d", gpus, need, free)
                        .isEqualTo(fits);
                if (placed.isEmpty()) {
                    return;
                }
                assertThat(placed.get().gpu()).isEqualTo(OptionalInt.empty());
                free -= need;
            }
        }
    }

    /** Only sums are told: leases are booked on equal GPUs, and a job fits by the larger of the two estimates. */
    @Property(tries = 500)
    void onlySumsAreTold(
            @ForAll @IntRange(min = 2, max = 4) int count,
            @ForAll @IntRange(min = 1, max = 20) int gb,
            @ForAll @IntRange(min = 0, max = 96) int used) {
        int total = count * GB_PER_GPU;
        int foreign = Math.min(used, total);
        try (SubstrateRouter router = router(
                new HandDrivenTime(),
                Substrate.builder("s").vramGb(total).gpus(count),
                workload("work", Candidate.builder("s"), gb))) {
            router.reportStatus("s", sums(foreign, total));
            int[] booked = new int[count];
            for (int taken = 0; taken < SLOTS; taken++) {
                int free = total - foreign - Arrays.stream(booked).sum();
                int emptiest = 0;
                for (int at = 1; at < count; at++) {
                    emptiest = booked[at] < booked[emptiest] ? at : emptiest;
                }
                double most = Math.max((double) free / count, GB_PER_GPU - foreign - booked[emptiest]);
                boolean fits = free >= gb && most >= gb;
                assertThat(place(router, "work").isPresent())
                        .as("%d GB, %d foreign, booked %s", gb, foreign, Arrays.toString(booked))
                        .isEqualTo(fits);
                if (!fits) {
                    return;
                }
                booked[emptiest] += gb;
            }
        }
    }

    /** A resident and idle model needs only what a job adds; while it serves somebody, the next needs the whole. */
    @Property(tries = 300)
    void aResidentModelNeedsOnlyItsJob(
            @ForAll @IntRange(min = 2, max = 20) int whole,
            @ForAll @IntRange(min = 0, max = 20) int job,
            @ForAll @IntRange(min = 0, max = 24) int used,
            @ForAll boolean loaded) {
        int jobGb = Math.min(job, whole);
        try (SubstrateRouter router = router(
                new HandDrivenTime(),
                Substrate.builder("s").vramGb(GB_PER_GPU),
                workload("work", Candidate.builder("s").model("m").jobVramGb(jobGb), whole))) {
            router.reportStatus(
                    "s",
                    SubstrateStatus.builder()
                            .gpuUtilPct(0)
                            .gpuTempC(40)
                            .vramUsedGb(used)
                            .vramTotalGb(GB_PER_GPU)
                            .runningJobs(0)
                            .loadedModels(loaded ? List.of("m") : List.of())
                            .build());
            int free = GB_PER_GPU - used;
            int need = loaded ? jobGb : whole;
            boolean first = free >= need;
            assertThat(place(router, "work").isPresent()).isEqualTo(first);
            if (first) {
                assertThat(place(router, "work").isPresent()).as("a second one").isEqualTo(free - need >= whole);
            }
        }
    }

    /** What idle known models hold is free where the policy says that they may be evicted, and only there. */
    @Property(tries = 300)
    void idleModelsAreEvictedWhereTheyMayBe(
            @ForAll @IntRange(min = 1, max = 24) int need,
            @ForAll @IntRange(min = 1, max = 20) int idle,
            @ForAll @IntRange(min = 0, max = 10) int others,
            @ForAll boolean evictable) {
        int used = Math.min(GB_PER_GPU, idle + others);
        try (SubstrateRouter router = router(
                new HandDrivenTime(),
                Substrate.builder("s").vramGb(GB_PER_GPU).idleVram(evictable ? IdleVram.EVICTABLE : IdleVram.HELD),
                workload("known", Candidate.builder("s").model("idle one"), idle),
                workload("work", Candidate.builder("s").model("mine"), need))) {
            router.reportStatus(
                    "s",
                    SubstrateStatus.builder()
                            .gpuUtilPct(0)
                            .gpuTempC(40)
                            .vramUsedGb(used)
                            .vramTotalGb(GB_PER_GPU)
                            .runningJobs(0)
                            .loadedModels("idle one", "nobody knows this one")
                            .build());
            int foreign = evictable ? Math.max(0, used - idle) : used;
            assertThat(place(router, "work").isPresent()).isEqualTo(GB_PER_GPU - foreign >= need);
        }
    }

    /** What a seen lease held is credited to the same candidate at once, to others with the next status; an unseen one's to all at once. */
    @Property(tries = 300)
    void whatALeaseHeldIsCreditedToItsOwnFirst(
            @ForAll @IntRange(min = 1, max = 24) int gb,
            @ForAll @IntRange(min = 1, max = 24) int otherGb,
            @ForAll boolean seen,
            @ForAll boolean freed) {
        HandDrivenTime time = new HandDrivenTime();
        try (SubstrateRouter router = router(
                time,
                Substrate.builder("s").vramGb(GB_PER_GPU),
                workload("work", Candidate.builder("s"), gb),
                workload("other", Candidate.builder("s"), otherGb))) {
            router.reportStatus("s", sums(0, GB_PER_GPU));
            Placement first = place(router, "work").orElseThrow();
            time.advance(Duration.ofSeconds(1));
            if (seen) {
                router.reportStatus("s", sums(gb, GB_PER_GPU));
            }
            first.succeed();
            assertThat(place(router, "other").map(GpuPropertyTest::closed).isPresent())
                    .as("the other, at once")
                    .isEqualTo(otherGb <= (seen ? GB_PER_GPU - gb : GB_PER_GPU));
            assertThat(place(router, "work").map(GpuPropertyTest::closed))
                    .as("its own, at once")
                    .isPresent();
            router.reportStatus("s", sums(freed ? 0 : gb, GB_PER_GPU));
            assertThat(place(router, "other").map(GpuPropertyTest::closed).isPresent())
                    .as("the other, by the next status")
                    .isEqualTo(otherGb <= (freed ? GB_PER_GPU : GB_PER_GPU - gb));
        }
    }

    private static Placement closed(Placement placement) {
        placement.close();
        return placement;
    }
}
