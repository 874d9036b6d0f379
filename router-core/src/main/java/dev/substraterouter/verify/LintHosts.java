package dev.substraterouter.verify;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Which hosts are the router's own, by what is written: nothing is resolved. Addresses are the same when their bytes are, however they are
 * written; one of IPv4 within IPv6 is that of IPv4. Immutable.
 */
final class LintHosts {
    private static final Pattern OWN_NAME = Pattern.compile("localhost|.*\\.localhost");
    private static final Pattern FOUR = Pattern.compile("(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})");
    private static final int PARTS = 4;
    private static final int LARGEST = 255;
    /** The addresses that always mean the own host, in digits: the loopback, and every address, when one connects to it. */
    private static final Pattern OWN_ADDRESS = Pattern.compile("7f.{6}|0{8}|0{31}[01]");

    private final Set<String> named;

    LintHosts(Set<String> named) {
        this.named = named.stream().map(LintHosts::plain).map(LintHosts::meant).collect(Collectors.toUnmodifiableSet());
    }

    boolean isLoopback(URI address) {
        String host = host(address);
        String meant = meant(host);
        return meant.equals(host)
                ? OWN_NAME.matcher(host).matches()
                : OWN_ADDRESS.matcher(meant.substring(1)).matches();
    }

    boolean isNamed(URI address) {
        return named.contains(meant(host(address)));
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

    /** The bytes of an address after a sign that no name has; a name as it is. */
    private static String meant(String host) {
        if (host.indexOf(':') >= 0) {
            return six(host);
        }
        Matcher four = FOUR.matcher(host);
        return four.matches() ? four(host, four) : host;
    }

    private static String four(String host, Matcher parts) {
        StringBuilder digits = new StringBuilder("#");
        for (int part = 1; part <= PARTS; part++) {
            int value = Integer.parseInt(parts.group(part));
            if (value > LARGEST) {
                return host;
            }
            digits.append(HexFormat.of().toHexDigits((byte) value));
        }
        return digits.toString();
    }

    /** The zone says only by which network it is reached. What has a colon is never looked up. */
    private static String six(String host) {
        int zone = host.indexOf('%');
        try {
            byte[] bytes = InetAddress.getByName(zone < 0 ? host : host.substring(0, zone))
                    .getAddress();
            return "#" + HexFormat.of().formatHex(bytes);
        } catch (UnknownHostException notAnAddress) {
            return host;
        }
    }
}
