package dev.substraterouter.verify;

import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.PolicyProblem;
import dev.substraterouter.policy.Role;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Finds what is most probably not meant in a policy that is formally right: work that nobody could ever serve, and rules that can never
 * decide anything. What is formally wrong, such as a limit out of range or an unknown name, keeps a {@link Policy} from being built and
 * is told by {@link dev.substraterouter.policy.PolicyException}.
 *
 * <p><b>The idea.</b> Who may serve what is not judged here once more. The policy is compiled as the router compiles it, with one identity
 * for each role, and the routes that come out are read. A key without effect is told only where no code reads it, or nothing can come of
 * it; a key that is written with its default is never told.
 *
 * <p><b>The codes.</b> They are stable. All of them are warnings, an unservable workload too: what is asked for it is refused, clearly and
 * at once, and a machine must be able to leave the policy although something is left without one. Where a warning must not pass, in CI,
 * {@code check --strict} and the contract of the test kit let none pass.
 *
 * <table>
 * <caption>Codes</caption>
 * <tr><th>code</th><th>severity</th><th>meaning</th></tr>
 * <tr><td>{@code required-and-ignored}</td><td>warning</td><td>a measure under {@code require} is also under the {@code ignore} that holds
 *     there, beside it or that of the policy: it is not required</td></tr>
 * <tr><td>{@code recovery-below-room}</td><td>warning</td><td>once too hot, a GPU is healthy again only when colder than the room it stands
 *     in</td></tr>
 * <tr><td>{@code wait-without-places}</td><td>warning</td><td>something is said about waiting where {@code capacity} is 0, so that nobody
 *     waits</td></tr>
 * <tr><td>{@code weights-without-order}</td><td>warning</td><td>{@code queue.weights}, but the queue is served by arrival</td></tr>
 * <tr><td>{@code finish-margin-without-use}</td><td>warning</td><td>{@code strategy.finish_margin}, but nothing is routed by
 *     {@code earliest-finish}</td></tr>
 * <tr><td>{@code external-without-roles}</td><td>warning</td><td>work may leave for an external substrate, and anybody may ask for it:
 *     {@code roles} is absent</td></tr>
 * <tr><td>{@code accepts-roles-without-roles}</td><td>warning</td><td>{@code accepts_roles}, but {@code roles} is absent: everybody is
 *     accepted</td></tr>
 * <tr><td>{@code unreachable-substrate}</td><td>warning</td><td>nothing that a role may ask for can ever be placed on a substrate</td></tr>
 * <tr><td>{@code reserve-leaves-nothing}</td><td>warning</td><td>{@code reserve_for_high} keeps every slot: all other work is never placed
 *     there</td></tr>
 * <tr><td>{@code reserve-for-nobody}</td><td>warning</td><td>{@code reserve_for_high}, but no role that may use the substrate may ask for
 *     priority high: the slots stay empty</td></tr>
 * <tr><td>{@code reserve-without-limit}</td><td>warning</td><td>{@code reserve_for_high} without {@code max_concurrent_jobs}: there is
 *     nothing to keep slots of</td></tr>
 * <tr><td>{@code keep-free-leaves-nothing}</td><td>warning</td><td>{@code keep_free_gb} keeps the whole memory free</td></tr>
 * <tr><td>{@code virtual-without-mcp-url}</td><td>warning</td><td>a substrate that exists only behind its {@code mcp_url} has none</td></tr>
 * <tr><td>{@code router-on-substrate}</td><td>warning</td><td>the router runs on one of its own substrates: an address is that of its own
 *     host</td></tr>
 * <tr><td>{@code unservable-workload}</td><td>warning</td><td>no substrate could ever serve a workload, and it has no batch path that
 *     could</td></tr>
 * <tr><td>{@code workload-for-nobody}</td><td>warning</td><td>no role may have a workload served</td></tr>
 * <tr><td>{@code unoffered-capability}</td><td>warning</td><td>a workload needs, or a role may ask for, a capability that no substrate
 *     has</td></tr>
 * <tr><td>{@code vram-above-every-gpu}</td><td>warning</td><td>the memory of a job is more than the largest place for it has</td></tr>
 * <tr><td>{@code candidate-batch-only}</td><td>warning</td><td>a candidate of a route can never serve: it is a batch queue</td></tr>
 * <tr><td>{@code candidate-breaks-privacy}</td><td>warning</td><td>... it is trusted less than the workload requires</td></tr>
 * <tr><td>{@code candidate-breaks-capability}</td><td>warning</td><td>... it lacks a capability</td></tr>
 * <tr><td>{@code candidate-breaks-memory}</td><td>warning</td><td>... it is too small, though another substrate is not</td></tr>
 * <tr><td>{@code candidate-breaks-quality}</td><td>warning</td><td>... its quality is below {@code min_quality}, or not declared</td></tr>
 * <tr><td>{@code candidate-breaks-latency}</td><td>warning</td><td>... its latency is above {@code max_latency}, or not declared</td></tr>
 * <tr><td>{@code candidate-breaks-cost}</td><td>warning</td><td>... its cost is above {@code max_cost}, or has no basis</td></tr>
 * <tr><td>{@code candidate-for-nobody}</td><td>warning</td><td>no role that may ask for the workload may use a candidate</td></tr>
 * <tr><td>{@code shadowed-candidate}</td><td>warning</td><td>a candidate is never taken: an earlier one on the same substrate is admissible
 *     whenever it is</td></tr>
 * <tr><td>{@code pin-to-overflow}</td><td>warning</td><td>a pin to a substrate that is meant to be taken last</td></tr>
 * <tr><td>{@code route-of-one}</td><td>warning</td><td>a route of one where another substrate would fit; a pin says that it is
 *     meant</td></tr>
 * <tr><td>{@code unreachable-batch}</td><td>warning</td><td>a batch path breaks the contract of its workload, or no role may take it</td></tr>
 * <tr><td>{@code overflow-after-without-overflow}</td><td>warning</td><td>{@code overflow_after} of a workload that no overflow
 *     serves</td></tr>
 * <tr><td>{@code job-vram-without-model}</td><td>warning</td><td>{@code job_vram_gb} without {@code model}: no status can say that the model
 *     is loaded, so it is never used</td></tr>
 * <tr><td>{@code load-time-without-model}</td><td>warning</td><td>{@code load_time} without {@code model} where the order counts loading: a
 *     candidate without a model is never known to be cold</td></tr>
 * <tr><td>{@code strategy-for-one}</td><td>warning</td><td>{@code strategy} of a workload with one candidate: there is nothing to
 *     order</td></tr>
 * <tr><td>{@code strategy-without-figures}</td><td>warning</td><td>the strategy compares figures that no candidate has</td></tr>
 * <tr><td>{@code role-without-use}</td><td>warning</td><td>a role that can have nothing served and may operate nothing</td></tr>
 * <tr><td>{@code role-workload-out-of-reach}</td><td>warning</td><td>a role names a workload that it can never have served</td></tr>
 * </table>
 *
 * <p><b>Bounds.</b> The time grows with substrates × workloads × roles, up to a limit: with more than 200,000 candidates of roles to look
 * at, what only a look at all of them would tell is not told, and with thousands of substrates {@code route-of-one} is told of the first
 * workloads only. Thread-safe: it has no state. It does not block.
 */
