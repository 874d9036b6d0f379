package dev.substraterouter.model;

import java.net.InetAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where addresses may lie: ranges ({@code 10.40.10.0/29}, {@code fd00:40::/64}), single addresses, and names. Immutable and thread-safe; no
 * method looks a name up.
 *
 * <p>A range holds the addresses in it, except that those that no inference server has are held only by a range made of nothing else:
 * link-local ones, among which clouds serve their metadata, and those of this host under no name of its own ({@code 0.0.0.0/8},
 * {@code ::}), multicast and broadcast. So {@code 0.0.0.0/0} does not hold {@code 169.254.169.254}, and {@code 169.254.0.0/16} does. A name
 * holds whatever it resolves to but these and, unless the name is {@code localhost}, the loopback. IPv4 addresses written as IPv6
 * ({@code ::ffff:10.0.0.1}) are the IPv4 ones.
 */
public final class AddressScope {
    private static final AddressScope ANYWHERE = new AddressScope(List.of(), Set.of(), true);
    private static final List<AddressRange> SPECIAL = List.of(
            AddressRange.of("0.0.0.0/8"),
            AddressRange.of("169.254.0.0/16"),
            AddressRange.of("224.0.0.0/4"),
            AddressRange.of("255.255.255.255/32"),
            AddressRange.of("::/128"),
            AddressRange.of("fe80::/10"),
            AddressRange.of("fd00:ec2::254/128"),
            AddressRange.of("ff00::/8"));

    private final List<AddressRange> ranges;
    private final Set<String> names;
    private final boolean anywhere;

    private AddressScope(List<AddressRange> ranges, Set<String> names, boolean anywhere) {
        this.ranges = ranges;
        this.names = names;
        this.anywhere = anywhere;
    }

    /** The scope that holds every address: where no scopes are declared. */
    public static AddressScope anywhere() {
        return ANYWHERE;
    }

    /**
     * The scope of entries, each a range, an address or a name; none: it holds nothing.
     *
     * @throws IllegalArgumentException if an entry is none of these; the message names it and what was expected
     */
    public static AddressScope of(Collection<String> entries) {
        List<AddressRange> ranges = new ArrayList<>();
        Set<String> names = new LinkedHashSet<>();
        for (String entry : entries) {
            if (entry.indexOf('/') >= 0 || isNumeric(entry)) {
                ranges.add(AddressRange.of(entry));
            } else if (isName(entry)) {
                names.add(key(entry));
            } else {
                throw new IllegalArgumentException(
                        entry + " (expected: a range like 10.40.10.0/29, an address, or a host's name)");
            }
        }
        return new AddressScope(List.copyOf(ranges), Set.copyOf(names), false);
    }

    /** True if it holds every address. */
    public boolean isAnywhere() {
        return anywhere;
    }

    /** True if it holds no address at all. */
    public boolean holdsNothing() {
        return !anywhere && ranges.isEmpty() && names.isEmpty();
    }

    /**
     * What speaks against connecting to an address under a name.
     *
     * @param host the name or address that was asked for
     * @param address what it resolved to
     * @return why not, in words; empty when it is in scope
     */
    public Optional<String> refusal(String host, InetAddress address) {
        if (anywhere || isHeld(host, AddressRange.bytes(address))) {
            return Optional.empty();
        }
        String where = AddressRange.text(AddressRange.bytes(address));
        String what = key(host).equals(where) ? where : host + " is " + where;
        return Optional.of(what + ", out of scope (allowed: " + this + ")");
    }

    private boolean isHeld(String host, byte[] address) {
        boolean special = SPECIAL.stream().anyMatch(range -> range.contains(address));
        for (AddressRange range : ranges) {
            if (range.contains(address) && (!special || SPECIAL.stream().anyMatch(range::isWithin))) {
                return true;
            }
        }
        return !special
                && names.contains(key(host))
                && (!AddressRange.isLoopback(address) || key(host).equals("localhost"));
    }

    /** True if the host of a URL is written as an address, in whatever spelling, and so needs no lookup. */
    public static boolean isLiteral(String host) {
        return isNumeric(key(host));
    }

    /**
     * The address that the host of a URL spells.
     *
     * @throws IllegalArgumentException if it is spelled in a way that others read differently (octal, decimal, hexadecimal, too few parts)
     */
    public static InetAddress literal(String host) {
        return AddressRange.address(key(host));
    }

    /** The host of a URL as names and addresses are compared: lower case, without brackets and without a final dot; empty when it has none. */
    public static String hostOf(URI url) {
        return url.getHost() == null ? "" : key(url.getHost());
    }

    private static String key(String host) {
        String bare = host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
        String lower = bare.toLowerCase(Locale.ROOT);
        return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
    }

    /** Whether resolvers take it for an address: it has a colon, or its last part begins with a digit, as no name's does. */
    private static boolean isNumeric(String host) {
        String last = host.substring(host.lastIndexOf('.') + 1);
        return host.indexOf(':') >= 0 || (!last.isEmpty() && Character.isDigit(last.charAt(0)));
    }

    private static boolean isName(String entry) {
        return entry.length() <= 253
                && entry.matches(
                        "[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?(\\.[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?)*\\.?");
    }

    /** Both: what either holds. */
    public AddressScope or(AddressScope other) {
        if (anywhere || other.anywhere) {
            return ANYWHERE;
        }
        List<AddressRange> both = new ArrayList<>(ranges);
        both.addAll(other.ranges);
        Set<String> named = new LinkedHashSet<>(names);
        named.addAll(other.names);
        return new AddressScope(List.copyOf(both), Set.copyOf(named), false);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof AddressScope that
                && anywhere == that.anywhere
                && ranges.equals(that.ranges)
                && names.equals(that.names);
    }

    @Override
    public int hashCode() {
        return Objects.hash(ranges, names, anywhere);
    }

    @Override
    public String toString() {
        if (anywhere) {
            return "anywhere";
        }
        List<String> all = new ArrayList<>();
        ranges.forEach(range -> all.add(range.toString()));
        names.stream().sorted().forEach(all::add);
        return all.isEmpty() ? "nothing" : String.join(", ", all);
    }
}
