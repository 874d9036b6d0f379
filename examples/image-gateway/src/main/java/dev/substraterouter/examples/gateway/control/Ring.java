package dev.substraterouter.examples.gateway.control;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The last events, so that a client that was away for a moment misses none. An event's id is the gateway's start and a number: after a
 * restart the numbers begin anew, and an id of before tells only that its client has seen none of these. Guarded by its owner's lock.
 */
final class Ring {
    /** How many it holds. */
    static final int SIZE = 256;

    private final String start;
    private final ArrayDeque<Event> events = new ArrayDeque<>();
    private long newest;

    Ring(long startedAt) {
        start = Long.toHexString(startedAt);
    }

    /** Adds a fact as the newest event. */
    Event add(String type, Object fact) {
        newest++;
        Event event = new Event(start + "-" + newest, type, fact);
        if (events.size() == SIZE) {
            events.removeFirst();
        }
        events.addLast(event);
        return event;
    }

    /** What came after an event, behind a word of how many are gone; null: the client has seen none, and is told of what comes. */
    List<Event> after(@Nullable String id) {
        if (id == null || id.isEmpty()) {
            return List.of();
        }
        long seen = Math.min(number(id), newest);
        long oldest = newest - events.size();
        List<Event> missed = new ArrayList<>();
        if (seen < oldest) {
            missed.add(Event.lost(oldest - seen));
        }
        events.stream().skip(Math.max(0, seen - oldest)).forEach(missed::add);
        return missed;
    }

    /** The number of an event of this start; 0 for any other id. */
    private long number(String id) {
        return id.matches(start + "-[0-9]{1,18}") ? Long.parseLong(id.substring(start.length() + 1)) : 0;
    }
}
