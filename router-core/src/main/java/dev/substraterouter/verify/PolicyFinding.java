package dev.substraterouter.verify;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Something that a policy lets happen and that a rule forbids, with the smallest situation in which it does. There is one for each rule
 * that is broken.
 *
 * @param rule the rule: its name, or one of {@link PolicyVerifier}'s own
 * @param message what the rule has against it, in one sentence
 * @param situation the situation with the fewest substrates that are not free; empty for what is wrong with the policy as such
 * @param subjects the workloads and needs for which it happens, in the order of the policy; none for the policy as such
 * @param situations in how many situations it happens, as far as they were looked at
 * @param story the situation for people, in several lines
 * @param test a JUnit 5 test that fails as long as it happens: a method that expects a method {@code policy()} beside it, the static
 *     imports of JUnit's assertions, and the packages {@code dev.substraterouter}, {@code model} and {@code status}; empty where a test
 *     cannot bring the situation about
 */
public record PolicyFinding(
        String rule,
        String message,
        Optional<Situation> situation,
        List<String> subjects,
        long situations,
        String story,
        String test) {
    /** Copies the list. */
    public PolicyFinding {
        Objects.requireNonNull(rule, "rule");
        Objects.requireNonNull(message, "message");
        Objects.requireNonNull(situation, "situation");
        subjects = List.copyOf(subjects);
        Objects.requireNonNull(story, "story");
        Objects.requireNonNull(test, "test");
    }

    @Override
    public String toString() {
        return story;
    }
}
