package dev.substraterouter.verify;

import dev.substraterouter.model.StatusAddress;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.SubstrateKind;
import java.net.URI;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Looks at substrates. Not thread-safe: one for each run. */
final class LintSubstrates {
    private final Policy policy;
    private final @Nullable LintAccess access;
    private final LintHosts hosts;
    private final LintReport report;

    LintSubstrates(Policy policy, @Nullable LintAccess access, LintHosts hosts, LintReport report) {
        this.policy = policy;
        this.access = access;
        this.hosts = hosts;
        this.report = report;
    }

    void look(Substrate substrate) {
        String path = "substrates." + substrate.id();
        addresses(path, substrate);
        virtual(path, substrate);
        keepFree(path, substrate);
        reserve(path, substrate);
        if (policy.roles().isEmpty()) {
            withoutRoles(path, substrate);
        } else if (access != null && !access.reaches(substrate)) {
            unreachable(path, substrate);
        }
        LintSettings.health(policy, substrate, report);
    }

    private void addresses(String path, Substrate substrate) {
        boolean external = substrate.kind() == SubstrateKind.EXTERNAL;
        URI endpoint = substrate.endpoint().orElse(null);
        if (endpoint != null && address(hosts, external, path, "endpoint", endpoint, report)) {
            return;
        }
        List<StatusAddress> status = substrate.status();
        for (int at = 0; at < status.size(); at++) {
            if (address(
                    hosts,
                    external,
                    path,
                    "status[" + at + "].url",
                    status.get(at).url(),
                    report)) {
                return; // once for each substrate
            }
        }
    }

    /** Whether an address is the router's own. The loopback of an external substrate is a way to it: a proxy, or a tunnel. */
    static boolean address(LintHosts hosts, boolean external, String path, String key, URI address, LintReport report) {
        boolean own = hosts.isNamed(address) || (!external && hosts.isLoopback(address));
        if (own) {
            report.add(
                    LintCode.ROUTER_ON_SUBSTRATE,
                    path + "." + key,
                    key.substring(key.indexOf('.') + 1) + ": host " + LintHosts.host(address) + " is the router's own",
                    "another host; what takes this substrate down takes the router down");
        }
        return own;
    }

    private void virtual(String path, Substrate substrate) {
        if (substrate.virtual() && substrate.mcpUrl().isEmpty()) {
            report.add(
                    LintCode.VIRTUAL_WITHOUT_MCP_URL,
                    path + ".virtual",
                    "virtual: true without mcp_url",
                    "the mcp_url behind which it exists");
        }
    }

    private void keepFree(String path, Substrate substrate) {
        double keep = substrate.keepFreeGb();
        if (keep > 0 && keep == substrate.vramGb().orElse(Double.NaN)) {
            report.add(
                    LintCode.KEEP_FREE_LEAVES_NOTHING,
                    path + ".keep_free_gb",
                    "keep_free_gb: " + LintWords.number(keep) + " of vram_gb: " + LintWords.number(keep),
                    "less; no job that takes memory ever fits now");
        }
    }

    private void reserve(String path, Substrate substrate) {
        int kept = substrate.reserveForHigh();
        if (kept == 0) {
            return;
        }
        OptionalInt most = substrate.maxConcurrentJobs();
        String found = "reserve_for_high: " + kept;
        String place = path + ".reserve_for_high";
        if (most.isEmpty()) {
            report.add(
                    LintCode.RESERVE_WITHOUT_LIMIT,
                    place,
                    found + " without max_concurrent_jobs",
                    "a limit to keep slots of");
        } else if (kept == most.getAsInt()) {
            report.add(
                    LintCode.RESERVE_LEAVES_NOTHING,
                    place,
                    found + " of max_concurrent_jobs: " + most.getAsInt(),
                    "less; only priority high is ever placed on '" + substrate.id() + "' now");
        } else if (access != null && access.reaches(substrate) && !access.reachesHigh(substrate)) {
            report.add(
                    LintCode.RESERVE_FOR_NOBODY,
                    place,
                    found + ", and no role that may use '" + substrate.id() + "' has max_priority: high",
                    "0, or such a role; " + kept + " of " + most.getAsInt() + " slots stay empty now");
        }
    }

    private void withoutRoles(String path, Substrate substrate) {
        if (substrate.kind() == SubstrateKind.EXTERNAL) {
            report.add(
                    LintCode.EXTERNAL_WITHOUT_ROLES,
                    path + ".kind",
                    "kind: external, and roles is absent, so that anybody may ask for it",
                    "roles that say who may use external substrates");
        }
        if (substrate.acceptsRoles().isPresent()) {
            report.add(
                    LintCode.ACCEPTS_ROLES_WITHOUT_ROLES,
                    path + ".accepts_roles",
                    "accepts_roles: [], and roles is absent, so that everybody is accepted",
                    "roles, or no accepts_roles");
        }
    }

    private void unreachable(String path, Substrate substrate) {
        boolean named = substrate.acceptsRoles().isPresent();
        String found = named
                ? "accepts_roles: [" + LintWords.some(substrate.acceptsRoles().get()) + "]"
                : "kind: " + LintWords.word(substrate.kind());
        report.add(
                LintCode.UNREACHABLE_SUBSTRATE,
                path + (named ? ".accepts_roles" : ""),
                found + ", and nothing that a role may ask for is ever placed on '" + substrate.id() + "'",
                "a role that may use it for a workload or a need");
    }
}
