package dev.substraterouter.policy;

import dev.substraterouter.model.AddressScope;
import java.util.List;

/** Where addresses may lie: the key {@code network}. Entries are CIDR ranges, addresses or names. */
public final class NetworkScopes extends Settings {
    private NetworkScopes(Builder builder) {
        super(builder);
    }

    /** A builder in which nothing is allowed yet. */
    public static Builder builder() {
        return new Builder();
    }

    /** Status addresses, beside {@link #data()}. */
    public List<String> control() {
        return list("control", String.class);
    }

    /** Endpoints of local and pool substrates. */
    public List<String> data() {
        return list("data", String.class);
    }

    /** Endpoints of external substrates. */
    public List<String> external() {
        return list("external", String.class);
    }

    /**
     * Where a status may be asked: control and data.
     *
     * @throws IllegalArgumentException if an entry cannot be read, which a policy that was loaded rules out
     */
    public AddressScope statusScope() {
        return AddressScope.of(control()).or(AddressScope.of(data()));
    }

    /**
     * Where the endpoints of a kind of substrate may lie: those of external ones in {@link #external()}, all others in {@link #data()}.
     *
     * @throws IllegalArgumentException if an entry cannot be read, which a policy that was loaded rules out
     */
    public AddressScope endpointScope(SubstrateKind kind) {
        return AddressScope.of(kind == SubstrateKind.EXTERNAL ? external() : data());
    }

    /** Builds {@link NetworkScopes}. Not thread-safe. */
    public static final class Builder extends Settings.Builder<Builder> {
        private Builder() {}

        @Override
        Builder self() {
            return this;
        }

        /** Status addresses. */
        public Builder control(String... values) {
            return set("control", List.of(values));
        }

        /** Endpoints of local and pool substrates. */
        public Builder data(String... values) {
            return set("data", List.of(values));
        }

        /** Endpoints of external substrates. */
        public Builder external(String... values) {
            return set("external", List.of(values));
        }

        /** The scopes. */
        public NetworkScopes build() {
            return new NetworkScopes(this);
        }
    }
}
