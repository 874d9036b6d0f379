package dev.substraterouter.cases;

import static dev.substraterouter.cases.Plan.cloud;
import static dev.substraterouter.cases.Plan.node;
import static dev.substraterouter.cases.Plan.seconds;
import static dev.substraterouter.cases.Rig.WORK;
import static dev.substraterouter.cases.Rig.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.substraterouter.NoEligibleSubstrateException;
import dev.substraterouter.NotAuthorizedException;
import dev.substraterouter.Placement;
import dev.substraterouter.RouterClosedException;
import dev.substraterouter.RoutingException;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.model.Need;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.model.Trust;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.Operation;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Role;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.testkit.HandDrivenTime;
import dev.substraterouter.testkit.Statuses;
import dev.substraterouter.trace.Considered;
import dev.substraterouter.trace.Reason;
import dev.substraterouter.trace.RefusalReason;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is told to whom, what foreign code may do meanwhile, and what is kept. */
@ExtendWith(QuietLog.class)
@Timeout(60)
class AccessAndBoundsEdgesTest {
    // memory that is left over

    private static RouteRequest need(String capability) {
        return RouteRequest.need(
                Need.builder().capabilities(capability).vramGb(20).build());
    }

    /** A router whose one card holds what an ended job for a need of capability {@code a} may have left. */
    private static Rig leftOver() {
        Rig rig = new Rig(Plan.policy()
                .substrate(node("v100", 2).vramGb(24).capabilities("a", "b").build()));
        Placement first = rig.place(need("a"));
        rig.time.advance(seconds(5));
        rig.router.reportStatus(
                "v100", Statuses.healthy(24).vramUsedGb(20).runningJobs(1).build());
        first.succeed();
        return rig;
    }

    @Test
    @DisplayName("what a job for one need has left in memory is no credit for another need")
    void differentNeedsShareNoCredit() {
        try (Rig rig = leftOver()) {
            assertThat(rig.router.recommend(need("b")).best()).isEmpty();
            assertThat(rig.router.tryPlace(need("b"))).isEmpty();
            CompletableFuture<Placement> waiter = rig.router.placeAsync(need("b"));
            assertThat(waiter).isNotDone();
            rig.healthy("v100");
            assertThat(waiter).isCompleted();
        }
        try (Rig rig = leftOver()) {
            assertThat(rig.place(need("a")).substrateId()).isEqualTo("v100");
        }
    }

    // a router that is closed meanwhile

    @Test
    @DisplayName("a broadcast during which the router is closed is refused, and holds nothing")
    void aBroadcastMeetsTheEnd() {
        AtomicReference<SubstrateRouter> closing = new AtomicReference<>();
        Policy.Builder policy = Rig.pool(2, "a", "b");
        try (Rig rig = new Rig(
                policy,
                builder -> builder.authorizer(access -> {
                    SubstrateRouter router = closing.getAndSet(null);
                    if (router != null) {
                        router.close();
                    }
                    return Optional.empty();
                }))) {
            rig.router.placeAll(WORK).forEach(Placement::succeed);
            closing.set(rig.router);
            assertThatThrownBy(() -> rig.router.placeAll(WORK)).isInstanceOf(RouterClosedException.class);
            assertThat(closing.get()).as("was closed").isNull();
            assertThat(rig.leases()).isZero();
            assertThatThrownBy(() -> rig.router.placeAll(WORK)).isInstanceOf(RouterClosedException.class);
            assertThat(rig.leases()).isZero();
        }
    }

    @Test
    @DisplayName("a broadcast beside waiters during which the router is closed refuses them all, and holds nothing")
    void aBroadcastBesideWaitersMeetsTheEnd() {
        AtomicReference<SubstrateRouter> closing = new AtomicReference<>();
        try (Rig rig = new Rig(
                Rig.pool(1, "a", "b"),
                builder -> builder.authorizer(access -> {
                    SubstrateRouter router = closing.getAndSet(null);
                    if (router != null) {
                        router.close();
                    }
                    return Optional.empty();
                }))) {
            Placement running = rig.place();
            CompletableFuture<Placement> waiter = rig.router.placeAsync(WORK.avoid("b"));
            assertThat(waiter).isNotDone();
            closing.set(rig.router);
            assertThatThrownBy(() -> rig.router.placeAll(WORK)).isInstanceOf(RouterClosedException.class);
            assertThat(refusal(waiter).reason()).isEqualTo(RefusalReason.CLOSED);
            assertThat(rig.leases()).as("what was placed before").isEqualTo(1);
            running.succeed();
            assertThat(rig.leases()).isZero();
        }
    }

