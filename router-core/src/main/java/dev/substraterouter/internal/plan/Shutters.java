package dev.substraterouter.internal.plan;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Which substrates of one revision are shut: nobody could be placed there, whatever he asks, until something is told; time alone opens
 * none of them. Thread-safe; nothing here blocks.
 *
 * <p><b>The idea.</b> What is shut is in the state of each substrate. With thousands of them, reading every state to learn that all are
 * down costs a cache miss or two each; so it stands here once more, a bit each, and a decision over many reads the bits. The textbook way
 * is to keep the bits only and to change them together with the states under a lock.
 *
 * <p><b>How the races end.</b> A bit is written after its state, so it may be wrong for a moment. Whoever swaps a state in that opens,
 * shuts or leaves the revision says {@link #begin} before and {@link #end} after, and in between writes the bit until it says what the
 * state says. So while as many have ended as have begun, every bit is right: whoever wrote one last has found it right afterwards, and
 * who has changed the state since has not ended. A reader takes such a moment by {@link #still}, reads what bits it likes, and is right if
 * {@link #stillAt} says that nobody has begun since: then what it read held all the time. Else it must read the states. A writer that
 * never ends costs speed, not truth.
 */
public final class Shutters {
    /** In place of a moment: somebody is at it. */
    public static final long MOVING = -1;

    private final AtomicLongArray bits;
    private final AtomicLong begun = new AtomicLong();
    private final AtomicLong ended = new AtomicLong();

    Shutters(int substrates) {
        bits = new AtomicLongArray((substrates + Long.SIZE - 1) / Long.SIZE);
    }

    /** Before a state is swapped in whose bit may be another. */
    public void begin() {
        begun.incrementAndGet();
    }

    /** After the bit was written. */
    public void end() {
        ended.incrementAndGet();
    }

    /** Writes the bit of a substrate. */
    public void show(int substrate, boolean shut) {
        long bit = 1L << substrate;
        bits.accumulateAndGet(substrate >>> 6, bit, (word, one) -> shut ? word | one : word & ~one);
    }

    /** The bit of a substrate. */
    boolean shut(int substrate) {
        return (bits.get(substrate >>> 6) & 1L << substrate) != 0;
    }

    /** Whether one of some substrates is not shut. */
    boolean anyOpen(long[] some) {
        for (int word = 0; word < some.length; word++) {
            if ((some[word] & ~bits.get(word)) != 0) {
                return true;
            }
        }
        return false;
    }

    /** A moment at which every bit is right, or {@link #MOVING}. */
    public long still() {
        long before = ended.get(); // first, so that nobody can begin and end between the two
        return begun.get() == before ? before : MOVING;
    }

    /** Whether every bit has stood as it does since a moment. */
    public boolean stillAt(long moment) {
        return begun.get() == moment;
    }
}
