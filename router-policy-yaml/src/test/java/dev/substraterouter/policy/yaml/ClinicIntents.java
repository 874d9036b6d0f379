package dev.substraterouter.policy.yaml;

import static dev.substraterouter.policy.yaml.Intents.as;
import static dev.substraterouter.policy.yaml.Intents.denied;
import static dev.substraterouter.policy.yaml.Intents.later;
import static dev.substraterouter.policy.yaml.Intents.now;
import static dev.substraterouter.policy.yaml.Intents.placedOn;
import static dev.substraterouter.policy.yaml.TryOut.idle;

import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.model.Trust;
import dev.substraterouter.policy.IdleVram;
import dev.substraterouter.policy.Operation;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Role;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.policy.WorkloadQueue;
import dev.substraterouter.status.SubstrateStatus;
import dev.substraterouter.trace.Reason;
import dev.substraterouter.verify.PolicyRule;
import dev.substraterouter.verify.Situation;
import java.net.URI;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the owner of {@code clinic.yaml} believes in. */
final class ClinicIntents {
    private static final String A = "house-a";
    private static final String B = "house-b";
    private static final String PARTNER = "partner";
    private static final String CLOUD = "cloud";
    private static final Duration CLOUD_AFTER = Duration.ofSeconds(10);
    private static final Map<String, List<String>> PEOPLE =
            Map.of("clinician", List.of("dr-*"), "researcher", List.of("res-*"), "agent", List.of("agent-*"));
    private static final Set<Priority> MODEST = Set.of(Priority.NORMAL, Priority.LOW);
    private static final RouteRequest LETTER = RouteRequest.workload("letters").identity("dr-1");
    private static final TryOut.Cards A_CARDS = new TryOut.Cards(2, 48);
    private static final TryOut.Cards B_CARD = new TryOut.Cards(1, 48);

    private ClinicIntents() {}

    static List<PolicyRule> rules() {
        Intents intents = new Intents();
        secrets(intents);
        order(intents);
        people(intents);
        nodes(intents);
        figures(intents);
        return intents.rules();
    }

    private static void secrets(Intents intents) {
        for (String named : List.of("letters", "triage", "redact")) {
            intents.says("I1", named, "is declared controlled", work -> work.privacy() == Trust.CONTROLLED)
                    .rule("I1", PolicyRule.workload(named).neverOutside())
                    .rule("I1", PolicyRule.workload(named).onlyOn(A, B, "nightly"));
        }
        intents.rule("I2", PolicyRule.workload("coding").never(CLOUD))
                .rule("I2", PolicyRule.workload("coding").never(PARTNER).whileFree(A))
                .always(
                        "I2",
                        "coding stays in the house while house-b is free",
                        s -> !placedOn(s, List.of(PARTNER)) || !now(s, "coding") || agent(s) || !s.free(B))
                .inOrder("I2", "coding", s -> !agent(s), A, B, PARTNER)
                .open("I2", PARTNER, SubstrateStatus.builder().build())
                .inOrder("I3", "literature", s -> !agent(s), B, A, PARTNER)
                .always("I3", "literature goes to the cloud last, after 10 s", ClinicIntents::cloudIsLast)
                .inOrder("I3", "literature", ClinicIntents::mayHaveTheCloud, B, A, PARTNER, CLOUD)
                .says("I3", "literature", "waits 10 s for the rest", work -> work.overflowAfter()
                        .equals(CLOUD_AFTER));
    }

    private static boolean cloudIsLast(Situation s) {
        boolean last = Stream.of(A, B, PARTNER).noneMatch(s::free) && s.waited().compareTo(CLOUD_AFTER) >= 0;
        return last || !now(s, "literature") || !placedOn(s, List.of(CLOUD));
    }

    private static boolean mayHaveTheCloud(Situation s) {
        return as(s, "researcher") && s.waited().compareTo(CLOUD_AFTER) >= 0;
    }

    private static void order(Intents intents) {
        for (String urgent : List.of("letters", "coding", "triage")) {
            intents.rule("I4", PolicyRule.workload(urgent).firstOn(A)).inOrder("I4", urgent, s -> !agent(s), A, B);
        }
        intents.always(
                "I13",
                "letters for the night go to the night queue",
                s -> !later(s, "letters") || !s.free("nightly") || placedOn(s, List.of("nightly")));
    }

    private static boolean agent(Situation situation) {
        return as(situation, "agent");
    }

