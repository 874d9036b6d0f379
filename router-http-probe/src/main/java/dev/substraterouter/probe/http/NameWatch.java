package dev.substraterouter.probe.http;

import dev.substraterouter.status.StatusSink;
import dev.substraterouter.time.Cancellable;
import dev.substraterouter.time.TimeSource;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Looks the names of endpoints up in the background, again and again, and tells the sink what each resolves to. A lookup that fails tells
 * nothing: what was known stays.
 *
 * <p>One lookup of a name at a time: while one hangs, its turns pass. {@code round} holds what is watched now, and being in it decides every
 * race: a timer or a lookup of an earlier round that comes late finds that it is no longer current and begins nothing more; what it found out
 * is told all the same, for it is true. A round that is begun while a lookup hangs is served by that lookup.
 */
final class NameWatch {
    private static final Duration LEAST_EVERY = Duration.ofMillis(100);

    private final StatusSink sink;
    private final TimeSource time;
    private final Executor lookups;
    private final Lookup lookup;
    private final AtomicReference<@Nullable Round> round = new AtomicReference<>();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Set<String> looking = ConcurrentHashMap.newKeySet();

    NameWatch(StatusSink sink, TimeSource time, Executor lookups, Lookup lookup) {
        this.sink = sink;
        this.time = time;
        this.lookups = lookups;
        this.lookup = lookup;
    }

    /** Looks a name up; blocks for as long as the system likes. */
    @FunctionalInterface
    interface Lookup {
        /** All addresses of a name or address, at least one. */
        InetAddress[] all(String host) throws UnknownHostException;
    }

    /** Watches these names from now on, all of them. */
    void watch(Set<String> hosts, Duration every) {
        if (closed.get()) {
            return;
        }
        Round next = new Round(Set.copyOf(hosts), every.compareTo(LEAST_EVERY) < 0 ? LEAST_EVERY : every);
        Round before = round.getAndSet(next);
        if (before != null) {
            before.cancel();
        }
        if (closed.get()) {
            close(); // meanwhile: what was just put there goes again
        } else {
            next.turn();
        }
    }

    /** Watches nothing any more. */
    void close() {
        closed.set(true);
        Round last = round.getAndSet(null);
        if (last != null) {
            last.cancel();
        }
    }

    /** What is watched until the next change. */
    private final class Round {
        private final Set<String> hosts;
        private final Duration every;
        private final AtomicReference<@Nullable Cancellable> timer = new AtomicReference<>();

        Round(Set<String> hosts, Duration every) {
            this.hosts = hosts;
            this.every = every;
        }

        private boolean isCurrent() {
            return round.get() == this;
        }

        void turn() {
            if (hosts.isEmpty() || !isCurrent()) {
                return;
            }
            hosts.forEach(NameWatch.this::look);
            timer.set(time.schedule(every, this::turn));
            if (!isCurrent()) {
                cancel(); // whoever took its place may have seen no timer yet
            }
        }

        void cancel() {
            Cancellable pending = timer.getAndSet(null);
            if (pending != null) {
                pending.cancel();
            }
        }
    }

    private void look(String host) {
        if (looking.add(host)) {
            try {
                lookups.execute(() -> lookUp(host));
            } catch (RejectedExecutionException closed) {
                looking.remove(host); // the probe is being closed: nobody wants to know
            }
        }
    }

    /** Told before the next lookup of the same name may begin, so that an older answer never comes after a newer one. */
    private void lookUp(String host) {
        try {
            List<InetAddress> found = List.of(lookup.all(host));
            if (!found.isEmpty() && !closed.get()) {
                tell(host, found);
            }
        } catch (UnknownHostException unknown) {
            System.getLogger(HttpStatusProbe.class.getName())
                    .log(System.Logger.Level.DEBUG, "the name " + host + " cannot be resolved now");
        } finally {
            looking.remove(host);
        }
    }

    private void tell(String host, List<InetAddress> found) {
        try {
            sink.resolved(host, found);
        } catch (RuntimeException thrown) {
            System.getLogger(HttpStatusProbe.class.getName())
                    .log(System.Logger.Level.WARNING, "the status sink failed for the name " + host, thrown);
        }
    }
}
