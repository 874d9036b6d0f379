package dev.substraterouter.policy.yaml;

import dev.substraterouter.internal.yaml.Node;
import dev.substraterouter.policy.PolicyProblem;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What was found where a policy file should be: its bytes, or why there are none.
 *
 * @param print equal for two contents exactly when they are the same
 * @param checkup what is to say of it; costly, so asked for only once
 */
record FileContent(String print, Supplier<PolicyCheckup> checkup) {
    private static final int MAX_REASON = 200;

    /** What is there now. Blocks while it is read; never waits for a writer, as opening a pipe would. */
    static FileContent of(Path file) {
        try {
            if (!Files.readAttributes(file, BasicFileAttributes.class).isRegularFile()) {
                return trouble(file, "is no regular file");
            }
            byte[] bytes = read(file);
            return new FileContent(hash(bytes), () -> YamlPolicy.check(bytes));
        } catch (NoSuchFileException e) {
            return trouble(file, "does not exist");
        } catch (AccessDeniedException e) {
            return trouble(file, "may not be read");
        } catch (FileSystemException e) {
            return trouble(file, e.getReason() == null ? e.getClass().getSimpleName() : e.getReason());
        } catch (IOException e) {
            return trouble(file, String.valueOf(e.getMessage()));
        }
    }

    private static byte[] read(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return YamlPolicy.bytes(in);
        }
    }

    private static FileContent trouble(Path file, String why) {
        PolicyProblem problem = PolicyProblem.of(
                "unreadable",
                "",
                file + ": " + Node.shortened(why, MAX_REASON) + " (expected: a file with a policy that can be read)");
        return new FileContent(why, () -> new PolicyCheckup(Optional.empty(), List.of(problem)));
    }

    private static String hash(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256: absent (expected: in every JDK)", e);
        }
    }
}
