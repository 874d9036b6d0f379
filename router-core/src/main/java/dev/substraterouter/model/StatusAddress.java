package dev.substraterouter.model;

import java.net.URI;
import java.util.Objects;
import java.util.Optional;

/**
 * Where one status of a substrate is read, and how.
 *
 * @param url the address
 * @param format the name of the body's format; {@code substrate} is the router's own
 * @param tokenEnv the environment variable that holds the bearer token, read at each poll
 * @param tokenFile the file that holds the bearer token, read at each poll
 */
public record StatusAddress(URI url, String format, Optional<String> tokenEnv, Optional<String> tokenFile) {
    /** The name of the router's own format. */
    public static final String NATIVE_FORMAT = "substrate";

    /** Checks that nothing is null. */
    public StatusAddress {
        Objects.requireNonNull(url, "url");
        Objects.requireNonNull(format, "format");
        Objects.requireNonNull(tokenEnv, "tokenEnv");
        Objects.requireNonNull(tokenFile, "tokenFile");
    }

    /** An address in the router's own format, without a token. */
    public static StatusAddress of(URI url) {
        return new StatusAddress(url, NATIVE_FORMAT, Optional.empty(), Optional.empty());
    }
}
