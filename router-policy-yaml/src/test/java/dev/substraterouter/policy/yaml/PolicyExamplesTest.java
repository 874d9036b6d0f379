package dev.substraterouter.policy.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import dev.substraterouter.NoEligibleSubstrateException;
import dev.substraterouter.NotAuthorizedException;
import dev.substraterouter.Placement;
import dev.substraterouter.RankedCandidate;
import dev.substraterouter.RouteView;
import dev.substraterouter.RoutingException;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.model.Need;
import dev.substraterouter.model.PlacementMode;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.model.Trust;
import dev.substraterouter.policy.Operation;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.testkit.HandDrivenTime;
import dev.substraterouter.testkit.Statuses;
import dev.substraterouter.trace.Considered;
import dev.substraterouter.trace.Reason;
import dev.substraterouter.trace.ServingPath;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A router walks through both examples of the format's description: who serves what, in which order, and who may ask for it, is as the text
 * says. The full example is walked without its key {@code network}: no name of it is looked up here.
 */
class PolicyExamplesTest {
    private static final String WALKED = without("network", Examples.EVERYTHING);
    private static final String OPERATOR = "ops-1";
    private static final String AGENT = "agent-1";
    private static final List<String> WORKLOADS = List.of("flux-dev", "flux-fill", "sdxl", "upscale", "embed");

    private static final Logger LOG = Logger.getLogger("dev.substraterouter");

    private final List<SubstrateRouter> routers = new ArrayList<>();
    private Level before;

    @BeforeEach
    void silence() {
        before = LOG.getLevel();
        LOG.setLevel(Level.OFF);
    }

    @AfterEach
    void close() {
        routers.forEach(SubstrateRouter::close);
        LOG.setLevel(before);
    }

    /** The text without one top-level key. */
    private static String without(String key, String yaml) {
        String shorter = yaml.replaceFirst("(?m)^" + key + ":.*\\R(?:[ ].*\\R)*", "");
        assertThat(shorter).hasSizeLessThan(yaml.length()).contains("\nsubstrates:");
        return shorter;
    }

    /**
     * A router to which the host has told that every substrate is idle, cool and empty. The rented one and the archive need that too: the
     * full example writes {@code require} for every substrate.
     */
    private SubstrateRouter router(String yaml) {
        SubstrateRouter router = silentRouter(yaml);
        router.policy()
                .substrates()
                .forEach(one ->
                        router.reportStatus(one.id(), Statuses.idle(one.vramGb().orElse(1))));
        return router;
    }

    private SubstrateRouter silentRouter(String yaml) {
        SubstrateRouter router = SubstrateRouter.builder()
                .policy(Examples.unlinted(yaml))
                .timeSource(new HandDrivenTime())
                .executor(Runnable::run)
                .build();
        routers.add(router);
        return router;
    }

    private static RouteRequest live(String workload, String identity) {
        return RouteRequest.workload(workload).identity(identity).mode(PlacementMode.INTERACTIVE);
    }

    private static List<String> order(SubstrateRouter router, RouteRequest request) {
        return router.recommend(request).candidates().stream()
                .map(RankedCandidate::substrateId)
                .toList();
    }

    private static double cost(SubstrateRouter router, RouteRequest request, String substrate) {
        return router.recommend(request).candidates().stream()
                .filter(candidate -> candidate.substrateId().equals(substrate))
                .findFirst()
                .orElseThrow()
                .cost()
                .orElseThrow();
    }

    private static String placed(SubstrateRouter router, RouteRequest request) {
        try (Placement placement = router.tryPlace(request).orElseThrow()) {
            return placement.substrateId();
        }
    }

