package dev.substraterouter.examples.benchmarks.ours;

import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Substrate;
import org.openjdk.jmh.annotations.Param;

/** A router over many substrates: every one has {@code cuda}, and each twentieth the same one of twenty other capabilities. */
public abstract class ManySubstrates extends OneRouter {
    static final int CAPABILITIES = 20;

    /** How many there are. */
    @Param({"10", "100", "1000", "10000"})
    int substrates = 10;

    /** All are free. */
    public static class Free extends ManySubstrates {
        String[] ids = {};

        @Override
        SubstrateRouter built() {
            Policy policy = policy();
            ids = policy.substrates().stream().map(Substrate::id).toArray(String[]::new);
            return Pools.router(policy);
        }
    }

    /** All are too busy by their status. */
    public static class Unhealthy extends ManySubstrates {
        @Override
        SubstrateRouter built() {
            return Pools.reported(Pools.silent(policy()), Pools.overloaded());
        }
    }

    /** Nothing was ever heard of any. */
    public static class Unseen extends ManySubstrates {
        @Override
        SubstrateRouter built() {
            return Pools.silent(policy());
        }
    }

    Policy policy() {
        return Pools.many(substrates);
    }
}
