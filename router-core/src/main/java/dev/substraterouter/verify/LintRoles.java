package dev.substraterouter.verify;

import dev.substraterouter.internal.plan.CandidatePlan;
import dev.substraterouter.internal.plan.RoutePlan;
import dev.substraterouter.policy.Role;
import dev.substraterouter.policy.Workload;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Looks at roles: what they allow and nobody can have. Not thread-safe: one for each run. */
final class LintRoles {
    private final @Nullable LintAccess access;
    private final LintCapabilities capabilities;
    private final LintReport report;
    /** The workloads that a substrate could serve; of the others the workload itself is told. */
    private final Set<String> servable = new HashSet<>();

    LintRoles(LintPlans plans, @Nullable LintAccess access, LintCapabilities capabilities, LintReport report) {
        this.access = access;
        this.capabilities = capabilities;
        this.report = report;
        for (Workload workload : plans.policy.workloads()) {
            RoutePlan route = plans.route(workload);
            Stream<CandidatePlan> batch = route.batch == null ? Stream.of() : Stream.of(route.batch.candidates);
            if (Stream.concat(Stream.of(route.candidates), batch).anyMatch(candidate -> candidate.unusable == null)) {
                servable.add(workload.name());
            }
        }
    }

    void look(Role role) {
        String path = "roles." + role.name();
        capabilities.look(path, role.capabilities());
        if (access == null) {
            return;
        }
        if (!access.uses(role) && role.operate().isEmpty()) {
            useless(path, role);
        } else if (access.uses(role)) {
            workloads(path, role, access);
        }
    }

    private void useless(String path, Role role) {
        boolean nothing = role.workloads().isEmpty() && !role.adhoc();
        report.add(
                LintCode.ROLE_WITHOUT_USE,
                path,
                nothing
                        ? "workloads: [], adhoc: false and operate: []"
                        : "workloads: ["
                                + LintWords.some(role.workloads()) + "], adhoc: " + role.adhoc()
                                + ", and nothing of it can be served under role '" + role.name() + "'",
                "something that a holder of the role can do");
    }

    private void workloads(String path, Role role, LintAccess seen) {
        List<String> named = role.workloads();
        for (int at = 0; at < named.size(); at++) {
            String workload = named.get(at);
            if (servable.contains(workload) && !seen.serves(role, workload)) {
                report.add(
                        LintCode.ROLE_WORKLOAD_OUT_OF_REACH,
                        path + ".workloads[" + at + "]",
                        "workloads: '" + workload + "', "
                                + (seen.mayAsk(role, workload)
                                        ? "and no substrate that could serve it may be used under role '" + role.name()
                                                + "'"
                                        : "whose capabilities role '" + role.name() + "' may not ask for"),
                        "a workload that can be served under the role");
            }
        }
    }
}
