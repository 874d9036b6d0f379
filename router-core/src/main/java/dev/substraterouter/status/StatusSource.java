package dev.substraterouter.status;

import java.util.List;

/**
 * Brings statuses to the router: a poller, a subscription, a file. Implementations are thread-safe, own their threads, and never block in
 * these methods.
 *
 * <p>The router calls {@link #start} once, then {@link #targets} at once and after every reload, and {@link #close} at its end.
 */
public interface StatusSource {
    /** Begins to bring statuses to the sink. */
    void start(StatusSink sink);

    /** The substrates to ask from now on, all of them: one that is no longer named is no longer asked. */
    void targets(List<StatusTarget> targets);

    /** Asks one substrate as soon as possible, out of turn; an id that is not a target is left alone. */
    void refresh(String substrateId);

    /** Stops asking and frees everything. Calling it again does nothing. */
    void close();

    /** A source that brings nothing: the host reports through the router. */
    static StatusSource none() {
        return new NoStatusSource();
    }
}
