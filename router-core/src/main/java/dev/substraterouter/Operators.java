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

    Operators(Engine engine, @Nullable SubstrateOperator operator) {
        this.engine = engine;
        this.operator = operator;
    }

    void cordon(String id) {
        cell(id).changeGate(gate -> gate.cordoned(BY_OPERATOR));
    }

    void uncordon(String id) {
        cell(id).changeGate(gate -> gate.uncordoned(null));
        changed();
    }

    CompletableFuture<Void> drain(String id) {
        Cell cell = cell(id);
        cell.changeGate(gate -> gate.cordoned(BY_OPERATOR));
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
        Object own = new Object();
        cell.changeGate(gate -> gate.cordonedUnless(BY_OPERATOR, own)); // takes over the cordon of an earlier kick
        CompletableFuture<Void> done = new CompletableFuture<>();
        engine.execute(() -> {
            try {
                restart(host, id)
                        .thenCompose(up -> freeWithin(cell))
                        .whenComplete((free, failure) -> kicked(cell, id, own, failure, done));
            } catch (Throwable broken) { // the host's stage is foreign code
                kicked(cell, id, own, broken, done);
            }
        });
        return done;
    }

    private void kicked(Cell cell, String id, Object own, @Nullable Throwable failure, CompletableFuture<Void> done) {
        if (failure == null) {
            cell.changeGate(gate -> gate.reset(id));
            engine.observers().drain(cell);
        }
        cell.changeGate(gate -> gate.uncordoned(own));
        engine.intake().refresh(id);
        changed();
        if (failure == null) {
            done.complete(null);
        } else {
            done.completeExceptionally(failure);
        }
    }

    /** A lease has ended, or lingered its time: completes who waits for a cell without leases. */
    void freed(Cell cell) {
        if (draining.isEmpty()) {
            return;
        }
        List<CompletableFuture<Void>> free = new ArrayList<>();
        draining.computeIfPresent(cell, (key, waiting) -> {
            if (cell.get().ledger.jobs()
                    > 0) { // looked at after the waiter was written down, whose cordon is older still
                return waiting;
            }
            free.addAll(waiting);
            return null;
        });
        if (!free.isEmpty()) {
            engine.execute(() -> free.forEach(future -> future.complete(null)));
        }
    }

    /** The router is closed: nobody looks at the time any more, so nobody may wait for leases that only time ends. */
    void close() {
        for (Cell cell : List.copyOf(draining.keySet())) {
            LedgerState ledger = cell.get().ledger;
            List<CompletableFuture<Void>> waiting = ledger.jobs() == ledger.lingering() ? draining.remove(cell) : null;
            if (waiting != null) {
                IllegalStateException closed = new IllegalStateException(
                        "the router was closed before '" + cell.get().plan.id + "' was known to be free of work");
                engine.execute(() -> waiting.forEach(future -> future.completeExceptionally(closed)));
            }
        }
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
