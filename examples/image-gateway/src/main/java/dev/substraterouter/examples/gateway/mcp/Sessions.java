package dev.substraterouter.examples.gateway.mcp;

import dev.substraterouter.examples.gateway.access.Caller;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Which session belongs to whom. A session id is no secret that could stand in for a token, so everybody but the one who opened a session is
 * told that there is none. There are so many and no more, in all and of one caller: the transport keeps what it has opened until nobody uses it,
 * so none is forgotten to make room for another. One that the transport has ended is forgotten. Who is nobody in particular may have as many as
 * there are. Thread-safe; never blocks for long.
 */
final class Sessions {
    private final int most;
    private final int mostOfOne;
    private final long goneNanos;
    private final LongSupplier nanos;
    private final ReentrantLock lock = new ReentrantLock();
    /** By session. Guarded by the lock. */
    private final Map<String, Session> sessions = new HashMap<>();
    /** How many are being opened, by caller; never zero. Guarded by the lock. */
    private final Map<Caller, Integer> openings = new HashMap<>();

    /** Guarded by the lock. */
    private static final class Session {
        private final Caller owner;
        private int uses;
        private long lastUse;

        Session(Caller owner, long now) {
            this.owner = owner;
            this.lastUse = now;
        }
    }

    /**
     * No sessions yet.
     *
     * @param most how many there may be
     * @param mostOfOne how many one caller may have
     * @param gone how long one is not used until the transport has ended it for certain
     * @param nanos the time
     */
    Sessions(int most, int mostOfOne, Duration gone, LongSupplier nanos) {
        this.most = most;
        this.mostOfOne = mostOfOne;
        this.goneNanos = gone.toNanos();
        this.nanos = nanos;
    }

    /** The right to open one, to be closed when it was opened or not; null: there is no room. */
    @Nullable
    Opening opening(Caller caller) {
        lock.lock();
        try {
            forgetThoseGone();
            int opening = openings.values().stream().mapToInt(Integer::intValue).sum();
            boolean hasEnough = caller.identity().isPresent() && held(caller) >= mostOfOne;
            if (hasEnough || sessions.size() + opening >= most) {
                return null;
            }
            openings.merge(caller, 1, Integer::sum);
            return new Opening(caller);
        } finally {
            lock.unlock();
        }
    }

    /** Begins a use, if it is this caller's; if so, the use must be ended. */
    boolean use(String id, Caller caller) {
        lock.lock();
        try {
            forgetThoseGone();
            Session session = sessions.get(id);
            if (session == null || !session.owner.equals(caller)) {
                return false;
            }
            session.uses++;
            return true;
        } finally {
            lock.unlock();
        }
    }

    void used(String id) {
        lock.lock();
        try {
            Session session = sessions.get(id);
            if (session != null) {
                session.uses--;
                session.lastUse = nanos.getAsLong();
            }
        } finally {
            lock.unlock();
        }
    }

    /** The transport does not know it any more. */
    void gone(String id) {
        lock.lock();
        try {
            sessions.remove(id);
        } finally {
            lock.unlock();
        }
    }

    private long held(Caller caller) {
        long open = sessions.values().stream()
                .filter(session -> session.owner.equals(caller))
                .count();
        return open + openings.getOrDefault(caller, 0);
    }

    private void forgetThoseGone() {
        long now = nanos.getAsLong();
        sessions.values().removeIf(session -> session.uses == 0 && now - session.lastUse > goneNanos);
    }

    @Override
    public String toString() {
        return "at most " + most + " in all, " + mostOfOne + " of one caller";
    }

    /** A session that may come to be. */
    final class Opening implements AutoCloseable {
        private final Caller caller;

        private Opening(Caller caller) {
            this.caller = caller;
        }

        /** It has come to be. */
        void opened(String id) {
            lock.lock();
            try {
                sessions.put(id, new Session(caller, nanos.getAsLong()));
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void close() {
            lock.lock();
            try {
                openings.computeIfPresent(caller, (who, count) -> count == 1 ? null : count - 1);
            } finally {
                lock.unlock();
            }
        }
    }
}
