package dev.substraterouter.policy.yaml;

import static dev.substraterouter.policy.yaml.Intents.as;
import static dev.substraterouter.policy.yaml.Intents.denied;
import static dev.substraterouter.policy.yaml.Intents.placedOn;
import static dev.substraterouter.policy.yaml.TryOut.idle;

import dev.substraterouter.model.Need;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.EjectionLimits;
import dev.substraterouter.policy.HealthLimits;
import dev.substraterouter.policy.IdleVram;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.QueueLimits;
import dev.substraterouter.policy.QueueOrder;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.status.SubstrateStatus;
import dev.substraterouter.trace.Reason;
import dev.substraterouter.verify.PolicyRule;
import dev.substraterouter.verify.Situation;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What the owner of {@code labs.yaml} believes in. */
final class LabsIntents {
    private static final String FARM = "farm";
    private static final String VOLTA = "volta-1";
    private static final String TOWER = "tower";
    private static final Set<Reason> UNWELL =
            Set.of(Reason.GPU_UTIL, Reason.GPU_TEMP, Reason.NO_SINGLE_GPU, Reason.ATTRIBUTE);
    private static final double KEPT_GB = 6;

    private LabsIntents() {}

    static List<PolicyRule> rules() {
        Intents intents = new Intents();
        places(intents);
        people(intents);
        health(intents);
        slots(intents);
        memory(intents);
        figures(intents);
        return intents.rules();
    }

    private static RouteRequest staff(String workload) {
        return RouteRequest.workload(workload).identity("staff-1");
    }

    private static SubstrateStatus.Builder tower() {
        return idle(32).attribute("owner_busy", "false");
    }

    private static void places(Intents intents) {
        intents.rule("I1", PolicyRule.workload("chat").onlyOn(FARM, VOLTA))
                .policy("I1", "chat goes where it is done first", LabsIntents::chatIsQuick)
                .policy(
                        "I1",
                        "a free place is taken up to 1.2 times as long; an unhealthy one counts 120 s",
                        policy -> policy.strategy().finishMargin() == 1.2
                                && policy.strategy().unhealthyWait().equals(Duration.ofSeconds(120)))
                .rule("I2", PolicyRule.workload("diffusion").never(FARM))
                .rule("I2", PolicyRule.workload("diffusion").firstOn(TOWER))
                .rule("I2", PolicyRule.workload("diffusion").never(VOLTA).whileFree(TOWER))
                .inOrder("I2", "diffusion", s -> true, TOWER, VOLTA)
                .rule("I3", PolicyRule.workload("genome").onlyOn(VOLTA))
                .rule("I3", PolicyRule.workload("genome").firstOn(VOLTA))
                .policy("I4", "embed takes the place with most head-room", LabsIntents::embedIsAnywhere)
                .rule("I5", PolicyRule.workload("quantise").onlyOn(TOWER))
                .rule("I5", PolicyRule.workload("quantise").firstOn(TOWER))
                .always(
                        "I5",
                        "quantise passes the whole gate",
                        s -> !s.workload().equals(Optional.of("quantise")) || !onUnwellTower(s))
                .always("I13", "the code of mirage is at volta-1", s -> code(s, "mirage", List.of(VOLTA)))
                .always(
                        "I13",
                        "the code of atlas is at volta-1 and tower",
                        s -> code(s, "atlas", List.of(VOLTA, TOWER)))
                .policy(
                        "I13",
                        "atlas may run at tower",
                        policy -> TryOut.starts(
                                policy,
                                RouteRequest.need(
                                                Need.builder().codebase("atlas").build())
                                        .identity("staff-1"),
                                TOWER,
                                tower().build()));
    }

    /** The pool while both have the model, the node while only the node has it. */
    private static boolean chatIsQuick(Policy policy) {
        SubstrateStatus warmFarm = idle(192).loadedModels("chat-24b").build();
        SubstrateStatus coldFarm = idle(192).loadedModels("other").build();
        SubstrateStatus warmVolta = idle(64).loadedModels("chat-24b").build();
        return TryOut.best(policy, staff("chat"), Map.of(FARM, warmFarm, VOLTA, warmVolta))
                        .equals(Optional.of(FARM))
                && TryOut.best(policy, staff("chat"), Map.of(FARM, coldFarm, VOLTA, warmVolta))
                        .equals(Optional.of(VOLTA));
    }

