package dev.substraterouter.examples.gateway.forward;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A request's body: its beginning, which is kept and can be sent again, and the rest, which the client sends once. A body that is not larger than what may be
 * kept has no rest, and any number of workers can be sent it. Closing it gives the kept bytes back.
 *
 * <p>Used by one attempt at a time; the rest is read on a thread of the HTTP client.
 */
final class ClientBody implements AutoCloseable {
    private static final int CHUNK = 16 * 1024;

    private final InputStream client;
    private final long length;
    private final ReplayBudget budget;
    private final List<byte[]> kept = new ArrayList<>();
    private int keptBytes;
    private boolean whole;
    private volatile boolean begun;
    private volatile boolean broken;

    private ClientBody(InputStream client, long length, ReplayBudget budget) {
        this.client = client;
        this.length = length;
        this.budget = budget;
    }

    /**
     * Reads the beginning, as much as may be kept.
     *
     * @param length the body's length as the client tells it; -1: not told
     * @throws IOException if the client breaks off
     */
    static ClientBody read(InputStream client, long length, ReplayBudget budget) throws IOException {
        ClientBody body = new ClientBody(client, length, budget);
        try {
            body.keep();
            return body;
        } catch (IOException | RuntimeException gone) {
            body.close();
            throw gone;
        }
    }

    private void keep() throws IOException {
        long read = 0;
        while (!whole) {
            int more = budget.take(keptBytes, CHUNK);
            if (more == 0) {
                return;
            }
            keptBytes += more;
            byte[] chunk = client.readNBytes(more);
            if (chunk.length > 0) {
                kept.add(chunk);
            }
            read += chunk.length;
            whole = chunk.length < more || read == length;
        }
    }

    /** Whether all of it is kept, so that the client has nothing more to send. */
    boolean whole() {
        return whole;
    }

    /** The kept bytes. */
    byte[] bytes() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(keptBytes);
        kept.forEach(bytes::writeBytes);
        return bytes.toByteArray();
    }

    /** Whether the client broke off while the rest was being sent on. */
    boolean broken() {
        return broken;
    }

    /**
     * The body for one attempt.
     *
     * @param beyond told when the first byte of the rest is about to be read, after which it cannot be sent again
     * @param end told when the last one has been read
     */
    BodyPublisher publisher(Runnable beyond, Runnable end) {
        if (whole && kept.isEmpty()) {
            return BodyPublishers.noBody();
        }
        long bytes = whole ? kept.stream().mapToLong(chunk -> chunk.length).sum() : length;
        BodyPublisher stream = BodyPublishers.ofInputStream(() -> stream(beyond, end));
        return bytes > 0 ? BodyPublishers.fromPublisher(stream, bytes) : stream;
    }

    private InputStream stream(Runnable beyond, Runnable end) {
        InputStream beginning = new SequenceInputStream(Collections.enumeration(
                kept.stream().map(ByteArrayInputStream::new).toList()));
        return whole ? beginning : new SequenceInputStream(beginning, new Rest(beyond, end));
    }

    @Override
    public void close() {
        kept.clear();
        budget.giveBack(keptBytes);
        keptBytes = 0;
    }

    /** What the client sends once. */
    private final class Rest extends InputStream {
        private final Runnable beyond;
        private final Runnable end;

        Rest(Runnable beyond, Runnable end) {
            this.beyond = beyond;
            this.end = end;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] into, int from, int most) throws IOException {
            if (!begun) {
                begun = true;
                beyond.run();
            }
            try {
                int read = client.read(into, from, most);
                if (read < 0) {
                    end.run();
                }
                return read;
            } catch (IOException gone) {
                broken = true;
                throw gone;
            }
        }
    }
}
