package dev.substraterouter.status;

import dev.substraterouter.model.Measure;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/**
 * What a substrate said of itself at one moment. Immutable and thread-safe.
 *
 * <p>What was not said is empty and counts as unknown, never as zero. A value that cannot be (negative, not a number, a utilisation above
 * 100, more memory used than there is) is unknown too; {@link #oddities()} says what was left out.
 */
public final class SubstrateStatus {
    static final double MAX_GB = 1 << 20;
    private static final int MAX_ODDITIES = 16;

    private final OptionalDouble gpuUtilPct;
    private final OptionalDouble gpuUtilOtherPct;
    private final OptionalDouble vramUsedGb;
    private final OptionalDouble vramTotalGb;
    private final OptionalDouble gpuTempC;
    private final OptionalInt runningJobs;
    private final OptionalInt queuedJobs;
    private final OptionalInt jobs;
    private final OptionalDouble progress;
    private final Optional<Instant> lastRequest;
    private final Optional<Set<String>> loadedModels;
    private final List<GpuStatus> gpus;
    private final Map<String, String> attributes;
    private final boolean reachable;
    private final Optional<String> notReady;
    private final Set<Measure> partial;
    private final List<String> oddities;

    private SubstrateStatus(Builder builder) {
        gpuUtilPct = optional(builder.gpuUtilPct);
        gpuUtilOtherPct = optional(builder.gpuUtilOtherPct);
        vramUsedGb = optional(builder.vramUsedGb);
        vramTotalGb = optional(builder.vramTotalGb);
        gpuTempC = optional(builder.gpuTempC);
        runningJobs = builder.runningJobs < 0 ? OptionalInt.empty() : OptionalInt.of(builder.runningJobs);
        queuedJobs = builder.queuedJobs < 0 ? OptionalInt.empty() : OptionalInt.of(builder.queuedJobs);
        jobs = runningJobs.isPresent()
                ? OptionalInt.of(
                        (int) Math.min(Integer.MAX_VALUE, (long) builder.runningJobs + Math.max(0, builder.queuedJobs)))
                : builder.jobs < 0 ? OptionalInt.empty() : OptionalInt.of(builder.jobs);
        progress = optional(builder.progress);
        lastRequest = Optional.ofNullable(builder.lastRequest);
        loadedModels = builder.loadedModels == null ? Optional.empty() : Optional.of(Set.copyOf(builder.loadedModels));
        gpus = List.copyOf(builder.gpus);
        attributes = Map.copyOf(builder.attributes);
        reachable = builder.reachable;
        notReady = Optional.ofNullable(builder.notReady);
        partial = Set.copyOf(builder.partial);
        oddities = List.copyOf(builder.oddities);
    }

    /** A builder in which nothing is known yet and the substrate is reachable. */
    public static Builder builder() {
        return new Builder();
    }

