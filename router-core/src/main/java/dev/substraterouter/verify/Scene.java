package dev.substraterouter.verify;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How the substrates of two policies stand, alike under both as far as they can. Immutable.
 *
 * @param blocked whether those that are not among {@code others} are blocked rather than free
 * @param others the ids of those that stand the other way
 * @param probe what one of them says, at the edge of what the policies think of it; null: none says anything in particular
 */
record Scene(boolean blocked, Set<String> others, @Nullable Probe probe) {
    /** In place of an id: the substrates that are not named. */
    static final String REST = "(all others)";

    /** All are free but some. */
    static Scene blocked(Set<String> ids) {
        return new Scene(false, ids, null);
    }

    /** One says something while all others are free, and while they are blocked. */
    static List<Scene> of(Probe probe) {
        return List.of(new Scene(false, Set.of(), probe), new Scene(true, Set.of(), probe));
    }

    private boolean odd(String id) {
        return probe != null && probe.id().equals(id);
    }

    /** How one of them stands, for people. */
    Standing standing(String id) {
        if (probe != null && odd(id)) {
            return probe.standing();
        }
        return blocked != others.contains(id) ? Standing.BLOCKED : Standing.FREE;
    }

    /** How all of some substrates stand. */
    Map<String, Standing> standings(List<String> ids) {
        Map<String, Standing> standings = new LinkedHashMap<>();
        ids.forEach(id -> standings.put(id, standing(id)));
        return Collections.unmodifiableMap(standings);
    }

    /** How those of many substrates stand that are not like the rest, or where the request is placed; then, under one name, the rest. */
    Map<String, Standing> standings(List<String> ids, Answer... answers) {
        Set<String> told = new LinkedHashSet<>();
        for (Answer answer : answers) {
            answer.substrateId().ifPresent(told::add);
        }
        Map<String, Standing> standings = new LinkedHashMap<>();
        ids.stream()
                .filter(id -> odd(id) || others.contains(id) || told.contains(id))
                .forEach(id -> standings.put(id, standing(id)));
        if (standings.size() < ids.size()) {
            standings.put(REST, blocked ? Standing.BLOCKED : Standing.FREE);
        }
        return Collections.unmodifiableMap(standings);
    }
}
