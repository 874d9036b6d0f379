package dev.substraterouter.testkit;

import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.status.SubstrateStatus;
import java.time.Duration;

/** Something that happens to a router in an {@link EventSchedule}. Immutable; its text is a line of a story. */
public sealed interface Event {
    /**
     * Time passes.
     *
     * @param by how much
     */
    record Passes(Duration by) implements Event {
        @Override
        public String toString() {
            return by.toMillis() / 1000.0 + " s pass";
        }
    }

    /**
     * A substrate says how it is; nothing happens if the policy in force has no such substrate.
     *
     * @param substrateId the substrate
     * @param status what it says
     */
    record Told(String substrateId, SubstrateStatus status) implements Event {
        @Override
        public String toString() {
            return substrateId + " says " + status;
        }
    }

    /** Every substrate of the policy in force says that it is cool, idle and empty. */
    record AllWell() implements Event {
        @Override
        public String toString() {
            return "all substrates say that they are idle";
        }
    }

    /**
     * Somebody asks for a place.
     *
     * @param request what for; the runner gives it its id
     * @param way how
     */
    record Asked(RouteRequest request, Way way) implements Event {
        @Override
        public String toString() {
            return way.words + " "
                    + (request.need().isPresent() ? request.need().get() : request.workload())
                    + request.identity().map(who -> " by " + who).orElse("")
                    + request.priority().map(it -> ", " + it).orElse("")
                    + ", " + request.mode()
                    + request.prefer().map(it -> ", prefer " + it).orElse("")
                    + (request.avoid().isEmpty() ? "" : ", avoid " + request.avoid());
        }
    }

    /**
     * Work that was placed ends; nothing happens if there is none.
     *
     * @param which which of those that are open, counted round
     * @param how how it ends
     */
    record Ended(int which, Ending how) implements Event {
        @Override
        public String toString() {
            return "work " + how.words;
        }
    }

    /**
     * An operator takes a substrate out.
     *
     * @param substrateId the substrate
     */
    record Cordoned(String substrateId) implements Event {
        @Override
        public String toString() {
            return substrateId + " is cordoned";
        }
    }

    /**
     * An operator puts a substrate back.
     *
     * @param substrateId the substrate
     */
    record Uncordoned(String substrateId) implements Event {
        @Override
        public String toString() {
            return substrateId + " is uncordoned";
        }
    }

    /**
     * A policy is put in force.
     *
     * @param policy the policy
     */
    record Reloaded(Policy policy) implements Event {
        @Override
        public String toString() {
            return "a policy of " + policy.substrates().size() + " substrates and "
                    + policy.workloads().size() + " workloads is put in force";
        }
    }

    /** How a place is asked for. */
    enum Way {
        /** A place now or none. */
        NOW("ask now for"),
        /** A place when there is one. */
        WAITING("ask for"),
        /** A place for work that moves on when a substrate fails it. */
        CALLING("call");

        private final String words;

        Way(String words) {
            this.words = words;
        }
    }

    /** How work ends. */
    enum Ending {
        /** It was done. */
        SUCCEEDED("succeeds"),
        /** The substrate failed it. */
        NODE_FAULT("fails by the node's fault"),
        /** The substrate was not there. */
        NOT_STARTED("fails before it starts"),
        /** The substrate was full. */
        BUSY("is turned away by the worker"),
        /** It was wrong itself. */
        REQUEST_FAULT("fails by its own fault"),
        /** It was given up. */
        GIVEN_UP("is given up");

        private final String words;

        Ending(String words) {
            this.words = words;
        }
    }
}
