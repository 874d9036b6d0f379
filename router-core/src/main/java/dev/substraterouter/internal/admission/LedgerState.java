package dev.substraterouter.internal.admission;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * What the router itself has taken on one substrate: a pure value.
 *
 * <p>Every change builds the next state; the one atomic that holds it belongs to the decision, so that a lease is taken or ended in the
 * same step in which gate and ejection change. Counts follow from the list of leases; nothing is counted up and down, so nothing can be
 * counted twice or below zero.
 *
 * <p><b>Seen.</b> A status has seen a lease that was open from the slack (100 ms) before it was asked until its answer; see {@link
 * Window}. The state is replaced in one step, so "until its answer" is "in the list when the answer is taken in".
 *
 * <p><b>Lingering.</b> A lease whose placement ended while its work may still run stays in the list until a status asked later, or until
 * its time is up; it counts like any other.
 */
public final class LedgerState {
    /** Nothing taken. */
    public static final LedgerState EMPTY = new LedgerState(new Held[0], false, 0, List.of(), 0, false);

    private final Held[] held;
    private final boolean anyLingers;
    private final long reservedMib;
    private final List<Residue> residues;
    /** When the last lease began or ended; meaningless before any did. */
    private final long lastMovedNanos;

    private final boolean anyMoved;

    private LedgerState(
            Held[] held,
            boolean anyLingers,
            long reservedMib,
            List<Residue> residues,
            long lastMovedNanos,
            boolean anyMoved) {
        this.held = held;
        this.anyLingers = anyLingers;
        this.reservedMib = reservedMib;
        this.residues = residues;
        this.lastMovedNanos = lastMovedNanos;
        this.anyMoved = anyMoved;
    }

    /** How many leases count, lingering ones included. */
    public int jobs() {
        return held.length;
    }

    /** Whether some of them linger. */
    public boolean anyLingers() {
        return anyLingers;
    }

    /** Whether all of them linger, or there are none. */
    public boolean allLinger() {
        for (Held one : held) {
            if (!one.lingering()) {
                return false;
            }
        }
        return true;
    }

    /** The memory that they reserve, MiB. */
    public long reservedMib() {
        return reservedMib;
    }

    /** The leases that count, in the order in which they were taken. */
    public List<Held> held() {
        return List.of(held);
    }

    /** Whether some lease has this resident key. */
    public boolean holds(String residentKey) {
        for (Held one : held) {
            if (one.lease().residentKey.equals(residentKey)) {
                return true;
            }
        }
        return false;
    }

    /** Whether ended leases still count as memory that others cannot have. */
    public boolean leftBehind() {
        return !residues.isEmpty();
    }

    /** Whether ended leases still count as memory that others cannot have, and the last has ended less than so long ago. */
    public boolean leftBehind(long now, long nanos) {
        for (Residue residue : residues) {
            if (now - residue.endedNanos() < nanos) {
                return true;
            }
        }
        return false;
    }

    /** As it is once a status has told what ended leases have left behind. */
    public LedgerState withoutResidues() {
        return new LedgerState(held, anyLingers, reservedMib, List.of(), lastMovedNanos, anyMoved);
    }

    /**
     * Memory that ended leases may have left behind and that is not free for a candidate, MiB; on one GPU of several, or with {@link
     * Lease#NO_GPU} on all. What was left is free for its own candidate; for others, less what newer leases of the same have booked of it.
     */
    public long residueMib(String residentKey, int gpu, int gpus) {
        long sum = 0;
        for (int at = 0; at < residues.size(); at++) {
            String key = residues.get(at).residentKey();
            boolean counted = false;
            for (int before = 0; before < at; before++) {
                counted |= residues.get(before).residentKey().equals(key);
            }
            if (!counted && !key.equals(residentKey)) {
                sum += Math.max(0, left(key, gpu, gpus) - bookedUnseen(key, gpu, gpus));
            }
        }
        return sum;
    }

    /** Memory that ended leases of one resident key have left behind with their model, MiB: it is in no figure before the next status. */
    public long modelResidueMib(String residentKey) {
        long sum = 0;
        for (Residue residue : residues) {
            if (residue.residentKey().equals(residentKey) && residue.lease().holdsModel) {
                sum += residue.lease().mib;
            }
        }
        return sum;
    }

    private long left(String key, int gpu, int gpus) {
        long sum = 0;
        for (Residue residue : residues) {
            if (residue.residentKey().equals(key)) {
                sum += residue.mib(gpu, gpus);
            }
        }
        return sum;
    }

    private long bookedUnseen(String key, int gpu, int gpus) {
        long sum = 0;
        for (Held one : held) {
            if (!one.seen() && one.lease().residentKey.equals(key)) {
                sum += gpu == Lease.NO_GPU ? one.lease().mib : share(one, gpu, gpus);
            }
        }
        return sum;
    }