    private static boolean embedIsAnywhere(Policy policy) {
        return List.of(FARM, VOLTA, TOWER).stream().allMatch(idlest -> TryOut.best(
                        policy,
                        staff("embed"),
                        Map.of(
                                FARM, busy(idle(192), idlest.equals(FARM)),
                                VOLTA, busy(idle(64), idlest.equals(VOLTA)),
                                TOWER, busy(tower(), idlest.equals(TOWER))))
                .equals(Optional.of(idlest)));
    }

    private static SubstrateStatus busy(SubstrateStatus.Builder status, boolean idle) {
        return (idle ? status : status.gpuUtilPct(35)).build();
    }

    private static boolean onUnwellTower(Situation situation) {
        return placedOn(situation, List.of(TOWER))
                && situation
                        .standings()
                        .get(TOWER)
                        .reason()
                        .map(UNWELL::contains)
                        .orElse(false);
    }

    /** Whoever may ask for a codebase is placed where it is, as long as one of these places is free. */
    private static boolean code(Situation s, String codebase, List<String> places) {
        boolean asked = s.request().need().flatMap(Need::codebase).equals(Optional.of(codebase)) && !denied(s);
        return !asked
                || s.placedOn().map(places::contains).orElse(places.stream().noneMatch(s::free));
    }

    private static void people(Intents intents) {
        intents.always(
                        "I11",
                        "students ask for LOW only",
                        s -> !as(s, "student") || s.priority() == Priority.LOW || denied(s))
                .mayAsk(
                        "I11",
                        "staff",
                        Set.of("chat", "diffusion", "genome", "embed", "quantise"),
                        Set.of(Priority.values()))
                .mayAsk("I12", "student", Set.of("chat", "embed"), Set.of(Priority.LOW))
                .rule("I12", PolicyRule.role("student").never(TOWER))
                .always("I13", "staff may ask for any code", s -> !as(s, "staff") || !denied(s));
    }

    private static void health(Intents intents) {
        intents.closed(
                        "I6",
                        TOWER,
                        idle(32).attribute("owner_busy", "true").build(),
                        idle(32).build(),
                        tower().gpuUtilPct(40).build(),
                        tower().runningJobs(1).build())
                .open("I6", TOWER, tower().gpuUtilPct(39.9).build())
                .policy(
                        "I6",
                        "tower comes back at 30 %",
                        policy -> limits(policy, TOWER).gpuUtilMarginPct() == 10)
                .nothingOn("I6", Set.of(Reason.ATTRIBUTE, Reason.GPU_UTIL), TOWER)
                .closed("I7", TOWER, tower().gpuTempC(80).build())
                .open("I7", TOWER, tower().gpuTempC(79.9).build())
                .closed(
                        "I7",
                        FARM,
                        idle(192).gpuTempC(80).build(),
                        idle(192).gpuUtilPct(70).build())
                .open(
                        "I7",
                        FARM,
                        idle(192).gpuTempC(79.9).build(),
                        idle(192).gpuUtilPct(69.9).build())
                .closed(
                        "I7",
                        VOLTA,
                        idle(64).gpuTempC(83).build(),
                        idle(64).gpuUtilPct(70).build())
                .open(
                        "I7",
                        VOLTA,
                        idle(64).gpuTempC(82.9).build(),
                        idle(64).gpuUtilPct(69.9).build())
                .policy("I7", "each node is judged by its own word", Silences::everyStatusIsItsOwn)
                .policy("I8", "one bad status is noise", LabsIntents::patient)
                .closed("I9", VOLTA, Silences.each(64).toArray(SubstrateStatus[]::new))
                .nothingOn("I9", Silences.REASONS, VOLTA, TOWER)
                .nothingOn("I9", Set.of(Reason.STALE_STATUS, Reason.NO_STATUS), FARM)
                .policy("I9", "silent after 15 s", policy -> policy.health()
                        .staleAfter()
                        .equals(Duration.ofSeconds(15)));
        for (SubstrateStatus silent : Silences.each(192)) {
            if (silent.gpuTempC().isPresent()) {
                intents.closed("I9", FARM, silent);
            } else {
                intents.open("I9", FARM, silent);
            }
        }
    }

