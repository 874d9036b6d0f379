package dev.substraterouter.policy.yaml;

import static dev.substraterouter.policy.yaml.Intents.later;
import static dev.substraterouter.policy.yaml.Intents.placedOn;
import static dev.substraterouter.policy.yaml.TryOut.idle;

import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.model.Trust;
import dev.substraterouter.policy.EjectionLimits;
import dev.substraterouter.policy.IdleVram;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.PollSettings;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.status.SubstrateStatus;
import dev.substraterouter.trace.Reason;
import dev.substraterouter.verify.PolicyRule;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/** What the owner of {@code studio.yaml} believes in. */
final class StudioIntents {
    private static final String V100S = "mirrorforge";
    private static final String WORKSTATION = "legion";
    private static final TryOut.Cards TWO_CARDS = new TryOut.Cards(2, 32);
    private static final TryOut.Cards ONE_CARD = new TryOut.Cards(1, 32);
    private static final double KEPT_GB = 4;

    private StudioIntents() {}

    static List<PolicyRule> rules() {
        Intents intents = new Intents();
        places(intents);
        health(intents);
        limits(intents);
        memory(intents);
        return intents.rules();
    }

    private static void places(Intents intents) {
        intents.rule("I1", PolicyRule.workload("flux-dev").firstOn(V100S))
                .inOrder("I1", "flux-dev", s -> true, V100S, WORKSTATION)
                .rule("I2", PolicyRule.workload("flux-fill").firstOn(WORKSTATION))
                .rule("I2", PolicyRule.workload("flux-fill").onlyOn(WORKSTATION, V100S))
                .rule("I2", PolicyRule.workload("flux-fill").never(V100S).whileFree(WORKSTATION))
                .inOrder("I2", "flux-fill", s -> true, WORKSTATION, V100S)
                .rule("I3", PolicyRule.workload("sdxl").firstOn(WORKSTATION))
                .policy("I3", "sdxl leaves legion alone while its owner is at work", StudioIntents::ownerIsLeftAlone)
                .rule("I4", PolicyRule.workload("upscale").onlyOn(V100S))
                .rule("I4", PolicyRule.workload("upscale").served())
                .policy("I11", "all places are controlled", policy -> policy.substrates().stream()
                        .allMatch(place -> place.trust() == Trust.CONTROLLED))
                .policy("I11", "all work is private", policy -> policy.workloads().stream()
                        .allMatch(work -> work.privacy() == Trust.CONTROLLED))
                .always("I11", "nothing leaves the house", s -> !s.answer().external())
                .always(
                        "I15",
                        "batch work of flux-dev goes to the archive",
                        s -> !later(s, "flux-dev") || !s.free("archive") || placedOn(s, List.of("archive")));
    }

    private static boolean ownerIsLeftAlone(Policy policy) {
        Map<String, SubstrateStatus> ownerAtWork = Map.of(
                V100S, idle(64).build(), WORKSTATION, idle(32).gpuUtilPct(40).build());
        return TryOut.best(policy, RouteRequest.workload("sdxl"), ownerAtWork).equals(Optional.of(V100S));
    }

    private static void health(Intents intents) {
        for (String id : List.of(V100S, WORKSTATION)) {
            double total = id.equals(V100S) ? 64 : 32;
            intents.closed(
                            "I5",
                            id,
                            idle(total).gpuUtilPct(70).build(),
                            idle(total).gpuTempC(80).build())
                    .open(
                            "I5",
                            id,
                            idle(total).gpuUtilPct(69.9).build(),
                            idle(total).gpuTempC(79.9).build())
                    .closed("I6", id, Silences.each(total).toArray(SubstrateStatus[]::new));
        }
        intents.nothingOn("I5", Set.of(Reason.GPU_UTIL, Reason.GPU_TEMP, Reason.NO_SINGLE_GPU), V100S, WORKSTATION)
                .nothingOn("I6", Silences.REASONS, V100S, WORKSTATION)
                .policy(
                        "I5",
                        "work again below 65 % and 78 C",
                        policy -> policy.health().gpuUtilMarginPct() == 5
                                && policy.health().gpuTempMarginC() == 2)
                .policy("I5", "each node is judged by its own word", Silences::everyStatusIsItsOwn)
                .policy("I6", "silent after 15 s", policy -> policy.health()
                        .staleAfter()
                        .equals(Duration.ofSeconds(15)));
    }

