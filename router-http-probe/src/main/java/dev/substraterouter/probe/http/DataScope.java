package dev.substraterouter.probe.http;

import dev.substraterouter.Placement;
import dev.substraterouter.model.AddressScope;
import dev.substraterouter.policy.NetworkScopes;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.SubstrateKind;
import java.net.InetAddress;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Checks the address that a host is about to connect to, where the policy says by {@code network} in which scope endpoints must lie. The
 * router closes a substrate whose name is known to have moved out of scope; a host that resolves the name once more, and connects by itself,
 * asks here right before it connects, and connects to that very address:
 *
 * <pre>{@code
 * DataScope scope = DataScope.of(router::policy);
 * InetAddress address = scope.check(placement, InetAddress.getByName(placement.endpoint().getHost()));
 * }</pre>
 *
 * <p>Without {@code network} in the policy everything is in scope. Immutable and thread-safe; looks no name up and never blocks.
 */
public final class DataScope {
    private final Supplier<Policy> policy;

    private DataScope(Supplier<Policy> policy) {
        this.policy = policy;
    }

    /** The scope under whatever policy is in force, as {@code router::policy} tells. */
    public static DataScope of(Supplier<Policy> policy) {
        return new DataScope(Objects.requireNonNull(policy, "policy"));
    }

    /**
     * Checks an address against the ranges for endpoints of local and pool substrates.
     *
     * @return the address
     * @throws OutOfScopeException if it is in none
     */
    public InetAddress check(InetAddress address) throws OutOfScopeException {
        Optional<NetworkScopes> network = policy.get().network();
        return network.isEmpty()
                ? address
                : checked(network.get().endpointScope(SubstrateKind.LOCAL), address.getHostAddress(), address);
    }

    /**
     * Checks an address that the endpoint of a placement has resolved to, against what is allowed for that kind of substrate.
     *
     * @return the address
     * @throws OutOfScopeException if it is out of scope, or the policy in force no longer has the substrate
     */
    public InetAddress check(Placement placement, InetAddress address) throws OutOfScopeException {
        Policy now = policy.get();
        if (now.network().isEmpty()) {
            return address;
        }
        Optional<Substrate> substrate = now.substrate(placement.substrateId());
        if (substrate.isEmpty()) {
            throw new OutOfScopeException(placement.substrateId() + " is no longer in the policy");
        }
        return checked(now.endpointScope(substrate.get()), AddressScope.hostOf(placement.endpoint()), address);
    }

    private static InetAddress checked(AddressScope scope, String host, InetAddress address)
            throws OutOfScopeException {
        Optional<String> refusal = scope.refusal(host, address);
        if (refusal.isPresent()) {
            throw new OutOfScopeException(refusal.get());
        }
        return address;
    }
}
