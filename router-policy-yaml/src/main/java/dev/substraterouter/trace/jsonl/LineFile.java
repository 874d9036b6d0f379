package dev.substraterouter.trace.jsonl;

import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file that grows at its end. Not thread-safe. */
interface LineFile extends Closeable {
    /** Opens the file, which is made if there is none. */
    @FunctionalInterface
    interface Opener {
        /** Opens it. */
        LineFile open(Path file) throws IOException;
    }

    /** How long it is, in bytes. */
    long length() throws IOException;

    /** Whether the last byte is missing a line break after it. */
    boolean isTorn() throws IOException;

    /** Writes all bytes at the end; when it fails, any part of them may have been written. */
    void append(byte[] bytes) throws IOException;

    /** Cuts off what is longer. */
    void truncate(long length) throws IOException;

    /** Returns when all of it is on the disk. */
    void force() throws IOException;

    /**
     * A file on a disk, which only its owner may read if it is made here. Not a channel: an interrupted thread would close that, and
     * interrupts are not meant for the sink.
     *
     * @throws IOException if it cannot be opened, or is a symbolic link, which may lead to a file of somebody else
     */
    static LineFile onDisk(Path path) throws IOException {
        try {
            Files.createFile(path, Private.file(path));
        } catch (FileAlreadyExistsException e) {
            if (Files.isSymbolicLink(path)) {
                throw new FileSystemException(path.toString(), null, "a symbolic link (expected: a file)");
            }
        }
        RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw");
        return new LineFile() {
            @Override
            public long length() throws IOException {
                return file.length();
            }

            @Override
            public boolean isTorn() throws IOException {
                if (file.length() == 0) {
                    return false;
                }
                file.seek(file.length() - 1);
                return file.read() != '\n';
            }

            @Override
            public void append(byte[] bytes) throws IOException {
                file.seek(file.length());
                file.write(bytes);
            }

            @Override
            public void truncate(long length) throws IOException {
                file.setLength(length);
            }

            @Override
            public void force() throws IOException {
                file.getFD().sync();
            }

            @Override
            public void close() throws IOException {
                file.close();
            }
        };
    }
}
