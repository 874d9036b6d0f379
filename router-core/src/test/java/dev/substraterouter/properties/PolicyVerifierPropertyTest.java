package dev.substraterouter.properties;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.Placement;
import dev.substraterouter.RoutingException;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.model.PlacementMode;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.HealthLimits;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.StrategyKind;
import dev.substraterouter.policy.StrategySettings;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.status.SubstrateStatus;
import dev.substraterouter.testkit.HandDrivenTime;
import dev.substraterouter.trace.Reason;
import dev.substraterouter.verify.PolicyRule;
import dev.substraterouter.verify.PolicyVerifier;
import dev.substraterouter.verify.QueueState;
import dev.substraterouter.verify.Situation;
import dev.substraterouter.verify.Standing;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** What the verifier says of policies in which everything may be otherwise, against what a router does. */
class PolicyVerifierPropertyTest {
    private static final int MOST_REPLAYED = 60;

    @Property(tries = 12)
    void findsNothingInAnyPolicy(@ForAll long seed) {
        assertThat(PolicyVerifier.verify(wild(seed))).isEmpty();
        assertThat(PolicyVerifier.verify(contract(seed))).isEmpty();
    }

    /** Two batch queues, one of them an overflow, which comes last among them too. */
    @Example
    void findsNothingWhereABatchQueueIsAnOverflow() {
        assertThat(PolicyVerifier.verify(contract(-444))).isEmpty();
    }

    @Property(tries = 5)
    void findsNothingInAnyOrder(@ForAll long seed) {
        for (StrategyKind order : StrategyKind.values()) {
            Policy policy = new WildPolicies(new Random(seed))
                    .next().toBuilder()
                            .strategy(StrategySettings.builder()
                                    .defaultKind(order)
                                    .build())
                            .build();

            assertThat(PolicyVerifier.verify(policy)).isEmpty();
        }
    }

    /** Its situations are those of a router: whichever can be brought about from outside is answered by one in the same way. */
    @Property(tries = 8)
    void answersAsARouterDoes(@ForAll long seed) {
        Policy policy = contract(seed);
        List<Situation> seen = Collections.synchronizedList(new ArrayList<>());
        PolicyVerifier.verify(policy, PolicyRule.of("seen", situation -> !plain(situation) || seen.add(situation)));
        List<Situation> all = new ArrayList<>(seen);
        Collections.shuffle(all, new Random(seed));

        assertThat(all).isNotEmpty();
        for (Situation situation : all.subList(0, Math.min(MOST_REPLAYED, all.size()))) {
            assertThat(replayed(policy, situation))
                    .as("%s by %s", situation, policy)
                    .isEqualTo(situation.answer().toString());
        }
    }

    private static Policy wild(long seed) {
        return new WildPolicies(new Random(seed)).next();
    }

    private static Policy contract(long seed) {
        return new ContractPolicies(new Random(seed)).next();
    }

    /** Whether everything in it is free, taken out by an operator, or avoided, and nothing has happened before. */
    private static boolean plain(Situation situation) {
        Set<Optional<Reason>> known =
                Set.of(Optional.empty(), Optional.of(Reason.CORDONED), Optional.of(Reason.AVOIDED));
        return situation.waited().isZero()
                && situation.queue()
                        == QueueState.NO_WAIT
                        == !situation.answer().placed()
                && situation.standings().values().stream().map(Standing::reason).allMatch(known::contains);
    }

    private static String replayed(Policy policy, Situation situation) {
        HandDrivenTime time = new HandDrivenTime();
        try (SubstrateRouter router = SubstrateRouter.builder()
                .policy(policy)
                .timeSource(time)
                .log(false)
                .build()) {
            policy.substrates().forEach(substrate -> router.reportStatus(substrate.id(), idle(policy, substrate)));
            for (Map.Entry<String, Standing> one : situation.standings().entrySet()) {
                if (one.getValue().reason().equals(Optional.of(Reason.CORDONED))) {
                    router.cordon(one.getKey());
                }
            }
            return answer(router, situation.request());
        }
    }

    private static String answer(SubstrateRouter router, RouteRequest request) {
        try {
            return router.tryPlace(request)
                    .map(PolicyVerifierPropertyTest::placed)
                    .orElse("refused: no wait");
        } catch (RoutingException refused) {
            return "refused: "
                    + refused.reason().name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    private static String placed(Placement placement) {
        return "placed on " + placement.substrateId()
                + (placement.mode() == PlacementMode.BATCH ? " by the batch path" : "")
                + (placement.trace().attempts().get(0).external() ? ", outside" : "");
    }

    private static SubstrateStatus idle(Policy policy, Substrate substrate) {
        HealthLimits limits =
                substrate.health().map(own -> own.over(policy.health())).orElse(policy.health());
        SubstrateStatus.Builder status = SubstrateStatus.builder()
                .gpuUtilPct(0)
                .vramUsedGb(0)
                .vramTotalGb(substrate.vramGb().orElse(1024))
                .gpuTempC(0)
                .runningJobs(0)
                .queuedJobs(0);
        limits.requireAttributes().forEach(status::attribute);
        return status.build();
    }
}
