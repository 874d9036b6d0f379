package dev.substraterouter.policy.cli.traces;

import dev.substraterouter.internal.yaml.Node;
import dev.substraterouter.internal.yaml.Node.Kind;
import dev.substraterouter.internal.yaml.Node.Place;
import dev.substraterouter.internal.yaml.Node.Scalar;
import dev.substraterouter.internal.yaml.Node.Sequence;
import dev.substraterouter.internal.yaml.TreeReader;
import dev.substraterouter.internal.yaml.YamlWriter;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.PolicyProblem;
import dev.substraterouter.policy.yaml.PolicyCheckup;
import dev.substraterouter.policy.yaml.YamlPolicy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What of a policy's figures should be what was observed. Laid over the policy, it makes a policy that can be used: a figure that would not is
 * left out, and told. Immutable.
 */
public final class Patch {
    private final Node policy;
    private final Profile profile;
    private final int leastValues;
    private final List<Change> changes;
    private final List<String> leftOut = new ArrayList<>();

    private Patch(Policy policy, Profile profile, int leastValues) {
        this.policy = TreeReader.read(YamlPolicy.write(policy), "a policy");
        this.profile = profile;
        this.leastValues = leastValues;
        changes = usable(profile.observed().stream()
                .flatMap(observed -> Change.of(observed, leastValues).stream())
                .toList());
    }

    /**
     * The patch of a policy.
     *
     * @param policy the policy
     * @param profile what was observed
     * @param leastValues from how many values on a figure counts
     */
    public static Patch of(Policy policy, Profile profile, int leastValues) {
        return new Patch(policy, profile, leastValues);
    }

    /** Whether nothing is to be changed. */
    public boolean isEmpty() {
        return changes.isEmpty();
    }

    /** The patch as YAML, with comments that tell the evidence. */
    public String text() {
        return new PatchText(profile, leastValues, changes, leftOut).text();
    }

    /** The policy with the patch laid over it, as YAML, without the comments of either. */
    public String whole() {
        return laidOver(changes);
    }

    private List<Change> usable(List<Change> all) {
        if (problems(all).isEmpty()) {
            return all;
        }
        List<Change> usable = new ArrayList<>();
        for (Change change : all) {
            usable.add(change);
            List<PolicyProblem> problems = problems(usable);
            if (!problems.isEmpty()) {
                usable.remove(change);
                leftOut.add(change.spot().path() + "." + change.key() + " (" + change.why() + "): "
                        + problems.get(0).message());
            }
        }
        return List.copyOf(usable);
    }

    private List<PolicyProblem> problems(List<Change> some) {
        PolicyCheckup checkup = YamlPolicy.check(laidOver(some));
        return checkup.errors();
    }

    private String laidOver(List<Change> some) {
        Node whole = some.isEmpty() ? policy : Overlay.of(policy, tree(some));
        return whole instanceof Node.Mapping root ? YamlWriter.write(root) : "";
    }

    private static Node tree(List<Change> changes) {
        Map<String, Node> workloads = new LinkedHashMap<>();
        by(changes, change -> change.spot().workload().name())
                .forEach((name, ofOne) -> workloads.put(name, workload(ofOne)));
        return Overlay.mapping(Map.of("workloads", Overlay.mapping(workloads)));
    }

    private static Node workload(List<Change> changes) {
        Map<String, Node> keys = new LinkedHashMap<>();
        List<Node> route = new ArrayList<>();
        by(changes, Change::spot).forEach((spot, ofOne) -> {
            if (spot.key() == Spot.Key.ROUTE) {
                route.add(candidate(spot, ofOne));
                keys.put(spot.word(), new Sequence(List.copyOf(route), Place.START));
            } else {
                keys.put(spot.word(), candidate(spot, ofOne));
            }
        });
        return Overlay.mapping(keys);
    }

    private static Node candidate(Spot spot, List<Change> changes) {
        Map<String, Node> keys = new LinkedHashMap<>();
        keys.put("on", Scalar.of(Kind.TEXT, spot.candidate().on()));
        changes.forEach(change -> keys.put(change.key(), change.value()));
        return Overlay.mapping(keys);
    }

    static <K> Map<K, List<Change>> by(List<Change> changes, Function<Change, K> key) {
        return changes.stream().collect(Collectors.groupingBy(key, LinkedHashMap::new, Collectors.toList()));
    }
}
