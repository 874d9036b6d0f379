package dev.substraterouter.simulate;

import java.time.Duration;
import java.util.Objects;

/**
 * How the status of nodes reaches the routers. Immutable.
 *
 * @param every how often each node is asked; zero: as the policy says
 * @param delay how long an answer takes; the figures are those of the moment half-way
 * @param noisePct utilisation is reported this much too high or too low at most, evenly distributed, percentage points
 * @param loss the share of questions that get no answer, 0 to 1
 */
public record Polling(Duration every, Duration delay, double noisePct, double loss) {
    /** As the policy says, at once, exact, without loss. */
    public static final Polling EXACT = new Polling(Duration.ZERO, Duration.ZERO, 0, 0);

    /** Checks the figures. */
    public Polling {
        Spans.notNegative("polling interval", Objects.requireNonNull(every, "every"));
        Spans.notNegative("delay of a status", Objects.requireNonNull(delay, "delay"));
        Spans.within("noise of a status", noisePct, 0, 100);
        Spans.share("loss of statuses", loss);
    }
}
