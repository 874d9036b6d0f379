package dev.substraterouter.verify;

import dev.substraterouter.internal.plan.CandidatePlan;
import dev.substraterouter.internal.plan.RoutePlan;
import dev.substraterouter.model.PlacementMode;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.trace.RefusalReason;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The rules behind {@link PolicyRule}'s factories. */
final class Rules {
    private Rules() {}

    static PolicyRule.Requests workload(String name) {
        return new OfRequests(
                name,
                situation -> situation.workload().equals(Optional.of(name)),
                policy -> policy.workload(name).isPresent() ? null : "workload '" + name + "'",
                stage -> Stream.ofNullable(stage.compiled().route(name)));
    }

    static PolicyRule.Requests role(String name) {
        return new OfRequests(
                "role " + name,
                situation -> situation.roles().contains(name),
                policy -> policy.roles().stream().anyMatch(role -> role.name().equals(name))
                        ? null
                        : "role '" + name + "'",
                stage -> routes(stage, name));
    }

    /** The routes of all that a role, perhaps beside others, may ask for. */
    private static Stream<RoutePlan> routes(Stage stage, String role) {
        return new Cases(stage)
                .all().stream()
                        .filter(asked -> asked.roles().contains(role) && stage.constraints.mayAsk(asked.request()))
                        .flatMap(asked -> Stream.ofNullable(stage.compiled().route(asked.request())));
    }

    /** A rule under another name. */
    record Renamed(String name, PolicyRule rule) implements PolicyRule {
        Renamed {
            Objects.requireNonNull(name, "name");
        }

        @Override
        public Optional<String> objection(Policy policy) {
            return rule.objection(policy);
        }

        @Override
        public Optional<String> objection(Situation situation) {
            return rule.objection(situation);
        }
    }

    /** A rule about situations. */
    record OfSituation(String name, Predicate<Situation> holds) implements PolicyRule {
        OfSituation {
            Objects.requireNonNull(name, "name");
        }

        @Override
        public Optional<String> objection(Situation situation) {
            return holds.test(situation) ? Optional.empty() : Optional.of(situation.answer() + " breaks it");
        }
    }

    /** A rule about the policy as such. */
    record OfPolicy(String name, Predicate<Policy> holds) implements PolicyRule {
        OfPolicy {
            Objects.requireNonNull(name, "name");
        }

        @Override
        public Optional<String> objection(Policy policy) {
            return holds.test(policy) ? Optional.empty() : Optional.of("the policy breaks it");
        }
    }

    /** What a rule speaks of, which the policy must have. */
    @FunctionalInterface
    private interface Named {
        /** What of it the policy does not have; null: it has it. */
        @Nullable
        String missing(Policy policy);
    }

    /**
     * Rules about some requests.
     *
     * @param who whose, for the names of rules
     * @param concerns whether a situation is about them
     * @param subject what the policy must have
     * @param routes where they may run, for whoever may ask
     */
    private record OfRequests(
            String who, Predicate<Situation> concerns, Named subject, Function<Stage, Stream<RoutePlan>> routes)
            implements PolicyRule.Requests {
        @Override
        public PolicyRule.Placed never(String substrateId) {
            return new Never(this, substrateId, null);
        }

        @Override
        public PolicyRule firstOn(String substrateId) {
            return new Concerning(
                    this,
                    who + " on " + substrateId + " whenever it is free",
                    List.of(),
                    List.of(substrateId),
                    situation -> !situation.free(substrateId)
                            || on(situation, substrateId)
                            || later(situation)
                            || denied(situation));
        }

        @Override
        public PolicyRule onlyOn(String... substrateIds) {
            List<String> allowed = List.of(substrateIds);
            return about(
                    who + " only on " + String.join(", ", allowed),
                    allowed,
                    situation -> situation.placedOn().map(allowed::contains).orElse(true));
        }

        @Override
        public PolicyRule neverOutside() {
            return about(who + " never outside", List.of(), situation -> !situation
                    .answer()
                    .external());
        }

        @Override
        public PolicyRule served() {
            return new Served(this);
        }

        @Override
        public PolicyRule refused() {
            return about(who + " never placed", List.of(), situation -> !situation
                    .answer()
                    .placed());
        }

        private PolicyRule about(String name, List<String> substrates, Predicate<Situation> holds) {
            return new Concerning(this, name, substrates, List.of(), holds);
        }

        private static boolean on(Situation situation, String substrateId) {
            return situation.placedOn().equals(Optional.of(substrateId));
        }

        /** Whether it is for the batch path only, which has an order of its own. */
        private static boolean later(Situation situation) {
            return situation.request().mode() == PlacementMode.BATCH;
        }

        private static boolean denied(Situation situation) {
            return situation.answer().refusal().equals(Optional.of(RefusalReason.NOT_AUTHORIZED));
        }

        Optional<String> missing(Policy policy, Stream<String> substrates) {
            Stream<String> unknown =
                    substrates.filter(id -> policy.substrate(id).isEmpty()).map(id -> "substrate '" + id + "'");
            String all = Stream.concat(Stream.ofNullable(subject.missing(policy)), unknown)
                    .collect(Collectors.joining(" and "));
            return all.isEmpty() ? Optional.empty() : Optional.of("the policy has no " + all);
        }

        /** A substrate that none of their routes has is always free for them, and no rule about its being free says what it means. */
        Optional<String> outOfReach(Policy policy, List<String> substrates) {
            if (substrates.isEmpty()) {
                return Optional.empty();
            }
            Set<String> reached = new LinkedHashSet<>();
            routes.apply(Stage.of(policy))
                    .flatMap(route -> Stream.of(Optional.of(route), Optional.ofNullable(route.batch)))
                    .flatMap(route -> route.stream().flatMap(one -> Stream.of(one.candidates)))
                    .forEach((CandidatePlan candidate) -> reached.add(candidate.substrate.id));
            String expected = reached.isEmpty() ? "a route" : "one of " + LintWords.some(List.copyOf(reached));
            return substrates.stream()
                    .filter(id -> !reached.contains(id))
                    .map(id -> "substrate: '" + id + "', which none of its routes has (expected: " + expected + ")")
                    .findFirst();
        }
    }

