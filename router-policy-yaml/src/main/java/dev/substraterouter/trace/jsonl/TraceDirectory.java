package dev.substraterouter.trace.jsonl;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The files of a sink: {@code traces-000000000001.jsonl} and so on, whose names sort as they were begun. */
final class TraceDirectory {
    private static final Pattern NAME = Pattern.compile("traces-(\\d{12})\\.jsonl");
    private static final String LOCK = "traces.lock";

    private TraceDirectory() {}

    /** The files, oldest first. Others in the directory are not looked at. */
    static List<Path> files(Path directory) throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.filter(
                            file -> NAME.matcher(file.getFileName().toString()).matches())
                    .sorted()
                    .toList();
        }
    }

    /** The file after some others; the first of all if there are none. */
    static Path next(Path directory, List<Path> files) {
        long number = files.isEmpty() ? 1 : number(files.get(files.size() - 1)) + 1;
        return directory.resolve(String.format("traces-%012d.jsonl", number));
    }

    /**
     * Takes the directory for one sink, until the lock's channel is closed or the process ends.
     *
     * @throws IOException if another sink has it
     */
    static FileLock lock(Path directory) throws IOException {
        FileChannel channel =
                FileChannel.open(directory.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = tryLock(channel);
        if (lock == null) {
            channel.close();
            throw new IOException(directory + ": another sink writes there (expected: one sink a directory)");
        }
        return lock;
    }

    /** Returns when the names in a directory are on the disk, where the system can be asked for that: not every system opens directories. */
    static void force(Path directory) throws IOException {
        boolean interrupted = Thread.interrupted(); // would close the channel
        try {
            while (!forced(directory)) {
                interrupted |= Thread.interrupted();
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static boolean forced(Path directory) throws IOException {
        FileChannel channel;
        try {
            channel = FileChannel.open(directory, StandardOpenOption.READ);
        } catch (IOException e) {
            return true; // it is not that kind of system
        }
        try (channel) {
            channel.force(true);
            return true;
        } catch (ClosedByInterruptException e) {
            return false;
        }
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null; // by this process
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    private static long number(Path file) {
        String name = file.getFileName().toString();
        return Long.parseLong(name.substring(name.indexOf('-') + 1, name.indexOf('.')));
    }
}
