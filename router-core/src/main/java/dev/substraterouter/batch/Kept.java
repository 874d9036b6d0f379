package dev.substraterouter.batch;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Ended jobs, the oldest first: so many and so many bytes of them, where the oldest leaves for the newest. Guarded by the store's lock. */
final class Kept {
    private final int most;
    private final long mostBytes;
    private final Consumer<Entry> leaves;
    private final Map<Long, Entry> entries = new LinkedHashMap<>();
    private long bytes;

    /**
     * Nothing yet.
     *
     * @param leaves is told who leaves
     */
    Kept(int most, long mostBytes, Consumer<Entry> leaves) {
        this.most = most;
        this.mostBytes = mostBytes;
        this.leaves = leaves;
    }

    void add(Entry entry) {
        entries.put(entry.position, entry);
        bytes += entry.bytes();
        while (entries.size() > most || (bytes > mostBytes && entries.size() > 1)) {
            Entry oldest = entries.values().iterator().next();
            remove(oldest);
            leaves.accept(oldest);
        }
    }

    void remove(Entry entry) {
        if (entries.remove(entry.position) != null) {
            bytes -= entry.bytes();
        }
    }

    /** So many behind one of them; from the oldest when that is none of them. */
    List<Entry> page(@Nullable Entry after, int most) {
        boolean found = after == null || !entries.containsKey(after.position);
        List<Entry> page = new ArrayList<>();
        for (Entry entry : entries.values()) {
            if (found && page.size() < most) {
                page.add(entry);
            }
            found |= entry == after;
        }
        return page;
    }
}
