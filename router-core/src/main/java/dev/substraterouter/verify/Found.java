package dev.substraterouter.verify;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What is found while situations are looked at: of each rule the smallest situation, how many there are, and what is asked for in them. */
final class Found {
    private final Map<String, Entry> entries = new LinkedHashMap<>();

    private static final class Entry {
        private final Set<String> subjects = new LinkedHashSet<>();
        private long count;
        private long size = Long.MAX_VALUE;
        private @Nullable Telling telling;
    }

    /**
     * What is told of a finding.
     *
     * @param message what the rule has against it
     * @param situation where
     * @param test what fails as long as it is so
     */
    record Telling(String message, Optional<Situation> situation, String test) {}

    /** Something that is wrong with the policy as such. */
    void add(String rule, String message) {
        note(rule, 0, () -> new Telling(message, Optional.empty(), ""));
    }

    /** Something that happens in a situation in which so many substrates are not free. */
    void add(String rule, String subject, long size, Supplier<Telling> telling) {
        note(rule, size, telling).subjects.add(subject);
    }

    private Entry note(String rule, long size, Supplier<Telling> telling) {
        Entry entry = entries.computeIfAbsent(rule, name -> new Entry());
        entry.count++;
        if (size < entry.size) {
            entry.size = size;
            entry.telling = telling.get();
        }
        return entry;
    }

    /** All of it. */
    List<PolicyFinding> all() {
        List<PolicyFinding> all = new ArrayList<>();
        entries.forEach((rule, entry) -> {
            Telling telling = Objects.requireNonNull(entry.telling);
            List<String> subjects = List.copyOf(entry.subjects);
            String story = Story.of(rule, telling, subjects, entry.count);
            all.add(new PolicyFinding(
                    rule, telling.message, telling.situation, subjects, entry.count, story, telling.test));
        });
        return all;
    }
}
