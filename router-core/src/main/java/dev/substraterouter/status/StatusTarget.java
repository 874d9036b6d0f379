package dev.substraterouter.status;

import dev.substraterouter.model.AddressScope;
import dev.substraterouter.model.StatusAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * One substrate to be asked for its status.
 *
 * @param substrateId the substrate's id in the policy
 * @param addresses where to ask; the fields of several are merged
 * @param every how often
 * @param timeout how long one answer may take
 * @param scope where the addresses must lie: one outside is not connected to
 */
public record StatusTarget(
        String substrateId, List<StatusAddress> addresses, Duration every, Duration timeout, AddressScope scope) {
    /** A target whose addresses may lie anywhere. */
    public StatusTarget(String substrateId, List<StatusAddress> addresses, Duration every, Duration timeout) {
        this(substrateId, addresses, every, timeout, AddressScope.anywhere());
    }

    /** Copies the list. */
    public StatusTarget {
        Objects.requireNonNull(substrateId, "substrateId");
        addresses = List.copyOf(addresses);
        Objects.requireNonNull(every, "every");
        Objects.requireNonNull(timeout, "timeout");
        Objects.requireNonNull(scope, "scope");
    }
}
