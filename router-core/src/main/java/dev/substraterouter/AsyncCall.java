package dev.substraterouter;

import dev.substraterouter.internal.decide.Ask;
import dev.substraterouter.model.FaultKind;
import dev.substraterouter.model.RouteRequest;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One {@link SubstrateRouter#callAsync}: as {@link Failover}, with stages.
 *
 * <p><b>How the races end.</b> A lease ends when the work's stage ends, whatever the caller does with the future; so the count stays true
 * when the caller stops waiting. Cancelling the future withdraws the waiter or cancels the stage: whichever of cancelling and starting
 * comes second sees the other, since each writes its own field before it reads the other's.
 */
final class AsyncCall<T> {
    private final Engine engine;
    private final Failover failover;
    private final RouteRequest request;
    private final AsyncWork<T> work;
    private final Journey journey;
    private final CompletableFuture<T> result = new CompletableFuture<>();
    private volatile @Nullable CompletableFuture<Placement> seeking;
    private volatile @Nullable CompletionStage<T> running;

    AsyncCall(Engine engine, Failover failover, RouteRequest request, AsyncWork<T> work) {
        this.engine = engine;
        this.failover = failover;
        this.request = request;
        this.work = work;
        this.journey = engine.beginCall(request);
    }

    CompletableFuture<T> start() {
        result.whenComplete((answer, failure) -> {
            if (result.isCancelled()) {
                cancelled();
            } else if (failure != null) {
                withdraw(); // completed by somebody else, such as a timeout: nobody waits for a place any more
            }
        });
        seek(journey.ask(), null);
        return result;
    }

    private void seek(Ask ask, @Nullable Throwable before) {
        if (result.isDone()) {
            journey.end(); // the caller has gone since the last attempt
            return;
        }
        CompletableFuture<Placement> future = engine.placing().placeAsync(journey, ask, true);
        seeking = future;
        if (result.isDone()) {
            future.cancel(false);
        }
        future.whenComplete((placement, refusal) -> {
            if (placement != null) {
                run((HeldPlacement) placement, ask);
            } else if (!future
                    .isCancelled()) { // who was withdrawn is ended by the queue, which knows how long it has waited
                finish(unplaced(before, refusal));
            }
        });
    }

    private void run(HeldPlacement placement, Ask ask) {
        if (result.isDone()) {
            placement.close(); // given up while it was placed: nobody waits for the work
            journey.end();
            return;
        }
        CompletionStage<T> stage;
        try {
            stage = Objects.requireNonNull(work.start(placement), "AsyncWork.start returned null (expected: a stage)");
        } catch (Throwable t) {
            if (t instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            failed(placement, ask, t);
            return;
        }
        running = stage;
        listen(stage, placement, ask);
        if (result.isCancelled()) {
            cancel(stage);
        }
    }

    @SuppressWarnings("CatchingUnchecked") // the stage is foreign code
    private void listen(CompletionStage<T> stage, HeldPlacement placement, Ask ask) {
        try {
            stage.whenComplete((answer, failure) -> {
                if (failure == null) {
                    placement.succeed();
                    journey.end();
                    result.complete(answer);
                } else {
                    failed(placement, ask, failure);
                }
            });
        } catch (RuntimeException | Error broken) {
            failed(placement, ask, broken);
        }
    }

    /** What a stage failed with, without the wrapper that stages put around it. */
    @SuppressWarnings("CatchingUnchecked") // a failure that cannot tell its cause must not keep a lease from ending
    private static Throwable cause(Throwable told) {
        try {
            Throwable cause = told instanceof CompletionException ? told.getCause() : null;
            return cause == null ? told : cause;
        } catch (Throwable unspeakable) {
            return told;
        }
    }

    private void failed(HeldPlacement placement, Ask ask, Throwable told) {
        Throwable t = cause(told);
        FaultKind kind = placement.failed(t, result.isCancelled());
        if (result.isDone() || !Failover.goesOn(kind, placement, request)) {
            finish(t);
            return;
        }
        Ask next = failover.after(ask, kind, placement, t);
        engine.execute(() -> seek(next, t));
    }

    private void finish(Throwable t) {
        journey.end();
        result.completeExceptionally(t);
    }

    private static Throwable unplaced(@Nullable Throwable before, Throwable refusal) {
        if (before == null) {
            return refusal;
        }
        before.addSuppressed(refusal);
        return before;
    }

    private void cancelled() {
        withdraw();
        CompletionStage<T> stage = running;
        if (stage != null) {
            cancel(stage);
        }
    }

    private void withdraw() {
        CompletableFuture<Placement> future = seeking;
        if (future != null) {
            future.cancel(false);
        }
    }

    private static void cancel(CompletionStage<?> stage) {
        try {
            stage.toCompletableFuture().cancel(true);
        } catch (Throwable cannot) { // the stage is foreign code
            Log.debug("the work's stage cannot be cancelled; its lease is held until it ends", cannot);
        }
    }
}