public final class PolicyLint {
    private PolicyLint() {}

    /**
     * Everything that is doubtful about a policy, where the router runs on a host of which no address is known but the loopback.
     *
     * @return settings for all first, then substrates, workloads and roles, each in the order of the policy; empty: nothing. Lines and
     *     columns are 0; whoever has read the policy from a file may add them by {@link PolicyProblem#at}
     */
    public static List<PolicyProblem> lint(Policy policy) {
        return lint(policy, Set.of());
    }

    /**
     * As {@link #lint(Policy)}, and also tells of each address that is one of the router's own host.
     *
     * @param routerHosts the names and addresses of the host on which the router runs, as they would be written in an address; not
     *     resolved; empty: only the loopback is known
     */
    public static List<PolicyProblem> lint(Policy policy, Set<String> routerHosts) {
        Objects.requireNonNull(policy, "policy");
        LintReport report = new LintReport();
        LintPlans plans = new LintPlans(policy);
        LintAccess access = LintAccess.of(plans);
        LintHosts hosts = new LintHosts(routerHosts);
        new LintSettings(policy, report).look();
        LintSubstrates substrates = new LintSubstrates(policy, access, hosts, report);
        for (Substrate substrate : policy.substrates()) {
            substrates.look(substrate);
        }
        LintCapabilities capabilities = new LintCapabilities(policy, report);
        LintWorkloads workloads = new LintWorkloads(plans, access, capabilities, hosts, report);
        for (Workload workload : policy.workloads()) {
            workloads.look(workload);
        }
        LintRoles roles = new LintRoles(plans, access, capabilities, report);
        for (Role role : policy.roles()) {
            roles.look(role);
        }
        return report.problems();
    }
}
