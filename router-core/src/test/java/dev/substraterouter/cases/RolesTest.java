package dev.substraterouter.cases;

import static dev.substraterouter.cases.Plan.archive;
import static dev.substraterouter.cases.Plan.cloud;
import static dev.substraterouter.cases.Plan.node;
import static dev.substraterouter.cases.Plan.seconds;
import static dev.substraterouter.cases.Rig.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.substraterouter.NotAuthorizedException;
import dev.substraterouter.Placement;
import dev.substraterouter.RoutingException;
import dev.substraterouter.SubstrateFaultException;
import dev.substraterouter.model.Need;
import dev.substraterouter.model.PlacementMode;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.model.Trust;
import dev.substraterouter.policy.Authorizer;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.Operation;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Role;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.trace.RefusalReason;
import dev.substraterouter.trace.RouterEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Who may ask for what, and where it may go. */
@ExtendWith(QuietLog.class)
@Timeout(60)
class RolesTest {
    private static final Need CUDA = Need.builder().capabilities("cuda").build();

    private static RouteRequest dev() {
        return RouteRequest.workload("flux-dev");
    }

    private static RouteRequest asAgent(RouteRequest request) {
        return request.identity("agent-7");
    }

    private static RouteRequest asOps(RouteRequest request) {
        return request.identity("ops-anna");
    }

    private static Role.Builder agent() {
        return Role.builder("agent").identities("agent-*").capabilities("cuda").workloads("flux-dev", "embed", "bar");
    }

    private static Role operator() {
        return Role.builder("operator")
                .identities("ops-*")
                .capabilities("*")
                .workloads("*")
                .adhoc(true)
                .maxPriority(Priority.HIGH)
                .external(true)
                .operate(Operation.values())
                .build();
    }

    private static Policy.Builder policy(Role... roles) {
        return policy(node("mirrorforge", 1), node("legion", 1), roles);
    }

    private static Policy.Builder policy(Substrate.Builder mirrorforge, Substrate.Builder legion, Role... roles) {
        Policy.Builder policy = Plan.policy()
                .substrate(mirrorforge.capabilities("cuda", "large-bar").build())
                .substrate(legion.capabilities("cuda").build())
                .substrate(cloud("cloud").capabilities("cuda").build())
                .workload(Workload.builder("flux-dev")
                        .privacy(Trust.PUBLIC)
                        .route("mirrorforge", "legion", "cloud")
                        .build())
                .workload(Workload.builder("secret-plans").route("legion").build())
                .workload(Workload.builder("embed")
                        .privacy(Trust.PUBLIC)
                        .capabilities("cuda")
                        .build())
                .workload(Workload.builder("bar")
                        .capabilities("large-bar")
                        .route("mirrorforge")
                        .build());
        for (Role role : roles) {
            policy.role(role);
        }
        return policy;
    }

    private static Rig rig() {
        return new Rig(policy(agent().build(), operator()));
    }

    /** The refusal of a request that may not be asked for; checks that it tells nothing of the pool. */
    private static NotAuthorizedException refused(ThrowingCallable asking) {
        NotAuthorizedException refusal = catchThrowableOfType(NotAuthorizedException.class, asking);
        assertThat(refusal).as("refused").isNotNull();
        assertThat(refusal.reason()).isEqualTo(RefusalReason.NOT_AUTHORIZED);
        assertThat(refusal.retryAfter()).isEmpty();
        assertThat(refusal.getMessage()).doesNotContain("mirrorforge", "legion", "cloud", "secret-plans");
        assertThat(refusal.trace().attempts()).isEmpty();
        assertThat(refusal.trace().considered()).isEmpty();
        return refusal;
    }