    @Test
    @DisplayName("the smallest file: three routes of two, the second serves when the first cannot")
    void theSmallest() {
        SubstrateRouter router = router(Examples.SMALLEST);

        assertThat(router.routes())
                .extracting(RouteView::workload, RouteView::mechanism, RouteView::candidates)
                .containsExactly(
                        row("flux-dev", RouteView.Mechanism.ROUTE, "mirrorforge", "legion"),
                        row("flux-fill", RouteView.Mechanism.ROUTE, "legion", "mirrorforge"),
                        row("sdxl", RouteView.Mechanism.ROUTE, "mirrorforge", "legion"));
        assertThat(placed(router, RouteRequest.workload("flux-fill"))).isEqualTo("legion");
        assertThat(placed(router, RouteRequest.workload("sdxl"))).isEqualTo("mirrorforge");
        router.reportStatus("legion", Statuses.loaded(32));
        assertThat(placed(router, RouteRequest.workload("flux-fill"))).isEqualTo("mirrorforge");
    }

    private static Tuple row(String name, RouteView.Mechanism by, String... candidates) {
        return tuple(name, by, List.of(candidates));
    }

    @Test
    @DisplayName(
            "the full file loads, and its addresses are in their scopes; what is reached by name waits until it is resolved")
    void networkIsEnforced() {
        Policy everything = YamlPolicy.parse(Examples.EVERYTHING);
        assertThat(everything.network()).isPresent();
        try (SubstrateRouter router =
                SubstrateRouter.builder().policy(everything).log(false).build()) {
            assertThat(router.substrates())
                    .filteredOn(
                            view -> view.reasons().stream().anyMatch(found -> found.reason() == Reason.OUT_OF_SCOPE))
                    .singleElement()
                    .satisfies(view -> assertThat(view.id()).isEqualTo("thundercompute"));
        }
        Policy walked = YamlPolicy.parse(WALKED);
        assertThat(walked.network()).isEmpty();
        assertThat(walked.workloads()).extracting(Workload::name).containsExactlyElementsOf(WORKLOADS);
        assertThat(everything.withoutNetwork()).isEqualTo(walked);
    }

    @Test
    @DisplayName("flux-dev: mirrorforge, then legion; later on the archive")
    void fluxDev() {
        SubstrateRouter router = router(WALKED);
        RouteRequest request = live("flux-dev", OPERATOR);

        assertThat(order(router, request)).containsExactly("mirrorforge", "legion");
        assertThat(order(router, request.mode(PlacementMode.BATCH))).containsExactly("archive");
        assertThat(placed(router, request)).isEqualTo("mirrorforge");
        router.cordon("mirrorforge");
        assertThat(placed(router, request)).isEqualTo("legion");
        assertThat(router.tryPlace(request).orElseThrow().endpoint()).hasToString("http://10.40.10.2:8189");
        assertThat(router.tryPlace(request)).as("one job at once on legion").isEmpty();
        assertThat(placed(router, request.mode(PlacementMode.BATCH))).isEqualTo("archive");
        RouteRequest low = request.mode(PlacementMode.EITHER).priority(Priority.LOW);
        try (Placement placement = router.tryPlace(low).orElseThrow()) {
            assertThat(placement.substrateId()).isEqualTo("archive");
            assertThat(placement.mode()).isEqualTo(PlacementMode.BATCH);
        }
    }

    @Test
    @DisplayName("flux-dev costs what its figures say: compute, review at 2.00 and error at 1.00")
    void whatFluxDevCosts() {
        SubstrateRouter router = router(WALKED);
        RouteRequest request = live("flux-dev", OPERATOR);

        // 0.12 an hour for 40 s + 5 % of 2.00 + 10 % of 1.00 = 0.00133 + 0.10 + 0.10
        assertThat(cost(router, request, "mirrorforge")).isCloseTo(0.201333, within(1e-6));
        // 0.01 a job + 2 % of 2.00 + 5 % of 1.00, and the owner is away
        assertThat(cost(router, request, "legion")).isCloseTo(0.10, within(1e-9));
        // 0.05 an hour for 2 min + 5 % of 2.00 + 10 % of 1.00 = 0.00167 + 0.10 + 0.10
        assertThat(cost(router, request.mode(PlacementMode.BATCH), "archive")).isCloseTo(0.201667, within(1e-6));
    }

