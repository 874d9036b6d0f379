package dev.substraterouter.internal.admission;

import org.jspecify.annotations.Nullable;

/**
 * The time in which a status was asked and answered. It has seen a lease that was open from {@code openSince} until the answer, and was
 * among the leases when it was asked: the clock is read before a lease is taken, so the time of a lease alone would not do.
 *
 * @param asked when it was asked: what ended before, it tells of
 * @param openSince leases that began later are not seen
 * @param whenAsked the leases when it was asked; null: the host told the status by hand, and it has seen those of now
 */
public record Window(long asked, long openSince, @Nullable LedgerState whenAsked) {
    boolean sees(Held one) {
        return !one.lingering()
                && openSince - one.lease().startNanos >= 0
                && (whenAsked == null || whenAsked.find(one.lease()) >= 0);
    }
}
