package dev.substraterouter;

import dev.substraterouter.status.SubstrateStatus;
import java.time.Duration;
import java.util.Objects;

/**
 * What one source last said of a substrate. Which of several counts is judged field by field: of those within one poll interval of the newest
 * the worst, older ones where nobody else tells.
 *
 * @param source who says it: an address without its query, or {@code reported} for what the host told by hand
 * @param status what it said
 * @param age how old that is
 */
public record SourceStatus(String source, SubstrateStatus status, Duration age) {
    /** Checks that nothing is null. */
    public SourceStatus {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(status, "status");
        Objects.requireNonNull(age, "age");
    }
}