    private static void refused(Rig rig, RouteRequest request) {
        assertThat(refused(() -> rig.router.tryPlace(request)).trace().refusal())
                .contains(RefusalReason.NOT_AUTHORIZED);
        refused(() -> rig.router.place(request));
        refused(() -> rig.router.recommend(request));
        refused(() -> rig.router.placeAll(request));
        refused(() -> rig.router.call(request, placement -> {
            throw new AssertionError("must not run");
        }));
        refused(() -> {
            throw refusal(rig.router.placeAsync(request));
        });
        refused(() -> {
            throw refusal(rig.router.callAsync(request, placement -> {
                throw new AssertionError("must not run");
            }));
        });
        assertThat(rig.leases()).isZero();
        assertThat(rig.waiting()).isZero();
        assertThat(rig.heard(RouterEvent.Refused.class)).isNotEmpty().allSatisfy(event -> {
            assertThat(event.reason()).isEqualTo(RefusalReason.NOT_AUTHORIZED);
            assertThat(event.message()).doesNotContain("mirrorforge", "legion", "secret-plans");
        });
    }

    @Test
    @DisplayName("where there are roles, whoever has no identity or an unknown one is refused, everywhere")
    void failsClosed() {
        try (Rig rig = rig()) {
            refused(rig, dev());
            refused(rig, dev().identity("stranger"));
            refused(rig, dev().identity(""));
            refused(rig, RouteRequest.need(CUDA));
            refused(rig, RouteRequest.need(CUDA).identity("stranger"));
            refused(rig, RouteRequest.workload("embed"));
            refused(rig, RouteRequest.workload("nothing-known").identity("stranger"));
        }
    }

    @Test
    @DisplayName("where there are no roles, anyone may ask for anything")
    void withoutRolesAnyoneMayAsk() {
        try (Rig rig = new Rig(policy())) {
            rig.place(dev().priority(Priority.HIGH)).close();
            rig.place(dev().identity("stranger")).close();
            Placement need = rig.place(RouteRequest.need(CUDA));
            assertThat(need.trace().role()).isEmpty();
        }
    }

    @Test
    @DisplayName("a role may ask for its workloads and no others")
    void workloadsAreAuthorized() {
        try (Rig rig = rig()) {
            Placement placement = rig.place(asAgent(dev()));
            assertThat(placement.trace().role()).contains("agent");
            assertThat(placement.trace().identity()).contains("agent-7");
            placement.close();
            rig.place(asOps(RouteRequest.workload("secret-plans"))).close();
            NotAuthorizedException refusal = catchThrowableOfType(
                    NotAuthorizedException.class,
                    () -> rig.router.tryPlace(asAgent(RouteRequest.workload("secret-plans"))));
            assertThat(refusal).isNotNull();
            assertThat(refusal.getMessage()).doesNotContain("legion", "mirrorforge", "flux-dev", "embed");
        }
    }

    @Test
    @DisplayName("what a workload implies must be allowed too")
    void impliedCapabilitiesAreAuthorized() {
        try (Rig rig = rig()) {
            refused(rig, asAgent(RouteRequest.workload("bar"))); // implies large-bar
            rig.place(asOps(RouteRequest.workload("bar"))).close();
            rig.place(asAgent(RouteRequest.workload("embed"))).close(); // implies cuda
        }
    }

    @Test
    @DisplayName("without leave for needs a need is refused, with it only for allowed capabilities")
    void needsAreAuthorized() {
        try (Rig rig = rig()) {
            refused(rig, asAgent(RouteRequest.need(CUDA)));
            rig.place(asOps(RouteRequest.need(CUDA))).close();
        }
        try (Rig rig = new Rig(policy(agent().adhoc(true).build()))) {
            rig.place(asAgent(RouteRequest.need(CUDA))).close();
            rig.place(asAgent(RouteRequest.need(
                            Need.builder().capabilities("CUDA").build())))
                    .close();
            refused(
                    rig,
                    asAgent(RouteRequest.need(
                            Need.builder().capabilities("cuda", "large-bar").build())));
        }
    }

    @Test
    @DisplayName("asking for a higher priority than allowed is refused, not lowered")
    void prioritiesAreAuthorized() {
        try (Rig rig = rig()) {
            refused(rig, asAgent(dev().priority(Priority.HIGH)));
            try (Placement normal = rig.place(asAgent(dev().priority(Priority.NORMAL)))) {
                assertThat(normal.trace().priority()).isEqualTo(Priority.NORMAL);
            }
            try (Placement low = rig.place(asAgent(dev().priority(Priority.LOW)))) {
                assertThat(low.trace().priority()).isEqualTo(Priority.LOW);
            }
            try (Placement high = rig.place(asOps(dev().priority(Priority.HIGH)))) {
                assertThat(high.trace().priority()).isEqualTo(Priority.HIGH);
            }
        }
    }

