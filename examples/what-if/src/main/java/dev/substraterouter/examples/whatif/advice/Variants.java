package dev.substraterouter.examples.whatif.advice;

import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.QueueOrder;
import dev.substraterouter.policy.StrategyKind;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.policy.yaml.YamlPolicy;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * Policies derived from one: the same in all but one respect. Immutable and thread-safe. Each method throws
 * {@link dev.substraterouter.policy.PolicyException} if what it derives is no policy that can be used.
 */
public final class Variants {
    private static final YAMLMapper YAML = new YAMLMapper();

    private final Policy policy;

    private Variants(Policy policy) {
        this.policy = Objects.requireNonNull(policy, "policy");
    }

    /** The variants of a policy. */
    public static Variants of(Policy policy) {
        return new Variants(policy);
    }

    /** Whether a workload has a route, so that there is something to compare a pin with. */
    public boolean hasRoutes() {
        return policy.workloads().stream()
                .anyMatch(workload -> !workload.route().isEmpty());
    }

    /** Each route cut to its primary: it waits there, or is refused. */
    public Policy pinned() {
        return workloads(Variants::pin);
    }

    /** Each route taken away: whatever satisfies the need serves. */
    public Policy matched() {
        return workloads(workload -> workload.remove(List.of("route", "strategy", "overflow_after")));
    }

    /** Another order of candidates, for all workloads. */
    public Policy strategy(StrategyKind kind) {
        return edited(root -> {
            eachWorkload(root, workload -> workload.remove("strategy"));
            root.withObjectProperty("strategy").put("default", word(kind).replace('_', '-'));
        });
    }

    /** Another order of waiters. */
    public Policy queueOrder(QueueOrder order) {
        return edited(root -> root.withObjectProperty("queue").put("order", word(order)));
    }

    /** Another number of waiting places of the router. */
    public Policy queueCapacity(int places) {
        return edited(root -> root.withObjectProperty("queue").put("capacity", places));
    }

    /** Another margin of the earliest finish. */
    public Policy finishMargin(double margin) {
        return edited(root -> root.withObjectProperty("strategy").put("finish_margin", margin));
    }

    /** The order of candidates of all workloads with a route, or of most if they differ. */
    public StrategyKind strategy() {
        long otherwise = policy.workloads().stream()
                .filter(workload -> workload.strategy().isPresent())
                .count();
        return otherwise * 2 > policy.workloads().size()
                ? policy.workloads().stream()
                        .map(Workload::strategy)
                        .flatMap(java.util.Optional::stream)
                        .findFirst()
                        .orElseThrow()
                : policy.strategy().defaultKind();
    }

    private static void pin(ObjectNode workload) {
        JsonNode route = workload.remove("route");
        if (route != null && !route.isEmpty()) {
            workload.set("pin", route.get(0));
            workload.remove(List.of("strategy", "overflow_after"));
        }
    }

    private Policy workloads(Consumer<ObjectNode> change) {
        return edited(root -> eachWorkload(root, change));
    }

    private static void eachWorkload(ObjectNode root, Consumer<ObjectNode> change) {
        root.withObjectProperty("workloads").values().forEach(workload -> {
            if (workload instanceof ObjectNode declared) {
                change.accept(declared);
            }
        });
    }

    /** By way of the text: a policy's parts are built, not changed. JSON reads as YAML. */
    private Policy edited(Consumer<ObjectNode> change) {
        ObjectNode root = (ObjectNode) YAML.readTree(YamlPolicy.write(policy));
        change.accept(root);
        return YamlPolicy.parse(root.toString());
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
