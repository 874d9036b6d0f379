package dev.substraterouter.examples.gateway.tools;

import java.util.List;

/**
 * The pool as its caller sees it.
 *
 * @param instances the nodes, in the policy's order
 */
public record Pool(List<Instance> instances) {
    /** Copies the list. */
    public Pool {
        instances = List.copyOf(instances);
    }
}
