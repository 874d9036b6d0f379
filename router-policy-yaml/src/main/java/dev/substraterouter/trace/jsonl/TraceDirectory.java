package dev.substraterouter.trace.jsonl;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The files of a sink: {@code traces-000000000001.jsonl} and so on, by number as they were begun. */
final class TraceDirectory {
    private static final Pattern NAME = Pattern.compile("traces-(\\d{12,18})\\.jsonl");
    private static final long LAST = 999_999_999_999_999_999L;

    private TraceDirectory() {}

    /** The files, oldest first. Others in the directory are not looked at, nor are directories. */
    static List<Path> files(Path directory) throws IOException {
        return named(directory).stream().filter(Files::isRegularFile).toList();
    }

    /** The file after all others, whatever has their names. */
    static Path next(Path directory) throws IOException {
        List<Path> named = named(directory);
        long number = named.isEmpty() ? 1 : number(named.get(named.size() - 1)) + 1;
        if (number > LAST) {
            throw new IOException(directory + ": file " + LAST + " is there (expected: a number after the newest)");
        }
        return directory.resolve(String.format(Locale.ROOT, "traces-%012d.jsonl", number));
    }

    private static List<Path> named(Path directory) throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.filter(
                            file -> NAME.matcher(file.getFileName().toString()).matches())
                    .sorted(Comparator.comparingLong(TraceDirectory::number))
                    .toList();
        }
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

    private static long number(Path file) {
        String name = file.getFileName().toString();
        return Long.parseLong(name.substring(name.indexOf('-') + 1, name.indexOf('.')));
    }
}
