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

    /** Whether a request that keeps so many bytes may keep so many more. */
    boolean take(int kept, int more) {
        return kept + more <= each && inAll.tryAcquire(more);
    }

    void giveBack(int bytes) {
        inAll.release(bytes);
    }
}