    private static void people(Intents intents) {
        intents.rule("I5", PolicyRule.role("agent").neverOutside())
                .rule("I5", PolicyRule.role("agent").onlyOn(A))
                .rule("I6", PolicyRule.role("clinician").never(CLOUD))
                .rule("I6", PolicyRule.role("agent").never(CLOUD))
                .inOrder("I6", "coding", s -> as(s, "clinician", "researcher"), A, B, PARTNER)
                .always(
                        "I7",
                        "only clinicians ask for HIGH",
                        s -> s.priority() != Priority.HIGH || as(s, "clinician") || denied(s))
                .mayAsk(
                        "I9",
                        "clinician",
                        Set.of("letters", "coding", "literature", "triage", "redact"),
                        Set.of(Priority.values()))
                .mayAsk("I9", "researcher", Set.of("coding", "literature"), MODEST)
                .mayAsk("I9", "agent", Set.of("coding", "literature"), MODEST)
                .always(
                        "I9",
                        "nobody without a role gets anything",
                        s -> !s.roles().isEmpty() || denied(s))
                .always(
                        "I9",
                        "only researchers ask for what is no named workload",
                        s -> s.workload().isPresent() || as(s, "researcher") || denied(s))
                .policy("I9", "people are what they are called", ClinicIntents::known)
                .policy("I15", "all roles may only look", policy -> policy.roles().stream()
                        .allMatch(role -> role.operate().equals(List.of(Operation.VIEW))));
    }

    private static boolean known(Policy policy) {
        return policy.roles().stream()
                .collect(Collectors.toMap(Role::name, Role::identities))
                .equals(PEOPLE);
    }

    private static void nodes(Intents intents) {
        intents.policy(
                        "I7",
                        "three slots of house-a are for everybody, one is for clinicians in a hurry",
                        policy -> TryOut.roomBeside(policy, LETTER, Priority.NORMAL, A, 96, 2)
                                && TryOut.roomBeside(policy, LETTER, Priority.HIGH, A, 96, 3))
                .closed("I10", A, idle(96).runningJobs(4).build())
                .open("I10", A, idle(96).runningJobs(3).build())
                .closed("I10", B, idle(48).runningJobs(2).build())
                .open("I10", B, idle(48).runningJobs(1).build())
                .policy(
                        "I10",
                        "the partner takes 8, the cloud 4",
                        policy -> jobs(policy, PARTNER) == 8 && jobs(policy, CLOUD) == 4)
                .policy("I10", "each is a machine of its own", ClinicIntents::apart);
        for (String id : List.of(A, B)) {
            double total = id.equals(A) ? 96 : 48;
            intents.closed(
                            "I11",
                            id,
                            idle(total).gpuUtilPct(70).build(),
                            idle(total).gpuTempC(80).build())
                    .open(
                            "I11",
                            id,
                            idle(total).gpuUtilPct(69.9).build(),
                            idle(total).gpuTempC(79.9).build())
                    .nothingOn("I11", Set.of(Reason.GPU_UTIL, Reason.GPU_TEMP, Reason.NO_SINGLE_GPU), id)
                    .nothingOn("I11", Silences.REASONS, id);
        }
        intents.policy("I11", "each node is judged by its own word", Silences::everyStatusIsItsOwn)
                .policy("I11", "silent after 20 s", policy -> policy.health()
                        .staleAfter()
                        .equals(Duration.ofSeconds(20)));
    }

    private static int jobs(Policy policy, String id) {
        return policy.substrate(id).orElseThrow().maxConcurrentJobs().orElse(0);
    }

    private static boolean apart(Policy policy) {
        Set<URI> endpoints = new HashSet<>();
        return policy.substrates().stream()
                .flatMap(substrate -> substrate.endpoint().stream())
                .allMatch(endpoints::add);
    }

    private static void figures(Intents intents) {
        intents.says("I8", "letters", "0.9 within 60 s at 0.50", work -> asks(work, 0.9, 60, 0.50))
                .says("I8", "coding", "0.85 within 30 s at 0.60", work -> asks(work, 0.85, 30, 0.60))
                .says("I8", "literature", "0.8 within 45 s at 0.40", work -> asks(work, 0.8, 45, 0.40))
                .policy(
                        "I12",
                        "6 wait, up to 20 s",
                        policy -> policy.queue().capacity() == 6
                                && policy.queue().maxWait().equals(Duration.ofSeconds(20)))
                .says("I12", "triage", "has 2 places and waits 5 s", ClinicIntents::waitsShortly)
                .policy("I14", "what idle models hold counts as free", policy -> Stream.of(A, B)
                        .allMatch(id -> policy.substrate(id).orElseThrow().idleVram() == IdleVram.EVICTABLE));
        for (String workload : List.of("letters", "coding", "literature", "triage")) {
            takes(intents, workload, 20);
        }
        takes(intents, "redact", 8);
    }

    private static boolean asks(Workload work, double quality, long seconds, double cost) {
        return work.minQuality().equals(OptionalDouble.of(quality))
                && work.maxLatency().equals(Optional.of(Duration.ofSeconds(seconds)))
                && work.maxCost().equals(OptionalDouble.of(cost));
    }

    private static boolean waitsShortly(Workload triage) {
        WorkloadQueue queue = triage.queue().orElseThrow();
        return queue.capacity().equals(OptionalInt.of(2)) && queue.maxWait().equals(Optional.of(Duration.ofSeconds(5)));
    }

    private static void takes(Intents intents, String workload, double gb) {
        RouteRequest request = RouteRequest.workload(workload).identity("dr-1");
        intents.policy(
                "I14",
                workload + " takes " + gb + " GB on one card",
                policy ->
                        TryOut.takes(policy, request, A, A_CARDS, gb) && TryOut.takes(policy, request, B, B_CARD, gb));
    }
}
