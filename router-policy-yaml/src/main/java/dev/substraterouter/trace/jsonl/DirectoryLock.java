package dev.substraterouter.trace.jsonl;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Keeps every other sink out of a directory, until it is closed or the process ends. Thread-safe.
 *
 * <p>The lock of a file keeps out other processes. Within a process it must not even be tried a second time: on POSIX systems a process
 * that closes any descriptor of a file gives up all its locks on it. So each process first looks into a list of its own.
 */
final class DirectoryLock implements Closeable {
    static final String NAME = "traces.lock";

    /** The directories that sinks of this process have: the one thing that all of them must share. */
    private static final Set<Path> TAKEN = ConcurrentHashMap.newKeySet();

    private final Path directory;
    private final FileChannel channel;

    private DirectoryLock(Path directory, FileChannel channel) {
        this.directory = directory;
        this.channel = channel;
    }

    /**
     * Takes the directory.
     *
     * @throws IOException if another sink has it, or the lock is a symbolic link
     */
    static DirectoryLock take(Path directory) throws IOException {
        Path real = directory.toRealPath();
        if (!TAKEN.add(real)) {
            throw taken(directory);
        }
        boolean done = false;
        try {
            DirectoryLock lock = new DirectoryLock(real, locked(real));
            done = true;
            return lock;
        } finally {
            if (!done) {
                TAKEN.remove(real);
            }
        }
    }

    /** Gives the directory free; once. */
    @Override
    public void close() throws IOException {
        try {
            channel.close();
        } finally {
            TAKEN.remove(directory);
        }
    }

    private static FileChannel locked(Path directory) throws IOException {
        FileChannel channel = FileChannel.open(
                directory.resolve(NAME),
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS),
                Private.file(directory));
        boolean done = false;
        try {
            if (tryLock(channel) == null) {
                throw taken(directory);
            }
            done = true;
            return channel;
        } finally {
            if (!done) {
                channel.close();
            }
        }
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null; // by this process, through another class loader
        }
    }

    private static IOException taken(Path directory) {
        return new IOException(directory + ": another sink writes there (expected: one sink a directory)");
    }
}
