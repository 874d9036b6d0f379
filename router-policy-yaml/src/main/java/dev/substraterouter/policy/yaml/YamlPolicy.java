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
import dev.substraterouter.policy.PolicyProblem;
import dev.substraterouter.policy.PolicySource;
import dev.substraterouter.verify.PolicyLint;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Policies as YAML (1.2), in version 1 of the file format. Thread-safe: it has no state.
 *
 * <p>A file is read whole or not at all. Its {@link PolicyException} tells everything that is wrong, each with its path, line and column,
 * and with key, value and what was expected; only a text that is no YAML, or not one policy, is told by its first fault. Values under
 * {@code auth} are never repeated in messages.
 *
 * <p>What is formally right goes through {@link PolicyLint}: its errors turn the file down too, its warnings are told by {@code check} and,
 * when a policy is loaded, in the log of {@code dev.substraterouter.policy}, one WARNING each with file, line and column.
 *
 * <p>Read are files of up to 1 MiB in UTF-8 with one document, in which lists and maps nest up to 32 deep and which has up to 100,000
 * values. Anchors and aliases may be used; each alias counts as all the values that it stands for. Tags are refused. Reading within these
 * limits takes well under a second.
 */
public final class YamlPolicy {
    private static final String UNNAMED = "the policy";
    private static final String SCHEMA = "policy-v1.schema.json";
    private static final Duration EVERY = Duration.ofSeconds(2);

    private YamlPolicy() {}

    /**
     * The policy in a file. Blocks while it is read. Warnings of the lint are logged.
     *
     * @throws IOException if the file cannot be read; its message names the file
     * @throws PolicyException if it holds no policy that can be used, or one in which the lint finds an error; its message names the file
     */
    public static Policy load(Path file) throws IOException {
        return used(file.toString(), check(file));
    }

    /**
     * The policy in a stream. Reads to its end, or one byte past 1 MiB, and does not close it. Blocks while it is read. Warnings of the lint
     * are logged.
     *
     * @throws IOException if the stream cannot be read
     * @throws PolicyException if it holds no policy that can be used, or one in which the lint finds an error
     */
    public static Policy load(InputStream in) throws IOException {
        return used(UNNAMED, check(bytes(in)));
    }

    /**
     * The policy in a text. Warnings of the lint are logged.
     *
     * @throws PolicyException if it holds no policy that can be used, or one in which the lint finds an error
     */
    public static Policy parse(String yaml) {
        return used(UNNAMED, check(yaml));
    }

    /**
     * Everything that is wrong or doubtful about the policy in a file. Blocks while it is read. Logs nothing.
     *
     * @throws IOException if the file cannot be read; its message names the file
     */
    public static PolicyCheckup check(Path file) throws IOException {
        return check(file, Set.of());
    }

