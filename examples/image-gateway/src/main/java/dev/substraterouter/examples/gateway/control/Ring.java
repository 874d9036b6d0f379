package dev.substraterouter.examples.gateway.control;

import dev.substraterouter.time.TimeSource;
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

    private final TimeSource time;
    private final String start;
    private final ArrayDeque<Event> events = new ArrayDeque<>();
    private long newest;

    Ring(TimeSource time) {
        this.time = time;
        this.start = Long.toHexString(time.wall().toEpochMilli());
    }

    /** Adds a fact as the newest event. */
    Event add(String type, Object fact) {
        newest++;
        Event event = new Event(start + "-" + newest, type, time.wall(), fact);
        if (events.size() == SIZE) {
            events.removeFirst();
        }
        events.addLast(event);
        return event;
    }

    /**
     * What came after an event, behind a word of how many are gone; all that is held for an id that is not of this start, for example
     * {@code 0}; nothing for null.
     */
    List<Event> after(@Nullable String id) {
        if (id == null || id.isEmpty()) {
            return List.of();
        }
        long oldest = newest - events.size();
        long seen = id.matches(start + "-[0-9]{1,18}") ? Math.min(number(id), newest) : oldest;
        List<Event> missed = new ArrayList<>();
        if (seen < oldest) {
            missed.add(Event.lost(time.wall(), oldest - seen));
        }
        events.stream().skip(Math.max(0, seen - oldest)).forEach(missed::add);
        return missed;
    }

    private long number(String id) {
        return Long.parseLong(id.substring(start.length() + 1));
    }
}
