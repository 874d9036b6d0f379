package dev.substraterouter.verify;

import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.Policy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Everybody who may ask one policy or several: one identity for each set of roles that somebody may have, and nobody in particular.
 *
 * <p>Identities are made from the patterns of the roles. Each pattern alone is met with its stars as a text that occurs in no pattern, so
 * that no other pattern is met by chance, and with its stars empty. Each two patterns are met at once, where any text meets both, by the
 * shortest such text and by one that is as long as it must be for nothing of the one to overlap with the other; see {@link CommonText}.
 * What roles an identity has is then read from the policies, so that only sets of roles occur that somebody may have. What three or more
 * patterns meet at once is found only where one of these texts happens to meet them.
 *
 * <p>Patterns alone are all tried. Of pairs up to {@value #MOST_PAIRS} are, and they add up to {@value #MOST_OF_PAIRS} sets of roles;
 * {@link #leftOut} has the others. Immutable and thread-safe.
 */
final class Askers {
    /** How many pairs of patterns are tried at most. */
    static final int MOST_PAIRS = 2_000;

    /** How many sets of roles the pairs add at most. */
    static final int MOST_OF_PAIRS = 128;

    private static final int MOST_TOLD = 3;
    private static final Pattern STARS = Pattern.compile("\\*+");

    private final List<Policy> policies;
    private final Map<List<List<String>>, Asker> byRoles = new LinkedHashMap<>();
    private final List<String> pairsLeftOut = new ArrayList<>();
    private final List<String> tooLong = new ArrayList<>();
    private int pairsTried;
    private int ofPairs;

    private Askers(List<Policy> policies) {
        this.policies = policies;
        List<String> patterns = patterns();
        String filler = filler(patterns);
        meet(Optional.empty());
        patterns.forEach(pattern -> meet(pattern, pattern.replace("*", filler)));
        patterns.forEach(pattern -> meet(pattern, pattern.replace("*", "")));
        pairs(patterns, filler);
    }

    /**
     * Somebody whom the policies treat like everybody of the same roles.
     *
     * @param identity who it is; empty: somebody who does not say
     * @param roles the roles under the first of the policies
     */
    record Asker(Optional<String> identity, List<String> roles) {
        RouteRequest asks(RouteRequest request) {
            return identity.map(request::identity).orElse(request);
        }
    }

    /** Those of a policy, or of several: then one for each combination of roles that somebody has under each of them. */
    static Askers of(Policy... policies) {
        return new Askers(List.of(policies));
    }

    /** All of them, nobody in particular first. */
    List<Asker> all() {
        return List.copyOf(byRoles.values());
    }

    /** What was not tried, in words; empty: nothing but what three or more patterns meet at once. */
    List<String> leftOut() {
        List<String> all = new ArrayList<>();
        if (!pairsLeftOut.isEmpty()) {
            all.add("identities that two patterns match at once, for " + told(pairsLeftOut, "pairs of patterns"));
        }
        if (!tooLong.isEmpty()) {
            all.add("identities of more than " + RouteRequest.MAX_TEXT + " characters, for "
                    + told(tooLong, "patterns or pairs"));
        }
        return List.copyOf(all);
    }

    private static String told(List<String> what, String plural) {
        String some = String.join(", ", what.subList(0, Math.min(MOST_TOLD, what.size())));
        return what.size() + " " + plural + ": " + some + (what.size() > MOST_TOLD ? " and more" : "");
    }

    /** The names of the roles of an identity. */
    static List<String> roles(Policy policy, Optional<String> identity) {
        return policy.roles().stream()
                .filter(role -> identity.isPresent()
                        && role.identities().stream().anyMatch(glob -> Constraints.matches(glob, identity.get())))
                .map(role -> role.name())
                .toList();
    }

    private List<String> patterns() {
        return policies.stream()
                .flatMap(policy -> policy.roles().stream())
                .flatMap(role -> role.identities().stream())
                .map(pattern -> STARS.matcher(pattern).replaceAll("*"))
                .filter(pattern -> pattern.replace("*", "").length() <= RouteRequest.MAX_TEXT) // no identity is longer
                .distinct()
                .toList();
    }

    /** The first letter or digit that occurs in no pattern. */
    private static String filler(List<String> patterns) {
        Set<Integer> used = new LinkedHashSet<>();
        patterns.forEach(pattern -> pattern.codePoints().forEach(used::add));
        int filler = '1';
        while (used.contains(filler) || !Character.isLetterOrDigit(filler)) {
            filler++;
        }
        return Character.toString(filler);
    }

    private boolean meet(Optional<String> identity) {
        List<List<String>> roles = new ArrayList<>();
        policies.forEach(policy -> roles.add(roles(policy, identity)));
        return byRoles.putIfAbsent(roles, new Asker(identity, roles.get(0))) == null;
    }

    private boolean meet(String pattern, String identity) {
        if (identity.length() > RouteRequest.MAX_TEXT) {
            tooLong.add("'" + pattern + "'");
            return false;
        }
        return !identity.isBlank() && meet(Optional.of(identity));
    }

    private void pairs(List<String> patterns, String filler) {
        Map<String, List<List<String>>> holders = new HashMap<>();
        patterns.forEach(pattern -> holders.put(pattern, holders(pattern)));
        for (int one = 0; one < patterns.size(); one++) {
            for (int other = one + 1; other < patterns.size(); other++) {
                String first = patterns.get(one);
                String second = patterns.get(other);
                boolean open = first.contains("*") && second.contains("*"); // a text alone is tried anyway
                if (open
                        && !Objects.equals(holders.get(first), holders.get(second))
                        && CommonText.mayMeet(first, second)) {
                    pair(first, second, filler);
                }
            }
        }
    }

    /** The roles of each policy that have a pattern: of two patterns of the same roles the pair is nothing new. */
    private List<List<String>> holders(String pattern) {
        List<List<String>> holders = new ArrayList<>();
        for (Policy policy : policies) {
            holders.add(policy.roles().stream()
                    .filter(role -> role.identities().stream()
                            .anyMatch(own -> STARS.matcher(own).replaceAll("*").equals(pattern)))
                    .map(role -> role.name())
                    .toList());
        }
        return holders;
    }

    private void pair(String first, String second, String filler) {
        String both = "'" + first + "' and '" + second + "'";
        if (pairsTried == MOST_PAIRS || ofPairs >= MOST_OF_PAIRS) {
            pairsLeftOut.add(both);
            return;
        }
        pairsTried++;
        CommonText.apart(first, second, filler).ifPresent(identity -> ofPairs += meet(both, identity) ? 1 : 0);
        CommonText.shortest(first, second).ifPresent(identity -> ofPairs += meet(both, identity) ? 1 : 0);
    }
}