    @Test
    @DisplayName("an unset priority is NORMAL or the role's highest, whichever is lower")
    void unsetPrioritiesAreBounded() {
        try (Rig rig = new Rig(policy(agent().maxPriority(Priority.LOW).build(), operator()))) {
            try (Placement low = rig.place(asAgent(dev()))) {
                assertThat(low.trace().priority()).isEqualTo(Priority.LOW);
            }
            try (Placement normal = rig.place(asOps(dev()))) {
                assertThat(normal.trace().priority()).isEqualTo(Priority.NORMAL);
            }
            refused(rig, asAgent(dev().priority(Priority.NORMAL)));
        }
    }

    @Test
    @DisplayName("a wish changes nothing in what may be asked for")
    void wishesAreAuthorized() {
        try (Rig rig = rig()) {
            refused(rig, dev().prefer("legion"));
            assertThat(rig.place(asAgent(dev().prefer("cloud"))).substrateId()).isEqualTo("mirrorforge");
        }
    }

    @Test
    @DisplayName("mayOperate says what a role may do to a running router")
    void mayOperate() {
        try (Rig rig = new Rig(policy(agent().operate(Operation.VIEW).build(), operator()))) {
            for (Operation operation : Operation.values()) {
                assertThat(rig.router.mayOperate("ops-anna", operation)).isTrue();
                assertThat(rig.router.mayOperate("agent-7", operation)).isEqualTo(operation == Operation.VIEW);
                assertThat(rig.router.mayOperate("stranger", operation)).isFalse();
            }
        }
        try (Rig rig = new Rig(policy())) {
            assertThat(rig.router.mayOperate("anyone", Operation.DRAIN)).isTrue();
        }
    }

    @Test
    @DisplayName("identities are matched whole, and only the star stands for text")
    void identitiesAreGlobs() {
        Role role = Role.builder("r")
                .identities("agent-*", "*-night", "a*c*e", "ci.bot", "x+")
                .workloads("flux-dev")
                .capabilities("*")
                .build();
        try (Rig rig = new Rig(policy(role))) {
            for (String known : List.of(
                    "agent-", "agent-1", "agent-a-b", "-night", "x-night", "ace", "abcde", "ci.bot", "x+", "a\nc\ne")) {
                rig.place(dev().identity(known)).close();
            }
            for (String unknown :
                    List.of("agent", "my-agent-1", "x-nights", "ac", "cixbot", "xx", "x", "ci.bot2", "", "*x")) {
                refused(() -> rig.router.tryPlace(dev().identity(unknown)));
            }
        }
    }

    private static Role named(String name, Function<Role.Builder, Role.Builder> more) {
        return more.apply(Role.builder(name).identities("agent-*").capabilities("*"))
                .build();
    }

    @Test
    @DisplayName("an identity with several roles may do what any one of them allows")
    void severalRoles() {
        Role dev = named("dev", role -> role.workloads("flux-dev"));
        Role plans = named("plans", role -> role.workloads("secret-plans").maxPriority(Priority.HIGH));
        try (Rig rig = new Rig(policy(dev, plans))) {
            try (Placement placement = rig.place(asAgent(dev()))) {
                assertThat(placement.trace().role()).contains("dev");
            }
            RouteRequest secret = asAgent(RouteRequest.workload("secret-plans")).priority(Priority.HIGH);
            try (Placement placement = rig.place(secret)) {
                assertThat(placement.trace().role()).contains("plans");
            }
            // HIGH is the other role's
            assertThatThrownBy(() -> rig.router.tryPlace(asAgent(dev()).priority(Priority.HIGH)))
                    .isInstanceOf(NotAuthorizedException.class);
        }
    }

