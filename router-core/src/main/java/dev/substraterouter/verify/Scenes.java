package dev.substraterouter.verify;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;

/** Which substrates are blocked in the scenes of a {@link PolicyDiff}, those with the fewest first. */
final class Scenes {
    /** Of many substrates, how many are followed as the one takes the place of the other. */
    static final int MOST_TAKEN = 8;

    /** Of many substrates, how many are blocked singly, drawn by lot. */
    static final int MOST_SINGLE = 64;

    /** Of many substrates, how many say something at a limit. */
    static final int MOST_PROBED = 64;

    private static final int PAIRS = 32;
    private static final long SEED = 20_260_504L;

    private Scenes() {}

    /** Every combination of few substrates. */
    static List<Set<String>> all(List<String> ids) {
        List<Set<String>> all = new ArrayList<>();
        for (byte[] ways : Assignments.of(ids.size(), 2)) {
            Set<String> blocked = new LinkedHashSet<>();
            for (int place = 0; place < ways.length; place++) {
                if (ways[place] == 1) {
                    blocked.add(ids.get(place));
                }
            }
            all.add(blocked);
        }
        return all;
    }

    /**
     * Some combinations of many substrates: a number that does not grow with them.
     *
     * @param taken those that are taken one after the other
     */
    static Set<Set<String>> some(List<String> ids, List<String> taken) {
        SplittableRandom random = new SplittableRandom(SEED);
        Set<Set<String>> all = new LinkedHashSet<>();
        all.add(Set.of());
        taken.forEach(id -> all.add(Set.of(id)));
        if (ids.size() <= MOST_SINGLE) {
            ids.forEach(id -> all.add(Set.of(id)));
        } else {
            random.ints(MOST_SINGLE, 0, ids.size()).forEach(at -> all.add(Set.of(ids.get(at))));
        }
        for (int pair = 0; pair < PAIRS; pair++) {
            int one = random.nextInt(ids.size());
            int other = (one + 1 + random.nextInt(ids.size() - 1)) % ids.size();
            all.add(Set.of(ids.get(one), ids.get(other)));
        }
        for (int many = 2; many <= taken.size(); many++) {
            all.add(Set.copyOf(taken.subList(0, many)));
        }
        return all;
    }

    /** Of many substrates, those whose gates are tried: first the ones that are taken, then in the order of the route. */
    static List<String> probed(List<String> ids, List<String> taken, Predicate<String> differs) {
        Set<String> all = new LinkedHashSet<>(taken);
        all.addAll(ids);
        return all.stream().filter(differs).limit(MOST_PROBED).toList();
    }
}
