package dev.substraterouter.policy.yaml;

import dev.substraterouter.policy.PolicyException;
import dev.substraterouter.policy.PolicyProblem;
import dev.substraterouter.policy.yaml.Node.Place;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What is wrong with a file, and where everything in it stands. Not thread-safe.
 *
 * <p>A value that cannot be read is left out of the policy, which the policy's own check may then find incomplete. Such problems are
 * consequences: they would send the reader to a place where nothing is wrong, so they are dropped.
 */
final class Problems {
    /**
     * What a key is judged by, beside its own value: keys of the same map or of one around it, or, with a leading slash, a path from the
     * top. If one of them could not be read, neither can a judgement count.
     */
    private static final Map<String, List<String>> JUDGED_BY = Map.of(
            "max_concurrent_jobs", List.of("kind"),
            "vram_gb", List.of("kind"),
            "keep_free_gb", List.of("vram_gb"),
            "job_vram_gb", List.of("vram_gb"),
            "reserve_for_high", List.of("max_concurrent_jobs"),
            "max_window", List.of("window"),
            "stale_after", List.of("/poll.every", "/health.stale_after"),
            "gpu_util_margin_pct", List.of("max_gpu_util_pct", "/health.max_gpu_util_pct"),
            "gpu_temp_margin_c", List.of("max_gpu_temp_c", "/health.max_gpu_temp_c"));

    private final List<PolicyProblem> found = new ArrayList<>();
    private final Map<String, Place> keys = new HashMap<>();
    private final Map<String, Place> values = new HashMap<>();
    private final TreeSet<String> bad = new TreeSet<>();

    /** A problem that ends the reading: the file is no YAML, or not one that is read. */
    static PolicyException fatal(String code, Place place, String message) {
        return new PolicyException(List.of(new PolicyProblem(code, "", place.line(), place.column(), message)));
    }

    /** Notes where the value of a path stands. */
    void value(String path, Place place) {
        values.put(path, place);
    }

    /** Notes where a key and its value stand. */
    void entry(String path, Place key, Place value) {
        keys.put(path, key);
        values.put(path, value);
    }

    void report(String code, String path, Place place, String message) {
        found.add(new PolicyProblem(code, path, place.line(), place.column(), message));
        ignore(path);
    }

    /** Drops what the policy's own check says of a path. */
    void ignore(String path) {
        bad.add(path);
    }

    /** Adds what the policy's own check found, at its place, without the consequences of what is known already. */
    void semantic(List<PolicyProblem> problems) {
        for (PolicyProblem problem : problems) {
            if (!isConsequence(problem)) {
                Place place = place(problem.path());
                found.add(problem.at(place.line(), place.column()));
                if (problem.code().equals("missing")) {
                    ignore(problem.path()); // nor is it told again for each that needs it
                }
            }
        }
    }

    /**
     * Ends the reading if something is wrong.
     *
     * @throws PolicyException with all problems, in the order of the file
     */
    void throwIfAny() {
        if (!found.isEmpty()) {
            found.sort(Comparator.comparingInt(PolicyProblem::line).thenComparingInt(PolicyProblem::column));
            throw new PolicyException(found);
        }
    }

    /** Where a path stands; what is not in the file: the key under which it is missing. */
    Place place(String path) {
        Place exact = values.get(path);
        for (String around = parent(path); exact == null && around != null; around = parent(around)) {
            exact = keys.getOrDefault(around, values.get(around));
        }
        return exact == null ? Place.START : exact;
    }

    private boolean isConsequence(PolicyProblem problem) {
        String path = problem.path();
        for (String around = path; around != null; around = parent(around)) {
            if (bad.contains(around)) {
                return true;
            }
        }
        if (problem.code().equals("duplicate") && badWithin(path)) {
            return true; // two that look alike without what could not be read
        }
        boolean nowhereDeclared = problem.code().startsWith("unknown-") && bad.contains(section(problem.code()));
        return nowhereDeclared || judgedByBad(path);
    }

    /** Where the names are declared that an {@code unknown-} problem misses. */
    private static String section(String code) {
        return code.substring("unknown-".length()) + "s";
    }

    private boolean badWithin(String path) {
        String next = bad.ceiling(path + ".");
        return next != null && next.startsWith(path + ".");
    }

    private boolean judgedByBad(String path) {
        String key = path.substring(path.lastIndexOf('.') + 1);
        for (String judge : JUDGED_BY.getOrDefault(key, List.of())) {
            if (judge.startsWith("/") && bad.contains(judge.substring(1))) {
                return true;
            }
            for (String around = parent(path); around != null; around = parent(around)) {
                if (bad.contains(around + "." + judge)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** The path around a path; null at the top. */
    private static @Nullable String parent(String path) {
        int end = Math.max(path.lastIndexOf('.'), path.lastIndexOf('['));
        return end < 0 ? null : path.substring(0, end);
    }
}
