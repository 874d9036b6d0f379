package dev.substraterouter.examples.whatif.benchmark;

import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.yaml.YamlPolicy;
import dev.substraterouter.simulate.Scenario;
import dev.substraterouter.simulate.yaml.YamlScenario;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * SUB2-v1 as files, {@code sub2/policy.yaml} and {@code sub2/scenario.yaml}, and what is varied in them: two unequal substrates, one of them
 * a workstation that trains and is worked at, and three image workloads. A change is one of the tree of a file; changes can be chained.
 */
public final class Sub2 {
    /** Leaves a file as it is. */
    static final Consumer<ObjectNode> AS_IS = root -> {};

    private static final String LEGION = "legion";
    private static final String MIRROR = "mirrorforge";
    private static final YAMLMapper YAML = new YAMLMapper();

    private Sub2() {}

    /** The router's policy. */
    public static Policy policy() {
        return policy(AS_IS);
    }

    /** The router's policy, changed. */
    public static Policy policy(Consumer<ObjectNode> change) {
        return YamlPolicy.parse(changed("policy.yaml", change));
    }

    /** The scenario with the traffic of a cell. Its seed is 1. */
    public static Scenario scenario(Cell cell) {
        return scenario(cell, AS_IS);
    }

    /** The scenario with the traffic of a cell, changed. */
    public static Scenario scenario(Cell cell, Consumer<ObjectNode> change) {
        Consumer<ObjectNode> traffic = root -> traffic(root, cell);
        return YamlScenario.parse(changed("scenario.yaml", traffic.andThen(change)));
    }

