package dev.substraterouter.policy.cli;

import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.PolicyException;
import dev.substraterouter.policy.yaml.YamlPolicy;
import java.io.IOException;
import java.nio.file.Path;

/** Reads policies whose warnings are told by {@code check} only. */
final class Policies {
    private Policies() {}

    /**
     * The policy in a file.
     *
     * @throws IOException if it cannot be read
     * @throws PolicyException if it cannot be used
     */
    static Policy read(Path file) throws IOException {
        return YamlPolicy.check(file).orThrow(file.toString());
    }

    /** A policy without its scopes of addresses, which decide no placement and are not enforced by every version. */
    static Policy withoutNetwork(Policy policy) {
        Policy.Builder builder = Policy.builder()
                .health(policy.health())
                .ejection(policy.ejection())
                .queue(policy.queue())
                .poll(policy.poll())
                .strategy(policy.strategy());
        policy.substrates().forEach(builder::substrate);
        policy.workloads().forEach(builder::workload);
        policy.roles().forEach(builder::role);
        return builder.build();
    }
}
