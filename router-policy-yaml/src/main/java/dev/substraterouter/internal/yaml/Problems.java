package dev.substraterouter.internal.yaml;

import dev.substraterouter.internal.yaml.Node.Place;
import dev.substraterouter.policy.PolicyException;
import dev.substraterouter.policy.PolicyProblem;
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
 * <p>A value that cannot be read is left out of the model, whose own check may then find incomplete. Such problems are
 * consequences: they would send the reader to a place where nothing is wrong, so they are dropped.
 */
public final class Problems {
    private final List<PolicyProblem> found = new ArrayList<>();
    private final Map<String, Place> keys = new HashMap<>();
    private final Map<String, Place> values = new HashMap<>();
    private final TreeSet<String> bad = new TreeSet<>();
    private final Map<String, List<String>> judgedBy;

    /** Of a file in which every key is judged by its own value. */
    public Problems() {
        this(Map.of());
    }

    /**
     * Of a file in which some keys are judged by others too.
     *
     * @param judgedBy what a key is judged by, beside its own value: keys of the same map or of one around it, or, with a leading slash, a
     *     path from the top. If one of them could not be read, neither can a judgement count
     */
    public Problems(Map<String, List<String>> judgedBy) {
        this.judgedBy = judgedBy;
    }

    /** A problem that ends the reading: the file is no YAML, or not one that is read. */
    public static PolicyException fatal(String code, Place place, String message) {
        return new PolicyException(List.of(new PolicyProblem(code, "", place.line(), place.column(), message)));
    }

    /** Notes where the value of a path stands. */
    public void value(String path, Place place) {
        values.put(path, place);
    }

    /** Notes where a key and its value stand. */
    public void entry(String path, Place key, Place value) {
        keys.put(path, key);
        values.put(path, value);
    }

    /** How many there are so far. */
    public int count() {
        return found.size();
    }

    /** A value that cannot be read. */
    public void report(String code, String path, Place place, String message) {
        reportKey(code, path, place, message);
        ignore(path);
    }

    /** A key that does not belong where it stands; a value that was read under the same key still counts. */
    public void reportKey(String code, String path, Place place, String message) {
        found.add(new PolicyProblem(code, path, place.line(), place.column(), message));
    }

    /** Drops what the model's own check says of a path. */
    public void ignore(String path) {
        bad.add(path);
    }

    /** Adds what the model's own check found, at its place, without the consequences of what is known already. */
    public void semantic(List<PolicyProblem> problems) {
        for (PolicyProblem problem : problems) {
            if (!isConsequence(problem)) {
                found.add(placed(problem));
                if (problem.code().equals("missing")) {
                    ignore(problem.path()); // nor is it told again for each that needs it
                }
            }
        }
    }

    /** Adds what was found in a model that is whole, at its place. */
    public void doubts(List<PolicyProblem> problems) {
        problems.forEach(problem -> found.add(placed(problem)));
    }

    /**
     * Ends the reading if something is wrong.
     *
     * @throws PolicyException with all problems, in the order of the file
     */
    public void throwIfAny() {
        if (!found.isEmpty()) {
            throw new PolicyException(inOrder());
        }
    }

    /** All problems so far, in the order of the file. */
    public List<PolicyProblem> inOrder() {
        found.sort(Comparator.comparingInt(PolicyProblem::line).thenComparingInt(PolicyProblem::column));
        return List.copyOf(found);
    }

    private PolicyProblem placed(PolicyProblem problem) {
        Place value = place(problem.path());
        boolean ofKey = problem.code().equals("bad-name");
        Place place = ofKey ? keys.getOrDefault(problem.path(), value) : value;
        return problem.at(place.line(), place.column());
    }

    /** Where a path stands; what is not in the file: the key under which it is missing, or what made it wrong. */
    public Place place(String path) {
        Place found = values.get(path);
        for (String around = parent(path); found == null && around != null; around = parent(around)) {
            found = keys.getOrDefault(around, values.get(around));
        }
        for (String judge : judgedBy.getOrDefault(key(path), List.of())) {
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
        for (String judge : judgedBy.getOrDefault(key(path), List.of())) {
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
