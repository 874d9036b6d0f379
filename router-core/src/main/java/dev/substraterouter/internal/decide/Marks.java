package dev.substraterouter.internal.decide;

import dev.substraterouter.internal.admission.Waiter;
import dev.substraterouter.model.Priority;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the waiters that come earlier in the order of service leave for those that come later: claims, what NORMAL and HIGH wait for, and
 * how much work is ahead. Belongs to one walk through the queue; not thread-safe.
 */
public final class Marks {
    private static final long[] NONE = {};
    private static final int HIGHEST = Waiter.rank(Priority.HIGH);

    private final boolean[] wanted;
    private final boolean[] awaited;
    private final long[][] ahead; // with room to grow: a walk may leave as many as there are waiters
    private final int[] aheadCount;
    private final List<Claim> claims = new ArrayList<>();
    private @Nullable Seeker asking;
    private int askingRank;

    /** What somebody claims who has waited long: against all of its class and below, wherever they stand in the order. */
    private record Claim(int substrate, int rank, Object by) {}

    Marks(int substrates) {
        wanted = new boolean[substrates];
        awaited = new boolean[substrates];
        ahead = new long[substrates][];
        Arrays.fill(ahead, NONE);
        aheadCount = new int[substrates];
    }

    /** What waiters leave of whom nothing else is known: one claims some substrates, NORMAL ones wait for others. */
    public static Marks left(int substrates, BitSet claimed, BitSet wanted) {
        Marks marks = new Marks(substrates);
        claimed.stream().forEach(substrate -> marks.claims.add(new Claim(substrate, HIGHEST, marks)));
        wanted.stream().forEach(marks::want);
        return marks;
    }

    /** Whose turn it is: by whose eyes claims are seen. */
    void turn(Seeker seeker, int rank) {
        asking = seeker;
        askingRank = rank;
    }

    /** Whose turn it is claims a substrate. */
    void claim(int substrate) {
        Seeker by = asking;
        if (by != null) {
            claims.add(new Claim(substrate, askingRank, by));
        }
    }

    /** Somebody has got what it waited for, and claims nothing any more; true when it did. */
    boolean served(Seeker seeker) {
        return claims.removeIf(claim -> claim.by == seeker);
    }

    /** Another turn for everybody: only the claims stay. */
    void again() {
        Arrays.fill(wanted, false);
        Arrays.fill(awaited, false);
        Arrays.fill(aheadCount, 0);
    }

    /** Somebody waits for a substrate by choice, although another is free. */
    void await(int substrate) {
        awaited[substrate] = true;
    }

    /** Whether somebody waits for it by choice, and so may choose anew when something is taken there. */
    boolean awaited(int substrate) {
        return awaited[substrate];
    }

    void want(int substrate) {
        wanted[substrate] = true;
    }

    /** Somebody heads for a substrate with work that takes so long. */
    void ahead(int substrate, long nanos) {
        int count = aheadCount[substrate]++;
        if (count == ahead[substrate].length) {
            ahead[substrate] = Arrays.copyOf(ahead[substrate], Math.max(4, 2 * count));
        }
        ahead[substrate][count] = nanos;
    }

    /** Whether somebody else claims a substrate against whose turn it is. */
    boolean claimed(int substrate) {
        for (Claim claim : claims) {
            if (claim.substrate == substrate && claim.by != asking && askingRank >= claim.rank) {
                return true;
            }
        }
        return false;
    }

    boolean wanted(int substrate) {
        return wanted[substrate];
    }

    /** How long the work of those takes that head for a substrate, in the order of service. */
    long[] ahead(int substrate) {
        int count = aheadCount[substrate];
        return count == 0 ? NONE : Arrays.copyOf(ahead[substrate], count);
    }
}
