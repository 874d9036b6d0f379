package dev.substraterouter.batch;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of the in-memory store by id, by key and in their order, and how much of them there is. Guarded by the store's lock.
 */
final class Shelf {
    private final int capacity;
    private final long capacityBytes;
    private final Map<String, Entry> known = new HashMap<>();
    private final Map<Key, Entry> keys = new HashMap<>();
    private final TreeMap<Long, Entry> open = new TreeMap<>();
    private final Kept ended;
    private final Kept dead;
    private long openBytes;
    private long positions;

    Shelf(int capacity, long capacityBytes, int keptEnded, int keptDead, long keptBytes) {
        this.capacity = capacity;
        this.capacityBytes = capacityBytes;
        ended = new Kept(keptEnded, keptBytes, this::drop);
        dead = new Kept(keptDead, keptBytes, this::drop);
    }

    /** An idempotency key is of one identity: nobody gets at another one's job by guessing its key. */
    record Key(Optional<String> identity, String key) {
        static @Nullable Key of(BatchJob job) {
            return job.idempotencyKey()
                    .map(key -> new Key(job.request().identity(), key))
                    .orElse(null);
        }
    }

    @Nullable
    Entry find(String id) {
        return known.get(id);
    }

    @Nullable
    Entry find(Key key) {
        return keys.get(key);
    }

    /** The one that is known by the id of a job, or else by its key. */
    @Nullable
    Entry same(BatchJob job, @Nullable Key key) {
        Entry same = known.get(job.id());
        return same != null || key == null ? same : keys.get(key);
    }

    /** The open ones behind a position, in order. */
    Iterable<Entry> behind(long position) {
        return open.tailMap(position, false).values();
    }

    Kept dead() {
        return dead;
    }

    int open() {
        return open.size();
    }

    boolean hasRoom(BatchJob job) {
        return open.size() < capacity && openBytes + job.payloadBytes() <= capacityBytes;
    }

    /** The refusal of a job for which there is no room. */
    BatchFullException full(BatchJob job) {
        return new BatchFullException(String.format(
                Locale.ROOT,
                "batch store full: jobs %d/%d, payloads %d/%d bytes (this one: %d)",
                open.size(),
                capacity,
                openBytes,
                capacityBytes,
                job.payloadBytes()));
    }

    /** The position of the next one to be added. */
    long nextPosition() {
        return ++positions;
    }

    void add(Entry entry, @Nullable Key key) {
        known.put(entry.job().id(), entry);
        if (key != null) {
            keys.put(key, entry);
        }
        open.put(entry.position, entry);
        openBytes += entry.job().payloadBytes();
    }

    /** One has ended: it is kept for a while. */
    void end(Entry entry) {
        open.remove(entry.position);
        openBytes -= entry.job().payloadBytes();
        kept(entry).add(entry);
    }

    /** Throws an ended one away. */
    void forget(Entry entry) {
        kept(entry).remove(entry);
        drop(entry);
    }

    private Kept kept(Entry entry) {
        return entry.state() == BatchState.DEAD ? dead : ended;
    }

    private void drop(Entry entry) {
        known.remove(entry.job().id());
        Key key = Key.of(entry.job());
        if (key != null) {
            keys.remove(key);
        }
    }
}