    @Test
    @DisplayName("a role that may not use external substrates never reaches one, on any attempt")
    void externalIsForbiddenOnEveryAttempt() {
        try (Rig rig = new Rig(policy(agent().adhoc(true).build(), operator()))) {
            List<String> tried = new ArrayList<>();
            assertThatThrownBy(() -> rig.router.call(asAgent(dev()).maxWait(seconds(0)), placement -> {
                        tried.add(placement.substrateId());
                        throw new SubstrateFaultException("502");
                    }))
                    .isInstanceOf(SubstrateFaultException.class);
            assertThat(tried).containsExactly("mirrorforge", "legion");
            rig.freshen();
            Placement first = rig.place(asAgent(dev()));
            Placement second = rig.place(asAgent(dev()));
            assertThat(List.of(first.substrateId(), second.substrateId())).containsExactly("mirrorforge", "legion");
            RouteRequest need = RouteRequest.need(
                    Need.builder().capabilities("cuda").privacy(Trust.PUBLIC).build());
            for (RouteRequest request : List.of(
                    asAgent(dev()),
                    asAgent(dev()).prefer("cloud"),
                    asAgent(need),
                    asAgent(need).prefer("cloud"))) {
                assertThat(rig.router.tryPlace(request)).isEmpty();
                assertThat(rig.router.recommend(request).candidates())
                        .noneMatch(candidate -> candidate.substrateId().equals("cloud") && candidate.admissible());
                assertThat(rig.router.placeAll(request)).isEmpty();
            }
            assertThat(rig.router.placeAsync(asAgent(dev()))).isNotDone();
            assertThat(rig.place(asOps(dev())).substrateId()).isEqualTo("cloud");
            assertThat(rig.place(asOps(need)).substrateId()).isEqualTo("cloud");
        }
    }

    @Test
    @DisplayName("overflow and batch are closed to a role like everything else")
    void overflowAndBatchAreClosed() {
        Policy.Builder policy = Plan.policy(
                        Plan.work()
                                .privacy(Trust.PUBLIC)
                                .route("local", "cloud")
                                .batch(Candidate.on("archive")),
                        node("local", 1),
                        cloud("cloud").overflow(true),
                        archive().acceptsRoles("operator"))
                .role(Role.builder("agent")
                        .identities("agent-*")
                        .workloads("*")
                        .capabilities("*")
                        .build())
                .role(operator());
        try (Rig rig = new Rig(policy)) {
            RouteRequest work = asAgent(Rig.WORK);
            rig.place(work);
            assertThat(rig.router.tryPlace(work)).isEmpty();
            assertThat(rig.router.tryPlace(work.priority(Priority.LOW))).isEmpty();
            assertThatThrownBy(() -> rig.router.tryPlace(work.mode(PlacementMode.BATCH)))
                    .isInstanceOf(RoutingException.class);
            assertThat(rig.place(asOps(Rig.WORK).mode(PlacementMode.BATCH)).substrateId())
                    .isEqualTo("archive");
            assertThat(rig.place(asOps(Rig.WORK)).substrateId()).isEqualTo("cloud");
        }
    }

    @Test
    @DisplayName("a substrate that accepts some roles only is never used for others [R58]")
    void acceptedRolesAreKept() {
        try (Rig rig = new Rig(policy(
                node("mirrorforge", 1),
                node("legion", 1).acceptsRoles("operator"),
                agent().adhoc(true).build(),
                operator()))) {
            List<String> tried = new ArrayList<>();
            assertThatThrownBy(() -> rig.router.call(asAgent(dev()).maxWait(seconds(0)), placement -> {
                        tried.add(placement.substrateId());
                        throw new SubstrateFaultException("502");
                    }))
                    .isInstanceOf(SubstrateFaultException.class);
            assertThat(tried).containsExactly("mirrorforge");
            assertThat(rig.lastTrace().attempts())
                    .noneMatch(attempt -> attempt.substrateId().equals("legion"));
            rig.freshen();
            assertThat(rig.place(asAgent(dev()).prefer("legion")).substrateId()).isEqualTo("mirrorforge");
            assertThat(rig.router.tryPlace(asAgent(dev()).prefer("legion"))).isEmpty();
            assertThat(rig.router.placeAll(asAgent(RouteRequest.need(CUDA)))).isEmpty();
            assertThat(rig.place(asOps(dev())).substrateId()).isEqualTo("legion");
        }
    }

