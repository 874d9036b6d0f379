package dev.substraterouter;

import dev.substraterouter.internal.admission.LedgerState;
import dev.substraterouter.internal.decide.Cell;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * What people do to a running router: cordon, drain, reset, kick. Thread-safe; never blocks.
 *
 * <p><b>How the races end.</b> A cordon carries who set it; a kick lifts only its own, so an operator's cordon set meanwhile stays. Drain
 * against the last lease: who drains is written down before the leases are counted, and who ends a lease looks for drainers after; one of
 * the two sees the other.
 */
final class Operators {
    private static final Object BY_OPERATOR = new Object();

    private final Engine engine;
    private final @Nullable SubstrateOperator operator;
    /** Who waits for a cell to be free of leases. */
    private final Map<Cell, List<CompletableFuture<Void>>> draining = new ConcurrentHashMap<>();

    private final Map<Cell, Kicks> kicks = new ConcurrentHashMap<>();

    Operators(Engine engine, @Nullable SubstrateOperator operator) {
        this.engine = engine;
        this.operator = operator;
    }

    void cordon(String id) {
        cell(id).changeGate(gate -> gate.cordoned(BY_OPERATOR));
        changed(); // whoever waits for this one rather than take another is looked at
    }

    void uncordon(String id) {
        cell(id).changeGate(gate -> gate.uncordoned(null));
        changed();
    }

    CompletableFuture<Void> drain(String id) {
        Cell cell = cell(id);
        cell.changeGate(gate -> gate.cordoned(BY_OPERATOR));
        changed();
        return free(cell);
    }

    void reset(String id) {
        Cell cell = cell(id);
        cell.changeGate(gate -> gate.reset(id));
        engine.observers().drain(cell);
        engine.intake().refresh(id);
        changed();
    }

    CompletableFuture<Void> kick(String id) {
        Cell cell = cell(id);
        SubstrateOperator host = operator;
        if (host == null) {
            return CompletableFuture.failedFuture(new IllegalStateException(
                    "no SubstrateOperator was given to the router's builder, so '" + id + "' cannot be kicked"));
        }
        begun(cell);
        changed();
        CompletableFuture<Void> done = new CompletableFuture<>();
        engine.execute(() -> {
            try {
                restart(host, id)
                        .thenCompose(up -> freeWithin(cell))
                        .whenComplete((free, failure) -> kicked(cell, id, failure, done));
            } catch (Throwable broken) { // the host's stage is foreign code
                kicked(cell, id, broken, done);
            }
        });
        return done;
    }

    /** Takes a cell out, if nobody has, for as long as one of its kicks is under way. */
    private void begun(Cell cell) {
        kicks.compute(cell, (key, running) -> {
            Kicks all = running == null ? new Kicks() : running;
            all.count++;
            cell.changeGate(gate -> gate.cordonedUnless(BY_OPERATOR, all));
            return all;
        });
    }

    private void ended(Cell cell) {
        kicks.computeIfPresent(cell, (key, running) -> {
            if (--running.count > 0) {
                return running;
            }
            cell.changeGate(gate -> gate.uncordoned(running));
            return null;
        });
    }

    /** The kicks of one cell that are under way; counted in the map's atomic steps. */
    private static final class Kicks {
        private int count;
    }

    private void kicked(Cell cell, String id, @Nullable Throwable failure, CompletableFuture<Void> done) {
        if (failure == null) {
            cell.changeGate(gate -> gate.reset(id));
            engine.observers().drain(cell);
        }
        ended(cell);
        engine.intake().refresh(id);
        changed();
        if (failure == null) {
            done.complete(null);
        } else {
            done.completeExceptionally(failure);
        }
    }

    /**
     * A lease has ended, or lingered its time: completes who waits for a cell without leases. Once the router is closed nobody looks at
     * the time any more, so nobody waits for leases that only time ends.
     */
    void freed(Cell cell) {
        if (draining.isEmpty()) {
            return;
        }
        List<CompletableFuture<Void>> free = new ArrayList<>();
        List<CompletableFuture<Void>> inVain = new ArrayList<>();
        draining.computeIfPresent(cell, (key, waiting) -> {
            LedgerState ledger =
                    cell.get().ledger; // looked at after the waiter was written down, whose cordon is older still
            boolean never = engine.closed() && ledger.allLinger();
            if (ledger.jobs() > 0 && !never) {
                return waiting;
            }
            (ledger.jobs() == 0 ? free : inVain).addAll(waiting);
            return null;
        });
        if (!free.isEmpty()) {
            engine.execute(() -> free.forEach(future -> future.complete(null)));
        }
        if (!inVain.isEmpty()) {
            IllegalStateException closed = new IllegalStateException(
                    "the router was closed before '" + cell.get().plan.id + "' was known to be free of work");
            engine.execute(() -> inVain.forEach(future -> future.completeExceptionally(closed)));
        }
    }

    /** The router is closed. */
    void close() {
        List.copyOf(draining.keySet()).forEach(this::freed);
    }

    private CompletableFuture<Void> free(Cell cell) {
        CompletableFuture<Void> future = new CompletableFuture<>();
        draining.compute(cell, (key, waiting) -> {
            List<CompletableFuture<Void>> all = waiting == null ? new CopyOnWriteArrayList<>() : waiting;
            all.add(future);
            return all;
        });
        cell.settle(engine.time().nanos());
        freed(cell);
        return future;
    }

    /** As {@link #free}, but no longer than a status stays fresh: what still counts then is taken to be gone with the old worker. */
    private CompletionStage<Void> freeWithin(Cell cell) {
        CompletableFuture<Void> future = free(cell);
        Duration most = Duration.ofNanos(cell.get().gate.limits.staleNanos);
        engine.time().schedule(most, () -> {
            draining.computeIfPresent(cell, (key, waiting) -> {
                waiting.removeIf(one -> one == future);
                return waiting.isEmpty() ? null : waiting;
            });
            engine.execute(() -> future.complete(null));
        });
        return future;
    }

    private static CompletionStage<?> restart(SubstrateOperator host, String id) {
        try {
            CompletionStage<?> stage = host.kick(id);
            return stage != null
                    ? stage
                    : CompletableFuture.failedFuture(
                            new NullPointerException("SubstrateOperator.kick returned null (expected: a stage)"));
        } catch (Exception | Error failed) {
            if (failed instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            return CompletableFuture.failedFuture(failed);
        }
    }

    private void changed() {
        engine.waiting().serve();
        engine.signal().raise();
    }

    private Cell cell(String id) {
        Cell cell = engine.revision().cell(id);
        if (cell == null) {
            throw StatusIntake.unknown(id, engine.revision());
        }
        return cell;
    }
}
