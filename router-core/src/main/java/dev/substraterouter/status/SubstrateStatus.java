package dev.substraterouter.status;

import java.time.Instant;
import java.util.ArrayList;
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
    private final Optional<Instant> lastRequest;
    private final Optional<Set<String>> loadedModels;
    private final List<GpuStatus> gpus;
    private final Map<String, String> attributes;
    private final boolean reachable;
    private final List<String> oddities;

    private SubstrateStatus(Builder builder) {
        gpuUtilPct = optional(builder.gpuUtilPct);
        gpuUtilOtherPct = optional(builder.gpuUtilOtherPct);
        vramUsedGb = optional(builder.vramUsedGb);
        vramTotalGb = optional(builder.vramTotalGb);
        gpuTempC = optional(builder.gpuTempC);
        runningJobs = builder.runningJobs < 0 ? OptionalInt.empty() : OptionalInt.of(builder.runningJobs);
        queuedJobs = builder.queuedJobs < 0 ? OptionalInt.empty() : OptionalInt.of(builder.queuedJobs);
        lastRequest = Optional.ofNullable(builder.lastRequest);
        loadedModels = builder.loadedModels == null ? Optional.empty() : Optional.of(Set.copyOf(builder.loadedModels));
        gpus = List.copyOf(builder.gpus);
        attributes = Map.copyOf(builder.attributes);
        reachable = builder.reachable;
        oddities = List.copyOf(builder.oddities);
    }

    /** A builder in which nothing is known yet and the substrate is reachable. */
    public static Builder builder() {
        return new Builder();
    }

    /** GPU utilisation in percent, 0 to 100: the mean over the substrate's GPUs. */
    public OptionalDouble gpuUtilPct() {
        return gpuUtilPct;
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
                && reachable == that.reachable
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
                + ", reachable " + reachable + ", gpus " + gpus + ", models " + loadedModels.orElse(Set.of()) + ", "
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
        private @Nullable Instant lastRequest;
        private @Nullable Set<String> loadedModels;
        private final List<GpuStatus> gpus = new ArrayList<>();
        private final Map<String, String> attributes = new LinkedHashMap<>();
        private boolean reachable = true;
        private final List<String> oddities = new ArrayList<>();

        private Builder() {}

        /** GPU utilisation, 0 to 100 percent. */
        public Builder gpuUtilPct(double value) {
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

        /** Notes something that was said but could not be; at most 16 are kept. */
        public Builder odd(String what) {
            if (oddities.size() < MAX_ODDITIES) {
                oddities.add(Objects.requireNonNull(what, "what"));
            }
            return this;
        }

        /**
         * The status. A figure for the whole substrate that was not given is taken from its GPUs where every GPU tells it: the mean
         * utilisation, the sums of memory, the highest temperature.
         */
        public SubstrateStatus build() {
            if (Double.isNaN(gpuUtilPct)) {
                gpuUtilPct = overGpus(GpuStatus::utilPct).average().orElse(Double.NaN);
            }
            if (Double.isNaN(gpuTempC)) {
                gpuTempC = overGpus(GpuStatus::tempC).max().orElse(Double.NaN);
            }
            if (Double.isNaN(vramUsedGb) && Double.isNaN(vramTotalGb) && !gpus.isEmpty()) {
                vramUsedGb = overGpus(GpuStatus::vramUsedGb).sum();
                vramTotalGb = overGpus(GpuStatus::vramTotalGb).sum();
            }
            if (vramUsedGb > vramTotalGb) {
                odd("vram_used_gb " + vramUsedGb + " > vram_total_gb " + vramTotalGb);
                vramUsedGb = Double.NaN;
                vramTotalGb = Double.NaN;
            }
            return new SubstrateStatus(this);
        }

        /** The figure of every GPU; a GPU that does not tell makes it not a number, and so the whole. */
        private DoubleStream overGpus(Function<GpuStatus, OptionalDouble> figure) {
            return gpus.stream().mapToDouble(gpu -> figure.apply(gpu).orElse(Double.NaN));
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
