package dev.substraterouter.policy.yaml;

import dev.substraterouter.model.PlacementMode;
import dev.substraterouter.model.Priority;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.status.SubstrateStatus;
import dev.substraterouter.trace.Reason;
import dev.substraterouter.trace.RefusalReason;
import dev.substraterouter.verify.PolicyRule;
import dev.substraterouter.verify.Situation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/** What the owner of a policy believes in, as rules; each bears the number under which the owner has written it down. */
final class Intents {
    private final List<PolicyRule> rules = new ArrayList<>();

    List<PolicyRule> rules() {
        return List.copyOf(rules);
    }

    Intents rule(String number, PolicyRule rule) {
        rules.add(rule.named(number + ": " + rule.name()));
        return this;
    }

    Intents always(String number, String what, Predicate<Situation> holds) {
        rules.add(PolicyRule.of(number + ": " + what, holds));
        return this;
    }

    Intents policy(String number, String what, Predicate<Policy> holds) {
        rules.add(PolicyRule.ofPolicy(number + ": " + what, holds));
        return this;
    }

    /** A workload is there and says what is believed of it. */
    Intents says(String number, String workload, String what, Predicate<Workload> holds) {
        return policy(number, workload + " " + what, policy -> policy.workload(workload)
                .filter(holds)
                .isPresent());
    }

    Intents open(String number, String substrate, SubstrateStatus... statuses) {
        Arrays.stream(statuses)
                .forEach(status -> rule(number, PolicyRule.substrate(substrate).openAt(status)));
        return this;
    }

    Intents closed(String number, String substrate, SubstrateStatus... statuses) {
        Arrays.stream(statuses)
                .forEach(status -> rule(number, PolicyRule.substrate(substrate).closedAt(status)));
        return this;
    }

    /** Those who may ask for a workload now have it in this order: the next one while those before it are not free. */
    Intents inOrder(String number, String workload, Predicate<Situation> who, String... order) {
        for (int at = 0; at < order.length; at++) {
            String free = order[at];
            List<String> so = List.of(order).subList(0, at + 1);
            always(
                    number,
                    workload + " runs on " + String.join(", else ", so),
                    s -> !now(s, workload) || !who.test(s) || !s.free(free) || placedOn(s, so));
        }
        return this;
    }

    /** Nothing is placed on a substrate as long as one of these speaks against it. */
    Intents nothingOn(String number, Set<Reason> reasons, String... substrates) {
        for (String id : substrates) {
            always(
                    number,
                    "nothing on " + id + " while " + new TreeSet<>(reasons),
                    s -> !placedOn(s, List.of(id)) || !stands(s, id, reasons));
        }
        return this;
    }

    /** Those with a role may ask for some workloads with some priorities, and for no other. */
    Intents mayAsk(String number, String role, Set<String> workloads, Set<Priority> priorities) {
        return always(
                number,
                role + "s may ask for " + String.join(", ", workloads),
                s -> !as(s, role)
                        || s.workload().isEmpty()
                        || !priorities.contains(s.priority())
                        || workloads.contains(s.workload().get()) != denied(s));
    }

    static boolean as(Situation situation, String... roles) {
        return Arrays.stream(roles).anyMatch(situation.roles()::contains);
    }

    static boolean asks(Situation situation, String workload) {
        return situation.workload().equals(Optional.of(workload)) && !denied(situation);
    }

    /** Whether somebody who may asks for a workload at once, and not for later. */
    static boolean now(Situation situation, String workload) {
        return asks(situation, workload) && situation.request().mode() != PlacementMode.BATCH;
    }

    static boolean later(Situation situation, String workload) {
        return asks(situation, workload) && situation.request().mode() == PlacementMode.BATCH;
    }

    static boolean denied(Situation situation) {
        return situation.answer().refusal().equals(Optional.of(RefusalReason.NOT_AUTHORIZED));
    }

    static boolean placedOn(Situation situation, List<String> substrates) {
        return situation.placedOn().map(substrates::contains).orElse(false);
    }

    private static boolean stands(Situation situation, String substrate, Set<Reason> reasons) {
        return Optional.ofNullable(situation.standings().get(substrate))
                .flatMap(standing -> standing.reason())
                .map(reasons::contains)
                .orElse(false);
    }
}
