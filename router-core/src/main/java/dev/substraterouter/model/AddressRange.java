package dev.substraterouter.model;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.regex.Pattern;

/**
 * A range of addresses, or one of them.
 *
 * @param first the first address, 4 or 16 bytes
 * @param bits how many of its bits all addresses of the range share
 */
@SuppressWarnings("ArrayRecordComponent") // never handed out; equals and hashCode are by content
record AddressRange(byte[] first, int bits) {
    private static final Pattern IPV4 =
            Pattern.compile("((25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)\\.){3}(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)");
    private static final Pattern IPV6 = Pattern.compile("[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*");
    private static final Pattern BITS = Pattern.compile("\\d{1,3}");
    private static final int V4_BYTES = 4;

    /** The range of an entry. */
    static AddressRange of(String entry) {
        int slash = entry.indexOf('/');
        byte[] address = bytes(address(slash < 0 ? entry : entry.substring(0, slash)));
        int most = address.length * 8;
        int bits = slash < 0 ? most : bits(entry, entry.substring(slash + 1), most);
        byte[] first = masked(address, bits);
        if (!Arrays.equals(first, address)) {
            throw new IllegalArgumentException(
                    entry + " (expected: the first address of the range, " + text(first) + "/" + bits + ")");
        }
        return new AddressRange(first, bits);
    }

    private static int bits(String entry, String text, int most) {
        int bits = BITS.matcher(text).matches() ? Integer.parseInt(text) : -1;
        if (bits < 0 || bits > most) {
            throw new IllegalArgumentException(
                    entry + " (expected: a number of bits from 0 to " + most + " after the slash)");
        }
        return bits;
    }

    /** The address of a text in the one spelling that everybody reads alike. Never looks a name up. */
    static InetAddress address(String text) {
        if (!IPV4.matcher(text).matches() && !IPV6.matcher(text).matches()) {
            throw new IllegalArgumentException(text
                    + " (expected: an address as four decimal numbers without leading zeros, or IPv6 without a zone)");
        }
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException malformed) {
            throw new IllegalArgumentException(text + " (expected: an address)", malformed);
        }
    }

    /** The bytes of an address; an IPv4 one in IPv6 is the IPv4 one. */
    static byte[] bytes(InetAddress address) {
        byte[] bytes = address.getAddress();
        boolean mapped = bytes.length > V4_BYTES && bytes[10] == -1 && bytes[11] == -1;
        for (int at = 0; mapped && at < 10; at++) {
            mapped = bytes[at] == 0;
        }
        return mapped ? Arrays.copyOfRange(bytes, 12, 16) : bytes;
    }

    static boolean isLoopback(byte[] address) {
        return address.length == V4_BYTES ? address[0] == 127 : inet(address).isLoopbackAddress();
    }

    static String text(byte[] address) {
        return inet(address).getHostAddress();
    }

    private static InetAddress inet(byte[] address) {
        try {
            return InetAddress.getByAddress(address);
        } catch (UnknownHostException wrongLength) {
            throw new IllegalStateException(wrongLength); // 4 or 16 bytes, as they came
        }
    }

    boolean contains(byte[] address) {
        return address.length == first.length && Arrays.equals(masked(address, bits), first);
    }

    boolean isWithin(AddressRange wider) {
        return bits >= wider.bits && wider.contains(first);
    }

    private static byte[] masked(byte[] address, int bits) {
        byte[] masked = address.clone();
        for (int at = 0; at < masked.length; at++) {
            int kept = Math.max(0, Math.min(8, bits - at * 8));
            masked[at] &= (byte) (0xff << (8 - kept));
        }
        return masked;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof AddressRange that && bits == that.bits && Arrays.equals(first, that.first);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(first) + bits;
    }

    @Override
    public String toString() {
        return bits == first.length * 8 ? text(first) : text(first) + "/" + bits;
    }
}
