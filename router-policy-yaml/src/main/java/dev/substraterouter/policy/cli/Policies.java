package dev.substraterouter.policy.cli;

import dev.substraterouter.internal.yaml.SourceText;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.PolicyException;
import dev.substraterouter.policy.yaml.YamlPolicy;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads policies whose warnings are told by {@code check} only. */
final class Policies {
    private Policies() {}

    /**
     * The policy in a file.
     *
     * @throws IOException if it cannot be read
     * @throws PolicyException if it cannot be used
     */
    static Policy read(Path file) throws IOException {
        return YamlPolicy.check(file).orThrow(file.toString());
    }

    /**
     * The bytes of a file, read once; of one that is longer than a policy may be, enough to tell.
     *
     * @throws IOException if it cannot be read; its message names the file
     */
    static byte[] bytes(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(SourceText.MAX_BYTES + 1);
        } catch (FileSystemException e) {
            throw e; // names it already
        } catch (IOException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
    }
}