    @ParameterizedTest
    @DisplayName("each limit of flux-dev is inclusive and rules out whom its figures say")
    @CsvSource(delimiter = '|', textBlock = """
            max_cost: 0.50     | max_cost: 0.50     | mirrorforge, legion | archive
            max_cost: 0.50     | max_cost: 0.2017   | mirrorforge, legion | archive
            max_cost: 0.50     | max_cost: 0.2014   | mirrorforge, legion | ''
            max_cost: 0.50     | max_cost: 0.2013   | legion              | ''
            # 0.01 + 0.04 + 0.05
            max_cost: 0.50     | max_cost: 0.10     | legion              | ''
            max_cost: 0.50     | max_cost: 0.09     | ''                  | ''
            # 40 s + 15 s, 15 s + 8 s, and 2 min
            max_latency: 3m    | max_latency: 2m    | mirrorforge, legion | archive
            max_latency: 3m    | max_latency: 119s  | mirrorforge, legion | ''
            max_latency: 3m    | max_latency: 55s   | mirrorforge, legion | ''
            max_latency: 3m    | max_latency: 54s   | legion              | ''
            max_latency: 3m    | max_latency: 23s   | legion              | ''
            max_latency: 3m    | max_latency: 22s   | ''                  | ''
            # 0.90, 0.95, and 0.90
            min_quality: 0.8   | min_quality: 0.90  | mirrorforge, legion | archive
            min_quality: 0.8   | min_quality: 0.91  | legion              | ''
            min_quality: 0.8   | min_quality: 0.95  | legion              | ''
            min_quality: 0.8   | min_quality: 0.96  | ''                  | ''
            """)
    void theLimitsOfFluxDev(String written, String instead, String live, String later) {
        assertThat(WALKED).containsOnlyOnce(written);
        SubstrateRouter router = router(WALKED.replace(written, instead));
        RouteRequest request = live("flux-dev", OPERATOR);

        assertServedBy(router, request, live);
        assertServedBy(router, request.mode(PlacementMode.BATCH), later);
    }

    private static void assertServedBy(SubstrateRouter router, RouteRequest request, String substrates) {
        if (substrates.isEmpty()) {
            assertThatThrownBy(() -> router.tryPlace(request)).isInstanceOf(NoEligibleSubstrateException.class);
        } else {
            assertThat(order(router, request)).containsExactly(substrates.split(", "));
        }
    }

    @Test
    @DisplayName("flux-fill may go to anybody: legion, then mirrorforge, and to the rented one only when neither can")
    void fluxFill() {
        SubstrateRouter router = router(WALKED);
        RouteRequest request = live("flux-fill", OPERATOR);

        assertThat(order(router, request)).containsExactly("legion", "mirrorforge", "thundercompute");
        assertThat(placed(router, request)).isEqualTo("legion");
        router.cordon("legion");
        assertThat(placed(router, request)).isEqualTo("mirrorforge");
        assertThat(placed(router, request.prefer("thundercompute"))).isEqualTo("mirrorforge");
        router.cordon("mirrorforge");
        try (Placement placement = router.tryPlace(request).orElseThrow()) {
            assertThat(placement.substrateId()).isEqualTo("thundercompute");
            assertThat(placement.trace().overflow()).isTrue();
            assertThat(placement.trace().lastAttempt().orElseThrow().external()).isTrue();
            assertThat(placement.trace().lastAttempt().orElseThrow().path()).isEqualTo(ServingPath.OVERFLOW);
        }
    }

    @Test
    @DisplayName(
            "the rented one and the archive, which tell no status, serve all the same: require is empty for their kinds")
    void noStatusIsNeededOutside() {
        SubstrateRouter router = silentRouter(WALKED);

        assertThat(placed(router, live("flux-fill", OPERATOR))).isEqualTo("thundercompute");
        assertThat(placed(router, live("flux-dev", OPERATOR).mode(PlacementMode.BATCH)))
                .isEqualTo("archive");
    }

