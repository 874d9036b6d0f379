package dev.substraterouter.status;

import java.net.InetAddress;
import java.util.List;

/** Where a {@link StatusSource} brings what it learns. Thread-safe; never blocks. */
@FunctionalInterface
public interface StatusSink {
    /**
     * Says that a substrate is about to be asked. Call it right before the question is sent: what the router's own leases did between this
     * call and the answer cannot be told from foreign load, and is treated as doubt.
     *
     * @param substrateId the substrate's id
     * @param source a short name for who is asked (an address); the latest answers of different sources are merged field by field
     * @return the ticket that takes the answer
     */
    StatusTicket asking(String substrateId, String source);

    /**
     * Says what the name of an endpoint resolves to. Default: does nothing.
     *
     * @param host a name that {@link StatusSource#names} asked for; others are left alone
     * @param addresses all its addresses, at least one
     */
    default void resolved(String host, List<InetAddress> addresses) {}

    /** As {@link #asking(String, String)} for a source that asks each substrate at one place only. */
    default StatusTicket asking(String substrateId) {
        return asking(substrateId, "status");
    }
}