    /** The memory booked on one of several GPUs, MiB; a spanning lease books the same on each. */
    public long bookedMib(int gpu, int gpus) {
        long sum = 0;
        for (Held one : held) {
            sum += share(one, gpu, gpus);
        }
        return sum;
    }

    /** The GPU with the least booked on it, the lowest of equals. */
    public int emptiestGpu(int gpus) {
        int emptiest = 0;
        long least = Long.MAX_VALUE;
        for (int gpu = 0; gpu < gpus; gpu++) {
            long booked = bookedMib(gpu, gpus);
            if (booked < least) {
                least = booked;
                emptiest = gpu;
            }
        }
        return emptiest;
    }

    /** The leases that count, without those that linger past their time. */
    public LedgerState expire(long now, long lingerNanos) {
        return anyLingers ? keeping(one -> !one.lingering() || now - one.endedNanos() < lingerNanos) : this;
    }

    /** How long until the next lingering lease is up; {@link Long#MAX_VALUE} when none lingers that still counts. */
    public long nextExpiry(long now, long lingerNanos) {
        long next = Long.MAX_VALUE;
        for (Held one : held) {
            long left = lingerNanos - (now - one.endedNanos());
            if (one.lingering() && left > 0) {
                next = Math.min(next, left);
            }
        }
        return next;
    }

    /** With one more lease. */
    public LedgerState take(Lease lease) {
        Held[] more = with(lease);
        return new LedgerState(more, anyLingers, reservedMib + lease.mib, residues, movedBy(lease.startNanos), true);
    }

    /** The later of two moments: the clock is read before a lease is taken or ended, so the last to do so may bring the earlier one. */
    private long movedBy(long nanos) {
        return anyMoved && nanos - lastMovedNanos < 0 ? lastMovedNanos : nanos;
    }

    /** Whether the lease counts and has not ended. */
    public boolean open(Lease lease) {
        int at = find(lease);
        return at >= 0 && !held[at].lingering();
    }

    /**
     * Without a lease that has ended: gone at once, or lingering.
     *
     * @return this state when the lease was not open
     */
    public LedgerState end(Lease lease, long now, boolean linger) {
        int at = find(lease);
        if (at < 0 || held[at].lingering()) {
            return this;
        }
        Held ended = held[at];
        if (linger) {
            Held[] same = held.clone();
            same[at] = new Marked(lease, ended.gpu(), ended.seen(), true, now);
            return new LedgerState(same, true, reservedMib, residues, movedBy(now), true);
        }
        List<Residue> left = residues;
        if (ended.seen() && lease.mib > 0) {
            left = new ArrayList<>(residues);
            left.add(new Residue(lease, ended.gpu(), now));
            left = List.copyOf(left);
        }
        return new LedgerState(without(at), anyLingers, reservedMib - lease.mib, left, movedBy(now), true);
    }

    private Held[] with(Lease lease) {
        if (held.length == 0) {
            return new Held[] {lease};
        }
        Held[] more = Arrays.copyOf(held, held.length + 1);
        more[held.length] = lease;
        return more;
    }

    private Held[] without(int at) {
        if (held.length == 1) {
            return EMPTY.held;
        }
        Held[] fewer = new Held[held.length - 1];
        System.arraycopy(held, 0, fewer, 0, at);
        System.arraycopy(held, at + 1, fewer, at, fewer.length - at);
        return fewer;
    }

    /** Whether a lease began or ended inside a window. */
    public boolean movedIn(Window window) {
        LedgerState before = window.whenAsked();
        return (anyMoved && lastMovedNanos - window.openSince() >= 0) || (before != null && !sameLeases(before));
    }

    /** Whether the same leases are open; what only lingers has ended before. */
    private boolean sameLeases(LedgerState before) {
        int there = 0;
        for (Held one : held) {
            if (!one.lingering()) {
                while (there < before.held.length && before.held[there].lingering()) {
                    there++;
                }
                if (there == before.held.length || before.held[there].lease() != one.lease()) {
                    return false;
                }
                there++;
            }
        }
        while (there < before.held.length && before.held[there].lingering()) {
            there++;
        }
        return there == before.held.length;
    }

    /** Whether some lease is there but too young for its memory to show. */
    public boolean loading(long moment) {
        for (Held one : held) {
            if (one.lease().mib > 0 && moment - one.lease().startNanos < one.lease().loadNanos) {
                return true;
            }
        }
        return false;
    }