    @Test
    @DisplayName("sdxl: mirrorforge, then legion")
    void sdxl() {
        SubstrateRouter router = router(WALKED);

        assertThat(order(router, live("sdxl", OPERATOR))).containsExactly("mirrorforge", "legion");
        assertThat(order(router, live("sdxl", AGENT))).containsExactly("mirrorforge", "legion");
        assertThat(router.recommend(live("sdxl", AGENT)).best().orElseThrow().cost())
                .hasValueCloseTo(0.12 * 7 / 3600, within(1e-9));
    }

    @Test
    @DisplayName("upscale is pinned on mirrorforge and gated by slots and memory, not by utilisation or heat")
    void upscale() {
        SubstrateRouter router = router(WALKED);
        RouteRequest request = live("upscale", OPERATOR);

        assertThat(order(router, request)).containsExactly("mirrorforge");
        router.reportStatus(
                "mirrorforge", Statuses.healthy(64).gpuUtilPct(99).gpuTempC(95).build());
        assertThat(placed(router, request)).as("hot and busy").isEqualTo("mirrorforge");
        assertThat(placed(router, live("sdxl", OPERATOR))).as("a route").isEqualTo("legion");
        router.reportStatus("mirrorforge", Statuses.healthy(64).runningJobs(2).build());
        assertThat(router.tryPlace(request)).as("no slot").isEmpty();
        router.reportStatus("mirrorforge", Statuses.healthy(64).vramUsedGb(59).build());
        assertThat(router.tryPlace(request)).as("no memory").isEmpty();
    }

    @Test
    @DisplayName("embed goes wherever there is cuda, 4 GB and enough trust, so not to the rented one")
    void embed() {
        SubstrateRouter router = router(WALKED);
        RouteRequest request = live("embed", OPERATOR);

        assertThat(order(router, request)).containsExactlyInAnyOrder("mirrorforge", "legion");
        router.cordon("mirrorforge");
        assertThat(placed(router, request)).isEqualTo("legion");
        router.cordon("legion");
        assertThat(router.tryPlace(request)).isEmpty();
        SubstrateRouter open =
                router(WALKED.replace("embed:     { capabilities", "embed: { privacy: public, capabilities"));
        assertThat(order(open, request))
                .containsExactlyInAnyOrder("mirrorforge", "legion", "thundercompute")
                .last()
                .isEqualTo("thundercompute");
    }

    @Test
    @DisplayName("an operator may ask for everything, at any priority, anywhere, and operate everything")
    void operators() {
        SubstrateRouter router = router(WALKED);

        for (String workload : WORKLOADS) {
            for (Priority priority : Priority.values()) {
                assertThat(router.recommend(live(workload, OPERATOR).priority(priority))
                                .best())
                        .isPresent();
            }
        }
        RouteRequest big = RouteRequest.need(
                        Need.builder().vramGb(70).privacy(Trust.PUBLIC).build())
                .identity(OPERATOR)
                .priority(Priority.HIGH);
        assertThat(placed(router, big)).as("by a need, outside").isEqualTo("thundercompute");
        for (Operation operation : Operation.values()) {
            assertThat(router.mayOperate(OPERATOR, operation)).isTrue();
        }
    }

