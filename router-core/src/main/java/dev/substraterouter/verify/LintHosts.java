package dev.substraterouter.verify;

import java.net.URI;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Which hosts are the router's own, by what is written: nothing is resolved. Immutable. */
final class LintHosts {
    /** The names and addresses that always mean the own host; {@code 0.0.0.0} and {@code ::} too, when one connects to them. */
    private static final Pattern LOOPBACK = Pattern.compile(
            "localhost|.*\\.localhost|127\\.\\d+\\.\\d+\\.\\d+|0\\.0\\.0\\.0|[0:]*:[0:]*1?|::ffff:127\\.\\d+\\.\\d+\\.\\d+");

    private final Set<String> named;

    LintHosts(Set<String> named) {
        this.named = named.stream().map(LintHosts::plain).collect(Collectors.toUnmodifiableSet());
    }

    boolean isLoopback(URI address) {
        return LOOPBACK.matcher(host(address)).matches();
    }

    boolean isNamed(URI address) {
        return named.contains(host(address));
    }

    static String host(URI address) {
        String host = address.getHost();
        return host == null ? "" : plain(host);
    }

    /** Without the brackets of IPv6 and the dot that ends a full name. */
    private static String plain(String host) {
        String bare = host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
        String name = bare.endsWith(".") ? bare.substring(0, bare.length() - 1) : bare;
        return name.toLowerCase(Locale.ROOT);
    }
}
