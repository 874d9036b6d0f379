package dev.substraterouter.examples.gateway.forward;

import java.util.concurrent.Semaphore;

/** How many bytes of bodies may be kept, in one request and in all. Thread-safe; never blocks. */
final class ReplayBudget {
    private final int each;
    private final Semaphore inAll;

    ReplayBudget(int each, int inAll) {
        this.each = each;
        this.inAll = new Semaphore(inAll);
    }

    /** How many more bytes, at most so many, a request may keep that keeps so many; they are taken. 0: none. */
    int take(int kept, int most) {
        int more = Math.min(most, each - kept);
        return more > 0 && inAll.tryAcquire(more) ? more : 0;
    }

    void giveBack(int bytes) {
        inAll.release(bytes);
    }
}
