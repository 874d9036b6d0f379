package dev.substraterouter.examples.whatif.advice;

import java.util.List;
import java.util.Optional;

/**
 * Which entrants of a comparison answer which question, by name.
 *
 * @param router the router with the policy as it is
 * @param pin the router with each route cut to its primary; empty: the policy has no route
 * @param matching the router with each route taken away; empty: that is no policy that can be used
 * @param features pairs of entrants that differ in one feature
 * @param capacities entrants that differ in the number of waiting places alone
 * @param margins entrants that differ in the finish margin alone
 * @param left what could not be derived, and why
 */
public record Study(
        String router,
        Optional<String> pin,
        Optional<String> matching,
        List<Contrast> features,
        List<Setting> capacities,
        List<Setting> margins,
        List<String> left) {
    /** Copies the lists. */
    public Study {
        features = List.copyOf(features);
        capacities = List.copyOf(capacities);
        margins = List.copyOf(margins);
        left = List.copyOf(left);
    }

    /**
     * Two entrants that differ in one feature.
     *
     * @param feature what the second has and the first has not
     * @param without the first
     * @param with the second
     */
    public record Contrast(String feature, String without, String with) {}

    /**
     * An entrant with one value of a setting.
     *
     * @param value the value
     * @param entrant the entrant
     * @param current whether it is the policy's own value
     */
    public record Setting(double value, String entrant, boolean current) {}
}
