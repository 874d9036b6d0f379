package dev.substraterouter.probe.http;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import dev.substraterouter.status.StatusSink;
import dev.substraterouter.status.StatusSource;
import dev.substraterouter.status.StatusTarget;
import dev.substraterouter.time.SystemTimeSource;
import dev.substraterouter.time.TimeSource;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Asks substrates for their status over HTTP, by the addresses of the policy, and brings the answers to the router.
 *
 * <pre>{@code
 * SubstrateRouter router = SubstrateRouter.builder()
 *         .policy(policy)
 *         .statusSource(HttpStatusProbe.create())
 *         .build();
 * }</pre>
 *
 * <p>Each address is asked by a {@code GET} every {@code poll.every}, give or take 10 %, with at most one question in flight. The first
 * questions are spread over 20 ms for each new substrate (at most over {@code poll.every}), so that they do not come all at once. After an
 * answer that changed what the address says of being ready (it failed, or it came back) the next question follows within a second. One that
 * takes longer than {@code poll.timeout}, its whole body included, has failed: a missed answer is reported as such and not more, and the next
 * question comes in turn. A substrate that hangs delays no other.
 *
 * <p>What an answer says is read by the {@link StatusFormat} that the policy's {@code format} names; by default the router's own, one JSON
 * object. An address without a path is asked at the paths of its format. An answer is at most as long as its format allows (256 KiB where it
 * does not say), and not compressed. Redirects
 * are followed three times within the same scheme, host and port, and never to another. No proxy is used. TLS is checked against the JDK's
 * trust store or the given context, the host's name included.
 *
 * <p>A bearer token is read from its environment variable or file at each question and sent to that address only. It is in no reason, no log
 * line and no exception; if it cannot be read, nothing is sent. Bodies are never logged.
 *
 * <p><b>Threads.</b> Thread-safe; no method blocks. All threads are daemons and their number does not depend on how many substrates there
 * are: the HTTP client's own, two that read answers (unless an executor is given), one for the time (unless a time source is), up to
 * four while status names are looked up or token files read, and up to two while names of endpoints are. On a machine with one or two processors the JDK's client also hands each answer over
 * on a short-lived thread of its own. The sink is told answers on the threads that read them. After {@link #close()} the threads end by
 * themselves; before JDK 21 the client's own one ends when the garbage collector finds the client unused.
 *
 * <p><b>Races.</b> A change of targets takes effect as a whole: addresses that are the same go on in their rhythm, the others are stopped or
 * started. What is on its way from a stopped one is called off, and dropped if it comes all the same; only an answer that is being told at
 * that very moment is still told. The same holds for {@link #close()}, after which everything else does nothing. Whether {@code start} or
 * {@code close} comes first is decided under one lock: a closed probe never starts. How the races of a single address end is told in
 * {@code Poller}.
 */
public final class HttpStatusProbe implements StatusSource {
    private static final Duration SPREAD = Duration.ofMillis(20);

    private final String name;
    private final TimeSource time;
    private final Executor executor;
    private final Runnable freeThreads;
    private final Supplier<Asker.Source> connect;
    private final StatusFormats formats;
    private final ThreadPoolExecutor lookups;
    private final ThreadPoolExecutor nameLookups;
    private final NameWatch.Lookup lookup;

    private final Object lock = new Object();
    private final SplittableRandom random; // guarded by lock
    private Stage stage = Stage.NEW; // guarded by lock
    private List<StatusTarget> wanted = List.of(); // guarded by lock
    private Set<String> names = Set.of(); // guarded by lock
    private Duration namesEvery = Duration.ofSeconds(5); // guarded by lock
    private @Nullable NameWatch nameWatch; // guarded by lock
    private @Nullable StatusSink sink; // guarded by lock
    private Asker.@Nullable Source askers; // guarded by lock
    private Map<Address, Poller> pollers = Map.of(); // guarded by lock; replaced, never changed
    private volatile Map<String, List<Poller>> bySubstrate = Map.of();

    private enum Stage {
        NEW,
        STARTED,
        CLOSED
    }

    private HttpStatusProbe(Builder builder) {
        name = builder.name;
        random = builder.seed == null ? new SplittableRandom() : new SplittableRandom(builder.seed);
        SystemTimeSource ownTime = builder.timeSource == null ? new SystemTimeSource(name + "-timer") : null;
        ThreadPoolExecutor ownPool = builder.executor == null ? Daemons.workers(name) : null;
        time = ownTime == null ? Objects.requireNonNull(builder.timeSource) : ownTime;
        executor = ownPool == null ? Objects.requireNonNull(builder.executor) : ownPool;
        lookups = Daemons.lookups(name);
        nameLookups = Daemons.names(name);
        lookup = builder.lookup;
        freeThreads = () -> {
            lookups.shutdownNow();
            nameLookups.shutdownNow();
            if (ownTime != null) {
                ownTime.close();
            }
            if (ownPool != null) {
                Daemons.expire(ownPool);
            }
        };
        SSLContext tls = builder.sslContext;
        var environment = builder.environment;
        formats = StatusFormats.load();
        Duration stallAfter = builder.stallAfter;
        connect = builder.askers != null
                ? builder.askers
                : () -> new HttpAskers(executor, lookups, lookup, tls, environment, formats, time, stallAfter);
    }

    /** A probe with everything at its default. */
    public static HttpStatusProbe create() {
        return builder().build();
    }

    /** A builder with everything at its default. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Begins to ask. A closed probe stays closed.
     *
     * @throws IllegalStateException if it was started before: a probe serves one router
     */
    @Override
    public void start(StatusSink sink) {
        Objects.requireNonNull(sink, "sink");
        synchronized (lock) {
            if (stage == Stage.CLOSED) {
                return;
            }
            if (this.sink != null) {
                throw new IllegalStateException("probe '" + name + "' is started already");
            }
            this.sink = sink; // from here on nobody else starts it
        }
        Asker.Source made = connect.get(); // takes a while: not under the lock
        Change change = Change.NONE;
        NameWatch watch = null;
        Set<String> watched = Set.of();
        Duration every = Duration.ZERO;
        synchronized (lock) {
            if (stage == Stage.NEW) {
                stage = Stage.STARTED;
                askers = made;
                change = retarget();
                watch = new NameWatch(sink, time, nameLookups, lookup);
                nameWatch = watch;
                watched = names;
                every = namesEvery;
            }
        }
        if (watch != null) {
            change.apply();
            watch.watch(watched, every);
        } else {
            made.close(); // closed meanwhile
        }
    }

    @Override
    public void targets(List<StatusTarget> targets) {
        List<StatusTarget> copy = List.copyOf(targets);
        Change change;
        synchronized (lock) {
            if (stage == Stage.CLOSED) {
                return;
            }
            wanted = copy;
            change = retarget();
        }
        change.apply();
    }

    /** Looks the names up in the background and tells the router what they resolve to; one that cannot be resolved keeps what it was. */
    @Override
    public void names(Set<String> hosts, Duration every) {
        Set<String> copy = Set.copyOf(hosts);
        NameWatch watch;
        synchronized (lock) {
            if (stage == Stage.CLOSED) {
                return;
            }
            names = copy;
            namesEvery = every;
            watch = nameWatch;
        }
        if (watch != null) {
            watch.watch(copy, every);
        }
    }

    /** Asks all addresses of one substrate at once. A question in flight is followed by exactly one more, however often this is called. */
    @Override
    public void refresh(String substrateId) {
        bySubstrate.getOrDefault(substrateId, List.of()).forEach(Poller::refresh);
    }

    @Override
    public void close() {
        Map<Address, Poller> stopped;
        Asker.Source unused;
        NameWatch watch;
        synchronized (lock) {
            if (stage == Stage.CLOSED) {
                return;
            }
            stage = Stage.CLOSED;
            stopped = pollers;
            unused = askers;
            pollers = Map.of();
            bySubstrate = Map.of();
            wanted = List.of();
            askers = null;
            sink = null;
            watch = nameWatch;
            nameWatch = null;
        }
        if (watch != null) {
            watch.close();
        }
        stopped.values().forEach(Poller::stop);
        if (unused != null) {
            unused.close();
        }
        freeThreads.run();
    }

    /** Called under the lock: makes the pollers of the wanted targets the current ones, and says whom to stop and whom to start. */
    private Change retarget() {
        StatusSink to = sink;
        Asker.Source by = askers;
        if (to == null || by == null) {
            return Change.NONE;
        }
        Map<Address, Poller> next = new LinkedHashMap<>();
        List<Start> starts = new ArrayList<>();
        Set<String> startedSubstrates = new HashSet<>();
        for (StatusTarget target : wanted) {
            for (Address address : Address.of(target, formats)) {
                Poller poller = pollers.get(address);
                if (poller != null) {
                    next.put(address, poller);
                } else if (!next.containsKey(address)) {
                    Poller added = new Poller(address, by, to, time, executor, random.split());
                    next.put(address, added);
                    starts.add(new Start(added, address.every(), random.nextDouble()));
                    startedSubstrates.add(address.substrateId());
                }
            }
        }
        List<Poller> stops = new ArrayList<>();
        pollers.forEach((address, poller) -> {
            if (!next.containsKey(address)) {
                stops.add(poller);
            }
        });
        pollers = next;
        bySubstrate = next.keySet().stream().collect(groupingBy(Address::substrateId, mapping(next::get, toList())));
        return new Change(stops, starts, SPREAD.multipliedBy(startedSubstrates.size()));
    }

    @Override
    public String toString() {
        synchronized (lock) {
            return "HttpStatusProbe[" + name + ", " + pollers.size() + " addresses, " + stage + "]";
        }
    }

    /** A poller to start, how often it asks, and where in its share of the spread it begins (0 to 1). */
    private record Start(Poller poller, Duration every, double offset) {}

    /** What a change of targets does, outside the lock. */
    private record Change(List<Poller> stops, List<Start> starts, Duration spread) {
        static final Change NONE = new Change(List.of(), List.of(), Duration.ZERO);

        void apply() {
            stops.forEach(Poller::stop);
            for (int i = 0; i < starts.size(); i++) {
                Start start = starts.get(i);
                Duration over = start.every().compareTo(spread) < 0 ? start.every() : spread;
                double share = (i + start.offset()) / starts.size();
                start.poller().start(Duration.ofNanos((long) (over.toNanos() * share)));
            }
        }
    }

    /** Builds a {@link HttpStatusProbe}. Not thread-safe. */
    public static final class Builder {
        private String name = "substrate-probe";
        private @Nullable TimeSource timeSource;
        private @Nullable Executor executor;
        private @Nullable SSLContext sslContext;
        private @Nullable Long seed;
        private Duration stallAfter = Duration.ofMinutes(2);
        private Function<String, @Nullable String> environment = System::getenv;
        private NameWatch.Lookup lookup = InetAddress::getAllByName;
        private @Nullable Supplier<Asker.Source> askers;

        private Builder() {}

        /** What the threads' names begin with; default {@code substrate-probe}. */
        public Builder name(String value) {
            name = Objects.requireNonNull(value, "name");
            return this;
        }

        /** The time to live by; default the machine's, on a thread of the probe. A given one is not closed by the probe. */
        public Builder timeSource(TimeSource value) {
            timeSource = Objects.requireNonNull(value, "timeSource");
            return this;
        }

        /**
         * Where answers are read and brought to the router; default two threads of the probe. It must run tasks on other threads than the
         * caller's. A given one is not shut down by the probe, and once it is shut down no more answers come.
         */
        public Builder executor(Executor value) {
            executor = Objects.requireNonNull(value, "executor");
            return this;
        }

        /** Whom to trust over TLS, and as whom to speak; default the JDK's context. */
        public Builder sslContext(SSLContext value) {
            sslContext = Objects.requireNonNull(value, "sslContext");
            return this;
        }

        /**
         * How long a server may have jobs while its counter of work done stands still, until it counts as stalled and so as not ready;
         * default 2 minutes. Only for formats that tell such a counter.
         *
         * @throws IllegalArgumentException if it is not positive
         */
        public Builder stallAfter(Duration value) {
            if (value.isNegative() || value.isZero()) {
                throw new IllegalArgumentException("stallAfter: " + value + " (expected: > 0)");
            }
            stallAfter = value;
            return this;
        }

        /** The seed of the jitter, for tests; default a new one for each probe. */
        public Builder seed(long value) {
            seed = value;
            return this;
        }

        /** Reads variables elsewhere than in the environment of the process. */
        Builder environment(Function<String, @Nullable String> value) {
            environment = value;
            return this;
        }

        /** Looks names up elsewhere than by the system. */
        Builder lookup(NameWatch.Lookup value) {
            lookup = value;
            return this;
        }

        /** Asks by other means than HTTP. */
        Builder askers(Supplier<Asker.Source> value) {
            askers = value;
            return this;
        }

        /** The probe. It has no thread until it is started. */
        public HttpStatusProbe build() {
            return new HttpStatusProbe(this);
        }
    }
}
