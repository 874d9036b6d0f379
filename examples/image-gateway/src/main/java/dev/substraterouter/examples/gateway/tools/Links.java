package dev.substraterouter.examples.gateway.tools;

import dev.substraterouter.examples.gateway.access.Caller;
import dev.substraterouter.time.Cancellable;
import dev.substraterouter.time.TimeSource;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Keeps answers that are too large to be told until they are fetched: in files of a private directory, never in memory.
 *
 * <p><b>The idea.</b> An entry of the {@link LinkShelf} is the right to its file. Who takes it out, whether a claim, the expiry, an eviction or
 * closing, is the one to read or delete the file, so a link works once and no file is left behind. The bytes of an answer count from when they are
 * written until its reader is closed; when there is no room the oldest unclaimed answers go.
 *
 * <p>Thread-safe. Writing and reading block as the disk and the worker do.
 */
public final class Links implements AutoCloseable {
    /** The path under which they are fetched. */
    public static final String PATH = "/v1/links/";

    private static final int TOKEN_BYTES = 24;
    private static final int CHUNK = 64 * 1024;

    private final Supplier<String> base;
    private final LinkLimits limits;
    private final TimeSource time;
    private final Path directory;
    private final SecureRandom random = new SecureRandom();
    private final LinkShelf shelf;

    /**
     * An answer that was claimed. Its file is gone when it is closed.
     *
     * @param contentType what it is
     * @param size its bytes
     * @param body its bytes to be read
     */
    public record Claimed(String contentType, long size, InputStream body) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            body.close();
        }
    }

    /**
     * No answers yet.
     *
     * @param base where clients reach the clients' listener, without a slash at its end; asked for each link
     * @param limits how much is kept
     * @param time by which it expires
     * @throws IOException if there is no directory for temporary files
     */
    public Links(Supplier<String> base, LinkLimits limits, TimeSource time) throws IOException {
        this.base = base;
        this.limits = limits;
        this.time = time;
        this.shelf = new LinkShelf(limits);
        this.directory = Files.createTempDirectory("substrate-gateway-links");
    }

    /**
     * Keeps an answer until its caller fetches it. Blocks until the answer has ended.
     *
     * @param owner who may fetch it
     * @param contentType what it is
     * @param beginning its first bytes
     * @param rest the others, read to the end; not closed
     * @throws LinksFullException if it is larger than is allowed, there is no room for it, it cannot be written, or the links are closed
     * @throws IOException if reading fails; nothing is kept
     */
    public Link keep(Caller owner, String contentType, byte[] beginning, InputStream rest) throws IOException {
        shelf.begin().forEach(this::discard);
        try (Draft draft = new Draft()) {
            draft.write(beginning, rest);
            return draft.keep(owner, contentType);
        }
    }

    /** An answer, for whom it was told; empty when there is none for that one: fetched, expired, evicted, never told, or told to another. */
    public Optional<Claimed> claim(Caller caller, String token) throws IOException {
        LinkShelf.Kept mine = shelf.claim(caller, token);
        if (mine == null) {
            return Optional.empty();
        }
        mine.expiry().cancel();
        try {
            InputStream file = Files.newInputStream(mine.file(), StandardOpenOption.DELETE_ON_CLOSE);
            return Optional.of(new Claimed(mine.contentType(), mine.size(), new Counted(file, mine.size())));
        } catch (IOException e) {
            shelf.release(mine.size());
            delete(mine.file());
            throw e;
        }
    }

    /** How many answers wait to be fetched. */
    public int waiting() {
        return shelf.size();
    }

    /** Deletes all that was not fetched and keeps nothing more; what is being read is read to its end. */
    @Override
    public void close() throws IOException {
        shelf.close().forEach(this::discard);
        if (Files.isDirectory(directory) && isEmpty()) {
            Files.delete(directory);
        }
    }

    private boolean isEmpty() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.findAny().isEmpty();
        }
    }

    private String token() {
        byte[] secret = new byte[TOKEN_BYTES];
        random.nextBytes(secret);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(secret);
    }

    private void expire(String token) {
        LinkShelf.Kept old = shelf.expire(token);
        if (old != null) {
            delete(old.file());
        }
    }

    private void discard(LinkShelf.Kept old) {
        old.expiry().cancel();
        delete(old.file());
    }

    /** A file that cannot be deleted is left to the system's own cleaning, and named in the log. */
    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            System.getLogger(Links.class.getName())
                    .log(System.Logger.Level.WARNING, "an answer's file stays behind: " + file, e);
        }
    }

    @Override
    public String toString() {
        return "Links[" + shelf + "]";
    }

    /** An answer that is being written; unless it is kept, nothing remains of it. What the disk says must not look like the worker's fault. */
    private final class Draft implements AutoCloseable {
        private final Path file;
        private final OutputStream out;
        private long written;
        private boolean done;

        Draft() {
            try {
                file = Files.createTempFile(directory, "answer", null);
                out = Files.newOutputStream(file);
            } catch (IOException e) {
                shelf.giveUp(0);
                throw unwritable(e);
            }
        }

        void write(byte[] beginning, InputStream rest) throws IOException {
            write(beginning, beginning.length);
            byte[] chunk = new byte[CHUNK];
            for (int length = rest.read(chunk); length >= 0; length = rest.read(chunk)) {
                write(chunk, length);
            }
        }

        private void write(byte[] chunk, int length) {
            shelf.reserve(written, length).forEach(Links.this::discard);
            written += length;
            try {
                out.write(chunk, 0, length);
            } catch (IOException e) {
                throw unwritable(e);
            }
        }

        Link keep(Caller owner, String contentType) {
            finish();
            String token = token();
            Link link = new Link(
                    base.get() + PATH + token,
                    contentType,
                    written,
                    limits.keep().toSeconds());
            Cancellable expiry = time.schedule(limits.keep(), () -> expire(token));
            shelf.put(token, new LinkShelf.Kept(owner, contentType, written, file, expiry));
            done = true;
            return link;
        }

        private void finish() {
            try {
                out.close();
            } catch (IOException e) {
                throw unwritable(e);
            }
        }

        @Override
        public void close() {
            if (!done) {
                shelf.giveUp(written);
                delete(file);
                finish();
            }
        }

        private static LinksFullException unwritable(IOException e) {
            return new LinksFullException("an answer cannot be kept: " + e, e);
        }
    }

    /** A claimed file; its bytes count until it is closed. */
    private final class Counted extends FilterInputStream {
        private final long size;
        private final AtomicBoolean open = new AtomicBoolean(true);

        Counted(InputStream file, long size) {
            super(file);
            this.size = size;
        }

        @Override
        public void close() throws IOException {
            if (open.compareAndSet(true, false)) {
                shelf.release(size);
                super.close();
            }
        }
    }
}