    /**
     * As a status that was asked at a moment leaves it: what lingered since before is gone, and where the status tells the memory in use,
     * leases are marked as seen or not, matched anew to the GPUs whose used memory they explain best, and residues are settled.
     *
     * @param window when it was asked and answered
     * @param tellsMemory whether it tells the memory in use
     * @param usedMib the memory in use on each of several GPUs; empty when only sums are told
     */
    public LedgerState afterStatus(Window window, boolean tellsMemory, long[] usedMib) {
        LedgerState kept =
                anyLingers ? keeping(one -> !one.lingering() || window.asked() - one.endedNanos() <= 0) : this;
        if (!tellsMemory || (kept.held.length == 0 && kept.residues.isEmpty())) {
            return kept;
        }
        Held[] marked = kept.held.clone();
        for (int at = 0; at < marked.length; at++) {
            Held one = marked[at];
            boolean seen = window.sees(one) && window.openSince() - one.lease().startNanos >= one.lease().loadNanos;
            marked[at] = one.seenOn(one.gpu(), seen);
        }
        if (usedMib.length > 1) {
            match(marked, usedMib.clone());
        }
        return new LedgerState(
                marked, kept.anyLingers, kept.reservedMib, List.of(), kept.lastMovedNanos, kept.anyMoved);
    }

    /** How many leases a status has seen. */
    public int seenJobs(Window window) {
        int jobs = 0;
        for (Held one : held) {
            if (window.sees(one)) {
                jobs++;
            }
        }
        return jobs;
    }

    /** How many of the leases that a status has seen began so long before a moment that whatever they load is loaded. */
    public int settledJobs(Window window, long moment) {
        int jobs = 0;
        for (Held one : held) {
            if (window.sees(one) && moment - one.lease().startNanos >= one.lease().loadNanos) {
                jobs++;
            }
        }
        return jobs;
    }

    /** As {@link #seenJobs}, those booked on one GPU and those that span. */
    public int seenJobs(Window window, int gpu) {
        int jobs = 0;
        for (Held one : held) {
            if (window.sees(one) && (one.lease().spansGpus || one.gpu() == gpu)) {
                jobs++;
            }
        }
        return jobs;
    }

    /** The memory of the leases marked as seen, MiB. */
    public long seenMib() {
        long sum = 0;
        for (Held one : held) {
            if (one.seen()) {
                sum += one.lease().mib;
            }
        }
        return sum;
    }

    /** The memory of the leases marked as seen on one of several GPUs, MiB. */
    public long seenMib(int gpu, int gpus) {
        long sum = 0;
        for (Held one : held) {
            if (one.seen()) {
                sum += share(one, gpu, gpus);
            }
        }
        return sum;
    }

    /** How long until the lease that is expected to end first does; {@link Long#MAX_VALUE} when that is unknown. */
    public long nextExpectedEnd(long now) {
        long next = Long.MAX_VALUE;
        for (Held one : held) {
            if (one.lease().expectedNanos >= 0) {
                next = Math.min(next, Math.max(0, one.lease().expectedNanos - (now - one.lease().startNanos)));
            }
        }
        return next;
    }

    private static long share(Held one, int gpu, int gpus) {
        if (one.lease().spansGpus) {
            return (one.lease().mib + gpus - 1) / gpus;
        }
        return one.gpu() == gpu ? one.lease().mib : 0;
    }

    /** Books the seen leases, biggest first, on the GPU with the most memory in use that nothing explains yet. */
    private static void match(Held[] marked, long[] unexplained) {
        Integer[] order = new Integer[marked.length];
        Arrays.setAll(order, at -> at);
        Arrays.sort(order, Comparator.comparingLong((Integer at) -> -marked[at].lease().mib));
        for (Held one : marked) {
            if (one.seen() && one.lease().spansGpus) {
                for (int gpu = 0; gpu < unexplained.length; gpu++) {
                    unexplained[gpu] -= share(one, gpu, unexplained.length);
                }
            }
        }
        for (int at : order) {
            Held one = marked[at];
            if (one.seen() && !one.lease().spansGpus) {
                int best = one.gpu() >= 0 && one.gpu() < unexplained.length ? one.gpu() : 0;
                for (int gpu = 0; gpu < unexplained.length; gpu++) {
                    if (unexplained[gpu] > unexplained[best]) {
                        best = gpu;
                    }
                }
                unexplained[best] -= one.lease().mib;
                marked[at] = one.seenOn(best, true);
            }
        }
    }

    int find(Lease lease) {
        for (int at = 0; at < held.length; at++) {
            if (held[at].lease() == lease) {
                return at;
            }
        }
        return -1;
    }

    private LedgerState keeping(java.util.function.Predicate<Held> keep) {
        List<Held> kept = new ArrayList<>(held.length);
        List<Residue> left = new ArrayList<>(residues);
        long mib = 0;
        boolean stillLingers = false;
        for (Held one : held) {
            if (keep.test(one)) {
                kept.add(one);
                mib += one.lease().mib;
                stillLingers |= one.lingering();
            } else if (one.seen() && one.lease().mib > 0) {
                left.add(new Residue(one.lease(), one.gpu(), one.endedNanos()));
            }
        }
        if (kept.size() == held.length) {
            return this;
        }
        return new LedgerState(
                kept.toArray(Held[]::new), stillLingers, mib, List.copyOf(left), lastMovedNanos, anyMoved);
    }
}
