package dev.substraterouter.examples.benchmarks.ours;

import dev.substraterouter.SubstrateRouter;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/**
 * The size of the core's jar. This program is one jar with everything in it, so the core's classes, those under {@code dev/substraterouter}
 * but not under its {@code examples}, are packed once more as a jar and the bytes are counted; a manifest and the module's description,
 * about a kilobyte, are left out.
 */
public final class CoreJar {
    private static final String ROOT = "dev/substraterouter";

    private CoreJar() {}

    /** The size in bytes. */
    public static long bytes() throws IOException {
        Path place = place();
        if (Files.isDirectory(place)) {
            return packed(place);
        }
        try (FileSystem jar = FileSystems.newFileSystem(URI.create("jar:" + place.toUri()), Map.of())) {
            return packed(jar.getPath("/"));
        }
    }

    private static Path place() throws IOException {
        try {
            return Path.of(SubstrateRouter.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException unusable) {
            throw new IOException(unusable);
        }
    }

    private static long packed(Path root) throws IOException {
        Counter counter = new Counter();
        try (JarOutputStream jar = new JarOutputStream(counter)) {
            for (Path file : classes(root)) {
                jar.putNextEntry(new JarEntry(root.relativize(file).toString()));
                Files.copy(file, jar);
                jar.closeEntry();
            }
        }
        return counter.bytes;
    }

    private static List<Path> classes(Path root) throws IOException {
        Path examples = root.resolve(ROOT + "/examples");
        try (Stream<Path> files = Files.walk(root.resolve(ROOT))) {
            return files.filter(file -> !file.startsWith(examples) && Files.isRegularFile(file))
                    .sorted()
                    .toList();
        }
    }

    /** Counts what is written. */
    private static final class Counter extends OutputStream {
        private long bytes;

        @Override
        public void write(int one) {
            bytes++;
        }

        @Override
        public void write(byte[] from, int offset, int length) {
            bytes += length;
        }
    }
}
