package dev.substraterouter.internal.gate;

import dev.substraterouter.internal.gate.Reading.GpuReading;
import dev.substraterouter.internal.gate.Reading.Memory;
import dev.substraterouter.internal.gate.Reading.Text;
import dev.substraterouter.internal.gate.Reading.Told;
import dev.substraterouter.model.Measure;
import dev.substraterouter.model.Vram;
import dev.substraterouter.status.GpuStatus;
import dev.substraterouter.status.SubstrateStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** Reads one status: takes the router's own load off what it says, so that what is left is the load of others. */
final class StatusReader {
    private final GateLimits limits;
    private final SubstrateStatus status;
    private final SeenLoad own;
    private final long now;

    StatusReader(GateLimits limits, SubstrateStatus status, SeenLoad own, long now) {
        this.limits = limits;
        this.status = status;
        this.own = own;
        this.now = now;
    }

    Reading read(String source, long asked, boolean moved, boolean loading, @Nullable String objection) {
        Told jobs = status.jobs().isEmpty()
                ? Told.NOTHING
                : new Told(
                        Math.max(
                                0, Math.min(Integer.MAX_VALUE / 2, status.jobs().getAsInt() - own.jobs())),
                        now);
        int cards = status.gpus().size();
        return new Reading(
                source,
                asked,
                now,
                status,
                status.reachable(),
                jobs,
                new Told(
                        foreignUtil(
                                whole(Measure.GPU_UTIL, status.gpuUtilPct()),
                                status.gpuUtilOtherPct(),
                                limits.utilPerJob * own.jobs()),
                        now),
                new Told(whole(Measure.GPU_TEMP, status.gpuTempC()).orElse(Double.NaN), now),
                memory(),
                cards < 2 ? Reading.NO_GPUS : cards(),
                now,
                status.loadedModels().orElse(null),
                now,
                texts(),
                moved || loading,
                moved,
                objection,
                status.jobs().orElse(-1) == 0 && own.settledJobs() > 0 ? 1 : 0);
    }

    /** A figure that leaves out a GPU is not that of the whole: what that GPU does is unknown, and so is the whole. */
    private OptionalDouble whole(Measure measure, OptionalDouble figure) {
        return status.partial().contains(measure) ? OptionalDouble.empty() : figure;
    }

    private Map<String, Text> texts() {
        Map<String, Text> texts = new HashMap<>();
        for (String key : limits.attributes.keySet()) { // no others: what workers make up must not pile up
            String value = status.attributes().get(key);
            if (value != null) {
                texts.put(key, new Text(value, now));
            }
        }
        return Map.copyOf(texts);
    }

    private static double foreignUtil(OptionalDouble whole, OptionalDouble other, double own) {
        if (other.isPresent()) {
            return other.getAsDouble();
        }
        return whole.isPresent() ? Math.max(0, whole.getAsDouble() - own) : Double.NaN;
    }

    private Memory memory() {
        if (whole(Measure.VRAM, status.vramUsedGb()).isEmpty()) {
            return Memory.NOTHING;
        }
        long used = Vram.taken(status.vramUsedGb().getAsDouble());
        return new Memory(
                Math.max(0, used - own.mib()),
                used,
                status.vramTotalGb().isPresent()
                        ? Vram.there(status.vramTotalGb().getAsDouble())
                        : Memory.TOTAL_NOT_TOLD,
                now);
    }

    private List<GpuReading> cards() {
        int count = status.gpus().size();
        List<GpuReading> cards = new ArrayList<>(count);
        for (int at = 0; at < count; at++) {
            GpuStatus gpu = status.gpus().get(at);
            boolean memory = gpu.vramUsedGb().isPresent() && gpu.vramTotalGb().isPresent();
            long used = memory ? Vram.taken(gpu.vramUsedGb().getAsDouble()) : -1;
            double share = Math.min(100, limits.utilPerJob * count) * own.jobs(at);
            double util = foreignUtil(gpu.utilPct(), OptionalDouble.empty(), share);
            if (status.gpuUtilOtherPct().isPresent()) {
                util = Math.min(
                        gpu.utilPct().orElse(100), status.gpuUtilOtherPct().getAsDouble() * count);
            }
            cards.add(new GpuReading(
                    gpu.index(),
                    util,
                    gpu.tempC().orElse(Double.NaN),
                    memory ? Math.max(0, used - own.mib(at, count)) : -1,
                    memory ? Vram.there(gpu.vramTotalGb().getAsDouble()) : -1));
        }
        return List.copyOf(cards);
    }
}
