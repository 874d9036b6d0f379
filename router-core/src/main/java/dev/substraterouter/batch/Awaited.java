package dev.substraterouter.batch;

import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The ends that somebody waits for: for each job the futures of who has asked for its result and not given
 * it up. A run on this dispatcher tells of its end
 * itself; of the others the store is asked in turn, a share of them at each tick. Thread-safe.
 */
final class Awaited {
    private static final int LEAST_PER_TURN = 64;
    private static final int SHARE_PER_TURN = 4;

    private final BatchQueue queue;
    private final Crew crew;
    /** By job and by the number of the call. The inner maps are changed inside the map's own steps alone, and belong to whoever has removed them. */
    private final Map<String, Map<Long, CompletableFuture<byte[]>>> futures = new ConcurrentHashMap<>();

    private final AtomicLong calls = new AtomicLong();
    /** Whose turn it is; touched by {@link #askSome} alone, which runs once at a time. */
    private Iterator<String> turn = Collections.emptyIterator();

    private int left;

    Awaited(BatchQueue queue, Crew crew) {
        this.queue = queue;
        this.crew = crew;
    }

    /** A future of the caller's own. The store is asked soon, in case the job has ended already. */
    CompletableFuture<byte[]> result(String id) {
        CompletableFuture<byte[]> own = new CompletableFuture<>();
        long call = calls.incrementAndGet();
        futures.compute(id, (unused, others) -> {
            Map<Long, CompletableFuture<byte[]>> all = others == null ? new LinkedHashMap<>() : others;
            all.put(call, own);
            return all;
        });
        own.whenComplete((result, failure) -> givenUp(id, call));
        crew.clerk(() -> ask(id, crew::onExecutor));
        return own;
    }

    private void givenUp(String id, long call) {
        futures.computeIfPresent(id, (unused, others) -> {
            others.remove(call);
            return others.isEmpty() ? null : others;
        });
    }

    void succeeded(String id, byte[] result) {
        settle(id, future -> future.complete(result.clone()));
    }

    /** How many jobs somebody waits for. */
    int waiting() {
        return futures.size();
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

    /** Asks the store of some of those whose turn it is; true when there are more. */
    boolean askSome() {
        if (left == 0) {
            left = LEAST_PER_TURN + futures.size() / SHARE_PER_TURN;
            if (!turn.hasNext()) {
                turn = futures.keySet().iterator();
            }
        }
        for (int n = 0; n < LEAST_PER_TURN && left > 0 && turn.hasNext(); n++, left--) {
            ask(turn.next(), crew::onExecutor);
        }
        if (!turn.hasNext()) {
            left = 0;
        }
        return left > 0;
    }

    /** Lets those go of whose end nobody here will hear any more; those that have ended already are still told. */
    void sweep(Predicate<String> runsHere) {
        List<String> go = futures.keySet().stream().filter(runsHere.negate()).toList();
        if (!go.isEmpty() && !crew.tell(() -> go.forEach(this::letGo))) {
            go.forEach(this::gone); // nobody is there to ask the store, and who closes is not kept waiting
        }
    }

    private void letGo(String id) {
        ask(id, Runnable::run);
        gone(id);
    }

    private void ask(String id, Executor on) {
        try {
            tell(id, on);
        } catch (RuntimeException | Error down) {
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

    private void gone(String id) {
        gone(id, "the dispatcher was closed before it ended; it stays in the store");
    }

    private void gone(String id, String why) {
        settle(id, future -> future.completeExceptionally(new BatchGoneException(id, why)));
    }

    private void settle(String id, Consumer<CompletableFuture<byte[]>> how) {
        Map<Long, CompletableFuture<byte[]>> all = futures.remove(id);
        if (all != null) {
            all.values().forEach(how);
        }
    }
}
