package dev.substraterouter.internal.plan;

import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.PolicyProblem;
import dev.substraterouter.policy.QueueOrder;
import dev.substraterouter.policy.Settings;
import dev.substraterouter.policy.StrategyKind;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.SubstrateKind;
import dev.substraterouter.policy.Workload;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds what a policy declares but this version does not enforce yet. A router refuses such a policy as a whole, so that no work can slip
 * past a rule that its author believes in.
 */
public final class Unenforced {
    private static final List<String> SUBSTRATE_KEYS = List.of("accepts_roles", "trust", "owner");
    private static final List<String> WORKLOAD_KEYS =
            List.of("privacy", "capabilities", "min_quality", "max_latency", "max_cost", "min_availability", "batch");

    private final List<PolicyProblem> problems = new ArrayList<>();

    private Unenforced() {}

    /** What is declared and not enforced; empty: the policy can be used. */
    public static List<PolicyProblem> in(Policy policy) {
        Unenforced check = new Unenforced();
        check.whole(policy);
        policy.substrates().forEach(check::substrate);
        policy.workloads().forEach(workload -> check.workload(policy, workload));
        return List.copyOf(check.problems);
    }

    private void whole(Policy policy) {
        if (!policy.roles().isEmpty()) {
            report("roles", "roles: " + policy.roles().size() + " declared");
        }
        if (policy.network().isPresent()) {
            report("network", "network: declared");
        }
        if (policy.queue().order() != QueueOrder.ARRIVAL) {
            report("queue.order", "order: " + word(policy.queue().order()));
        }
        if (policy.strategy().defaultKind() != StrategyKind.PREFERENCE) {
            report("strategy.default", "default: " + word(policy.strategy().defaultKind()));
        }
    }

    private void substrate(Substrate substrate) {
        keys("substrates." + substrate.id(), substrate, SUBSTRATE_KEYS);
    }

    private void workload(Policy policy, Workload workload) {
        String path = "workloads." + workload.name();
        keys(path, workload, WORKLOAD_KEYS);
        workload.strategy()
                .filter(kind -> kind != StrategyKind.PREFERENCE)
                .ifPresent(kind -> report(path + ".strategy", "strategy: " + word(kind)));
        if (workload.candidates().isEmpty()) {
            report(path, workload.name() + ": neither route nor pin");
        }
        workload.candidates().stream()
                .flatMap(candidate -> policy.substrate(candidate.on()).stream())
                .filter(substrate ->
                        substrate.kind() == SubstrateKind.EXTERNAL || substrate.kind() == SubstrateKind.BATCH)
                .forEach(substrate -> report(
                        path,
                        "'" + substrate.id() + "' is " + word(substrate.kind())
                                + ", and privacy (default controlled)"));
    }

    private void keys(String path, Settings part, List<String> keys) {
        for (String key : keys) {
            Object value = part.declared().get(key);
            if (value != null) {
                report(path + "." + key, key + ": " + value);
            }
        }
    }

    private void report(String path, String what) {
        problems.add(PolicyProblem.of(
                "not-enforced", path, what + " is not enforced by this version yet (expected: absent)"));
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }
}
