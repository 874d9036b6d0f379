package dev.substraterouter;

import dev.substraterouter.internal.decide.Cell;
import dev.substraterouter.internal.decide.CellState;
import java.time.Duration;
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
        cell.changeGate(gate -> gate.cordoned() ? gate : gate.cordoned(own));
        CompletableFuture<Void> done = new CompletableFuture<>();
        engine.execute(
                () -> restart(host, id).thenCompose(up -> freeWithin(cell)).whenComplete((free, failure) -> {
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
                }));
        return done;
    }

    /** A lease has ended, or lingered its time: completes who waits for a cell without leases. */
    void freed(Cell cell, CellState state) {
        if (state.ledger.jobs() > 0 || draining.isEmpty()) {
            return;
        }
        List<CompletableFuture<Void>> waiting = draining.remove(cell);
        if (waiting != null) {
            engine.execute(() -> waiting.forEach(future -> future.complete(null)));
        }
    }

    private CompletableFuture<Void> free(Cell cell) {
        CompletableFuture<Void> future = new CompletableFuture<>();
        draining.compute(cell, (key, waiting) -> {
            List<CompletableFuture<Void>> all = waiting == null ? new CopyOnWriteArrayList<>() : waiting;
            all.add(future);
            return all;
        });
        freed(cell, cell.settle(engine.time().nanos()));
        return future;
    }

    /** As {@link #free}, but no longer than a status stays fresh: what still counts then is taken to be gone with the old worker. */
    private CompletionStage<Void> freeWithin(Cell cell) {
        CompletableFuture<Void> future = free(cell);
        Duration most = Duration.ofNanos(cell.get().gate.limits.staleNanos);
        engine.time().schedule(most, () -> engine.execute(() -> future.complete(null)));
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
