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

    /** A value that cannot be read. */
    void report(String code, String path, Place place, String message) {
        reportKey(code, path, place, message);
        ignore(path);
    }

    /** A key that does not belong where it stands; a value that was read under the same key still counts. */
    void reportKey(String code, String path, Place place, String message) {
        found.add(new PolicyProblem(code, path, place.line(), place.column(), message));
    }

    /** Drops what the policy's own check says of a path. */
    void ignore(String path) {
        bad.add(path);
    }

    /** Adds what the policy's own check found, at its place, without the consequences of what is known already. */
    void semantic(List<PolicyProblem> problems) {
        for (PolicyProblem problem : problems) {
            if (!isConsequence(problem)) {
                Place value = place(problem.path());
                boolean ofKey = problem.code().equals("bad-name");
                Place place = ofKey ? keys.getOrDefault(problem.path(), value) : value;
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

    /** Where a path stands; what is not in the file: the key under which it is missing, or what made it wrong. */
    Place place(String path) {
        Place found = values.get(path);
        for (String around = parent(path); found == null && around != null; around = parent(around)) {
            found = keys.getOrDefault(around, values.get(around));
        }
        for (String judge : JUDGED_BY.getOrDefault(key(path), List.of())) {
            found = found == null && isFromTop(judge) ? values.get(judge.substring(1)) : found;
        }
        return found == null ? Place.START : found;
    }

    private boolean isConsequence(PolicyProblem problem) {
        String path = problem.path();
        for (String around = path; around != null; around = parent(around)) {
            if (bad.contains(around)) {
                return true;
            }
        }
        if (problem.code().equals("duplicate") && badItem(path.substring(0, path.lastIndexOf('[') + 1))) {
            return true; // two that look alike without what could not be read
        }
        boolean nowhereDeclared = problem.code().startsWith("unknown-") && bad.contains(section(problem.code()));
        return nowhereDeclared || judgedByBad(path);
    }

    /** Where the names are declared that an {@code unknown-} problem misses. */
    private static String section(String code) {
        return code.substring("unknown-".length()) + "s";
    }

    /** Whether something in a list could not be read; the list's path ends in a bracket. */
    private boolean badItem(String list) {
        String next = bad.ceiling(list);
        return next != null && next.startsWith(list);
    }

    private boolean judgedByBad(String path) {
        for (String judge : JUDGED_BY.getOrDefault(key(path), List.of())) {
            if (isFromTop(judge) && bad.contains(judge.substring(1))) {
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

    private static boolean isFromTop(String judge) {
        return judge.startsWith("/");
    }

    private static String key(String path) {
        return path.substring(path.lastIndexOf('.') + 1);
    }

    /** The path around a path; null at the top. */
    private static @Nullable String parent(String path) {
        int end = Math.max(path.lastIndexOf('.'), path.lastIndexOf('['));
        return path.isEmpty() ? null : path.substring(0, Math.max(0, end));
    }
}
