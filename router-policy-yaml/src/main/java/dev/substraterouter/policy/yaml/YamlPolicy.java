package dev.substraterouter.policy.yaml;

import dev.substraterouter.internal.yaml.At;
import dev.substraterouter.internal.yaml.Node;
import dev.substraterouter.internal.yaml.Problems;
import dev.substraterouter.internal.yaml.SourceText;
import dev.substraterouter.internal.yaml.TreeReader;
import dev.substraterouter.internal.yaml.Version;
import dev.substraterouter.internal.yaml.YamlWriter;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.PolicyException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Policies as YAML (1.2), in version 1 of the file format. Thread-safe: it has no state.
 *
 * <p>A file is read whole or not at all. Its {@link PolicyException} tells everything that is wrong, each with its path, line and column,
 * and with key, value and what was expected; only a text that is no YAML, or not one policy, is told by its first fault. Values under
 * {@code auth} are never repeated in messages.
 *
 * <p>Read are files of up to 1 MiB in UTF-8 with one document, in which lists and maps nest up to 32 deep and which has up to 100,000
 * values. Anchors and aliases may be used; each alias counts as all the values that it stands for. Tags are refused. Reading within these
 * limits takes well under a second.
 */
public final class YamlPolicy {
    private YamlPolicy() {}

    /**
     * The policy in a file. Blocks while it is read.
     *
     * @throws IOException if the file cannot be read; its message names the file
     * @throws PolicyException if it holds no policy that can be used; its message names the file
     */
    public static Policy load(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return load(in);
        } catch (PolicyException e) {
            throw new PolicyException(file.toString(), e.problems());
        } catch (FileSystemException e) {
            throw e; // names it already
        } catch (IOException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
    }

    /**
     * The policy in a stream. Reads to its end, or one byte past 1 MiB, and does not close it. Blocks while it is read.
     *
     * @throws IOException if the stream cannot be read
     * @throws PolicyException if it holds no policy that can be used
     */
    public static Policy load(InputStream in) throws IOException {
        return policy(SourceText.of(in.readNBytes(SourceText.MAX_BYTES + 1)));
    }

    /**
     * The policy in a text.
     *
     * @throws PolicyException if it holds no policy that can be used
     */
    public static Policy parse(String yaml) {
        return policy(SourceText.of(yaml));
    }

    /**
     * The text that reads as a policy: what was declared, defaults left out, in the order of the format's keys. Its revision is not kept.
     *
     * @throws IllegalArgumentException if a duration of the policy is no whole number of milliseconds, which the format cannot say
     */
    public static String write(Policy policy) {
        return YamlWriter.write(PolicyKeys.POLICY.write(policy));
    }

    private static Policy policy(String text) {
        Node root = TreeReader.read(text, "a policy, so version: 1 and substrates");
        Problems problems = new Problems(PolicyKeys.JUDGED_BY);
        Policy.Builder builder = Policy.builder();
        At top = At.top(problems, "the policy");
        Version.refuseOther(PolicyKeys.VERSION, root, top);
        PolicyKeys.POLICY.fill(builder, root, top);
        problems.semantic(builder.problems());
        problems.throwIfAny();
        return builder.build();
    }
}
