package dev.substraterouter.policy.cli.traces;

import dev.substraterouter.internal.yaml.Node;
import dev.substraterouter.internal.yaml.Node.Kind;
import dev.substraterouter.internal.yaml.Node.Scalar;
import dev.substraterouter.internal.yaml.YamlWriter;
import dev.substraterouter.policy.cli.text.Visible;
import dev.substraterouter.policy.cli.traces.Profile.Observed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A patch as YAML in the shape of the policy file, each new value on its own line with the evidence behind it. For one thread. */
final class PatchText {
    private final Profile profile;
    private final int leastValues;
    private final List<Change> changes;
    private final List<String> leftOut;
    private final StringBuilder text = new StringBuilder();

    PatchText(Profile profile, int leastValues, List<Change> changes, List<String> leftOut) {
        this.profile = profile;
        this.leastValues = leastValues;
        this.changes = changes;
        this.leftOut = leftOut;
    }

    String text() {
        comment("Observed in " + profile.span() + ". Entries of a route are matched by their `on`.");
        if (changes.isEmpty()) {
            comment("Nothing differs from the policy by more than noise.");
            line(0, "workloads: {}");
        } else {
            line(0, "workloads:");
            Patch.by(changes, change -> change.spot().workload().name()).forEach(this::workload);
        }
        comments("Left out, since the policy could not be used with it:", leftOut);
        comments("Fewer than " + leastValues + " values, so too little to tell:", tooFew());
        comments("Not counted, since something else ran than the candidate declares:", others());
        return text.toString();
    }

    private void workload(String name, List<Change> ofOne) {
        line(1, key(name) + ":");
        Optional<Spot> before = Optional.empty();
        for (Map.Entry<Spot, List<Change>> entry : Patch.by(ofOne, Change::spot).entrySet()) {
            Spot spot = entry.getKey();
            if (before.filter(other -> other.key() == spot.key()).isEmpty()) {
                line(2, spot.word() + ":");
            }
            candidate(spot, entry.getValue());
            before = Optional.of(spot);
        }
    }

    private void candidate(Spot spot, List<Change> ofOne) {
        boolean item = spot.key() == Spot.Key.ROUTE;
        line(
                3,
                (item ? "- " : "")
                        + entry("on", Scalar.of(Kind.TEXT, spot.candidate().on())));
        for (Change change : ofOne) {
            line(item ? 4 : 3, entry(change.key(), change.value()) + "  # " + change.why());
        }
    }

    private List<String> tooFew() {
        List<String> lines = new ArrayList<>();
        for (Observed observed : profile.observed()) {
            long latency = observed.latency().map(figure -> figure.n()).orElse(0L);
            long review = observed.review().map(figure -> figure.n()).orElse(0L);
            List<String> few = new ArrayList<>();
            few("expected_latency", latency, few);
            few("review_rate", review, few);
            few("vram_gb", observed.memory().n(), few);
            if (!few.isEmpty()) {
                lines.add(named(observed.spot()) + ": " + String.join(", ", few));
            }
        }
        return lines;
    }

    private void few(String key, long n, List<String> few) {
        if (n < leastValues) {
            few.add(key + " " + (n == 0 ? "not observed" : String.valueOf(n)));
        }
    }

    private List<String> others() {
        return profile.observed().stream()
                .filter(observed -> observed.others() > 0)
                .map(observed -> named(observed.spot()) + ": " + observed.others())
                .toList();
    }

    private static String named(Spot spot) {
        return spot.path() + " on " + spot.candidate().on();
    }

    private void comments(String title, List<String> lines) {
        if (!lines.isEmpty()) {
            comment(title);
            lines.forEach(line -> comment("  " + line));
        }
    }

    private void comment(String words) {
        line(0, "# " + Visible.of(words));
    }

    private void line(int depth, String content) {
        text.append("  ".repeat(depth)).append(content).append('\n');
    }

    private static String entry(String key, Node value) {
        return YamlWriter.write(Overlay.mapping(Map.of(key, value))).strip();
    }

    /** As the writer quotes it. */
    private static String key(String name) {
        String entry = entry(name, Scalar.of(Kind.TEXT, "x"));
        return entry.substring(0, entry.length() - ": x".length());
    }
}