    // roles

    private static Policy.Builder secrets(Workload.Builder work) {
        return Plan.policy(
                        work.privacy(Trust.CONTROLLED)
                                .capabilities("cuda")
                                .maxCost(0.01)
                                .minQuality(0.9),
                        node("legion", 1)
                                .capabilities("quantum-leap")
                                .trust(Trust.PUBLIC)
                                .costPerHour(4711)
                                .acceptsRoles("operator"),
                        cloud("cloud").capabilities("quantum-leap").costPerHour(4711))
                .role(Role.builder("agent")
                        .identities("agent-*")
                        .workloads("*")
                        .capabilities("*")
                        .adhoc(true)
                        .build())
                .role(Role.builder("operator")
                        .identities("ops-*")
                        .workloads("*")
                        .capabilities("*")
                        .build());
    }

    private static void tellsOnlyOfTheRole(RoutingException refusal) {
        assertThat(refusal.trace().considered()).isNotEmpty().allSatisfy(AccessAndBoundsEdgesTest::tellsOnlyOfTheRole);
        assertThat(refusal.getMessage().toLowerCase(Locale.ROOT))
                .doesNotContain("quantum", "leap", "4711", "trust", "cost", "quality", "lacks");
    }

    private static void tellsOnlyOfTheRole(Considered considered) {
        assertThat(considered.findings()).singleElement().satisfies(finding -> {
            assertThat(finding.reason()).isEqualTo(Reason.ROLE);
            assertThat(finding.text()).isIn("role agent is not accepted", "role agent may not use external substrates");
        });
    }

    @Test
    @DisplayName("a substrate that does not accept the role, or is external, tells nothing else of itself")
    void aForbiddenSubstrateTellsNothingOfItself() {
        for (Workload.Builder work : List.of(
                Plan.work().route("legion", "cloud"),
                Plan.work().route("cloud"),
                Plan.work().pin("legion"),
                Plan.work())) {
            try (Rig rig = new Rig(secrets(work))) {
                RouteRequest request = WORK.identity("agent-7");
                tellsOnlyOfTheRole(
                        catchThrowableOfType(NoEligibleSubstrateException.class, () -> rig.router.tryPlace(request)));
                tellsOnlyOfTheRole(refusal(rig.router.placeAsync(request)));
                tellsOnlyOfTheRole(
                        catchThrowableOfType(NoEligibleSubstrateException.class, () -> rig.router.placeAll(request)));
                tellsOnlyOfTheRole(
                        catchThrowableOfType(NoEligibleSubstrateException.class, () -> rig.router.recommend(request)));
            }
        }
    }

    @Test
    @DisplayName("nor does it beside one that is busy, or in a recommendation")
    void aForbiddenSubstrateTellsNothingBesideOthers() {
        Policy.Builder policy = secrets(Plan.work()
                        .route(
                                Candidate.on("legion"),
                                Candidate.builder("local")
                                        .quality(1)
                                        .costPerJob(0)
                                        .build()))
                .substrate(node("local", 1).capabilities("cuda").build());
        try (Rig rig = new Rig(policy)) {
            RouteRequest request = WORK.identity("agent-7");
            assertThat(rig.router.recommend(request).explain().toLowerCase(Locale.ROOT))
                    .contains("local")
                    .doesNotContain("quantum", "leap", "4711", "trust", "quality", "lacks");
            assertThat(rig.place(request).substrateId()).isEqualTo("local");
            RoutingException refusal = refusal(rig.router.placeAsync(request.maxWait(seconds(0))));
            assertThat(refusal.reason()).isEqualTo(RefusalReason.NO_WAIT);
            assertThat(refusal.getMessage()).doesNotContain("quantum", "leap", "4711", "trust", "quality", "lacks");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "   ", "\t", "\n", " \t\r\n", "\u2003"})
    @DisplayName("an identity of blank text has no role, not even that of everybody")
    void aBlankIdentityHasNoRole(String blank) {
        Policy.Builder policy = Plan.policy(Plan.work().route("local"), node("local", 1))
                .role(Role.builder("everybody")
                        .identities("*", " ", "\t", "**")
                        .workloads("*")
                        .capabilities("*")
                        .adhoc(true)
                        .maxPriority(Priority.HIGH)
                        .operate(Operation.values())
                        .build());
        try (Rig rig = new Rig(policy)) {
            assertThatThrownBy(() -> rig.router.tryPlace(WORK.identity(blank)))
                    .isInstanceOf(NotAuthorizedException.class);
            assertThat(refusal(rig.router.placeAsync(WORK.identity(blank))).reason())
                    .isEqualTo(RefusalReason.NOT_AUTHORIZED);
            assertThat(Operation.values()).noneMatch(operation -> rig.router.mayOperate(blank, operation));
            assertThat(Operation.values()).allMatch(operation -> rig.router.mayOperate("x", operation));
            assertThat(rig.place(WORK.identity("x")).substrateId()).isEqualTo("local");
        }
    }

