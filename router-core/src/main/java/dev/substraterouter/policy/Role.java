package dev.substraterouter.policy;

import dev.substraterouter.model.Priority;
import java.util.List;
import java.util.Objects;

/** What the identities of one role may ask for: an entry of the key {@code roles}. */
public final class Role extends Settings {
    private Role(Builder builder) {
        super(builder.name, builder);
    }

    /** A builder for a role that may do nothing yet. */
    public static Builder builder(String name) {
        return new Builder(name);
    }

    /** Its name. */
    public String name() {
        return id;
    }

    /** The identities that have it; {@code *} stands for any text. */
    public List<String> identities() {
        return list("identities", String.class);
    }

    /** The capabilities it may ask for; {@code *}: every one. */
    public List<String> capabilities() {
        return list("capabilities", String.class);
    }

    /** The workloads it may ask for; {@code *}: every one. */
    public List<String> workloads() {
        return list("workloads", String.class);
    }

    /** Whether it may ask without naming a workload; default false. */
    public boolean adhoc() {
        return flag("adhoc", false);
    }

    /** The highest priority it may ask for; default normal. */
    public Priority maxPriority() {
        return get("max_priority", Priority.class, Priority.NORMAL);
    }

    /** Whether its work may go to external substrates; default false. */
    public boolean external() {
        return flag("external", false);
    }

    /** What it may do to a running router. */
    public List<Operation> operate() {
        return list("operate", Operation.class);
    }

    /** Builds a {@link Role}. Not thread-safe. */
    public static final class Builder extends Settings.Builder<Builder> {
        private final String name;

        private Builder(String name) {
            this.name = Objects.requireNonNull(name, "name");
        }

        @Override
        Builder self() {
            return this;
        }

        /** The identities that have it. */
        public Builder identities(String... values) {
            return set("identities", List.of(values));
        }

        /** The capabilities it may ask for. */
        public Builder capabilities(String... values) {
            return set("capabilities", List.of(values));
        }

        /** The workloads it may ask for. */
        public Builder workloads(String... values) {
            return set("workloads", List.of(values));
        }

        /** Whether it may ask without naming a workload. */
        public Builder adhoc(boolean value) {
            return set("adhoc", value);
        }

        /** The highest priority it may ask for. */
        public Builder maxPriority(Priority value) {
            return set("max_priority", value);
        }

        /** Whether its work may go to external substrates. */
        public Builder external(boolean value) {
            return set("external", value);
        }

        /** What it may do to a running router. */
        public Builder operate(Operation... values) {
            return set("operate", List.of(values));
        }

        /** The role. */
        public Role build() {
            return new Role(this);
        }
    }
}
