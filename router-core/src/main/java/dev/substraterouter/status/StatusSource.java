package dev.substraterouter.status;

import java.time.Duration;
import java.util.List;
import java.util.Set;

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

    /**
     * The names of endpoints that are to be resolved from now on, all of them, as the policy restricts where addresses may lie. The source
     * tells the sink at once, and again every so often, what each resolves to; a lookup that fails tells nothing. Default: does nothing, and
     * substrates that are reached under a name stay closed as long as nobody resolves it.
     *
     * @param hosts the names, in lower case
     * @param every how often each is looked up
     */
    default void names(Set<String> hosts, Duration every) {}

    /** Asks one substrate as soon as possible, out of turn; an id that is not a target is left alone. */
    void refresh(String substrateId);

    /** Stops asking and frees everything. Calling it again does nothing. */
    void close();

    /** A source that brings nothing: the host reports through the router. */
    static StatusSource none() {
        return new NoStatusSource();
    }
}
