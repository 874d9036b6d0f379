package dev.substraterouter.verify;

import dev.substraterouter.model.Need;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Substrate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Finds capabilities that somebody asks for and nobody has. Not thread-safe: one for each run. */
final class LintCapabilities {
    /** For how many unknown names a known one is guessed. */
    private static final int MOST_GUESSED = 100;

    private final LintReport report;
    private final Set<String> offered = new TreeSet<>();
    private final Map<String, String> guesses = new HashMap<>();

    LintCapabilities(Policy policy, LintReport report) {
        this.report = report;
        for (Substrate substrate : policy.substrates()) {
            substrate.capabilities().forEach(name -> offered.add(Need.canonical(name)));
        }
    }

    /** Tells which of some names nobody has. */
    void look(String path, List<String> names) {
        for (int at = 0; at < names.size(); at++) {
            String name = Need.canonical(names.get(at));
            if (!name.equals("*") && !offered.contains(name)) {
                report.add(
                        LintCode.UNOFFERED_CAPABILITY,
                        path + ".capabilities[" + at + "]",
                        "capabilities: '" + names.get(at) + "', which no substrate has",
                        guess(name));
            }
        }
    }

    private String guess(String name) {
        if (guesses.size() >= MOST_GUESSED && !guesses.containsKey(name)) {
            return "one that a substrate has";
        }
        return guesses.computeIfAbsent(name, unknown -> LintNearest.to(unknown, offered)
                .map(near -> "did you mean '" + near + "'?")
                .orElse("one that a substrate has"));
    }
}
