package dev.substraterouter.internal.yaml;

import dev.substraterouter.internal.yaml.Node.Kind;
import dev.substraterouter.internal.yaml.Node.Mapping;
import dev.substraterouter.internal.yaml.Node.Scalar;

/** The version of a file's format. */
public final class Version {
    private Version() {}

    /**
     * Ends the reading of a file of another version, in which nothing else can be judged.
     *
     * @throws dev.substraterouter.policy.PolicyException if it is one
     */
    public static void refuseOther(int expected, Node root, At top) {
        if (root instanceof Mapping mapping) {
            mapping.entries().stream()
                    .filter(entry -> entry.key().equals("version"))
                    .forEach(entry -> refuseOther(expected, entry, top));
        }
    }

    private static void refuseOther(int expected, Node.Entry entry, At top) {
        if (entry.value() instanceof Scalar version
                && version.kind() == Kind.WHOLE_NUMBER
                && !version.content().equals(Integer.toString(expected))) {
            top.key("version").refuse("version", version, Integer.toString(expected));
            top.problems().throwIfAny();
        }
    }
}
