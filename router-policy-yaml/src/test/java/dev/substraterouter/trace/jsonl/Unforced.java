package dev.substraterouter.trace.jsonl;

import java.io.IOException;
import java.nio.file.Path;

/** A file that need not outlive the machine, for tests that write many. */
class Unforced implements LineFile {
    private final LineFile file;

    Unforced(Path path) throws IOException {
        file = LineFile.onDisk(path);
    }

    @Override
    public long length() throws IOException {
        return file.length();
    }

    @Override
    public boolean isTorn() throws IOException {
        return file.isTorn();
    }

    @Override
    public void append(byte[] bytes) throws IOException {
        file.append(bytes);
    }

    @Override
    public void truncate(long length) throws IOException {
        file.truncate(length);
    }

    @Override
    public void force() throws IOException {}

    @Override
    public void close() throws IOException {
        file.close();
    }
}
