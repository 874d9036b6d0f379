package dev.substraterouter.policy;

import dev.substraterouter.model.AddressScope;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the user declares: substrates, workloads, roles and limits. Immutable and thread-safe.
 *
 * <p>A policy is whole or not there: {@link Builder#build()} checks all of it and tells everything that is wrong. Two policies are equal
 * when the same was declared, whatever their revision.
 */
public final class Policy {
    private final long revision;
    private final List<Substrate> substrates;
    private final List<Workload> workloads;
    private final List<Role> roles;
    private final HealthLimits health;
    private final EjectionLimits ejection;
    private final QueueLimits queue;
    private final PollSettings poll;
    private final StrategySettings strategy;
    private final @Nullable NetworkScopes network;

    private Policy(long revision, Builder builder) {
        this.revision = revision;
        substrates = List.copyOf(builder.substrates);
        workloads = List.copyOf(builder.workloads);
        roles = List.copyOf(builder.roles);
        health = builder.health;
        ejection = builder.ejection;
        queue = builder.queue;
        poll = builder.poll;
        strategy = builder.strategy;
        network = builder.network;
    }

    /** A builder with no substrates and no workloads yet, and every limit at its default. */
    public static Builder builder() {
        return new Builder();
    }

    /** The same policy under another revision; a router numbers each load, from 1. */
    public Policy withRevision(long newRevision) {
        return new Policy(newRevision, toBuilder());
    }

    /** A builder that holds what this policy declares. */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.substrates.addAll(substrates);
        builder.workloads.addAll(workloads);
        builder.roles.addAll(roles);
        builder.health = health;
        builder.ejection = ejection;
        builder.queue = queue;
        builder.poll = poll;
        builder.strategy = strategy;
        builder.network = network;
        return builder;
    }

    /** The same policy without its scopes of addresses: for what connects to nothing, a simulation or a proof. */
    public Policy withoutNetwork() {
        Builder builder = toBuilder();
        builder.network = null;
        return new Policy(revision, builder);
    }

    /** Where the endpoints of a substrate may lie; anywhere, unless the policy declares scopes. */
    public AddressScope endpointScope(Substrate substrate) {
        return network == null ? AddressScope.anywhere() : network.endpointScope(substrate.kind());
    }

    /** The hosts of all endpoints of a substrate, its candidates' own ones included, in lower case. */
    public Set<String> endpointHosts(Substrate substrate) {
        Set<String> hosts = new LinkedHashSet<>();
        substrate.endpoint().ifPresent(url -> hosts.add(AddressScope.hostOf(url)));
        workloads.stream()
                .flatMap(workload -> Stream.concat(workload.candidates().stream(), workload.batch().stream()))
                .filter(candidate -> candidate.on().equals(substrate.id()))
                .forEach(candidate -> candidate.endpoint().ifPresent(url -> hosts.add(AddressScope.hostOf(url))));
        return hosts;
    }

    /** The load it is of; 0 until a router has taken it. */
    public long revision() {
        return revision;
    }

    /** Its substrates, in the order of declaration. */
    public List<Substrate> substrates() {
        return substrates;
    }

    /** The substrate with an id. */
    public Optional<Substrate> substrate(String id) {
        return substrates.stream()
                .filter(substrate -> substrate.id().equals(id))
                .findFirst();
    }

    /** Its workloads, in the order of declaration. */
    public List<Workload> workloads() {
        return workloads;
    }

    /** The workload with a name. */
    public Optional<Workload> workload(String name) {
        return workloads.stream()
                .filter(workload -> workload.name().equals(name))
                .findFirst();
    }

    /** Its roles, in the order of declaration; empty: anyone may ask for anything. */
    public List<Role> roles() {
        return roles;
    }

    /** The health limits of every substrate that does not override them. */
    public HealthLimits health() {
        return health;
    }

    /** The limits of ejection. */
    public EjectionLimits ejection() {
        return ejection;
    }

    /** The waiting places. */
    public QueueLimits queue() {
        return queue;
    }

    /** How often substrates are asked. */
    public PollSettings poll() {
        return poll;
    }

    /** How candidates are ordered by default. */
    public StrategySettings strategy() {
        return strategy;
    }

    /** Where addresses may lie; empty: anywhere. */
    public Optional<NetworkScopes> network() {
        return Optional.ofNullable(network);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Policy that
                && substrates.equals(that.substrates)
                && workloads.equals(that.workloads)
                && roles.equals(that.roles)
                && health.equals(that.health)
                && ejection.equals(that.ejection)
                && queue.equals(that.queue)
                && poll.equals(that.poll)
                && strategy.equals(that.strategy)
                && Objects.equals(network, that.network);
    }

    @Override
    public int hashCode() {
        return Objects.hash(substrates, workloads, roles, health, ejection, queue, poll, strategy, network);
    }

    @Override
    public String toString() {
        return "Policy[revision " + revision + ", " + substrates.size() + " substrates, " + workloads.size()
                + " workloads]";
    }

    /** Builds a {@link Policy}. Not thread-safe. */
    public static final class Builder {
        final List<Substrate> substrates = new ArrayList<>();
        final List<Workload> workloads = new ArrayList<>();
        final List<Role> roles = new ArrayList<>();
        HealthLimits health = HealthLimits.builder().build();
        EjectionLimits ejection = EjectionLimits.builder().build();
        QueueLimits queue = QueueLimits.builder().build();
        PollSettings poll = PollSettings.builder().build();
        StrategySettings strategy = StrategySettings.builder().build();

        @Nullable
        NetworkScopes network;

        private Builder() {}

        /** One more substrate. */
        public Builder substrate(Substrate value) {
            substrates.add(Objects.requireNonNull(value, "substrate"));
            return this;
        }

        /** More substrates. */
        public Builder substrates(Substrate... values) {
            List.of(values).forEach(this::substrate);
            return this;
        }

        /** One more workload. */
        public Builder workload(Workload value) {
            workloads.add(Objects.requireNonNull(value, "workload"));
            return this;
        }

        /** More workloads. */
        public Builder workloads(Workload... values) {
            List.of(values).forEach(this::workload);
            return this;
        }

        /** One more role. */
        public Builder role(Role value) {
            roles.add(Objects.requireNonNull(value, "role"));
            return this;
        }

        /** The health limits. */
        public Builder health(HealthLimits value) {
            health = Objects.requireNonNull(value, "health");
            return this;
        }

        /** The limits of ejection. */
        public Builder ejection(EjectionLimits value) {
            ejection = Objects.requireNonNull(value, "ejection");
            return this;
        }

        /** The waiting places. */
        public Builder queue(QueueLimits value) {
            queue = Objects.requireNonNull(value, "queue");
            return this;
        }

        /** How often substrates are asked. */
        public Builder poll(PollSettings value) {
            poll = Objects.requireNonNull(value, "poll");
            return this;
        }

        /** How candidates are ordered by default. */
        public Builder strategy(StrategySettings value) {
            strategy = Objects.requireNonNull(value, "strategy");
            return this;
        }

        /** Where addresses may lie. */
        public Builder network(NetworkScopes value) {
            network = Objects.requireNonNull(value, "network");
            return this;
        }

        /** All that is wrong with what has been declared so far; empty: it can be built. */
        public List<PolicyProblem> problems() {
            return new PolicyCheck(this).problems();
        }

        /**
         * The policy.
         *
         * @throws PolicyException with everything that is wrong with it
         */
        public Policy build() {
            List<PolicyProblem> problems = problems();
            if (!problems.isEmpty()) {
                throw new PolicyException(problems);
            }
            return new Policy(0, this);
        }
    }
}