    private static void limits(Intents intents) {
        intents.open("I7", V100S, idle(64).runningJobs(1).build())
                .closed("I7", V100S, idle(64).runningJobs(2).build())
                .closed("I7", WORKSTATION, idle(32).runningJobs(1).build())
                .policy("I7", "mirrorforge has two cards of 32 GB", policy -> cards(policy, V100S, 2, 64))
                .policy("I7", "legion has one card of 32 GB", policy -> cards(policy, WORKSTATION, 1, 32))
                .policy(
                        "I9",
                        "4 wait, up to 30 s",
                        policy -> policy.queue().capacity() == 4
                                && policy.queue().maxWait().equals(Duration.ofSeconds(30)))
                .policy("I10", "asked every 5 s, with 2 s to answer", StudioIntents::asked)
                .policy("I12", "their own jobs explain all their load", StudioIntents::ownLoadIsKnown)
                .policy("I13", "out after 3 faults, for 5 s to 60 s", StudioIntents::ejects)
                .says(
                        "I14",
                        "flux-dev",
                        "has quality 0.8 within 3 minutes",
                        work -> work.minQuality().equals(OptionalDouble.of(0.8))
                                && work.maxLatency().equals(Optional.of(Duration.ofMinutes(3))));
    }

    private static boolean cards(Policy policy, String id, int count, double totalGb) {
        Substrate place = policy.substrate(id).orElseThrow();
        return place.gpus() == count && place.vramGb().equals(OptionalDouble.of(totalGb));
    }

    private static boolean asked(Policy policy) {
        PollSettings poll = policy.poll();
        return poll.every().equals(Duration.ofSeconds(5)) && poll.timeout().equals(Duration.ofSeconds(2));
    }

    private static boolean ejects(Policy policy) {
        EjectionLimits limits = policy.ejection();
        return limits.consecutiveFaults() == 3
                && limits.window().equals(Duration.ofSeconds(5))
                && limits.maxWindow().equals(Duration.ofSeconds(60));
    }

    /** While all its slots are taken by the router, a substrate at full load has less foreign load than would close it. */
    static boolean ownLoadIsKnown(Policy policy) {
        return policy.substrates().stream()
                .filter(place ->
                        place.vramGb().isPresent() && place.maxConcurrentJobs().isPresent())
                .allMatch(place ->
                        100 - place.utilPerJobPct() * place.maxConcurrentJobs().getAsInt()
                                < policy.health().maxGpuUtilPct());
    }

    private static void memory(Intents intents) {
        takes(intents, "flux-dev", V100S, TWO_CARDS, 12);
        takes(intents, "flux-dev", WORKSTATION, ONE_CARD, 24 + KEPT_GB);
        takes(intents, "flux-fill", V100S, TWO_CARDS, 24);
        takes(intents, "flux-fill", WORKSTATION, ONE_CARD, 24 + KEPT_GB);
        takes(intents, "sdxl", WORKSTATION, ONE_CARD, 8 + KEPT_GB);
        takes(intents, "upscale", V100S, TWO_CARDS, 6);
        intents.policy(
                        "I7",
                        "4 GB stay free for the owner of legion",
                        policy ->
                                TryOut.takes(policy, RouteRequest.workload("sdxl"), WORKSTATION, ONE_CARD, 8 + KEPT_GB))
                .policy("I8", "what idle models hold counts as free", policy -> policy.substrates().stream()
                        .filter(place -> place.vramGb().isPresent())
                        .allMatch(place -> place.idleVram() == IdleVram.EVICTABLE));
    }

    private static void takes(Intents intents, String workload, String id, TryOut.Cards cards, double freeGb) {
        intents.policy(
                "I8",
                workload + " starts on " + id + " with " + freeGb + " GB free on one card",
                policy -> TryOut.takes(policy, RouteRequest.workload(workload), id, cards, freeGb));
    }
}
