package dev.substraterouter.examples.gateway.access;

import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.Operation;
import java.util.Optional;

/**
 * Who asks, as the gateway has authenticated it. What it may do is for the policy's roles to say.
 *
 * @param identity its identity, as the policy's roles name it; empty: nobody in particular, where no token is needed
 */
public record Caller(Optional<String> identity) {
    /** Nobody in particular. */
    public static final Caller ANYBODY = new Caller(Optional.empty());

    /** Somebody. */
    public static Caller of(String identity) {
        return new Caller(Optional.of(identity));
    }

    /** The request, asked by this caller. */
    public RouteRequest asking(RouteRequest request) {
        return identity.map(request::identity).orElse(request);
    }

    /** Whether the roles let it operate the router in this way. */
    public boolean mayOperate(SubstrateRouter router, Operation operation) {
        return router.mayOperate(identity.orElse(""), operation);
    }

    @Override
    public String toString() {
        return identity.orElse("anybody");
    }
}
