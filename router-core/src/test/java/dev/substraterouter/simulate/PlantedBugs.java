package dev.substraterouter.simulate;

import dev.substraterouter.planted.Bug;
import java.util.List;

/**
 * Ten bugs that a router like this one could have, each a small change of its source. They were written down before the first run against
 * them; a bug that is not caught is a gap in {@link InvariantWatch} or in {@link ScenarioDraw}, and it is there that it is closed.
 */
final class PlantedBugs {
    private static final String ROOT = "dev/substraterouter/";

    private PlantedBugs() {}

    static List<Bug> all() {
        return List.of(
                new Bug(
                        "lease-kept-on-cancel",
                        "work that is cancelled, or closed without an outcome, never gives its lease back",
                        ROOT + "HeldPlacement.java",
                        "engine.release(decision.cell(), lease, end, linger, now);",
                        "if (outcome != Outcome.NEUTRAL) { engine.release(decision.cell(), lease, end, linger, now); }"),
                new Bug(
                        "old-status-accepted",
                        "a status counts however old it is",
                        ROOT + "internal/gate/HealthState.java",
                        "return now - at > limits.staleNanos;",
                        "return at - now > limits.staleNanos;"),
                new Bug(
                        "wake-up-dropped",
                        "the end of a lease wakes nobody who waits",
                        ROOT + "Engine.java",
                        "            waiting.serve();",
                        "            // nobody is woken"),
                new Bug(
                        "finish-margin-inverted",
                        "a request waits for another candidate unless that one finishes later by the margin",
                        ROOT + "internal/decide/Holding.java",
                        "freeKey <= revision.finishMargin * best.finishKey(route)",
                        "revision.finishMargin * freeKey <= best.finishKey(route)"),
                new Bug(
                        "vram-not-reserved",
                        "a lease takes a slot, but no memory",
                        ROOT + "internal/admission/LedgerState.java",
                        "reservedMib + lease.mib",
                        "reservedMib"),
                new Bug(
                        "own-load-not-subtracted",
                        "the router's own jobs in a status count as jobs of others",
                        ROOT + "internal/gate/StatusReader.java",
                        "- own.jobs())),",
                        "- 0)),"),
                new Bug(
                        "privacy-of-fallbacks-unchecked",
                        "only the primary must be trusted enough for the content",
                        ROOT + "internal/plan/ContractCheck.java",
                        "if (substrate.trust.compareTo(contract.privacy) > 0) {",
                        "if (candidate.primary && substrate.trust.compareTo(contract.privacy) > 0) {"),
                new Bug(
                        "one-too-many-waits",
                        "the queue takes one more than it has places",
                        ROOT + "Waiting.java",
                        "queue.waiting(pending.places()) - 1 < pending.route().capacity",
                        "queue.waiting(pending.places()) - 1 <= pending.route().capacity"),
                new Bug(
                        "trial-admits-more",
                        "while the one trial of an ejected substrate runs, others are admitted there too",
                        ROOT + "internal/gate/GateState.java",
                        "case TRIAL -> Reason.TRIAL_RUNNING;",
                        "case TRIAL -> null;"),
                new Bug(
                        "priority-inverted",
                        "of those who have not sunk to LOW the less urgent are served first",
                        ROOT + "internal/decide/Line.java",
                        "seeker.standing = rank(seeker);",
                        "seeker.standing = (4 - rank(seeker)) % 3;"));
    }
}
