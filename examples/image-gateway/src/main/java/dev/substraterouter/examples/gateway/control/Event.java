package dev.substraterouter.examples.gateway.control;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** One thing that operators are told. Its bytes are made when the first stream wants them: without streams it costs next to nothing. */
final class Event {
    private final String id;
    private final String type;
    private final Told told;
    private byte @Nullable [] made; // a race makes the same bytes twice

    Event(String id, String type, Instant at, Object fact) {
        this.id = id;
        this.type = type;
        this.told = new Told(at, fact);
    }

    /** What tells a stream that it missed some; it has no id, so that it does not stand for one of those missed. */
    static Event lost(Instant at, long count) {
        return new Event("", "lost", at, new Lost(count));
    }

    /** The event as a stream carries it. */
    byte[] bytes() {
        byte[] bytes = made;
        if (bytes == null) {
            bytes = framed();
            made = bytes;
        }
        return bytes;
    }

    private byte[] framed() {
        String head = (id.isEmpty() ? "" : "id: " + id + "\n") + "event: " + type + "\ndata: ";
        byte[] start = head.getBytes(StandardCharsets.US_ASCII);
        byte[] json = ControlJson.bytes(told);
        byte[] bytes = Arrays.copyOf(start, start.length + json.length + 2);
        System.arraycopy(json, 0, bytes, start.length, json.length);
        bytes[bytes.length - 2] = '\n';
        bytes[bytes.length - 1] = '\n';
        return bytes;
    }

    /** What the stream carries: when it was told, by the wall clock, and what. */
    record Told(Instant at, Object fact) {}

    record Lost(long count) {}
}