    @Test
    @DisplayName("a reload that takes the role away refuses who waits, at once")
    void aReloadThatTakesTheRoleAwayRefusesTheWaiter() {
        Role narrowed = agent().workloads("embed").build();
        try (Rig rig = rig()) {
            rig.place(asOps(dev()));
            rig.place(asOps(dev()));
            CompletableFuture<Placement> agent = rig.router.placeAsync(asAgent(dev()));
            CompletableFuture<Placement> other = rig.router.placeAsync(asAgent(RouteRequest.workload("embed")));
            assertThat(agent).isNotDone();
            assertThat(other).isNotDone();
            rig.router.reload(policy(narrowed, operator()).build());
            assertThat(refusal(agent).reason()).isEqualTo(RefusalReason.NOT_AUTHORIZED);
            assertThat(refusal(agent)).isInstanceOf(NotAuthorizedException.class);
            assertThat(other).as("may still ask").isNotDone();
            rig.router.reload(policy(operator()).build());
            assertThat(refusal(other).reason()).isEqualTo(RefusalReason.NOT_AUTHORIZED);
            assertThat(rig.waiting()).isZero();
        }
    }

    @Test
    @DisplayName("a reload that brings roles refuses who waits without an identity")
    void aReloadThatBringsRolesRefusesTheNameless() {
        try (Rig rig = new Rig(policy())) {
            rig.place(dev());
            rig.place(dev());
            rig.router.cordon("cloud");
            CompletableFuture<Placement> waiter = rig.router.placeAsync(dev());
            assertThat(waiter).isNotDone();
            rig.router.reload(policy(operator()).build());
            assertThat(refusal(waiter).reason()).isEqualTo(RefusalReason.NOT_AUTHORIZED);
        }
    }

    @Test
    @DisplayName("a role that is taken away between two attempts ends the failover")
    void everyAttemptIsAuthorized() {
        try (Rig rig = rig()) {
            List<String> tried = new ArrayList<>();
            assertThatThrownBy(() -> rig.router.call(asAgent(dev()), placement -> {
                        tried.add(placement.substrateId());
                        rig.router.reload(policy(operator()).build());
                        throw new SubstrateFaultException("502");
                    }))
                    .isInstanceOf(SubstrateFaultException.class)
                    .satisfies(failure -> assertThat(failure.getSuppressed())
                            .hasExactlyElementsOfTypes(NotAuthorizedException.class));
            assertThat(tried).hasSize(1);
        }
    }

    private static Rig with(Authorizer authorizer, Role... roles) {
        return new Rig(policy(roles), builder -> builder.authorizer(authorizer));
    }

    @Test
    @DisplayName("a host's authorizer can forbid")
    void anAuthorizerForbids() {
        List<Authorizer.Access> seen = new ArrayList<>();
        Authorizer authorizer = access -> {
            seen.add(access);
            return access.identity().filter("agent-7"::equals).map(identity -> "contract ended");
        };
        try (Rig rig = with(authorizer, agent().build(), operator())) {
            refused(rig, asAgent(dev()));
            seen.clear();
            rig.place(dev().identity("agent-8").priority(Priority.LOW)).close();
            assertThat(seen).isNotEmpty().allSatisfy(access -> {
                assertThat(access.identity()).contains("agent-8");
                assertThat(access.roles()).containsExactly("agent");
                assertThat(access.workload()).contains("flux-dev");
                assertThat(access.priority()).isEqualTo(Priority.LOW);
                assertThat(access.need().privacy()).contains(Trust.PUBLIC);
            });
            seen.clear();
            rig.place(asOps(RouteRequest.need(CUDA))).close();
            assertThat(seen).isNotEmpty().allSatisfy(access -> {
                assertThat(access.workload()).isEmpty();
                assertThat(access.need()).isEqualTo(CUDA);
            });
        }
    }

    @Test
    @DisplayName("an authorizer that allows everything allows nothing that the roles forbid")
    void anAuthorizerCannotAllow() {
        AtomicInteger asked = new AtomicInteger();
        Authorizer yes = access -> {
            asked.incrementAndGet();
            return Optional.empty();
        };
        try (Rig rig = with(yes, agent().build())) {
            refused(rig, dev());
            refused(rig, asAgent(dev().priority(Priority.HIGH)));
        }
    }

