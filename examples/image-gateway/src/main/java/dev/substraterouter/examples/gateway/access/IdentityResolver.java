package dev.substraterouter.examples.gateway.access;

import org.jspecify.annotations.Nullable;

/** Finds out who asks. Thread-safe; called for every request, so it should not block for long. */
@FunctionalInterface
public interface IdentityResolver {
    /**
     * Who presents this bearer token.
     *
     * @param bearerToken the token; null: none was presented
     * @throws UnknownCallerException when a token is needed and missing, or is not known
     */
    Caller resolve(@Nullable String bearerToken) throws UnknownCallerException;
}
