package dev.substraterouter.probe.http;

import dev.substraterouter.status.SubstrateStatus;
import dev.substraterouter.time.Cancellable;

/** Asks one address for one status at a time: the seam between when to ask and how. */
interface Asker {
    /**
     * Asks once. Never blocks and never throws; the reply may come on any thread, during this call too.
     *
     * @param reply told once, unless the question is called off first
     * @return calls the question off: its connection is closed
     */
    Cancellable ask(Reply reply);

    /** Takes what comes of one question. */
    interface Reply {
        /**
         * Told right before the question leaves.
         *
         * @return false if nobody waits for the answer any more: it should not leave
         */
        boolean sending();

        /** The answer. */
        void answered(SubstrateStatus status);

        /** There is none, and why; also without {@link #sending()} when the question could not leave. */
        void failed(String reason);
    }

    /** Makes the askers and holds what they share. */
    interface Source {
        /** An asker for an address. */
        Asker to(Address address);

        /** Frees what the askers share. Never blocks. */
        void close();
    }
}
