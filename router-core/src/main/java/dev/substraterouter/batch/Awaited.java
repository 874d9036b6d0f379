package dev.substraterouter.batch;

import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The ends that somebody waits for: one future for each job somebody has asked the result of. A run on this dispatcher tells of its end
 * itself; of the others the store is asked in turn, a share of them at each tick. Thread-safe.
 */
final class Awaited {
    private static final int LEAST_PER_TURN = 64;
    private static final int SHARE_PER_TURN = 4;

    private final BatchQueue queue;
    private final Crew crew;
    private final Map<String, CompletableFuture<byte[]>> futures = new ConcurrentHashMap<>();
    /** Whose turn it is; touched by {@link #askAround} alone, which runs once at a time. */
    private Iterator<String> turn = Collections.emptyIterator();

    Awaited(BatchQueue queue, Crew crew) {
        this.queue = queue;
        this.crew = crew;
    }

    /** A future of the caller's own. The store is asked soon, in case the job has ended already. */
    CompletableFuture<byte[]> result(String id) {
        CompletableFuture<byte[]> own = new CompletableFuture<>();
        futures.computeIfAbsent(id, unused -> new CompletableFuture<>()).whenComplete((result, failure) -> {
            if (failure != null) {
                own.completeExceptionally(failure);
            } else {
                own.complete(result.clone());
            }
        });
        crew.clerk(() -> ask(id, crew::onExecutor));
        return own;
    }

    void succeeded(String id, byte[] result) {
        settle(id, future -> future.complete(result));
    }

    /** Its end is in the store; told on this thread. */
    void ended(String id) {
        if (futures.containsKey(id)) {
            ask(id, Runnable::run);
        }
    }

    void cancelled(String id) {
        settle(id, future -> future.completeExceptionally(new BatchCancelledException(id)));
    }

    /** Asks the store of those whose turn it is. */
    void askAround() {
        if (!turn.hasNext()) {
            turn = futures.keySet().iterator();
        }
        int most = LEAST_PER_TURN + futures.size() / SHARE_PER_TURN;
        for (int n = 0; n < most && turn.hasNext(); n++) {
            ask(turn.next(), crew::onExecutor);
        }
    }

    /** Lets those go of whose end nobody here will hear any more; those that have ended already are still told. */
    void sweep(Predicate<String> runsHere) {
        for (String id : futures.keySet()) {
            if (!runsHere.test(id)) {
                crew.onExecutor(() -> letGo(id));
            }
        }
    }

    private void letGo(String id) {
        ask(id, Runnable::run);
        gone(id, "the dispatcher was closed before it ended; it stays in the store");
    }

    private void ask(String id, Executor on) {
        try {
            tell(id, on);
        } catch (RuntimeException down) {
            BatchLog.warning("the batch store did not say how job " + id + " stands", down);
        }
    }

    private void tell(String id, Executor on) {
        BatchReport report = queue.find(id).orElse(null);
        if (report == null) {
            on.execute(() -> gone(id, "the store does not know it, or does not keep it any more"));
        } else if (report.state() == BatchState.SUCCEEDED) {
            byte[] result = queue.result(id).orElse(null);
            if (result != null) { // else it left the store just now, which the next look will say
                on.execute(() -> succeeded(id, result));
            }
        } else if (report.state() == BatchState.DEAD) {
            on.execute(() -> dead(id, report.reasons()));
        } else if (report.state() == BatchState.CANCELLED) {
            on.execute(() -> cancelled(id));
        }
    }

    private void dead(String id, List<String> reasons) {
        settle(id, future -> future.completeExceptionally(new BatchDeadException(id, reasons)));
    }

    private void gone(String id, String why) {
        settle(id, future -> future.completeExceptionally(new BatchGoneException(id, why)));
    }

    private void settle(String id, Consumer<CompletableFuture<byte[]>> how) {
        CompletableFuture<byte[]> future = futures.remove(id);
        if (future != null) {
            how.accept(future);
        }
    }
}
