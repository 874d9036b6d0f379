package dev.substraterouter.simulate.yaml;

import dev.substraterouter.internal.yaml.At;
import dev.substraterouter.internal.yaml.Draft;
import dev.substraterouter.internal.yaml.Node.Scalar;
import dev.substraterouter.internal.yaml.Section;
import dev.substraterouter.internal.yaml.Type;
import dev.substraterouter.internal.yaml.Types;
import dev.substraterouter.simulate.ServiceTime;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The keys that tell how long work takes. */
final class Times {
    private enum Form {
        FIXED,
        LOGNORMAL,
        EXPONENTIAL
    }

    private Times() {}

    /** A duration, or a map that tells a distribution. */
    static Type<ServiceTime> type(Folder folder) {
        Type<List<Duration>> observed =
                Ranges.checked(Types.listOf(Ranges.POSITIVE), times -> !times.isEmpty(), "at least one time");
        Type<ServiceTime> distribution = Ranges.made(
                Section.ofDraft()
                        .key("takes", Ranges.POSITIVE, Draft.put("takes"))
                        .key("sigma", Ranges.number(0, 5), Draft.put("sigma"))
                        .key("distribution", Types.word(Form.class), Draft.put("distribution"))
                        .key("observed", observed, Draft.put("observed"))
                        .key("observed_file", Ranges.read(folder::times), Draft.put("observed_file"))
                        .oneOf("takes", "observed", "observed_file"),
                Times::time);
        return Ranges.read((node, at) -> node instanceof Scalar
                ? Ranges.POSITIVE.read(node, at).map(ServiceTime::fixed)
                : distribution.read(node, at));
    }

    private static Optional<ServiceTime> time(Draft draft, At at) {
        Optional<Duration> takes = draft.find("takes", Duration.class);
        if (takes.isPresent()) {
            return drawn(takes.get(), draft, at);
        }
        for (String key : List.of("sigma", "distribution")) {
            if (draft.has(key)) {
                return doesNotApply(key, "beside takes", at);
            }
        }
        String key = draft.has("observed") ? "observed" : "observed_file";
        return Optional.of(ServiceTime.empirical(draft.list(key, Duration.class)));
    }

    private static Optional<ServiceTime> drawn(Duration takes, Draft draft, At at) {
        Optional<Double> sigma = draft.find("sigma", Double.class);
        Form form = draft.find("distribution", Form.class).orElse(sigma.isPresent() ? Form.LOGNORMAL : Form.FIXED);
        if (form != Form.LOGNORMAL && sigma.isPresent()) {
            return doesNotApply("sigma", "with distribution: lognormal", at);
        }
        if (form == Form.LOGNORMAL && sigma.isEmpty()) {
            at.missing("sigma");
            return Optional.empty();
        }
        return Optional.of(
                switch (form) {
                    case FIXED -> ServiceTime.fixed(takes);
                    case LOGNORMAL -> ServiceTime.lognormal(takes, sigma.orElseThrow());
                    case EXPONENTIAL -> ServiceTime.exponential(takes);
                });
    }

    /** Reports a key that has no meaning beside the others. */
    static <V> Optional<V> doesNotApply(String key, String where, At at) {
        At of = at.key(key);
        of.report(
                "conflict",
                at.problems().place(of.path()),
                key + ": of no meaning here (expected: only " + where + ")");
        return Optional.empty();
    }
}
