package dev.substraterouter.cases;

import dev.substraterouter.status.StatusSink;
import dev.substraterouter.status.StatusSource;
import dev.substraterouter.status.StatusTarget;
import dev.substraterouter.status.StatusTicket;
import dev.substraterouter.status.SubstrateStatus;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A status source that a test plays by hand. */
final class HandSource implements StatusSource {
    private volatile @Nullable StatusSink sink;
    volatile List<StatusTarget> targets = List.of();

    @Override
    public void start(StatusSink to) {
        sink = to;
    }

    @Override
    public void targets(List<StatusTarget> all) {
        targets = List.copyOf(all);
    }

    @Override
    public void refresh(String substrateId) {}

    @Override
    public void close() {}

    /** The substrates that are to be asked. */
    List<String> asked() {
        return targets.stream().map(StatusTarget::substrateId).toList();
    }

    /** A question that is on its way. */
    StatusTicket asking(String id, String from) {
        return Objects.requireNonNull(sink).asking(id, from);
    }

    /** A question that is answered at once. */
    void answer(String id, String from, SubstrateStatus status) {
        asking(id, from).answered(status);
    }

    /** A question, what happens until the answer, and the answer. */
    void poll(String id, String from, Runnable meanwhile, SubstrateStatus status) {
        StatusTicket ticket = asking(id, from);
        meanwhile.run();
        ticket.answered(status);
    }

    /** A question that gets no answer. */
    void miss(String id, String reason) {
        asking(id, "status").failed(reason);
    }
}
