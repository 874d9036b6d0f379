package dev.substraterouter.metrics;

import dev.substraterouter.trace.Outcome;
import dev.substraterouter.trace.Reason;
import dev.substraterouter.trace.RefusalReason;
import dev.substraterouter.trace.ServingPath;
import io.micrometer.core.instrument.Tags;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How a placement, or a request without one, has ended, as one number: path, outcome and reason. */
final class Ending {
    static final String[] PATHS = words(ServingPath.values());
    static final String[] OUTCOMES = words(Outcome.values());
    private static final String[] REASONS = words(Reason.values());
    private static final String[] REFUSALS = words(RefusalReason.values());
    private static final int WITHDRAWN = -1;
    private static final int REFUSED = -2; // and below, by reason

    private Ending() {}

    static String[] words(Enum<?>[] values) {
        return Arrays.stream(values)
                .map(value -> value.name().toLowerCase(Locale.ROOT))
                .toArray(String[]::new);
    }

    static int placed(ServingPath path, Outcome outcome, @Nullable Reason reason) {
        int why = reason == null ? 0 : reason.ordinal() + 1;
        return (path.ordinal() * OUTCOMES.length + outcome.ordinal()) * (REASONS.length + 1) + why;
    }

    static int unplaced(@Nullable RefusalReason reason) {
        return reason == null ? WITHDRAWN : REFUSED - reason.ordinal();
    }

    static Tags tags(int ending) {
        if (ending < 0) {
            String outcome = ending == WITHDRAWN ? "withdrawn" : "refused";
            return tags(Names.NONE, outcome, ending == WITHDRAWN ? Names.NONE : REFUSALS[REFUSED - ending]);
        }
        int why = ending % (REASONS.length + 1);
        int where = ending / (REASONS.length + 1);
        return tags(
                PATHS[where / OUTCOMES.length],
                OUTCOMES[where % OUTCOMES.length],
                why == 0 ? Names.NONE : REASONS[why - 1]);
    }

    private static Tags tags(String path, String outcome, String reason) {
        return Tags.of("path", path, "outcome", outcome, "reason", reason);
    }
}
