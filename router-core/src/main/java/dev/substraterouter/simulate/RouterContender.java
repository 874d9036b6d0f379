package dev.substraterouter.simulate;

import dev.substraterouter.BackpressureException;
import dev.substraterouter.Placement;
import dev.substraterouter.RoutingException;
import dev.substraterouter.SubstrateFaultException;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.model.PlacementMode;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.Workload;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The router itself, as a host uses it: live requests by {@code callAsync}, with its failover; those that may take a workload's batch path
 * by {@code placeAsync}. Requests go to the routers in turn.
 */
final class RouterContender implements Contender {
    private final UnaryOperator<SubstrateRouter.Builder> options;
    private final List<SubstrateRouter> routers = new ArrayList<>();
    private final Map<Long, Pending> pending = new HashMap<>();
    private @Nullable World world;
    private int waiting;

    RouterContender(UnaryOperator<SubstrateRouter.Builder> options) {
        this.options = options;
    }

    @Override
    public String name() {
        return "router";
    }

    List<SubstrateRouter> routers() {
        return List.copyOf(routers);
    }

    @Override
    public void begin(World running) {
        world = running;
        for (int number = 0; number < running.scenario().routers(); number++) {
            SubstrateRouter.Builder builder = options.apply(SubstrateRouter.builder()
                    .policy(running.policy().withoutNetwork())
                    .name("router-" + number)
                    .recentTraces(0)
                    .log(false));
            routers.add(builder.statusSource(running.statuses(number))
                    .timeSource(running.time())
                    .executor(running.executor())
                    .seed(running.scenario().seed() * 1_000 + number)
                    .build());
        }
    }

    private World world() {
        if (world == null) {
            throw new IllegalStateException("not begun");
        }
        return world;
    }

    /** One request on its way. */
    private final class Pending {
        final SimulatedRequest request;
        final int router;
        boolean waits = true;
        String substrate = "";

        private Runnable withdraw = () -> {};

        Pending(SimulatedRequest request, int router) {
            this.request = request;
            this.router = router;
            waiting++;
        }

        void waits(boolean now) {
            waiting += now == waits ? 0 : now ? 1 : -1;
            waits = now;
        }

        /** The router holds the placement, and tries again elsewhere. */
        void call(SubstrateRouter router) {
            CompletableFuture<Boolean> call = router.callAsync(request.request(), this::work);
            withdraw = () -> call.cancel(true);
            call.whenComplete((answer, failure) -> over(failure));
        }

        /** The host holds the placement itself. */
        void seek(SubstrateRouter router) {
            CompletableFuture<Placement> seeking = router.placeAsync(request.request());
            withdraw = () -> seeking.cancel(true);
            seeking.thenCompose(this::hold).whenComplete((answer, failure) -> over(failure));
        }

        private CompletionStage<Boolean> hold(Placement placement) {
            CompletableFuture<Boolean> stage = work(placement);
            withdraw = () -> stage.cancel(true);
            return stage.whenComplete((done, failure) -> {
                if (failure == null) {
                    placement.succeed();
                } else {
                    placement.fail(failure);
                }
            });
        }

        private CompletableFuture<Boolean> work(Placement placement) {
            waits(false);
            substrate = placement.substrateId();
            CompletableFuture<Boolean> stage = new CompletableFuture<>();
            Runnable stopWork = world().start(request, substrate, router, end -> {
                Throwable failure = failure(end);
                if (failure == null) {
                    stage.complete(true);
                } else {
                    waits(true); // until the next attempt begins or the request ends
                    stage.completeExceptionally(failure);
                }
            });
            stage.whenComplete((done, failure) -> {
                if (stage.isCancelled()) {
                    stopWork.run();
                }
            });
            return stage;
        }

        void over(@Nullable Throwable told) {
            waits(false);
            pending.remove(request.number());
            Throwable failure = told instanceof CompletionException wrapped && wrapped.getCause() != null
                    ? wrapped.getCause()
                    : told;
            if (failure == null) {
                world().served(request, substrate);
            } else if (failure instanceof RoutingException refusal) {
                world().refused(request, refusal.reason().name().toLowerCase(Locale.ROOT));
            } else {
                world().failed(request, failure.getClass().getSimpleName());
            }
        }
    }

    @Override
    public void arrived(SimulatedRequest request) {
        int number = (int) (request.number() % routers.size());
        SubstrateRouter router = routers.get(number);
        Pending one = new Pending(request, number);
        pending.put(request.number(), one);
        if (mayTakeBatchPath(request)) {
            one.seek(router);
        } else {
            one.call(router);
        }
    }

    /** Only what is batch work, or may become it while it is of low priority: everything else is called, with failover. */
    private boolean mayTakeBatchPath(SimulatedRequest request) {
        RouteRequest asked = request.request();
        boolean mayBe = asked.mode() == PlacementMode.BATCH
                || (asked.mode() == PlacementMode.EITHER
                        && asked.priority().filter(Priority.LOW::equals).isPresent());
        return mayBe
                && world().policy()
                        .workload(request.workload())
                        .flatMap(Workload::batch)
                        .isPresent();
    }

    @Override
    public void hungUp(SimulatedRequest request) {
        Pending one = pending.get(request.number());
        if (one != null) {
            one.withdraw.run();
        }
    }

    private static @Nullable Throwable failure(WorkEnd end) {
        return switch (end.kind()) {
            case DONE -> null;
            case REFUSED, OUT_OF_MEMORY -> new BackpressureException(end.retryAfter(), end.status());
            case NOT_REACHED -> new ConnectException("connection refused");
            case NODE_FAILED -> new SubstrateFaultException("the node failed");
            case GIVEN_UP -> new TimeoutException("no answer in time");
        };
    }

    @Override
    public int waiting() {
        return waiting;
    }

    @Override
    public void end() {
        routers.forEach(SubstrateRouter::close);
    }
}
