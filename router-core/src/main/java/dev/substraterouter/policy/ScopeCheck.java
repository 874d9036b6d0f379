package dev.substraterouter.policy;

import dev.substraterouter.model.AddressScope;
import dev.substraterouter.model.StatusAddress;
import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks that what a policy's {@code network} lists can be read, and that each address in the policy that is written as one lies in its
 * scope. What a name resolves to is not known here: that is looked up, and judged, while the router runs.
 */
final class ScopeCheck {
    private final Policy.Builder policy;
    private final List<PolicyProblem> problems;
    private final Set<String> externals = new HashSet<>();

    private ScopeCheck(Policy.Builder policy, List<PolicyProblem> problems) {
        this.policy = policy;
        this.problems = problems;
    }

    /** Adds what is wrong to the problems. */
    static void check(Policy.Builder policy, List<PolicyProblem> problems) {
        if (policy.network != null) {
            new ScopeCheck(policy, problems).check(policy.network);
        }
    }

    private void check(NetworkScopes network) {
        AddressScope control = scope("control", network.control());
        AddressScope data = scope("data", network.data());
        AddressScope external = scope("external", network.external());
        if (control == null || data == null || external == null) {
            return;
        }
        AddressScope status = control.or(data);
        for (Substrate substrate : policy.substrates) {
            String path = "substrates." + substrate.id();
            boolean outside = substrate.kind() == SubstrateKind.EXTERNAL;
            if (outside) {
                externals.add(substrate.id());
            }
            endpoint(path, substrate.endpoint(), outside, outside ? external : data);
            int index = 0;
            for (StatusAddress address : substrate.status()) {
                address(
                        path + ".status[" + index++ + "].url",
                        "url",
                        address.url(),
                        "network.control or network.data",
                        status);
            }
        }
        for (Workload workload : policy.workloads) {
            String path = "workloads." + workload.name();
            for (int at = 0; at < workload.route().size(); at++) {
                candidate(path + ".route[" + at + "]", workload.route().get(at), data, external);
            }
            workload.pin().ifPresent(pin -> candidate(path + ".pin", pin, data, external));
            workload.batch().ifPresent(batch -> candidate(path + ".batch", batch, data, external));
        }
    }

    private void candidate(String path, Candidate candidate, AddressScope data, AddressScope external) {
        boolean outside = externals.contains(candidate.on());
        endpoint(path, candidate.endpoint(), outside, outside ? external : data);
    }

    private void endpoint(String path, Optional<URI> url, boolean outside, AddressScope scope) {
        if (url.isPresent()) {
            address(path + ".endpoint", "endpoint", url.get(), outside ? "network.external" : "network.data", scope);
        }
    }

    private void address(String path, String key, URI url, String where, AddressScope scope) {
        String host = AddressScope.hostOf(url);
        String wrong = host.isEmpty() ? null : wrong(host, scope);
        if (wrong != null) {
            problems.add(PolicyProblem.of(
                    "out-of-scope",
                    path,
                    key + ": " + wrong + " (expected: an address in " + where + ": " + scope + ")"));
        }
    }

    private static @Nullable String wrong(String host, AddressScope scope) {
        if (!AddressScope.isLiteral(host)) {
            return scope.holdsNothing() ? host : null;
        }
        try {
            return scope.refusal(host, AddressScope.literal(host)).isPresent() ? host : null;
        } catch (IllegalArgumentException ambiguous) {
            return String.valueOf(ambiguous.getMessage());
        }
    }

    private @Nullable AddressScope scope(String key, List<String> entries) {
        boolean all = true;
        for (int at = 0; at < entries.size(); at++) {
            try {
                AddressScope.of(List.of(entries.get(at)));
            } catch (IllegalArgumentException wrong) {
                all = false;
                problems.add(PolicyProblem.of(
                        "bad-scope", "network." + key + "[" + at + "]", key + ": " + wrong.getMessage()));
            }
        }
        return all ? AddressScope.of(entries) : null;
    }
}