    @Test
    @DisplayName("an authorizer that throws forbids, and hurts nobody else")
    void anAuthorizerThatThrowsForbids() {
        Authorizer broken = access -> {
            if (access.identity().isEmpty()) {
                throw new IllegalStateException("directory of mirrorforge and legion is down");
            }
            return Optional.empty();
        };
        try (Rig rig = with(broken)) {
            refused(rig, dev());
            rig.place(dev().identity("somebody")).close();
        }
        Authorizer worse = access -> {
            throw new AssertionError("not even an exception");
        };
        try (Rig rig = with(worse)) {
            refused(rig, dev());
        }
    }

    @Test
    @DisplayName("the authorizer is asked on every attempt")
    void theAuthorizerIsAskedOnEveryAttempt() {
        AtomicInteger attempts = new AtomicInteger();
        Authorizer once = access -> attempts.get() > 0 ? Optional.of("only once") : Optional.empty();
        try (Rig rig = with(once)) {
            assertThatThrownBy(() -> rig.router.call(dev(), placement -> {
                        attempts.incrementAndGet();
                        throw new SubstrateFaultException("502");
                    }))
                    .isInstanceOf(SubstrateFaultException.class);
            assertThat(attempts).hasValue(1);
            CompletableFuture<String> later = rig.router.callAsync(dev(), placement -> {
                throw new AssertionError("must not run");
            });
            assertThat(refusal(later).reason()).isEqualTo(RefusalReason.NOT_AUTHORIZED);
        }
    }

    @Test
    @DisplayName("the capabilities of a role compare as all capabilities do")
    void theCapabilitiesOfARoleCompareAsAllDo() {
        Role role = agent().adhoc(true).capabilities("Large_Bar", "CUDA").build();
        try (Rig rig = new Rig(policy(role))) {
            rig.place(asAgent(RouteRequest.need(
                            Need.builder().capabilities("large bar", "cuda").build())))
                    .close();
            rig.place(asAgent(RouteRequest.workload("bar"))).close();
        }
    }

    @Test
    @DisplayName("a pin to a substrate that does not accept the role is never placed, and is refused at once")
    void aPinThatDoesNotAcceptTheRoleIsRefused() {
        Policy.Builder policy = policy(
                        node("mirrorforge", 1),
                        node("legion", 1).acceptsRoles("operator"),
                        agent().workloads("*").build(),
                        operator())
                .workload(Workload.builder("pinned").pin("legion").build());
        try (Rig rig = new Rig(policy)) {
            RouteRequest pinned = RouteRequest.workload("pinned");
            assertThatThrownBy(() -> rig.router.tryPlace(asAgent(pinned))).isInstanceOf(RoutingException.class);
            assertThat(rig.router.placeAsync(asAgent(pinned))).isCompletedExceptionally();
            assertThat(rig.place(asOps(pinned)).substrateId()).isEqualTo("legion");
        }
    }

    @Test
    @DisplayName("an external substrate is closed by what it is, however far it is trusted")
    void anExternalSubstrateIsClosedByItsKind() {
        Policy.Builder policy = Plan.policy(
                        Plan.work().route("cloud", "local"), cloud("cloud").trust(Trust.CONTROLLED), node("local", 1))
                .role(agent().workloads("work").build());
        try (Rig rig = new Rig(policy)) {
            assertThat(rig.place(asAgent(Rig.WORK)).substrateId()).isEqualTo("local");
            assertThat(rig.router.tryPlace(asAgent(Rig.WORK))).isEmpty();
        }
    }

    @Test
    @DisplayName("whoever may not ask for a workload cannot learn whether there is one")
    void unknownAndForbiddenWorkloadsLookAlike() {
        try (Rig rig = rig()) {
            NotAuthorizedException unknown =
                    refused(() -> rig.router.tryPlace(asAgent(RouteRequest.workload("nothing-known"))));
            NotAuthorizedException forbidden = catchThrowableOfType(
                    NotAuthorizedException.class,
                    () -> rig.router.tryPlace(asAgent(RouteRequest.workload("secret-plans"))));
            assertThat(forbidden.getMessage().replace("secret-plans", "nothing-known"))
                    .isEqualTo(unknown.getMessage());
        }
    }
}
