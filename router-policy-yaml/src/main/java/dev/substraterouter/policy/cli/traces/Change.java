package dev.substraterouter.policy.cli.traces;

import dev.substraterouter.internal.yaml.Node;
import dev.substraterouter.internal.yaml.Types;
import dev.substraterouter.policy.cli.text.Numbers;
import dev.substraterouter.policy.cli.traces.Profile.Memory;
import dev.substraterouter.policy.cli.traces.Profile.Observed;
import dev.substraterouter.trace.PathReport.Figure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A key of a candidate that should tell what was observed.
 *
 * @param spot the candidate
 * @param key the key
 * @param value its new value
 * @param why the old value and the evidence, in words
 */
record Change(Spot spot, String key, Node value, String why) {
    /** Less than this share of a figure is not worth a change, however certain it is. */
    private static final double LEAST = 0.05;

    private static final double NANOS = 1e9;
    private static final double MILLIS = 1e3;

    /** What to change, from so many values on. */
    static List<Change> of(Observed observed, int leastValues) {
        List<Change> changes = new ArrayList<>();
        observed.latency()
                .filter(figure -> figure.n() >= leastValues)
                .flatMap(figure -> latency(observed.spot(), figure))
                .ifPresent(changes::add);
        observed.review()
                .filter(figure -> figure.n() >= leastValues)
                .flatMap(figure -> review(observed.spot(), figure))
                .ifPresent(changes::add);
        Optional.of(observed.memory())
                .filter(memory -> memory.n() >= leastValues)
                .flatMap(memory -> memory(observed.spot(), memory))
                .ifPresent(changes::add);
        return changes;
    }

    private static Optional<Change> latency(Spot spot, Figure figure) {
        Optional<Duration> declared = spot.candidate().expectedLatency();
        OptionalDouble seconds =
                declared.isPresent() ? OptionalDouble.of(declared.get().toNanos() / NANOS) : OptionalDouble.empty();
        if (!differs(seconds, figure)) {
            return Optional.empty();
        }
        String why = declared(seconds, " s") + "median of " + figure.n() + interval(figure, " s");
        return Optional.of(new Change(spot, "expected_latency", Types.DURATION.write(rounded(figure.value())), why));
    }

    private static Optional<Change> review(Spot spot, Figure figure) {
        OptionalDouble declared = spot.candidate().reviewRate();
        if (!differs(declared, figure)) {
            return Optional.empty();
        }
        String why = declared(declared, "") + "reviewed of " + figure.n() + interval(figure, "");
        double share = Math.round(figure.value() * MILLIS) / MILLIS;
        return Optional.of(new Change(spot, "review_rate", Types.NUMBER.write(share), why));
    }

    /** The most that a job took, since less would not hold it. Where no memory is declared, none is judged: that stays. */
    private static Optional<Change> memory(Spot spot, Memory memory) {
        OptionalDouble own = spot.candidate().vramGb();
        OptionalDouble declared = own.isPresent() ? own : spot.workload().vramGb();
        double most = Math.ceil(memory.most() * 10) / 10;
        if (declared.isEmpty()
                || most <= 0
                || Math.abs(most - declared.getAsDouble()) <= tolerance(declared.getAsDouble())) {
            return Optional.empty();
        }
        String why = declared(declared, " GB") + "the most of " + memory.n();
        return Optional.of(new Change(spot, "vram_gb", Types.NUMBER.write(most), why));
    }

    private static boolean differs(OptionalDouble declared, Figure figure) {
        if (declared.isEmpty()) {
            return true;
        }
        double value = declared.getAsDouble();
        boolean outside = value < figure.low() || value > figure.high();
        return outside && Math.abs(value - figure.value()) > LEAST * value;
    }

    private static double tolerance(double declared) {
        return Math.max(0.1, LEAST * declared);
    }

    /** To about two digits that count, at least a millisecond. */
    private static Duration rounded(double seconds) {
        long millis = Math.max(1, Math.round(seconds * MILLIS));
        long step = millis >= 10_000 ? 1_000 : millis >= 1_000 ? 100 : 1;
        return Duration.ofMillis((millis + step / 2) / step * step);
    }

    private static String declared(OptionalDouble value, String unit) {
        return value.isPresent() ? Numbers.of(value.getAsDouble()) + unit + " in the policy; " : "not in the policy; ";
    }

    private static String interval(Figure figure, String unit) {
        return ", 95 % between " + Numbers.of(figure.low()) + " and " + Numbers.of(figure.high()) + unit;
    }
}
