package dev.substraterouter.policy;

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
