package dev.substraterouter.examples.gateway.mcp;

import dev.substraterouter.examples.gateway.access.Caller;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Which session belongs to whom. A session id is no secret that could stand in for a token, so everybody but the one who opened a session is
 * told that there is none. Of very many the one not used for the longest is forgotten; its client is told so, too, and opens another.
 * Thread-safe; never blocks for long.
 */
final class Sessions {
    private final int most;
    private final ReentrantLock lock = new ReentrantLock();
    /** By session, the one not used for the longest first. Guarded by the lock. */
    private final Map<String, Caller> owners = new LinkedHashMap<>(16, 0.75f, true);

    Sessions(int most) {
        this.most = most;
    }

    void opened(String session, Caller caller) {
        lock.lock();
        try {
            owners.put(session, caller);
            if (owners.size() > most) {
                owners.remove(owners.keySet().iterator().next());
            }
        } finally {
            lock.unlock();
        }
    }

    boolean belongs(String session, Caller caller) {
        lock.lock();
        try {
            return caller.equals(owners.get(session));
        } finally {
            lock.unlock();
        }
    }

    void closed(String session) {
        lock.lock();
        try {
            owners.remove(session);
        } finally {
            lock.unlock();
        }
    }
}