    /** By way of the text; JSON reads as YAML. */
    private static String changed(String file, Consumer<ObjectNode> change) {
        try (InputStream in = Sub2.class.getResourceAsStream("/sub2/" + file)) {
            ObjectNode root = (ObjectNode) YAML.readTree(in);
            change.accept(root);
            return root.toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void traffic(ObjectNode root, Cell cell) {
        ObjectNode arrivals = at(root, "traffic").get(0).withObjectProperty("arrivals");
        arrivals.removeAll();
        if (cell.bursty()) {
            arrivals.putObject("bursts")
                    .put("per_hour", cell.perHour())
                    .put("on", "60s")
                    .put("off", "180s")
                    .put("on_factor", 3.4)
                    .put("off_factor", 0.2)
                    .putObject("groups")
                    .put("share", 0.2)
                    .put("size", 4);
        } else {
            arrivals.putObject("poisson").put("per_hour", cell.perHour());
        }
        root.put("name", "SUB2-v1, " + cell);
    }

    private static JsonNode at(JsonNode node, String key) {
        return node.required(key);
    }

    /** Of the policy: a number of waiting places. */
    public static Consumer<ObjectNode> places(int capacity) {
        return root -> queue(root).put("capacity", capacity);
    }

    /** Of the policy: waiting places without end, and nobody gives up waiting. */
    public static Consumer<ObjectNode> unbounded() {
        return root ->
                queue(root).put("capacity", 100_000).put("max_wait", "240h").put("hold_after", "240h");
    }

    /** Of the policy: a setting of the queue. */
    static Consumer<ObjectNode> queue(String key, String value) {
        return root -> queue(root).put(key, value);
    }

    /** Of the policy: what the order of waiters adds for each second of work. */
    static Consumer<ObjectNode> weights(double normal, double low) {
        return root ->
                queue(root).withObjectProperty("weights").put("normal", normal).put("low", low);
    }

    private static ObjectNode queue(ObjectNode root) {
        return root.withObjectProperty("queue");
    }

    /** Of the policy: a setting of the strategy. */
    static Consumer<ObjectNode> strategy(String key, String value) {
        return root -> root.withObjectProperty("strategy").set(key, YAML.readTree(value));
    }

    /** Of the policy: statuses once in so long. */
    static Consumer<ObjectNode> pollEvery(String time) {
        return root -> root.withObjectProperty("poll").put("every", time);
    }

    /** Of the policy: how many bad statuses in a row make a substrate degraded. */
    static Consumer<ObjectNode> degradedAfter(int count) {
        return root -> root.withObjectProperty("health").put("degraded_after", count);
    }

    /** Of the policy: static order, first come first served, by each status alone. */
    static Consumer<ObjectNode> preference() {
        return strategy("default", "preference")
                .andThen(queue("order", "arrival"))
                .andThen(degradedAfter(1));
    }

    /** Of the policy: the times on Legion are not what they are. */
    static Consumer<ObjectNode> legionTimes(double factor) {
        return root -> eachCandidate(root, LEGION, candidate -> {
            String time = at(candidate, "expected_latency").asString();
            long millis = time.endsWith("ms")
                    ? Long.parseLong(time.replace("ms", ""))
                    : 1000 * Long.parseLong(time.replace("s", ""));
            candidate.put("expected_latency", StrictMath.round(millis * factor) + "ms");
        });
    }

    /** Of the policy: to disturb the owner of Legion costs five times as much as to wait. */
    static Consumer<ObjectNode> ownerCost() {
        return root -> {
            at(root, "substrates")
                    .withObjectProperty(LEGION)
                    .putObject("owner")
                    .put("background_util_pct", 15)
                    .put("cost_per_hour", 5);
            at(root, "workloads").values().forEach(workload -> ((ObjectNode) workload).put("waiting_cost_per_hour", 1));
        };
    }

    /** Of the policy: how long models load. */
    static Consumer<ObjectNode> loadTimes() {
        return root -> {
            eachCandidate(root, MIRROR, candidate -> candidate.put("load_time", "15s"));
            eachCandidate(root, LEGION, candidate -> candidate.put("load_time", "8s"));
            at(root, "workloads").properties().forEach(workload -> at(workload.getValue(), "route")
                    .values()
                    .forEach(candidate -> ((ObjectNode) candidate).put("model", workload.getKey())));
        };
    }

    private static void eachCandidate(ObjectNode root, String on, Consumer<ObjectNode> change) {
        at(root, "workloads").values().forEach(workload -> at(workload, "route").values().stream()
                .filter(candidate -> at(candidate, "on").asString().equals(on))
                .forEach(candidate -> change.accept((ObjectNode) candidate)));
    }

    /** Of the scenario: batch requests are no less urgent than others. */
    static Consumer<ObjectNode> oneClass() {
        return root -> at(at(root, "traffic").get(0), "classes").values().forEach(one -> ((ObjectNode) one)
                .put("priority", "normal"));
    }

    /** Of the scenario: who works at Legion brings it near the limit of its utilisation. */
    static Consumer<ObjectNode> edge() {
        return root -> node(root, LEGION)
                .withObjectProperty("episodes")
                .withObjectProperty("dev session")
                .put("util_pct", 65);
    }

    /** Of the scenario: only the models used last stay loaded. */
    static Consumer<ObjectNode> cold() {
        return root -> {
            node(root, MIRROR).putObject("models").put("resident", 2).put("load_time", "15s");
            node(root, LEGION).putObject("models").put("resident", 1).put("load_time", "8s");
        };
    }

    /** Of the scenario: several routers that do not know of each other, and nodes that refuse what is too much. */
    static Consumer<ObjectNode> routers(int count) {
        return root -> {
            root.put("routers", count);
            node(root, MIRROR).put("overload", "refuse");
            node(root, LEGION).put("overload", "refuse");
        };
    }

    /** Of the scenario: how long requests come. */
    public static Consumer<ObjectNode> lasting(Duration length) {
        return root -> root.put("length", length.toMillis() + "ms");
    }

    private static ObjectNode node(ObjectNode root, String substrate) {
        return at(root, "nodes").withObjectProperty(substrate);
    }
}
