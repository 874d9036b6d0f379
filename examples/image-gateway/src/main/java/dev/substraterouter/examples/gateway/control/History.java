package dev.substraterouter.examples.gateway.control;

import dev.substraterouter.time.TimeSource;
import dev.substraterouter.trace.Attempt;
import dev.substraterouter.trace.Outcome;
import dev.substraterouter.trace.RoutingTrace;
import dev.substraterouter.trace.ServingPath;
import dev.substraterouter.trace.TraceSink;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The last hour, minute by minute: what was served by which path and how fast, and what was refused. To be given to the router's builder
 * as a trace sink. Always of one size, whatever is asked of the router. Thread-safe.
 */
public final class History implements TraceSink {
    private static final int MINUTES = 60;
    private static final long MINUTE_NANOS = Duration.ofMinutes(1).toNanos();

    private final TimeSource time;
    private final long origin;
    private final ReentrantLock lock = new ReentrantLock();
    private final Minute[] minutes = new Minute[MINUTES]; // guarded by the lock, as what is in it

    /** An hour without anything in it. */
    public History(TimeSource time) {
        this.time = time;
        this.origin = time.nanos();
        for (int at = 0; at < MINUTES; at++) {
            minutes[at] = new Minute();
        }
    }

    @Override
    public void accept(RoutingTrace trace) {
        lock.lock();
        try {
            minute(number(sinceOrigin())).add(trace);
        } finally {
            lock.unlock();
        }
    }

    /** The hour as it is now, the oldest minute first, the one that is not over last. */
    Hour hour() {
        List<Span> spans = new ArrayList<>();
        Minute all = new Minute();
        lock.lock();
        try {
            long since = sinceOrigin();
            Instant wall = time.wall();
            Instant begun = wall.minusNanos(since % MINUTE_NANOS); // when the minute began that is not over
            for (int back = MINUTES - 1; back >= 0; back--) {
                Minute minute = minute(number(since) - back);
                spans.add(minute.span(seconds(back == 0 ? wall : begun.minusNanos((back - 1) * MINUTE_NANOS))));
                all.add(minute);
            }
            return new Hour(List.copyOf(spans), all.span(seconds(wall)));
        } finally {
            lock.unlock();
        }
    }

    private long sinceOrigin() {
        return time.nanos() - origin;
    }

    private static long number(long sinceOrigin) {
        // one hour on from the start, so that the minutes before it have numbers too
        return sinceOrigin / MINUTE_NANOS + MINUTES;
    }

    private static Instant seconds(Instant at) {
        return at.truncatedTo(ChronoUnit.SECONDS);
    }

    private Minute minute(long number) {
        Minute minute = minutes[(int) (number % MINUTES)];
        minute.begin(number);
        return minute;
    }

    /**
     * An hour.
     *
     * @param minutes its minutes, the oldest first
     * @param all all of it
     */
    record Hour(List<Span> minutes, Span all) {}

    /**
     * Some time.
     *
     * @param at its end, by the wall clock
     * @param refused how many requests were turned down
     * @param fallbackShare the share of placements, those by the batch path aside, that were not on the primary, 0 to 1; empty without any
     * @param paths by path what was placed there
     */
    record Span(Instant at, long refused, OptionalDouble fallbackShare, Map<String, Served> paths) {}

    /**
     * What was placed by one path.
     *
     * @param count how many requests ended there
     * @param failed how many of them without the work done
     * @param p50Seconds half of those done took no longer; empty without any
     * @param p95Seconds 95 % of those done took no longer; empty without any
     */
    record Served(long count, long failed, OptionalDouble p50Seconds, OptionalDouble p95Seconds) {}

    private static final class Minute {
        private long number;
        private long refused;
        private final Map<ServingPath, Tally> paths = new EnumMap<>(ServingPath.class);

        Minute() {
            for (ServingPath path : ServingPath.values()) {
                paths.put(path, new Tally());
            }
        }

        void begin(long newNumber) {
            if (number != newNumber) {
                number = newNumber;
                refused = 0;
                paths.values().forEach(Tally::clear);
            }
        }

        void add(RoutingTrace trace) {
            refused += trace.refusal().isPresent() ? 1 : 0;
            trace.lastAttempt().ifPresent(last -> tally(last.path()).add(last));
        }

        void add(Minute other) {
            refused += other.refused;
            other.paths.forEach((path, tally) -> tally(path).add(tally));
        }

        Span span(Instant at) {
            Map<String, Served> served = new LinkedHashMap<>();
            paths.forEach((path, tally) -> served.put(ControlJson.code(path), tally.served()));
            return new Span(at, refused, fallbackShare(), served);
        }

        private OptionalDouble fallbackShare() {
            long elsewhere = tally(ServingPath.FALLBACK).count + tally(ServingPath.OVERFLOW).count;
            long placed = elsewhere + tally(ServingPath.PRIMARY).count;
            return placed == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) elsewhere / placed);
        }

        private Tally tally(ServingPath path) {
            return Objects.requireNonNull(paths.get(path));
        }
    }

    private static final class Tally {
        private long count;
        private long failed;
        private final LatencyHistogram latencies = new LatencyHistogram();

        void add(Attempt attempt) {
            count++;
            if (attempt.outcome() == Outcome.SUCCEEDED) {
                attempt.latency().ifPresent(latencies::add);
            } else {
                failed++;
            }
        }

        void add(Tally other) {
            count += other.count;
            failed += other.failed;
            latencies.add(other.latencies);
        }

        void clear() {
            count = 0;
            failed = 0;
            latencies.clear();
        }

        Served served() {
            return new Served(count, failed, latencies.quantile(0.5), latencies.quantile(0.95));
        }
    }
}
