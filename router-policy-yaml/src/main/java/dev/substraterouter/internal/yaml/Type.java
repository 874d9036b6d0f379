package dev.substraterouter.internal.yaml;

import java.util.Optional;

/**
 * A type of value in a file: how it is read and how it is written. Thread-safe.
 *
 * @param <V> the values
 */
public interface Type<V> {
    /** The value of a node; empty when it is none, which has been reported then. */
    Optional<V> read(Node node, At at);

    /**
     * The node that reads as a value.
     *
     * @throws IllegalArgumentException if the file cannot hold the value
     */
    Node write(V value);
}
