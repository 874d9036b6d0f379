package dev.substraterouter.policy.yaml;

import dev.substraterouter.internal.yaml.At;
import dev.substraterouter.internal.yaml.Node;
import dev.substraterouter.internal.yaml.Node.Mapping;
import dev.substraterouter.internal.yaml.Node.Scalar;
import dev.substraterouter.internal.yaml.Section;
import dev.substraterouter.internal.yaml.Type;
import dev.substraterouter.internal.yaml.Types;
import dev.substraterouter.model.StatusAddress;
import java.util.List;
import java.util.Optional;

/** Where the status of a substrate is read: an address, or a list of addresses and of maps. */
final class StatusType implements Type<List<StatusAddress>> {
    private final Type<StatusAddress> address;
    private final Type<List<StatusAddress>> addresses;

    StatusType(Section<StatusAddress, ?> section) {
        address = Types.of(
                (node, at) -> node instanceof Mapping ? section.read("", node, at) : plain(node, at),
                value -> isPlain(value) ? Types.ADDRESS.write(value.url()) : section.write(value));
        addresses = Types.listOf(address);
    }

    @Override
    public Optional<List<StatusAddress>> read(Node node, At at) {
        if (node instanceof Scalar) {
            at.item(0).key("url").standsAt(node.place());
            return plain(node, at).map(List::of);
        }
        return addresses.read(node, at);
    }

    @Override
    public Node write(List<StatusAddress> values) {
        return values.size() == 1 && isPlain(values.get(0)) ? address.write(values.get(0)) : addresses.write(values);
    }

    private static Optional<StatusAddress> plain(Node node, At at) {
        at.key("url").standsAt(node.place());
        return node.text().isPresent()
                ? Types.ADDRESS.read(node, at).map(StatusAddress::of)
                : at.wrong(node, "an address, or a list of addresses and of maps with url, format, auth");
    }

    /** Whether nothing but its address is to tell. */
    private static boolean isPlain(StatusAddress value) {
        return value.equals(StatusAddress.of(value.url()));
    }
}
