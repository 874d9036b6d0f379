package dev.substraterouter.policy.yaml;

import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.PolicyException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a policy file, look by look. Knows no time and no thread. Not thread-safe.
 *
 * <p>A content is judged when two looks in a row have found it: half a file may be a policy too, and a file that is being replaced is
 * absent for a moment. What was judged last is not judged again, so that touching the file does nothing, and going back to an earlier
 * content is a change like any other.
 */
final class WatchedFile {
    private final Path file;
    private @Nullable String seen;
    private @Nullable String judged;
    private @Nullable String given;
    private boolean givenTwo;
    private @Nullable Policy good;

    WatchedFile(Path file) {
        this.file = file;
    }

    /** What a look found. */
    sealed interface Look {
        /** What was there before. */
        record Same() implements Look {}

        /** Something else, which may still be changing: look again soon. */
        record Unsettled() implements Look {}

        /** A policy that can be used. */
        record Good(Policy policy) implements Look {}

        /** Something that cannot be used. */
        record Bad(PolicyException problem) implements Look {}
    }

    /** Looks at the file. Blocks while it is read. */
    Look look() {
        FileContent content = FileContent.of(file);
        boolean again = content.print().equals(seen);
        seen = content.print();
        if (content.print().equals(judged)) {
            return new Look.Same();
        }
        return again ? judge(content) : new Look.Unsettled();
    }

    private Look judge(FileContent content) {
        judged = content.print(); // first: whatever comes of it, it comes once
        try {
            return new Look.Good(use(content));
        } catch (PolicyException e) {
            return new Look.Bad(e);
        }
    }

    /**
     * The policy that is in the file now, before anybody is told of looks: looks are compared with it. Blocks while it is read.
     *
     * @throws PolicyException if there is none that can be used
     */
    Policy load() {
        FileContent content = FileContent.of(file);
        Policy policy = use(content);
        givenTwo |= given != null && !content.print().equals(given);
        given = content.print();
        judged = givenTwo ? null : given; // of two, somebody may have the older one, and must be told of the newer
        return policy;
    }

    /**
     * The policy that is in the file now; looks tell of it as if it had not been asked for. Blocks while it is read.
     *
     * @throws PolicyException if there is none that can be used
     */
    Policy peek() {
        return use(FileContent.of(file));
    }

    /** The last policy that could be used. */
    Optional<Policy> good() {
        return Optional.ofNullable(good);
    }

    private Policy use(FileContent content) {
        PolicyCheckup checkup = content.checkup().get();
        Policy policy = checkup.orThrow(file.toString());
        Told.warnings(file.toString(), checkup);
        good = policy;
        return policy;
    }
}
