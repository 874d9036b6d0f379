package dev.substraterouter.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressScopeTest {
    private static AddressScope scope(String... entries) {
        return AddressScope.of(List.of(entries));
    }

    private static boolean holds(AddressScope scope, String host, String address) throws UnknownHostException {
        return scope.refusal(host, InetAddress.getByName(address)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "10.40.10.0/29, 10.40.10.0, true",
        "10.40.10.0/29, 10.40.10.7, true",
        "10.40.10.0/29, 10.40.10.8, false",
        "10.40.10.3, 10.40.10.3, true",
        "10.40.10.3, 10.40.10.2, false",
        "0.0.0.0/0, 8.8.8.8, true",
        "127.0.0.0/8, 127.255.0.1, true",
        "fd00:40::/64, fd00:40::1, true",
        "fd00:40::/64, fd00:41::1, false",
        "10.0.0.0/8, ::ffff:10.1.2.3, true",
        "10.0.0.0/8, ::ffff:11.1.2.3, false",
        "::/0, 10.0.0.1, false",
        "0.0.0.0/0, 2001:db8::1, false"
    })
    void rangesHoldTheirAddresses(String entry, String address, boolean held) throws UnknownHostException {
        assertThat(holds(scope(entry), address, address)).isEqualTo(held);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "169.254.169.254",
                "0.0.0.0",
                "0.1.2.3",
                "224.0.0.1",
                "255.255.255.255",
                "fe80::1",
                "::",
                "fd00:ec2::254",
                "ff02::1",
                "::ffff:169.254.169.254"
            })
    void addressesThatNoServerHasAreHeldByNoBroadRange(String address) throws UnknownHostException {
        assertThat(holds(scope("0.0.0.0/0", "::/0", "gpu.example.com"), address, address))
                .isFalse();
        assertThat(holds(scope("0.0.0.0/0", "::/0", "gpu.example.com"), "gpu.example.com", address))
                .isFalse();
    }

    @Test
    void suchAnAddressIsHeldByARangeOfNothingElse() throws UnknownHostException {
        assertThat(holds(scope("169.254.0.0/16"), "169.254.169.254", "169.254.169.254"))
                .isTrue();
        assertThat(holds(scope("169.254.169.254"), "x.example", "169.254.169.254"))
                .isTrue();
        assertThat(holds(scope("fe80::/64"), "fe80::1", "fe80::1")).isTrue();
    }

    @Test
    void aNameHoldsWhatItResolvesToButTheLoopback() throws UnknownHostException {
        AddressScope named = scope("GPU.example.com.");
        assertThat(holds(named, "gpu.example.com", "203.0.113.1")).isTrue();
        assertThat(holds(named, "Gpu.Example.Com.", "10.0.0.1")).isTrue();
        assertThat(holds(named, "other.example.com", "203.0.113.1")).isFalse();
        assertThat(holds(named, "gpu.example.com", "127.0.0.1")).isFalse();
        assertThat(holds(named, "gpu.example.com", "::1")).isFalse();
        assertThat(holds(scope("localhost"), "localhost", "127.0.0.1")).isTrue();
        assertThat(holds(scope("gpu.example.com", "127.0.0.0/8"), "gpu.example.com", "127.0.0.1"))
                .isTrue();
    }

    @Test
    void aRefusalNamesTheNameTheAddressAndWhatIsAllowed() throws UnknownHostException {
        AddressScope scope = scope("10.0.0.0/8", "gpu.example.com");
        assertThat(scope.refusal("h.example", InetAddress.getByName("11.0.0.1")))
                .hasValue("h.example is 11.0.0.1, out of scope (allowed: 10.0.0.0/8, gpu.example.com)");
        assertThat(scope.refusal("11.0.0.1", InetAddress.getByName("11.0.0.1")))
                .hasValue("11.0.0.1, out of scope (allowed: 10.0.0.0/8, gpu.example.com)");
        assertThat(scope().refusal("1.1.1.1", InetAddress.getByName("1.1.1.1")))
                .get()
                .asString()
                .contains("nothing");
        assertThat(scope().holdsNothing()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "10.40.10.1/29      | 10.40.10.1/29 (expected: the first address of the range, 10.40.10.0/29)",
                "10.0.0.0/33        | 10.0.0.0/33 (expected: a number of bits from 0 to 32 after the slash)",
                "10.0.0.0/          | 10.0.0.0/ (expected: a number of bits from 0 to 32 after the slash)",
                "10.0.0.0/-1        | 10.0.0.0/-1 (expected: a number of bits from 0 to 32 after the slash)",
                "fd00::/129         | fd00::/129 (expected: a number of bits from 0 to 128 after the slash)",
                "010.0.0.1          | 010.0.0.1 (expected: an address as four decimal numbers without leading zeros",
                "0x7f.0.0.1         | 0x7f.0.0.1 (expected: an address as four decimal",
                "2130706433         | 2130706433 (expected: an address as four decimal",
                "127.1              | 127.1 (expected: an address as four decimal",
                "10.0.0.256         | 10.0.0.256 (expected: an address as four decimal",
                "fe80::1%eth0       | fe80::1%eth0 (expected: an address as four decimal",
                "1:2:3              | 1:2:3 (expected: an address)",
                "host/8             | host (expected: an address",
                "under score.com    | under score.com (expected: a range like 10.40.10.0/29, an address, or a host's name)",
                "*.example.com      | *.example.com (expected: a range",
                "http://10.0.0.1    | http: (expected: an address as four decimal"
            })
    void anEntryThatCannotBeReadSaysWhatWasExpected(String entry, String message) {
        assertThatThrownBy(() -> scope(entry))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }

    @Test
    void spellingsOfAddressesAreSeenAsSuch() {
        assertThat(List.of("127.0.0.1", "0177.0.0.1", "2130706433", "0x7f000001", "[::1]", "::ffff:1.2.3.4", "127.1"))
                .allMatch(AddressScope::isLiteral);
        assertThat(List.of("localhost", "a1.example", "1a.example.com", "x-9")).noneMatch(AddressScope::isLiteral);
        assertThat(AddressScope.hostOf(URI.create("http://[FD00::1]:80/x"))).isEqualTo("fd00::1");
        assertThat(AddressScope.hostOf(URI.create("http://Gpu.Example.com./x"))).isEqualTo("gpu.example.com");
        assertThat(AddressScope.literal("[::ffff:10.0.0.1]").getHostAddress()).isEqualTo("10.0.0.1");
        assertThatThrownBy(() -> AddressScope.literal("0177.0.0.1")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void scopesAddUp() throws UnknownHostException {
        AddressScope both = scope("10.0.0.0/8").or(scope("11.0.0.0/8", "h.example"));
        assertThat(holds(both, "10.0.0.1", "10.0.0.1")).isTrue();
        assertThat(holds(both, "h.example", "12.0.0.1")).isTrue();
        assertThat(both)
                .isEqualTo(scope("10.0.0.0/8", "11.0.0.0/8", "h.example"))
                .hasSameHashCodeAs(scope("10.0.0.0/8", "11.0.0.0/8", "h.example"));
        assertThat(both.or(AddressScope.anywhere()).isAnywhere()).isTrue();
        assertThat(holds(AddressScope.anywhere(), "x", "169.254.169.254")).isTrue();
        assertThat(AddressScope.anywhere()).hasToString("anywhere").isNotEqualTo(scope());
    }

    @Property(tries = 300)
    void aRangeHoldsExactlyTheAddressesThatShareItsBits(
            @ForAll @Size(4) byte[] first, @ForAll @Size(4) byte[] other, @ForAll @IntRange(max = 32) int bits)
            throws UnknownHostException {
        long mask = bits == 0 ? 0 : -1L << (32 - bits);
        long base = number(first) & mask;
        AddressRange range = AddressRange.of(text(base) + "/" + bits);
        assertThat(range.contains(other)).isEqualTo((number(other) & mask) == base);
        assertThat(range.contains(first)).isTrue();
    }

    private static long number(byte[] address) {
        return (address[0] & 0xffL) << 24 | (address[1] & 0xffL) << 16 | (address[2] & 0xffL) << 8 | address[3] & 0xffL;
    }

    private static String text(long address) {
        return (address >> 24 & 255) + "." + (address >> 16 & 255) + "." + (address >> 8 & 255) + "." + (address & 255);
    }

    @Property(tries = 300)
    void noTextBreaksIt(@ForAll String text) {
        try {
            assertThat(scope(text).toString()).isNotEmpty();
        } catch (IllegalArgumentException declared) {
            assertThat(declared).hasMessageContaining("expected");
        }
    }
}
