package dev.substraterouter.examples.gateway.deploy;

import dev.substraterouter.model.AddressScope;
import dev.substraterouter.policy.NetworkScopes;
import dev.substraterouter.policy.Policy;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Writes rules for nftables from the policy's {@code network}: whom the gateway's user may connect to, and from where its control listener can be
 * reached. The router holds to the same scopes by itself; this is the second lock on the door. Stateless; never blocks.
 */
public final class NftablesRules {
    private static final int LINE = 100;

    private NftablesRules() {}

    /**
     * The rules, to be read by {@code nft -f}. They concern what this user sends, and what comes to the operators' port; nothing else.
     *
     * @param policy the policy, whose scopes count; of these only ranges and addresses can be rules
     * @param user the user that the gateway runs as
     * @param control where it listens to operators, who may come from the control scope and from this machine
     * @throws IllegalArgumentException if the policy declares no scopes
     */
    public static String of(Policy policy, String user, InetSocketAddress control) {
        NetworkScopes network = policy.network()
                .orElseThrow(
                        () -> new IllegalArgumentException("network: absent (expected: the scopes to make rules of)"));
        List<String> out = Stream.of(network.control(), network.data(), network.external())
                .flatMap(Collection::stream)
                .distinct()
                .toList();
        List<String> names = out.stream().filter(entry -> !isRange(entry)).toList();
        List<String> lines = new ArrayList<>();
        lines.add("#!/usr/sbin/nft -f");
        lines.add("# Made from the policy's network scopes; make it again when they change.");
        if (!names.isEmpty()) {
            lines.add("# Names have no rule, because what they resolve to changes: " + String.join(", ", names) + ".");
            lines.add("# The router checks them at every connect; allow their addresses here, or the way to a proxy.");
        }
        lines.add("table inet image_gateway {}");
        lines.add("delete table inet image_gateway");
        lines.add("table inet image_gateway {");
        set(lines, "reach4", "ipv4_addr", ofFamily(out, false));
        set(lines, "reach6", "ipv6_addr", ofFamily(out, true));
        set(lines, "operators4", "ipv4_addr", ofFamily(network.control(), false));
        set(lines, "operators6", "ipv6_addr", ofFamily(network.control(), true));
        lines.add("  chain output {");
        lines.add("    type filter hook output priority filter; policy accept;");
        lines.add("    meta skuid != \"" + user + "\" accept");
        lines.add("    ct state established,related accept");
        if (looksNamesUp(policy)) {
            lines.add("    meta l4proto { tcp, udp } th dport 53 accept");
        }
        lines.add("    ip daddr @reach4 accept");
        lines.add("    ip6 daddr @reach6 accept");
        lines.add("    counter reject with icmpx type admin-prohibited");
        lines.add("  }");
        lines.add("  chain input {");
        lines.add("    type filter hook input priority filter; policy accept;");
        lines.add("    iif lo accept");
        lines.add("    meta l4proto != tcp accept");
        lines.add("    tcp dport != " + control.getPort() + " accept");
        onlyThere(control).ifPresent(lines::add);
        lines.add("    ip saddr @operators4 accept");
        lines.add("    ip6 saddr @operators6 accept");
        lines.add("    counter drop");
        lines.add("  }");
        lines.add("}");
        return String.join("\n", lines) + "\n";
    }

    /** Whether a worker or its status is at a name, which the gateway must be able to ask for. */
    private static boolean looksNamesUp(Policy policy) {
        return policy.substrates().stream()
                .flatMap(substrate -> Stream.concat(
                        policy.endpointHosts(substrate).stream(),
                        substrate.status().stream().map(status -> AddressScope.hostOf(status.url()))))
                .anyMatch(host -> !AddressScope.isLiteral(host));
    }

    /** Leaves the same port of this machine's other addresses alone; empty: operators are listened to at all of them. */
    private static Optional<String> onlyThere(InetSocketAddress control) {
        InetAddress address = control.getAddress();
        if (address.isAnyLocalAddress()) {
            return Optional.empty();
        }
        String family = address instanceof Inet6Address ? "ip6" : "ip";
        return Optional.of(
                "    " + family + " daddr != " + address.getHostAddress().replaceAll("%.*", "") + " accept");
    }

    private static void set(List<String> lines, String name, String type, List<String> elements) {
        lines.add("  set " + name + " {");
        lines.add("    type " + type + "; flags interval; auto-merge;");
        StringBuilder line = new StringBuilder("    elements = { ");
        for (int at = 0; at < elements.size(); at++) {
            String element = elements.get(at) + (at < elements.size() - 1 ? ", " : " ");
            if (line.length() + element.length() > LINE) {
                lines.add(line.toString().stripTrailing());
                line = new StringBuilder("      ");
            }
            line.append(element);
        }
        if (!elements.isEmpty()) {
            lines.add(line.append('}').toString());
        }
        lines.add("  }");
    }

    private static List<String> ofFamily(List<String> entries, boolean six) {
        return entries.stream()
                .filter(NftablesRules::isRange)
                .filter(entry -> entry.contains(":") == six)
                .distinct()
                .toList();
    }

    private static boolean isRange(String entry) {
        int slash = entry.indexOf('/');
        return AddressScope.isLiteral(slash < 0 ? entry : entry.substring(0, slash));
    }
}
