package dev.substraterouter.probe.http;

import dev.substraterouter.status.StatusSink;
import dev.substraterouter.status.StatusTicket;
import dev.substraterouter.status.SubstrateStatus;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Remembers what it is told. */
final class RecordingSink implements StatusSink {
    final List<Asked> asked = new CopyOnWriteArrayList<>();

    /** One question, and what came of it. */
    static final class Asked implements StatusTicket {
        final String substrate;
        final String source;
        final long nanos = System.nanoTime();
        volatile SubstrateStatus status;
        volatile String reason;
        volatile String thread;

        Asked(String substrate, String source) {
            this.substrate = substrate;
            this.source = source;
        }

        @Override
        public void answered(SubstrateStatus answer) {
            thread = Thread.currentThread().getName();
            status = answer;
        }

        @Override
        public void failed(String why) {
            thread = Thread.currentThread().getName();
            reason = why;
        }

        boolean done() {
            return status != null || reason != null;
        }
    }

    @Override
    public StatusTicket asking(String substrateId, String source) {
        Asked ticket = new Asked(substrateId, source);
        asked.add(ticket);
        return ticket;
    }

    List<Asked> of(String substrate) {
        return asked.stream().filter(a -> a.substrate.equals(substrate)).toList();
    }

    long answers(String substrate) {
        return of(substrate).stream().filter(a -> a.status != null).count();
    }

    List<String> reasons(String substrate) {
        return of(substrate).stream().map(a -> a.reason).filter(r -> r != null).toList();
    }

    String awaitReason(String substrate) {
        Await.until("a failed answer of " + substrate, () -> !reasons(substrate).isEmpty());
        return reasons(substrate).get(0);
    }

    SubstrateStatus awaitStatus(String substrate) {
        Await.until("an answer of " + substrate + ", not " + reasons(substrate), () -> answers(substrate) > 0);
        return of(substrate).stream().filter(a -> a.status != null).findFirst().orElseThrow().status;
    }
}
