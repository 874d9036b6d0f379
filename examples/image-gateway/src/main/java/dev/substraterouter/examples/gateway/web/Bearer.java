package dev.substraterouter.examples.gateway.web;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/** Reads the bearer token of a request. Stateless. */
public final class Bearer {
    private static final String SCHEME = "Bearer ";

    private Bearer() {}

    /** The token; null: there is none. */
    public static @Nullable String token(HttpServletRequest request) {
        String header = request.getHeader("Authorization");
        if (header == null || !header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return null;
        }
        return header.substring(SCHEME.length()).strip();
    }
}
