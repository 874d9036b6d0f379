package dev.substraterouter.examples.gateway.tools;

import dev.substraterouter.examples.gateway.access.Caller;
import dev.substraterouter.time.Cancellable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Which answers are kept, and how much of the room they take. Who gets one out of it, by whichever method, has its file to read or to delete.
 * Under the lock there is arithmetic only. Thread-safe; never blocks for long.
 */
final class LinkShelf {
    private final LinkLimits limits;
    private final ReentrantLock lock = new ReentrantLock();
    /** By token, the oldest first. Guarded by the lock, as all below. */
    private final Map<String, Kept> kept = new LinkedHashMap<>();

    private int writing;
    private long bytes;
    private boolean closed;

    record Kept(Caller owner, String contentType, long size, Path file, Cancellable expiry) {}

    LinkShelf(LinkLimits limits) {
        this.limits = limits;
    }

    /** One more answer is written; those that must go for it. */
    List<Kept> begin() {
        lock.lock();
        try {
            open();
            if (writing >= limits.count()) {
                throw new LinksFullException("answers on their way to links: " + writing + "/" + limits.count());
            }
            List<Kept> evicted = new ArrayList<>();
            while (writing + kept.size() >= limits.count()) {
                evicted.add(evict());
            }
            writing++;
            return evicted;
        } finally {
            lock.unlock();
        }
    }

    /** Room for some more bytes of an answer of which so many are written; those that must go for it. */
    List<Kept> reserve(long written, int more) {
        if (written + more > limits.each()) {
            throw new LinksFullException("the answer is larger than " + limits.each() + " bytes");
        }
        lock.lock();
        try {
            List<Kept> evicted = new ArrayList<>();
            while (bytes + more > limits.all() && !kept.isEmpty()) {
                evicted.add(evict());
            }
            if (bytes + more > limits.all()) {
                throw new LinksFullException("bytes of answers on their way: " + bytes + "/" + limits.all());
            }
            bytes += more;
            return evicted;
        } finally {
            lock.unlock();
        }
    }

    /** An answer was written. */
    void put(String token, Kept answer) {
        lock.lock();
        try {
            open();
            kept.put(token, answer);
            writing--;
        } finally {
            lock.unlock();
        }
    }

    /** An answer was not written to its end. */
    void giveUp(long written) {
        lock.lock();
        try {
            writing--;
            bytes -= written;
        } finally {
            lock.unlock();
        }
    }

    /** The answer, taken out for its owner; its bytes count until they are {@linkplain #release released}. Null: not for that one. */
    @Nullable
    Kept claim(Caller caller, String token) {
        lock.lock();
        try {
            Kept found = kept.get(token);
            if (found == null || !found.owner().equals(caller)) {
                return null;
            }
            kept.remove(token);
            return found;
        } finally {
            lock.unlock();
        }
    }

    /** A claimed answer takes no room any more. */
    void release(long size) {
        lock.lock();
        try {
            bytes -= size;
        } finally {
            lock.unlock();
        }
    }

    /** The answer, taken out because its time is over; null: it is not here any more. */
    @Nullable
    Kept expire(String token) {
        lock.lock();
        try {
            Kept old = kept.remove(token);
            if (old != null) {
                bytes -= old.size();
            }
            return old;
        } finally {
            lock.unlock();
        }
    }

    /** Takes all out and nothing more in. */
    List<Kept> close() {
        lock.lock();
        try {
            closed = true;
            List<Kept> all = new ArrayList<>();
            while (!kept.isEmpty()) {
                all.add(evict());
            }
            return all;
        } finally {
            lock.unlock();
        }
    }

    int size() {
        lock.lock();
        try {
            return kept.size();
        } finally {
            lock.unlock();
        }
    }

    private Kept evict() {
        Iterator<Kept> all = kept.values().iterator();
        Kept oldest = all.next();
        all.remove();
        bytes -= oldest.size();
        return oldest;
    }

    private void open() {
        if (closed) {
            throw new LinksFullException("the links are closed");
        }
    }

    @Override
    public String toString() {
        lock.lock();
        try {
            return kept.size() + "/" + limits.count() + ", bytes " + bytes + "/" + limits.all();
        } finally {
            lock.unlock();
        }
    }
}