    /**
     * As {@link #check(Path)}, and also tells of each address that is one of the router's own host.
     *
     * @param file the file
     * @param routerHosts the names and addresses of the host on which the router runs, as they would be written in an address; empty: only
     *     the loopback is known
     * @throws IOException if the file cannot be read; its message names the file
     */
    public static PolicyCheckup check(Path file, Set<String> routerHosts) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return check(bytes(in), routerHosts);
        } catch (FileSystemException e) {
            throw e; // names it already
        } catch (IOException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
    }

    /**
     * As {@link #check(Path, Set)}, of bytes that were read already: for who needs the text besides, or has it from elsewhere. Logs nothing.
     *
     * @param yaml the bytes of a file; more than 1 MiB are a problem, so the first 1,048,577 bytes are enough to tell. Not changed
     * @param routerHosts the names and addresses of the host on which the router runs; empty: only the loopback is known
     */
    public static PolicyCheckup check(byte[] yaml, Set<String> routerHosts) {
        return checkup(() -> SourceText.of(yaml), policy -> PolicyLint.lint(policy, routerHosts));
    }

    /**
     * The JSON Schema (draft 2020-12) of the format, for editors: keys, types, words and ranges with their descriptions and defaults. What it
     * refuses, loading refuses too; what one key says of another, and that a duration has at most 365 days, only loading finds. Ships as
     * {@code policy-v1.schema.json} beside this class; an editor uses a copy that the file names in its first line, as
     * {@code # yaml-language-server: $schema=policy-v1.schema.json}.
     */
    public static String schema() {
        try (InputStream in = YamlPolicy.class.getResourceAsStream(SCHEMA)) {
            return new String(Objects.requireNonNull(in, SCHEMA).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(SCHEMA + ": unreadable (expected: in the jar)", e);
        }
    }

    /** Everything that is wrong or doubtful about the policy in a text. Logs nothing. */
    public static PolicyCheckup check(String yaml) {
        return check(yaml, PolicyLint::lint);
    }

    /** As {@link #watch(Path, Duration)}, with 2 s. */
    public static PolicySource watch(Path file) {
        return watch(file, EVERY);
    }

    /**
     * A policy file that may change while the router runs. The content is looked at anew after at most the given time, and usually at once:
     * the system's file watcher is used as a hint. A new content counts when it has been the same for a tenth of that time, at most 100 ms, so
     * that half a file is not taken for a whole one. It is put in force within the given time, whether the file was written over, replaced,
     * or is reached over links that were swapped, as in mounted config maps.
     *
     * <p>What cannot be used leaves the last good policy in force: a bad policy, a file that is gone, may not be read, is no regular file or has
     * more than 1 MiB. The sink is told once, with the problems; a file that cannot be read is a problem {@code unreadable} without line
     * and column. The next good content is put in force, also when it is the one from before. Touching the file does nothing. Warnings are
     * logged once for each content that is put in force.
     *
     * <p>{@link PolicySource#current()} of the result reads the file, blocks while it does, and throws a {@link PolicyException} when it holds no
     * policy that can be used or cannot be read: there is no last good one yet. Once started, it gives the last good one of the file, which a
     * router may yet have turned down. A sink that throws is logged, and not told of that content again.
     * {@link PolicySource#start} starts one daemon thread, on which the sink is told, and throws {@link IllegalStateException} the second time or
     * after {@code close}, which ends the thread without waiting for it. Thread-safe.
     *
     * @param every how long a change may go unnoticed, 10 ms to 1 h
     * @throws IllegalArgumentException if {@code every} is out of its range
     */
    public static PolicySource watch(Path file, Duration every) {
        return new FileWatch(file, every);
    }

    /**
     * The text that reads as a policy: what was declared, defaults left out, in the order of the format's keys. Its revision is not kept.
     *
     * @throws IllegalArgumentException if a duration of the policy is no whole number of milliseconds, which the format cannot say
     */
    public static String write(Policy policy) {
        return YamlWriter.write(PolicyKeys.POLICY.write(policy));
    }

    /** As {@link #check(String)}, by another lint. */
    static PolicyCheckup check(String yaml, Function<Policy, List<PolicyProblem>> lint) {
        return checkup(() -> SourceText.of(yaml), lint);
    }

    /** Everything that is wrong or doubtful about the policy in the bytes of a file. */
    static PolicyCheckup check(byte[] file) {
        return checkup(() -> SourceText.of(file), PolicyLint::lint);
    }

    /** The bytes of a file; of one that is too long, enough to tell. */
    static byte[] bytes(InputStream in) throws IOException {
        return in.readNBytes(SourceText.MAX_BYTES + 1);
    }

    private static Policy used(String source, PolicyCheckup checkup) {
        Policy policy = checkup.orThrow(source);
        Told.warnings(source, checkup);
        return policy;
    }

    private static PolicyCheckup checkup(Supplier<String> text, Function<Policy, List<PolicyProblem>> lint) {
        try {
            return read(text.get(), lint);
        } catch (PolicyException e) {
            return new PolicyCheckup(Optional.empty(), e.problems());
        }
    }

    private static PolicyCheckup read(String text, Function<Policy, List<PolicyProblem>> lint) {
        Node root = TreeReader.read(text, "a policy, so version: 1 and substrates");
        Problems problems = new Problems(PolicyKeys.JUDGED_BY);
        Policy.Builder builder = Policy.builder();
        At top = At.top(problems, "the policy");
        Version.refuseOther(PolicyKeys.VERSION, root, top);
        PolicyKeys.POLICY.fill(builder, root, top);
        problems.semantic(builder.problems());
        problems.throwIfAny();
        Policy policy = builder.build();
        problems.doubts(lint.apply(policy));
        boolean usable = problems.inOrder().stream().noneMatch(PolicyProblem::isError);
        return new PolicyCheckup(Optional.of(policy).filter(whole -> usable), problems.inOrder());
    }
}