    /**
     * A rule that holds of each situation it concerns.
     *
     * @param substrates those that the policy must have
     * @param inReach those that one of the routes must have too
     */
    private record Concerning(
            OfRequests requests, String name, List<String> substrates, List<String> inReach, Predicate<Situation> holds)
            implements PolicyRule {
        @Override
        public Optional<String> objection(Policy policy) {
            return requests.missing(policy, Stream.concat(substrates.stream(), inReach.stream()))
                    .or(() -> requests.outOfReach(policy, inReach));
        }

        @Override
        public Optional<String> objection(Situation situation) {
            return !requests.concerns.test(situation) || holds.test(situation)
                    ? Optional.empty()
                    : Optional.of(situation.subject() + " " + situation.answer());
        }
    }

    /** Somebody may ask, and whoever may is placed when everything is free. */
    private record Served(OfRequests requests) implements PolicyRule {
        @Override
        public String name() {
            return requests.who + " served while everything is free";
        }

        @Override
        public Optional<String> objection(Policy policy) {
            Optional<String> missing = requests.missing(policy, Stream.empty());
            return missing.isPresent() || askedBySomebody(policy)
                    ? missing
                    : Optional.of("nobody may ask for anything that it speaks of");
        }

        private boolean askedBySomebody(Policy policy) {
            Stage stage = Stage.of(policy);
            return new Cases(stage)
                    .all().stream()
                            .filter(asked -> stage.constraints.mayAsk(asked.request()))
                            .filter(asked -> asked.request().need().isEmpty())
                            .map(asked -> Verification.situation(asked, Answer.WAITS))
                            .anyMatch(requests.concerns);
        }

        @Override
        public Optional<String> objection(Situation situation) {
            boolean broken = requests.concerns.test(situation)
                    && !situation.answer().placed()
                    && situation.workload().isPresent()
                    && !OfRequests.denied(situation)
                    && !withoutBatchPath(situation)
                    && situation.standings().values().stream().allMatch(Standing::free);
            return broken ? Optional.of(situation.subject() + " " + situation.answer()) : Optional.empty();
        }

        /** Whether it is for the batch path only, of a workload that has none. */
        private static boolean withoutBatchPath(Situation situation) {
            return OfRequests.later(situation) && situation.standings().isEmpty();
        }
    }

    /** Never on one substrate, perhaps only while another is free. */
    private record Never(
            OfRequests requests,
            String substrateId,
            @Nullable String whileFree) implements PolicyRule.Placed {
        @Override
        public String name() {
            return requests.who + " never on " + substrateId
                    + (whileFree == null ? "" : " while " + whileFree + " is free");
        }

        @Override
        public PolicyRule whileFree(String other) {
            return new Never(requests, substrateId, other);
        }

        @Override
        public Optional<String> objection(Policy policy) {
            List<String> other = Stream.ofNullable(whileFree).toList();
            return requests.missing(policy, Stream.concat(Stream.of(substrateId), other.stream()))
                    .or(() -> requests.outOfReach(policy, other));
        }

        @Override
        public Optional<String> objection(Situation situation) {
            boolean broken = requests.concerns.test(situation)
                    && OfRequests.on(situation, substrateId)
                    && (whileFree == null || (situation.free(whileFree) && !OfRequests.later(situation)));
            return broken ? Optional.of(situation.subject() + " " + situation.answer()) : Optional.empty();
        }
    }
}
