package dev.substraterouter.verify;

import dev.substraterouter.policy.Policy;
import dev.substraterouter.status.SubstrateStatus;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Something that a policy must never let happen, said by whoever owns it. {@link PolicyVerifier} holds every rule against the policy as
 * such and against every situation it looks at, but not against requests that prefer a substrate: that reorders what the policy says. Must
 * be thread-safe and depend on nothing but its argument.
 *
 * <pre>{@code
 * PolicyRule.workload("flux-fill").never("mirrorforge").whileFree("legion")
 * PolicyRule.role("agent").never("thundercompute")
 * PolicyRule.substrate("legion").closedAt(Statuses.healthy(32).gpuTempC(80).build())
 * }</pre>
 */
public interface PolicyRule {
    /** What findings call it: one sentence that names what must hold. */
    String name();

    /** What it has against a policy as such; empty: nothing. Default: nothing. */
    default Optional<String> objection(Policy policy) {
        return Optional.empty();
    }

    /** What it has against the answer in a situation; empty: nothing. Default: nothing. */
    default Optional<String> objection(Situation situation) {
        return Optional.empty();
    }

    /** The same rule under a name of one's own, for example with the number of the decision behind it. */
    default PolicyRule named(String name) {
        return new Rules.Renamed(name, this);
    }

    /** A rule of one's own about situations: it holds where the predicate is true. */
    static PolicyRule of(String name, Predicate<Situation> holds) {
        Objects.requireNonNull(holds, "holds");
        return new Rules.OfSituation(name, holds);
    }

    /** A rule of one's own about the policy as such: it holds where the predicate is true. */
    static PolicyRule ofPolicy(String name, Predicate<Policy> holds) {
        Objects.requireNonNull(holds, "holds");
        return new Rules.OfPolicy(name, holds);
    }

    /** The beginning of a rule about the requests for a workload, whoever asks. */
    static Requests workload(String name) {
        return Rules.workload(Objects.requireNonNull(name, "name"));
    }

    /** The beginning of a rule about the requests of those who have a role, whatever they ask for. */
    static Requests role(String name) {
        return Rules.role(Objects.requireNonNull(name, "name"));
    }

    /** The beginning of a rule about what a substrate's own word does to it. */
    static Gate substrate(String id) {
        return new GateRules(Objects.requireNonNull(id, "id"));
    }

    /** The beginning of a rule about some requests. Immutable and thread-safe. */
    interface Requests {
        /** They are never placed on a substrate. */
        Placed never(String substrateId);

        /**
         * They are placed on a substrate whenever that is free. Not meant are requests for later, which take the batch path, and those of
         * people who may not ask. Of a substrate that none of their routes has, the rule is broken by the policy as such.
         */
        PolicyRule firstOn(String substrateId);

        /** They are placed on these substrates only. */
        PolicyRule onlyOn(String... substrateIds);

        /** They are never placed on an external substrate. */
        PolicyRule neverOutside();

        /**
         * Somebody may ask for them, and those of everybody who may are placed somewhere when everything is free. Meant are workloads only,
         * not needs, which a policy cannot foresee; and requests for later only of workloads that have a batch path.
         */
        PolicyRule served();

        /** They are never placed anywhere, since nobody may ask for them. */
        PolicyRule refused();
    }

    /** A rule about where some requests are placed, which may be narrowed. Immutable and thread-safe. */
    interface Placed extends PolicyRule {
        /**
         * It holds only while another substrate is free, and not of requests for later, which take the batch path whatever else is free. Of
         * a substrate that none of their routes has, the rule is broken by the policy as such.
         */
        PolicyRule whileFree(String substrateId);
    }

    /** The beginning of a rule about what a substrate says of itself. Immutable and thread-safe. */
    interface Gate {
        /**
         * With this status, as the first that is heard of it, no workload is placed there, by its route or its batch path, whoever asks with
         * whatever priority. Needs are not meant. Where no workload could ever run, it is closed for everybody.
         */
        PolicyRule closedAt(SubstrateStatus status);

        /**
         * With this status, as the first that is heard of it, at least one workload is placed there. Where no workload could ever run, it
         * is closed for nobody.
         */
        PolicyRule openAt(SubstrateStatus status);
    }
}
