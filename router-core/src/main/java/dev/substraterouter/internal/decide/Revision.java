package dev.substraterouter.internal.decide;

import dev.substraterouter.internal.gate.GateLimits;
import dev.substraterouter.internal.plan.CompiledPolicy;
import dev.substraterouter.internal.plan.SubstratePlan;
import dev.substraterouter.policy.Policy;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One revision in force: the compiled policy, the limits, and the cell of each substrate. Immutable; the cells are shared with the
 * revisions before and after.
 *
 * <p>A reload publishes the new revision first. Whoever reads a cell that still stands under an older one puts it under its own first, and
 * whoever finds that a cell stands under a newer one starts again with that. So a decision never mixes two revisions, and nobody waits for
 * the reloading thread.
 */
public final class Revision implements States {
    public final CompiledPolicy compiled;
    public final long number;
    public final long agesAfterNanos;
    public final long holdAfterNanos;
    public final long retryEveryNanos;
    /** A free candidate is taken when it is expected to finish within this multiple of the best one's time. */
    final double finishMargin;
    /** The wait that is expected for what is unhealthy for foreign reasons. */
    final long unhealthyWaitNanos;
    /** How long work takes. */
    public final LatencyBook book;

    private final GateLimits[] limits;
    private final Cell[] cells;

    private Revision(CompiledPolicy compiled, GateLimits[] limits, Cell[] cells, @Nullable LatencyBook known) {
        this.compiled = compiled;
        this.number = compiled.revision;
        this.limits = limits;
        this.cells = cells;
        agesAfterNanos = compiled.policy.queue().agesAfter().toNanos();
        holdAfterNanos = compiled.policy.queue().holdAfter().toNanos();
        retryEveryNanos = compiled.policy.queue().retryEvery().toNanos();
        finishMargin = compiled.policy.strategy().finishMargin();
        unhealthyWaitNanos = compiled.policy.strategy().unhealthyWait().toNanos();
        book = LatencyBook.of(compiled, known);
    }

    /**
     * A revision of a checked policy.
     *
     * @param policy the policy with its number
     * @param known the cells there are, by id; new substrates are added to it
     * @param learned what an earlier revision has learned of latencies; null: nothing
     * @param seeds where the seeds of new cells come from
     */
    public static Revision of(
            Policy policy, Map<String, Cell> known, @Nullable LatencyBook learned, LongSupplier seeds) {
        CompiledPolicy compiled = new CompiledPolicy(policy);
        int count = compiled.substrates.length;
        GateLimits[] limits = new GateLimits[count];
        Cell[] cells = new Cell[count];
        for (SubstratePlan plan : compiled.substrates) {
            GateLimits own = new GateLimits(policy, plan.declared);
            limits[plan.index] = own;
            cells[plan.index] = known.computeIfAbsent(plan.id, id -> new Cell(plan, own, seeds.getAsLong()));
        }
        return new Revision(compiled, limits, cells, learned);
    }

    /** A cell for a substrate of which nothing is known yet, beside the one that is in force. */
    public Cell newCell(int substrate) {
        return new Cell(compiled.substrates[substrate], limits[substrate], 1);
    }

    /** Puts every cell under this revision. */
    public void adoptAll() {
        for (SubstratePlan plan : compiled.substrates) {
            cells[plan.index].adopt(plan, limits[plan.index]);
        }
    }

    /** The state of a substrate, under this revision or a newer one. */
    public CellState current(int substrate) {
        CellState state = state(substrate);
        return state == null ? cells[substrate].get() : state;
    }

    /** How many substrates it has. */
    public int substrates() {
        return cells.length;
    }

    /** The cell of a substrate. */
    public Cell cell(int substrate) {
        return cells[substrate];
    }

    /** The cell of a substrate by id, or null when the revision has none of that id. */
    public @Nullable Cell cell(String id) {
        SubstratePlan plan = compiled.substrate(id);
        return plan == null ? null : cells[plan.index];
    }

    /** How long until some substrate may stand differently by time alone; {@link Long#MAX_VALUE} when none may. */
    public long nextChange(long now) {
        long next = Long.MAX_VALUE;
        for (Cell cell : cells) {
            CellState state = cell.get();
            next = Math.min(next, state.gate.nextChange(now));
            next = Math.min(next, state.ledger.nextExpiry(now, state.gate.limits.staleNanos));
        }
        return next;
    }

    @Override
    public @Nullable CellState state(int substrate) {
        CellState state = cells[substrate].get();
        if (state.plan.revision == number) {
            return state;
        }
        if (state.plan.revision > number) {
            return null;
        }
        CellState adopted = cells[substrate].adopt(compiled.substrates[substrate], limits[substrate]);
        return adopted.plan.revision == number ? adopted : null;
    }
}
