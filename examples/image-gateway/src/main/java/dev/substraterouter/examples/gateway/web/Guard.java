package dev.substraterouter.examples.gateway.web;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the pages of strangers, open in somebody's browser, from using that browser to reach a listener. A page whose name was re-bound to
 * this address sends that name as {@code Host}: only literal addresses, {@code localhost} and names that were given are answered. A page that
 * sends a request across sites is told by {@code Origin} or {@code Sec-Fetch-Site}. Immutable and thread-safe.
 */
public final class Guard {
    private static final Pattern LITERAL = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}|\\[[0-9a-fA-F:.%]+]");
    private static final Set<String> OWN = Set.of("same-origin", "none");

    private final Set<String> names;
    private final boolean anyHost;

    private Guard(Set<String> names, boolean anyHost) {
        this.names = names.stream().map(name -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toUnmodifiableSet());
        this.anyHost = anyHost;
    }

    /** A guard of a listener that is reached under these names, beside addresses and {@code localhost}. */
    public static Guard of(Set<String> names) {
        return new Guard(names, false);
    }

    /** A guard of a listener at which everybody must show a token, which a stranger's page has not: under which name it is reached is all the same. */
    public static Guard ofAnyHost() {
        return new Guard(Set.of(), true);
    }

    /** Why a request is not answered at all. */
    public Optional<Problem> againstHost(HttpServletRequest request) {
        String host = host(request.getHeader("Host"));
        return anyHost || LITERAL.matcher(host).matches() || "localhost".equals(host) || names.contains(host)
                ? Optional.empty()
                : Optional.of(Problem.of(
                        421,
                        "Not for this host",
                        "Host: " + host + " (expected: an address, localhost, or a name that the gateway was given)"));
    }

    /** Why a request that tells or changes something is not answered. */
    public Optional<Problem> againstSite(HttpServletRequest request) {
        String site = request.getHeader("Sec-Fetch-Site");
        if (site != null && !OWN.contains(site)) {
            return crossSite("Sec-Fetch-Site: " + site + " (expected: same-origin)");
        }
        String origin = request.getHeader("Origin");
        return origin == null || isOwn(origin, request.getHeader("Host"))
                ? Optional.empty()
                : crossSite("Origin: " + origin + " (expected: that of this listener)");
    }

    private static Optional<Problem> crossSite(String detail) {
        return Optional.of(Problem.of(403, "Asked by the page of another site", detail));
    }

    /** Of this listener, as it was asked or, where a proxy asks in its own name, as it is known. */
    private boolean isOwn(String origin, @Nullable String host) {
        int scheme = origin.indexOf("://");
        String rest = scheme < 0 ? "" : origin.substring(scheme + 3);
        return rest.equalsIgnoreCase(host) || names.contains(host(rest));
    }

    private static String host(@Nullable String header) {
        if (header == null) {
            return "";
        }
        int port = header.lastIndexOf(':');
        boolean hasPort = port > header.lastIndexOf(']');
        return (hasPort ? header.substring(0, port) : header).toLowerCase(Locale.ROOT);
    }
}
