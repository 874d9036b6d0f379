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
 * <p><b>Seen.</b> A status has seen a lease that was open from the slack (100 ms) before it was asked until its answer. The state is
 * replaced in one step, so "until its answer" is "in the list when the answer is taken in". A lease that began or ended inside the window
 * leaves its mark in {@link #lastBeganNanos} and {@link #lastEndedNanos}.
 *
 * <p><b>Lingering.</b> A lease whose placement ended while its work may still run stays in the list until a status asked later, or until
 * its time is up; it counts like any other.
 */
public final class LedgerState {
    /** Nothing taken. */
    public static final LedgerState EMPTY = new LedgerState(new Held[0], 0, 0, List.of(), 0, 0, false, false);

    private final Held[] held;
    private final int lingering;
    private final long reservedMib;
    private final List<Residue> residues;
    private final long lastBeganNanos;
    private final long lastEndedNanos;
    private final boolean anyBegan;
    private final boolean anyEnded;

    private LedgerState(
            Held[] held,
            int lingering,
            long reservedMib,
            List<Residue> residues,
            long lastBeganNanos,
            long lastEndedNanos,
            boolean anyBegan,
            boolean anyEnded) {
        this.held = held;
        this.lingering = lingering;
        this.reservedMib = reservedMib;
        this.residues = residues;
        this.lastBeganNanos = lastBeganNanos;
        this.lastEndedNanos = lastEndedNanos;
        this.anyBegan = anyBegan;
        this.anyEnded = anyEnded;
    }

    /** How many leases count, lingering ones included. */
    public int jobs() {
        return held.length;
    }

    /** How many of them linger. */
    public int lingering() {
        return lingering;
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

    /** Memory that ended leases of other candidates may have left behind, MiB; on one GPU, or with {@link Lease#NO_GPU} on all. */
    public long residueMib(String residentKey, int gpu) {
        long sum = 0;
        for (Residue residue : residues) {
            if ((gpu == Lease.NO_GPU || residue.gpu() == gpu)
                    && !residue.residentKey().equals(residentKey)) {
                sum += residue.mib();
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
        if (lingering == 0) {
            return this;
        }
        return keeping(one -> !one.lingering() || now - one.endedNanos() < lingerNanos);
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
        Held[] more = Arrays.copyOf(held, held.length + 1);
        more[held.length] = new Held(lease, lease.gpu, false, false, 0);
        return new LedgerState(
                more, lingering, reservedMib + lease.mib, residues, lease.startNanos, lastEndedNanos, true, anyEnded);
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
            same[at] = new Held(lease, ended.gpu(), ended.seen(), true, now);
            return new LedgerState(same, lingering + 1, reservedMib, residues, lastBeganNanos, now, anyBegan, true);
        }
        List<Residue> left = residues;
        if (ended.seen() && lease.mib > 0) {
            left = new ArrayList<>(residues);
            left.add(new Residue(lease.residentKey, lease.mib, ended.gpu()));
            left = List.copyOf(left);
        }
        Held[] fewer = new Held[held.length - 1];
        System.arraycopy(held, 0, fewer, 0, at);
        System.arraycopy(held, at + 1, fewer, at, fewer.length - at);
        return new LedgerState(fewer, lingering, reservedMib - lease.mib, left, lastBeganNanos, now, anyBegan, true);
    }

    /** Whether a lease began or ended at or after a moment. */
    public boolean movedSince(long moment) {
        return (anyBegan && lastBeganNanos - moment >= 0) || (anyEnded && lastEndedNanos - moment >= 0);
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
     * @param endedBefore what lingers and ended before this moment is gone
     * @param openSince leases that began after this moment are not seen
     * @param tellsMemory whether it tells the memory in use
     * @param usedMib the memory in use on each of several GPUs; empty when only sums are told
     */
    public LedgerState afterStatus(long endedBefore, long openSince, boolean tellsMemory, long[] usedMib) {
        LedgerState kept =
                lingering == 0 ? this : keeping(one -> !one.lingering() || endedBefore - one.endedNanos() <= 0);
        if (!tellsMemory || (kept.held.length == 0 && kept.residues.isEmpty())) {
            return kept;
        }
        Held[] marked = kept.held.clone();
        for (int at = 0; at < marked.length; at++) {
            Held one = marked[at];
            boolean seen = !one.lingering() && openSince - one.lease().startNanos >= one.lease().loadNanos;
            marked[at] = one.seenOn(one.gpu(), seen);
        }
        if (usedMib.length > 1) {
            match(marked, usedMib.clone());
        }
        return new LedgerState(
                marked,
                kept.lingering,
                kept.reservedMib,
                List.of(),
                kept.lastBeganNanos,
                kept.lastEndedNanos,
                kept.anyBegan,
                kept.anyEnded);
    }

    /** How many leases a status has seen that was asked so that leases begun after {@code openSince} are not seen. */
    public int seenJobs(long openSince) {
        int jobs = 0;
        for (Held one : held) {
            if (sees(one, openSince)) {
                jobs++;
            }
        }
        return jobs;
    }

    /** As {@link #seenJobs}, those booked on one GPU and those that span. */
    public int seenJobs(long openSince, int gpu) {
        int jobs = 0;
        for (Held one : held) {
            if (sees(one, openSince) && (one.lease().spansGpus || one.gpu() == gpu)) {
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

    private static boolean sees(Held one, long openSince) {
        return !one.lingering() && openSince - one.lease().startNanos >= 0;
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

    private int find(Lease lease) {
        for (int at = 0; at < held.length; at++) {
            if (held[at].lease() == lease) {
                return at;
            }
        }
        return -1;
    }

    private LedgerState keeping(java.util.function.Predicate<Held> keep) {
        List<Held> kept = new ArrayList<>(held.length);
        long mib = 0;
        int stillLingering = 0;
        for (Held one : held) {
            if (keep.test(one)) {
                kept.add(one);
                mib += one.lease().mib;
                stillLingering += one.lingering() ? 1 : 0;
            }
        }
        if (kept.size() == held.length) {
            return this;
        }
        return new LedgerState(
                kept.toArray(Held[]::new),
                stillLingering,
                mib,
                residues,
                lastBeganNanos,
                lastEndedNanos,
                anyBegan,
                anyEnded);
    }
}