    /** A builder that holds all that this status says, to add to it. */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.gpuUtilPct = gpuUtilPct.orElse(Double.NaN);
        builder.gpuUtilOtherPct = gpuUtilOtherPct.orElse(Double.NaN);
        builder.vramUsedGb = vramUsedGb.orElse(Double.NaN);
        builder.vramTotalGb = vramTotalGb.orElse(Double.NaN);
        builder.gpuTempC = gpuTempC.orElse(Double.NaN);
        builder.runningJobs = runningJobs.orElse(-1);
        builder.queuedJobs = queuedJobs.orElse(-1);
        builder.jobs = runningJobs.isPresent() ? -1 : jobs.orElse(-1);
        builder.progress = progress.orElse(Double.NaN);
        builder.lastRequest = lastRequest.orElse(null);
        builder.loadedModels = loadedModels.<Set<String>>map(LinkedHashSet::new).orElse(null);
        builder.gpus.addAll(gpus);
        builder.attributes.putAll(attributes);
        builder.reachable = reachable;
        builder.notReady = notReady.orElse(null);
        builder.partial.addAll(partial);
        builder.oddities.addAll(oddities);
        return builder;
    }

    /** GPU utilisation in percent, 0 to 100: the mean over the substrate's GPUs that tell it (see {@link #partial()}). */
    public OptionalDouble gpuUtilPct() {
        return gpuUtilPct;
    }

    /** The utilisation of the busiest GPU in percent, 0 to 100; that of the whole where GPUs are not told apart. */
    public OptionalDouble gpuUtilMaxPct() {
        OptionalDouble most =
                gpus.stream().flatMapToDouble(gpu -> gpu.utilPct().stream()).max();
        return most.isPresent() ? most : gpuUtilPct;
    }

    /**
     * The figures of the whole that leave out a GPU, because that GPU does not tell: for people, never judged as if they were whole. Empty
     * when nothing is left out.
     */
    public Set<Measure> partial() {
        return partial;
    }

    /** The part of the utilisation that is not the router's work, in percent, where the worker can tell. */
    public OptionalDouble gpuUtilOtherPct() {
        return gpuUtilOtherPct;
    }

    /** GPU memory used, GiB, over all GPUs. */
    public OptionalDouble vramUsedGb() {
        return vramUsedGb;
    }

    /** GPU memory in all, GiB, over all GPUs. */
    public OptionalDouble vramTotalGb() {
        return vramTotalGb;
    }

    /** The hottest GPU's temperature, °C. */
    public OptionalDouble gpuTempC() {
        return gpuTempC;
    }

    /** Jobs running now, whoever sent them. */
    public OptionalInt runningJobs() {
        return runningJobs;
    }

    /** Jobs waiting at the worker, whoever sent them. */
    public OptionalInt queuedJobs() {
        return queuedJobs;
    }

    /**
     * Jobs running or waiting at the worker, whoever sent them: the sum of {@link #runningJobs()} and {@link #queuedJobs()}, or what a
     * worker tells that does not tell the two apart.
     */
    public OptionalInt jobs() {
        return jobs;
    }

    /**
     * A counter of work done (tokens, steps, requests), where the worker has one: while jobs run and it does not move, the worker is
     * stalled. It has no unit and starts anew when the worker does.
     */
    public OptionalDouble progress() {
        return progress;
    }

    /** When the worker last got a request, by its own clock. */
    public Optional<Instant> lastRequest() {
        return lastRequest;
    }

    /** The models in memory; empty when the worker does not tell. */
    public Optional<Set<String>> loadedModels() {
        return loadedModels;
    }

    /** One entry a GPU; empty when the worker tells sums only. */
    public List<GpuStatus> gpus() {
        return gpus;
    }

    /** Whatever else it says, as text. */
    public Map<String, String> attributes() {
        return attributes;
    }

    /** False: the substrate was asked and says, or is known, not to be ready for work. */
    public boolean reachable() {
        return reachable;
    }

    /** Why it is not ready for work, in words ("loading", "stalled"); empty when it is ready, or did not say why. */
    public Optional<String> notReady() {
        return notReady;
    }

    /** What was said but could not be, a sentence each; such a value counts as unknown. */
    public List<String> oddities() {
        return oddities;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SubstrateStatus that
                && gpuUtilPct.equals(that.gpuUtilPct)
                && gpuUtilOtherPct.equals(that.gpuUtilOtherPct)
                && vramUsedGb.equals(that.vramUsedGb)
                && vramTotalGb.equals(that.vramTotalGb)
                && gpuTempC.equals(that.gpuTempC)
                && runningJobs.equals(that.runningJobs)
                && queuedJobs.equals(that.queuedJobs)
                && lastRequest.equals(that.lastRequest)
                && loadedModels.equals(that.loadedModels)
                && gpus.equals(that.gpus)
                && attributes.equals(that.attributes)
                && jobs.equals(that.jobs)
                && progress.equals(that.progress)
                && reachable == that.reachable
                && notReady.equals(that.notReady)
                && partial.equals(that.partial)
                && oddities.equals(that.oddities);
    }

    @Override
    public int hashCode() {
        return Objects.hash(
                gpuUtilPct, vramUsedGb, vramTotalGb, gpuTempC, runningJobs, queuedJobs, loadedModels, gpus, reachable);
    }

    @Override
    public String toString() {
        return "SubstrateStatus[util " + show(gpuUtilPct) + ", other " + show(gpuUtilOtherPct) + ", vram "
                + show(vramUsedGb) + "/"
                + show(vramTotalGb) + ", temp " + show(gpuTempC) + ", running " + show(runningJobs) + ", queued "
                + show(queuedJobs)
                + ", reachable " + reachable
                + notReady.map(why -> " (" + why + ")").orElse("") + ", gpus " + gpus + ", models "
                + loadedModels.orElse(Set.of()) + ", "
                + attributes
                + (oddities.isEmpty() ? "" : ", left out: " + oddities) + "]";
    }

    private static String show(OptionalDouble value) {
        return value.isPresent() ? Double.toString(value.getAsDouble()) : "?";
    }

    private static String show(OptionalInt value) {
        return value.isPresent() ? Integer.toString(value.getAsInt()) : "?";
    }

    static OptionalDouble optional(double value) {
        return Double.isNaN(value) ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    static double inRange(double value, double least, double most) {
        return value >= least && value <= most ? value : Double.NaN;
    }

    /** Builds a {@link SubstrateStatus}. Not thread-safe. */
    public static final class Builder {
        private double gpuUtilPct = Double.NaN;
        private double gpuUtilOtherPct = Double.NaN;
        private double vramUsedGb = Double.NaN;
        private double vramTotalGb = Double.NaN;
        private double gpuTempC = Double.NaN;
        private int runningJobs = -1;
        private int queuedJobs = -1;
        private int jobs = -1;
        private double progress = Double.NaN;
        private @Nullable Instant lastRequest;
        private @Nullable Set<String> loadedModels;
        private final List<GpuStatus> gpus = new ArrayList<>();
        private final Map<String, String> attributes = new LinkedHashMap<>();
        private boolean reachable = true;
        private @Nullable String notReady;
        private final Set<Measure> partial = EnumSet.noneOf(Measure.class);
        private final List<String> oddities = new ArrayList<>();

        private Builder() {}

        /** GPU utilisation, 0 to 100 percent. */
        public Builder gpuUtilPct(double value) {
            partial.remove(Measure.GPU_UTIL);
            gpuUtilPct = checked("gpu_util_pct", value, 100);
            return this;
        }

        /** The part of the utilisation that is not the router's work, 0 to 100 percent. */
        public Builder gpuUtilOtherPct(double value) {
            gpuUtilOtherPct = checked("gpu_util_other_pct", value, 100);
            return this;
        }

        /** GPU memory used, GiB. */
        public Builder vramUsedGb(double value) {
            partial.remove(Measure.VRAM);
            vramUsedGb = checked("vram_used_gb", value, MAX_GB);
            return this;
        }

        /** GPU memory in all, GiB. */
        public Builder vramTotalGb(double value) {
            vramTotalGb = checked("vram_total_gb", value, MAX_GB);
            return this;
        }

        /** The hottest GPU's temperature, -50 to 200 °C. */
        public Builder gpuTempC(double value) {
            partial.remove(Measure.GPU_TEMP);
            gpuTempC = inRange(value, -50, 200);
            if (Double.isNaN(gpuTempC)) {
                odd("gpu_temp_c " + value + " (expected: -50 to 200)");
            }
            return this;
        }

        /** Jobs running now, 0 or more. */
        public Builder runningJobs(int value) {
            runningJobs = checked("running_jobs", value);
            return this;
        }

        /** Jobs waiting at the worker, 0 or more. */
        public Builder queuedJobs(int value) {
            queuedJobs = checked("queued_jobs", value);
            return this;
        }

        /** Jobs running or waiting, 0 or more, from a worker that does not tell the two apart; not used once running jobs are told. */
        public Builder jobs(int value) {
            jobs = checked("jobs", value);
            return this;
        }

        /** A counter of work done, 0 or more. */
        public Builder progress(double value) {
            progress = checked("progress", value, Double.MAX_VALUE);
            return this;
        }

        /** When the worker last got a request. */
        public Builder lastRequest(Instant value) {
            lastRequest = Objects.requireNonNull(value, "lastRequest");
            return this;
        }

        /** The models in memory, in addition to those named before; calling it with none says that none is loaded. */
        public Builder loadedModels(String... names) {
            return loadedModels(List.of(names));
        }

        /** The models in memory, in addition to those named before; calling it with none says that none is loaded. */
        public Builder loadedModels(Iterable<String> names) {
            Set<String> all = loadedModels == null ? new LinkedHashSet<>() : loadedModels;
            names.forEach(name -> all.add(Objects.requireNonNull(name, "model")));
            loadedModels = all;
            return this;
        }

        /** One more GPU. */
        public Builder gpu(GpuStatus gpu) {
            gpus.add(Objects.requireNonNull(gpu, "gpu"));
            return this;
        }

        /** A key and value, as text. */
        public Builder attribute(String key, String value) {
            attributes.put(Objects.requireNonNull(key, "key"), Objects.requireNonNull(value, "value"));
            return this;
        }

        /** Whether the substrate is ready for work; default true. */
        public Builder reachable(boolean value) {
            reachable = value;
            return this;
        }

        /** The substrate is not ready for work, and why, in a few words. */
        public Builder notReady(String why) {
            notReady = Objects.requireNonNull(why, "why");
            return reachable(false);
        }

        /** Notes something that was said but could not be; at most 16 are kept. */
        public Builder odd(String what) {
            if (oddities.size() < MAX_ODDITIES) {
                oddities.add(Objects.requireNonNull(what, "what"));
            }
            return this;
        }

        /**
         * The status. A figure for the whole substrate that was not given is taken from the GPUs that tell it: the mean utilisation, the
         * sums of memory, the highest temperature; where some GPU does not, the figure is {@link SubstrateStatus#partial()}.
         */
        public SubstrateStatus build() {
            if (Double.isNaN(gpuUtilPct)) {
                gpuUtilPct =
                        over(Measure.GPU_UTIL, GpuStatus::utilPct).average().orElse(Double.NaN);
            }
            if (Double.isNaN(gpuTempC)) {
                gpuTempC = over(Measure.GPU_TEMP, GpuStatus::tempC).max().orElse(Double.NaN);
            }
            if (Double.isNaN(vramUsedGb) && Double.isNaN(vramTotalGb)) {
                vramUsedGb = sum(GpuStatus::vramUsedGb);
                vramTotalGb = sum(GpuStatus::vramTotalGb);
            }
            if (vramUsedGb > vramTotalGb) {
                odd("vram_used_gb " + vramUsedGb + " > vram_total_gb " + vramTotalGb);
                vramUsedGb = Double.NaN;
                vramTotalGb = Double.NaN;
            }
            return new SubstrateStatus(this);
        }

        /** The figure of every GPU that tells it; one that does not makes the whole partial, or nothing at all when none does. */
        private DoubleStream over(Measure measure, Function<GpuStatus, OptionalDouble> figure) {
            double[] told = gpus.stream()
                    .flatMapToDouble(gpu -> figure.apply(gpu).stream())
                    .toArray();
            if (told.length > 0 && told.length < gpus.size()) {
                partial.add(measure);
            }
            return DoubleStream.of(told);
        }

        private double sum(Function<GpuStatus, OptionalDouble> figure) {
            double[] told = over(Measure.VRAM, figure).toArray();
            return told.length == 0 ? Double.NaN : DoubleStream.of(told).sum();
        }

        private double checked(String name, double value, double most) {
            double kept = inRange(value, 0, most);
            if (Double.isNaN(kept)) {
                odd(name + " " + value + " (expected: 0 to " + (long) most + ")");
            }
            return kept;
        }

        private int checked(String name, int value) {
            if (value < 0) {
                odd(name + " " + value + " (expected: >= 0)");
                return -1;
            }
            return value;
        }
    }
}
