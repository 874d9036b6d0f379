package dev.substraterouter.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.Placement;
import dev.substraterouter.RankedCandidate;
import dev.substraterouter.model.Need;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.model.Trust;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.QueueLimits;
import dev.substraterouter.policy.QueueOrder;
import dev.substraterouter.policy.StrategyKind;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.testkit.Statuses;
import dev.substraterouter.trace.RefusalReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What holds for every strategy, in random runs. */
@ExtendWith(QuietLog.class)
@Timeout(120)
class StrategyAgreementTest {
    private static final int SUBSTRATES = 4;
    private static final int RUNS = 40;
    private static final int STEPS = 120;

    private static Policy.Builder policy(StrategyKind strategy, Random random) {
        List<Candidate> route = new ArrayList<>();
        Policy.Builder policy = Plan.policy()
                .queue(QueueLimits.builder()
                        .capacity(random.nextInt(4))
                        .order(QueueOrder.values()[random.nextInt(3)])
                        .build());
        for (int i = 0; i < SUBSTRATES; i++) {
            boolean external = random.nextInt(4) == 0;
            String id = "s" + i;
            Substrate.Builder substrate = external
                    ? Plan.cloud(id).maxConcurrentJobs(1 + random.nextInt(3))
                    : Plan.node(id, 1 + random.nextInt(3)).vramGb(24);
            if (random.nextInt(4) == 0) {
                substrate.overflow(true);
            }
            if (random.nextInt(3) == 0) {
                substrate.owner(15, 3);
            }
            policy.substrate(substrate
                    .capabilities("cuda")
                    .costPerHour(random.nextInt(5))
                    .build());
            Candidate.Builder candidate = Candidate.builder(id)
                    .quality(0.5 + random.nextInt(5) / 10.0)
                    .reviewRate(random.nextInt(5) / 10.0);
            if (random.nextInt(4) > 0) {
                candidate.expectedLatency(Duration.ofSeconds(1 + random.nextInt(120)));
            }
            route.add(candidate.build());
        }
        return policy.workload(Plan.work()
                .privacy(random.nextBoolean() ? Trust.PUBLIC : Trust.CONTROLLED)
                .strategy(strategy)
                .vramGb(6)
                .reviewCost(1)
                .errorCost(1)
                .overflowAfter(Duration.ofSeconds(random.nextInt(2) * 5L))
                .route(route.toArray(Candidate[]::new))
                .build());
    }

    private static RouteRequest request(Random random) {
        RouteRequest request = random.nextInt(4) > 0
                ? Rig.WORK
                : RouteRequest.need(Need.builder()
                        .capabilities("cuda")
                        .vramGb(4)
                        .privacy(Trust.PUBLIC)
                        .build());
        request = request.priority(Priority.values()[random.nextInt(3)]);
        if (random.nextInt(3) == 0) {
            request = request.prefer("s" + random.nextInt(SUBSTRATES));
        }
        return random.nextInt(4) == 0 ? request.avoid("s" + random.nextInt(SUBSTRATES)) : request;
    }

    private static void report(Rig rig, Random random) {
        rig.router.reportStatus(
                "s" + random.nextInt(SUBSTRATES),
                Statuses.healthy(24)
                        .gpuUtilPct(random.nextInt(80))
                        .vramUsedGb(random.nextInt(20))
                        .runningJobs(random.nextInt(2))
                        .build());
    }

    private static List<Object> counters(Rig rig) {
        return List.of(
                rig.leases(), rig.waiting(), rig.events().size(), rig.traces().size());
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("a recommendation says where the next request that does not wait is placed, and changes nothing")
    void recommendationsComeTrue(StrategyKind strategy) {
        for (int run = 0; run < RUNS; run++) {
            Random random = new Random(run);
            try (Rig rig = new Rig(policy(strategy, random))) {
                List<Placement> open = new ArrayList<>();
                for (int step = 0; step < STEPS; step++) {
                    String at = strategy + ", run " + run + ", step " + step;
                    RouteRequest request = request(random);
                    List<Object> before = counters(rig);
                    Optional<String> said;
                    try {
                        said = rig.router.recommend(request).best().map(RankedCandidate::substrateId);
                    } catch (dev.substraterouter.NoEligibleSubstrateException never) {
                        continue; // all that could serve it are avoided
                    }
                    assertThat(counters(rig)).as(at).isEqualTo(before);
                    Optional<Placement> placed = rig.router.tryPlace(request);
                    assertThat(placed.map(Placement::substrateId)).as(at).isEqualTo(said);
                    placed.ifPresent(open::add);
                    if (random.nextBoolean() && !open.isEmpty()) {
                        open.remove(random.nextInt(open.size())).succeed();
                    }
                    report(rig, random);
                    rig.time.advance(Duration.ofSeconds(random.nextInt(10)));
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("nobody is refused for want of a place while a candidate is free for it")
    void nobodyIsRefusedWhileOneIsFree(StrategyKind strategy) {
        for (int run = 0; run < RUNS; run++) {
            Random random = new Random(1_000 + run);
            try (Rig rig = new Rig(policy(strategy, random))) {
                List<CompletableFuture<Placement>> all = new ArrayList<>();
                for (int step = 0; step < STEPS; step++) {
                    String at = strategy + ", run " + run + ", step " + step;
                    RouteRequest request = request(random).maxWait(Duration.ofSeconds(1 + random.nextInt(30)));
                    boolean free;
                    try {
                        free = rig.router.recommend(request).best().isPresent();
                    } catch (dev.substraterouter.NoEligibleSubstrateException never) {
                        continue;
                    }
                    CompletableFuture<Placement> future = rig.router.placeAsync(request);
                    all.add(future);
                    if (free && future.isCompletedExceptionally()) {
                        assertThat(Rig.refusal(future).reason()).as(at).isNotEqualTo(RefusalReason.QUEUE_FULL);
                    }
                    if (random.nextBoolean()) {
                        CompletableFuture<Placement> one = all.remove(random.nextInt(all.size()));
                        if (one.isDone() && !one.isCompletedExceptionally()) {
                            one.join().succeed();
                        } else {
                            one.cancel(false);
                        }
                    }
                    report(rig, random);
                    rig.time.advance(Duration.ofSeconds(random.nextInt(10)));
                }
            }
        }
    }
}
