package dev.substraterouter.probe.http;

import dev.substraterouter.status.SubstrateStatus;
import java.util.List;

/**
 * How one kind of server tells its status. A host adds a format of its own as a provider of this type (by {@link java.util.ServiceLoader});
 * the policy's key {@code format} names it. A provider of the name of a built-in format takes its place.
 *
 * <p>Implementations are stateless and thread-safe, never block, log nothing and keep no part of a body: bodies may hold keys and prompts.
 */
public interface StatusFormat {
    /** What {@link #maxBytes()} is unless a format says otherwise: 256 KiB. */
    int DEFAULT_MAX_BYTES = 256 * 1024;

    /** The name in the policy, in lower case. */
    String name();

    /**
     * The paths that are asked where the address of the policy has none, each in its turn; what they tell is merged. Each begins with
     * {@code /} and may have a query. Default: none, which asks the address as it is.
     */
    default List<String> paths() {
        return List.of();
    }

    /** The header {@code Accept} of the question; default {@code application/json}. */
    default String accept() {
        return "application/json";
    }

    /** The longest body that is read, in bytes; a longer one is no status. Default 256 KiB. */
    default int maxBytes() {
        return DEFAULT_MAX_BYTES;
    }

    /**
     * Reads an answer.
     *
     * @param answer the answer, of any code but a redirect
     * @return what it says; what it does not say, or says in a way that cannot be, is unknown
     * @throws NoStatusException if it is not a status of this format at all; the only exception for any answer
     */
    SubstrateStatus read(StatusAnswer answer) throws NoStatusException;
}
