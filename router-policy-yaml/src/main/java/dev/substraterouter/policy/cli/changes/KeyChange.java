package dev.substraterouter.policy.cli.changes;

import java.util.Optional;

/**
 * A key whose value is another one.
 *
 * @param path where it stands
 * @param before what it was; empty: not declared
 * @param after what it is; empty: not declared any more
 */
public record KeyChange(String path, Optional<String> before, Optional<String> after) {
    /** In one line: what was added, removed or changed. */
    @Override
    public String toString() {
        if (before.isPresent() && after.isPresent()) {
            return "~ " + path + ": " + before.get() + " -> " + after.get();
        }
        return before.map(value -> "- " + path + ": " + value)
                .orElseGet(() -> "+ " + path + ": " + after.orElse("nothing"));
    }
}
