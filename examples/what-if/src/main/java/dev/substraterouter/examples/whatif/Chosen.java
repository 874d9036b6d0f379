package dev.substraterouter.examples.whatif;

import dev.substraterouter.examples.whatif.compare.Entrant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The contenders of which a part of the name was said. */
final class Chosen {
    private static final String ALL = "all";
    private static final int UNLESS_SAID = 3;

    private Chosen() {}

    /**
     * Those that were asked for.
     *
     * @param parts a part of a name each; {@code all}: all of them; null: the first three
     * @throws IllegalArgumentException if a part is in no name
     */
    static List<Entrant> of(List<Entrant> others, @Nullable List<String> parts) {
        if (parts == null) {
            return others.subList(0, Math.min(UNLESS_SAID, others.size()));
        }
        if (parts.contains(ALL)) {
            return others;
        }
        List<Entrant> chosen = new ArrayList<>();
        for (String part : parts) {
            List<Entrant> named =
                    others.stream().filter(one -> one.name().contains(part)).toList();
            if (named.isEmpty() && !part.isEmpty()) {
                throw new IllegalArgumentException("'" + part + "' (expected: a part of one of "
                        + others.stream().map(Entrant::name).toList() + ")");
            }
            named.stream().filter(one -> !chosen.contains(one)).forEach(chosen::add);
        }
        return chosen;
    }
}