    private static HealthLimits limits(Policy policy, String id) {
        return policy.substrate(id).orElseThrow().health().orElseThrow().over(policy.health());
    }

    private static boolean patient(Policy policy) {
        HealthLimits health = policy.health();
        return health.degradedAfter() == 2
                && health.healthyAfter() == 2
                && health.recoveryWindow().equals(Duration.ofSeconds(10));
    }

    private static void slots(Intents intents) {
        room(intents, FARM, "chat", 192, 12, 2);
        room(intents, VOLTA, "chat", 64, 2, 1);
        intents.policy("I17", "their own jobs explain all their load", StudioIntents::ownLoadIsKnown);
    }

    private static void room(Intents intents, String id, String workload, double totalGb, int slots, int kept) {
        intents.policy(
                "I10",
                id + " takes " + slots + " jobs and keeps " + kept + " for HIGH",
                policy -> TryOut.roomBeside(policy, staff(workload), Priority.NORMAL, id, totalGb, slots - kept - 1)
                        && TryOut.roomBeside(policy, staff(workload), Priority.HIGH, id, totalGb, slots - 1));
    }

    private static void memory(Intents intents) {
        takes(intents, "I15", "chat", VOLTA, 16);
        takes(intents, "I15", "diffusion", VOLTA, 24);
        takes(intents, "I3", "genome", VOLTA, 24);
        takes(intents, "I15", "embed", VOLTA, 4);
        intents.policy("I15", "quantise takes 20 GB", policy -> towerTakes(policy, "quantise", 20))
                .policy("I6", "6 GB stay free on tower", policy -> towerTakes(policy, "diffusion", 24))
                .policy("I15", "what idle models hold counts as free", policy -> policy.substrates().stream()
                        .allMatch(place -> place.idleVram() == IdleVram.EVICTABLE));
    }

    private static void takes(Intents intents, String number, String workload, String id, double gb) {
        intents.policy(
                number,
                workload + " takes " + gb + " GB on one card",
                policy -> TryOut.takes(policy, staff(workload), id, new TryOut.Cards(2, 32), gb));
    }

    private static boolean towerTakes(Policy policy, String workload, double gb) {
        SubstrateStatus.Builder said = tower();
        double kept = 32 - gb - KEPT_GB;
        return TryOut.starts(
                        policy, staff(workload), TOWER, said.vramUsedGb(kept).build())
                && !TryOut.starts(
                        policy,
                        staff(workload),
                        TOWER,
                        said.vramUsedGb(kept + 0.5).build());
    }

    private static void figures(Intents intents) {
        intents.policy("I14", "8 wait, up to 60 s, in weighted order", LabsIntents::queues)
                .says("I14", "diffusion", "has 2 places of its own and waits 45 s", LabsIntents::hasItsOwnPlaces)
                .policy("I16", "a trial has 90 s, the load is back after 20 s", LabsIntents::comesBack);
    }

    private static boolean queues(Policy policy) {
        QueueLimits queue = policy.queue();
        return queue.capacity() == 8
                && queue.maxWait().equals(Duration.ofSeconds(60))
                && queue.order() == QueueOrder.WEIGHTED
                && queue.weights().equals(new QueueLimits.Weights(2, 8));
    }

    private static boolean hasItsOwnPlaces(Workload diffusion) {
        return diffusion
                .queue()
                .filter(own -> own.capacity().orElse(0) == 2)
                .flatMap(own -> own.maxWait())
                .equals(Optional.of(Duration.ofSeconds(45)));
    }

    private static boolean comesBack(Policy policy) {
        EjectionLimits limits = policy.ejection();
        return limits.trialTimeout().equals(Duration.ofSeconds(90))
                && limits.ramp().equals(Duration.ofSeconds(20));
    }
}
