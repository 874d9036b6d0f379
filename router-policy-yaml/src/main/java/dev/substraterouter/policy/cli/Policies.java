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
}