    @Test
    @DisplayName("an agent may ask for flux-dev and sdxl, up to normal, by no need, and only look")
    void agents() {
        SubstrateRouter router = router(WALKED);

        for (String workload : List.of("flux-dev", "sdxl")) {
            assertThat(order(router, live(workload, AGENT))).containsExactly("mirrorforge", "legion");
            assertThat(placed(router, live(workload, AGENT).priority(Priority.NORMAL)))
                    .isEqualTo("mirrorforge");
            assertThat(placed(router, live(workload, AGENT).priority(Priority.LOW)))
                    .isEqualTo("mirrorforge");
            assertRefused(router, live(workload, AGENT).priority(Priority.HIGH));
            try (Placement placement = router.tryPlace(live(workload, AGENT)).orElseThrow()) {
                assertThat(placement.trace().priority()).isEqualTo(Priority.NORMAL);
                assertThat(placement.trace().role()).contains("agent");
            }
        }
        for (String workload : List.of("flux-fill", "upscale", "embed")) {
            assertRefused(router, live(workload, AGENT));
        }
        assertRefused(
                router,
                RouteRequest.need(Need.builder().capabilities("cuda").build()).identity(AGENT));
        for (Operation operation : Operation.values()) {
            assertThat(router.mayOperate(AGENT, operation)).isEqualTo(operation == Operation.VIEW);
        }
    }

    @Test
    @DisplayName("an agent's capability is cuda, however it is spelt, and no other")
    void anAgentsCapabilities() {
        String where = "    min_quality: 0.8 ";
        assertThat(WALKED).containsOnlyOnce(where);
        assertThat(order(router(WALKED.replace(where, "    capabilities: [CUDA]\n" + where)), live("flux-dev", AGENT)))
                .containsExactly("mirrorforge", "legion");
        SubstrateRouter volta = router(WALKED.replace(where, "    capabilities: [cuda, volta]\n" + where));
        assertRefused(volta, live("flux-dev", AGENT));
        assertThat(order(volta, live("flux-dev", OPERATOR))).containsExactly("mirrorforge");
    }

    @Test
    @DisplayName("an agent's work never goes outside, even where its workload may")
    void anAgentStaysInside() {
        SubstrateRouter router = router(WALKED.replace("workloads: [flux-dev, sdxl]", "workloads: [flux-fill]"));

        assertThat(order(router, live("flux-fill", AGENT))).containsExactly("legion", "mirrorforge");
        router.cordon("legion");
        router.cordon("mirrorforge");
        assertThat(router.tryPlace(live("flux-fill", AGENT))).isEmpty();
        assertThat(router.recentTraces().get(0).considered())
                .filteredOn(considered -> considered.substrateId().equals("thundercompute"))
                .allMatch(considered -> considered.has(Reason.ROLE))
                .extracting(Considered::admissible)
                .containsOnly(false);
        assertThat(placed(router, live("flux-fill", OPERATOR))).isEqualTo("thundercompute");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "nobody", "ops", "agent", "OPS-1", "x-ops-1"})
    @DisplayName("whoever is not known is refused everything, and told nothing of the pool")
    void strangers(String identity) {
        SubstrateRouter router = router(WALKED);

        for (String workload : WORKLOADS) {
            assertRefused(router, live(workload, identity));
            assertRefused(router, RouteRequest.workload(workload));
        }
        RouteRequest need = RouteRequest.need(Need.builder().build());
        assertRefused(router, need.identity(identity));
        assertRefused(router, need);
        for (Operation operation : Operation.values()) {
            assertThat(router.mayOperate(identity, operation)).isFalse();
        }
    }

    private static void assertRefused(SubstrateRouter router, RouteRequest request) {
        assertThatThrownBy(() -> router.tryPlace(request)).isInstanceOf(NotAuthorizedException.class);
        assertThatThrownBy(() -> router.placeAll(request)).isInstanceOf(NotAuthorizedException.class);
        assertThatThrownBy(() -> router.place(request)).isInstanceOf(NotAuthorizedException.class);
        assertThatThrownBy(() -> router.call(request, placement -> "done")).isInstanceOf(NotAuthorizedException.class);
        assertThatThrownBy(() -> router.recommend(request)).isInstanceOfSatisfying(RoutingException.class, refused -> {
            assertThat(refused).isInstanceOf(NotAuthorizedException.class);
            assertThat(refused.trace().considered()).isEmpty();
            assertThat(refused.getMessage())
                    .doesNotContain("mirrorforge", "legion", "thundercompute", "archive", "10.40.10");
        });
    }
}
