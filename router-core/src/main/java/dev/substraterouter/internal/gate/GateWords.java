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
            case OUT_OF_SCOPE -> String.valueOf(state.outOfScope());
            case CORDONED -> "cordoned";
            case EJECTED ->
                "ejected for another " + Decimals.seconds(state.ejectedFor(now)) + because(state.ejection.lastError());
            case TRIAL_RUNNING -> "its one trial is running" + because(state.ejection.lastError());
            case BUSY -> "said it is full, for another " + Decimals.seconds(state.busyFor(now));
            case NO_STATUS -> "no status yet" + because(state.health.lastMiss());
            case STALE_STATUS ->
                known == null
                        ? "no status yet"
                        : "status stale: " + Decimals.seconds(now - known.at()) + " > "
                                + Decimals.seconds(limits.staleNanos) + because(state.health.lastMiss());
            case STALE_HELD ->
                known == null ? "no status yet" : "stale status of " + Decimals.seconds(now - known.at()) + " held";
            case NOT_READY -> "not ready" + because(state.health.notReady());
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
        String text = name + " " + Decimals.of(value, 0);
        return value >= limit
                ? text + " >= " + Decimals.of(limit, 0) + unit
                : text + " not yet well below " + Decimals.of(limit - margin, 0) + unit + " (limit "
                        + Decimals.of(limit, 0) + ")";
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
