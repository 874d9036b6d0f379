package dev.substraterouter.internal.gate;

import dev.substraterouter.internal.gate.Reading.GpuReading;
import dev.substraterouter.internal.gate.Reading.Told;
import dev.substraterouter.model.Measure;
import dev.substraterouter.trace.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A gate's reasons in words, with the numbers, as a person reads them. */
final class GateWords {
    private final GateState state;
    private final GateLimits limits;
    private final @Nullable Reading known;
    private final long now;

    GateWords(GateState state, long now) {
        this.state = state;
        this.limits = state.limits;
        this.known = state.health.figures();
        this.now = now;
    }

    String of(Reason reason) {
        return switch (reason) {
            case CORDONED -> "cordoned";
            case EJECTED ->
                String.format(
                        Locale.ROOT,
                        "ejected for another %.1f s%s",
                        state.ejectedFor(now) / 1e9,
                        because(state.ejection.lastError()));
            case TRIAL_RUNNING -> "its one trial is running" + because(state.ejection.lastError());
            case BUSY -> String.format(Locale.ROOT, "said it is full, for another %.1f s", state.busyFor(now) / 1e9);
            case NO_STATUS -> "no status yet" + because(state.health.lastMiss());
            case STALE_STATUS ->
                known == null
                        ? "no status yet"
                        : String.format(
                                Locale.ROOT,
                                "status stale: %.1f s > %.1f s%s",
                                (now - known.at()) / 1e9,
                                limits.staleNanos / 1e9,
                                because(state.health.lastMiss()));
            case STALE_HELD ->
                known == null
                        ? "no status yet"
                        : String.format(Locale.ROOT, "stale status of %.1f s held", (now - known.at()) / 1e9);
            case NOT_READY -> "not ready";
            case UNKNOWN_MEASURE -> "unknown: " + String.join(", ", unknown());
            case GPU_UTIL ->
                level("gpu util", known == null ? Told.NOTHING : known.util(), limits.maxUtil, limits.utilMargin, "");
            case GPU_TEMP ->
                level("gpu temp", known == null ? Told.NOTHING : known.temp(), limits.maxTemp, limits.tempMargin, " C");
            case ATTRIBUTE -> "attributes " + (known == null ? "unknown" : mismatches(known));
            case HEALTH_PREDICATE ->
                known == null || known.objection() == null ? "refused by a health predicate" : known.objection();
            case IN_DOUBT -> "in doubt: own leases moved while it was asked";
            default -> reason.name().toLowerCase(Locale.ROOT).replace('_', ' ');
        };
    }

    String ofGpu(Reason reason, GpuReading gpu) {
        return reason == Reason.GPU_UTIL
                ? level("gpu " + gpu.index() + " util", new Told(gpu.util(), 0), limits.maxUtil, limits.utilMargin, "")
                : level(
                        "gpu " + gpu.index() + " temp",
                        new Told(gpu.temp(), 0),
                        limits.maxTemp,
                        limits.tempMargin,
                        " C");
    }

    private static String level(String name, Told told, double limit, double margin, String unit) {
        double value = told.value();
        return value >= limit
                ? String.format(Locale.ROOT, "%s %.0f >= %.0f%s", name, value, limit, unit)
                : String.format(
                        Locale.ROOT,
                        "%s %.0f not yet well below %.0f%s (limit %.0f)",
                        name,
                        value,
                        limit - margin,
                        unit,
                        limit);
    }

    private List<String> unknown() {
        List<String> names = new ArrayList<>();
        if (known == null || state.health.missing(Measure.GPU_UTIL, known.util(), now)) {
            names.add("gpu util");
        }
        if (known == null
                || (limits.requires(Measure.VRAM)
                        && (!known.memory().known()
                                || state.health.tooOld(known.memory().at(), now)))) {
            names.add("vram");
        }
        if (known == null || state.health.missing(Measure.GPU_TEMP, known.temp(), now)) {
            names.add("gpu temp");
        }
        if (known == null || state.health.missing(Measure.RUNNING_JOBS, known.jobs(), now)) {
            names.add("running jobs");
        }
        return names;
    }

    private String mismatches(Reading known) {
        List<String> texts = new ArrayList<>();
        limits.attributes.forEach((key, value) -> {
            String told = state.health.attribute(known, key, now);
            if (!value.equals(told)) {
                texts.add(
                        key + " = " + (told == null ? "absent" : "\"" + told + "\"") + " (expected \"" + value + "\")");
            }
        });
        return String.join(", ", texts);
    }

    private static String because(@Nullable String error) {
        return error == null ? "" : " (" + error + ")";
    }
}
