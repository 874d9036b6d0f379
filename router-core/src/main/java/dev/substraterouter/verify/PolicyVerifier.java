package dev.substraterouter.verify;

import dev.substraterouter.policy.Policy;
import java.util.List;

/**
 * Goes through what a policy does: every workload and need class, everybody who may ask, every combination of free, blocked and ruled-out
 * candidates, through the decision that the router itself makes. Thread-safe: it has no state.
 *
 * <p>Checked are these, under the names that findings bear, and the rules that are given:
 *
 * <table>
 * <caption>What is always checked</caption>
 * <tr><td>{@code constraint}</td><td>a route has all that satisfies the policy and the request, and nothing else is placed on</td></tr>
 * <tr><td>{@code privacy}</td><td>nothing is placed where its content may not go, nor outside for a role that may not leave</td></tr>
 * <tr><td>{@code admission}</td><td>nothing is placed where a limit, a fault, an operator, a claim or the request itself keeps it out</td></tr>
 * <tr><td>{@code order}</td><td>the first admissible candidate is taken, so the primary whenever it is admissible</td></tr>
 * <tr><td>{@code refusal}</td><td>nobody waits or is refused while a candidate is admissible</td></tr>
 * <tr><td>{@code answer}</td><td>every state is answered, as the fallback machine says</td></tr>
 * <tr><td>{@code access}</td><td>who may ask is answered as the roles say</td></tr>
 * </table>
 *
 * <p>What is right is found by the policy's words alone ({@link Constraints}, and the limits that it declares), never by asking whatever is
 * verified. The verification is exact for the order {@code preference} over up to 8 substrates a route: every combination of <i>free</i>,
 * <i>blocked</i> and <i>never</i>, and each reason of being blocked singly, beside others that are free and others that are blocked.
 * Other orders, and longer routes, are sampled. {@link Findings#notCovered()} lists what nothing is known of. Takes seconds for a large
 * policy and blocks meanwhile.
 */
public final class PolicyVerifier {
    private PolicyVerifier() {}

    /**
     * Verifies a policy.
     *
     * @param policy the policy
     * @param rules what else must hold; each under a name of its own; two of one name are told as one
     * @return one finding for each rule that is broken; empty: none is
     */
    public static Findings verify(Policy policy, PolicyRule... rules) {
        return new Verification(policy, List.of(rules)).run();
    }
}