    // failures that cannot be told

    private enum Unspeakable {
        NULL_TEXT {
            @Override
            Exception failure() {
                return new RuntimeException("no words") {
                    private static final long serialVersionUID = 1;

                    @Override
                    public String toString() {
                        return null;
                    }
                };
            }
        },
        BROKEN_TEXT {
            @Override
            Exception failure() {
                return new RuntimeException("no words") {
                    private static final long serialVersionUID = 1;

                    @Override
                    public String toString() {
                        throw new IllegalStateException("toString is broken");
                    }
                };
            }
        },
        BROKEN_MESSAGE {
            @Override
            Exception failure() {
                return new RuntimeException("no words") {
                    private static final long serialVersionUID = 1;

                    @Override
                    public String getMessage() {
                        throw new StackOverflowError("getMessage is broken");
                    }
                };
            }
        },
        NULL_TEXT_OF_THE_SUBSTRATE {
            @Override
            Exception failure() {
                return new IOException("no words") {
                    private static final long serialVersionUID = 1;

                    @Override
                    public String toString() {
                        return null;
                    }
                };
            }
        },
        BROKEN_TEXT_OF_THE_SUBSTRATE {
            @Override
            Exception failure() {
                return new IOException("no words") {
                    private static final long serialVersionUID = 1;

                    @Override
                    public String toString() {
                        throw new IllegalStateException("toString is broken");
                    }
                };
            }
        };

        abstract Exception failure();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("a failure that cannot say what it is reaches the caller, and its lease ends")
    void anUnspeakableFailureReachesTheCaller(Unspeakable kind) {
        Exception failure = kind.failure();
        try (Rig rig = new Rig(Rig.pool(1, "a"))) {
            AtomicInteger tried = new AtomicInteger();
            Throwable caught = catchThrowable(() -> rig.router.call(WORK.maxWait(seconds(0)), placement -> {
                tried.incrementAndGet();
                throw failure;
            }));
            // compared without words: an assertion that fails would have to tell it
            assertThat(caught == failure).as("the failure itself").isTrue();
            assertThat(tried).hasValue(1);
            rig.healthy("a"); // what a failed placement left running is over
            assertThat(rig.leases()).isZero();
            assertThat(rig.traces()).hasSize(1);
            assertThat(rig.place().substrateId()).isEqualTo("a");
        }
    }

    // what is kept

    private static Need longNeed(int number) {
        String[] names = new String[60];
        for (int at = 0; at < names.length; at++) {
            names[at] = "n" + number + "-" + at + "-" + "x".repeat(200);
        }
        return Need.builder().capabilities(names).build();
    }

    @Test
    @DisplayName("needs that nobody can serve are not kept")
    void needsThatNobodyCanServeAreNotKept() {
        int many = 3_000;
        List<WeakReference<Need>> needs = new ArrayList<>();
        Policy policy = Rig.pool(1, "a", "b").build();
        try (SubstrateRouter router = SubstrateRouter.builder()
                .policy(policy)
                .timeSource(new HandDrivenTime())
                .executor(Runnable::run)
                .recentTraces(10)
                .build()) {
            for (int number = 0; number < many; number++) {
                Need need = longNeed(number);
                needs.add(new WeakReference<>(need));
                assertThatThrownBy(() -> router.tryPlace(RouteRequest.need(need)))
                        .isInstanceOf(NoEligibleSubstrateException.class);
            }
            assertThat(kept(needs)).as("of %d", many).isLessThan(100);
            assertThat(router.recentTraces()).as("still in use").hasSize(10);
        }
    }

    /** How many are still reachable after the collector has had a few chances. */
    private static long kept(List<WeakReference<Need>> needs) {
        long kept = needs.size();
        for (int tried = 0; tried < 10 && kept >= 100; tried++) {
            System.gc();
            kept = needs.stream().filter(need -> need.get() != null).count();
        }
        return kept;
    }
}
