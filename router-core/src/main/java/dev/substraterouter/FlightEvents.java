package dev.substraterouter;

import dev.substraterouter.trace.Reason;
import dev.substraterouter.trace.RefusalReason;
import dev.substraterouter.trace.RouterEvent;
import dev.substraterouter.trace.WaitEnd;
import java.util.Locale;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.EventType;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/** What the router tells the flight recorder: ids and figures only. Touched only while the recorder runs, see {@link Flight}. */
final class FlightEvents {
    private static final String NONE = "none";
    private static final String[] REASONS = words(Reason.values());
    private static final String[] REFUSALS = words(RefusalReason.values());

    private FlightEvents() {}

    private static String[] words(Enum<?>[] values) {
        String[] words = new String[values.length];
        for (Enum<?> value : values) {
            words[value.ordinal()] = value.name().toLowerCase(Locale.ROOT);
        }
        return words;
    }

    @Name("dev.substraterouter.Decision")
    @Label("Decision")
    @Category("Substrate Router")
    @Description(
            "Where a request was placed, or that it was turned down; from asking to the answer, waiting included. At most 10,000 a "
                    + "second: where there are more, numbers are missing")
    @StackTrace(false)
    static final class Decision extends Event {
        private static final EventType TYPE = EventType.getEventType(Decision.class);

        @Label("Request")
        @Description("The id that the caller gave the request; null: its id is the router's, a dash and the number")
        @Nullable
        String requestId; // an id that is made for the event would cost more than all the rest of it

        @Label("Router")
        @Description("The router, as it stands in the ids that it gives")
        @Nullable
        String router;

        @Label("Number")
        @Description("The order of arrival of the request in its router, from 1")
        long number;

        @Label("Trace")
        @Description("The host's own trace in which it was asked, where the host tells")
        @Nullable
        String traceId;

        @Label("Workload")
        @Nullable
        String workload;

        @Label("Substrate")
        @Description("Where it was placed, or none")
        @Nullable
        String substrate;

        @Label("Path")
        @Description("primary, fallback, overflow, batch or none")
        @Nullable
        String path;

        @Label("Model")
        @Description("The model that the candidate declares")
        @Nullable
        String model;

        @Label("Policy Revision")
        long revision;

        @Label("Reason")
        @Description("Why it was turned down, or why the primary was not taken, or none")
        @Nullable
        String reason;

        @Label("Attempt")
        @Description("Counted from 1 for each request; 0 when it was never placed")
        int attempt;

        static boolean wanted() {
            return TYPE.isEnabled();
        }

        static Decision begun() {
            Decision event = new Decision();
            event.begin();
            return event;
        }

        void placed(Journey journey, HeldPlacement placement) {
            end();
            if (shouldCommit()) {
                told(journey);
                Reason why = placement.decision().primaryReason();
                substrate = placement.substrateId();
                path = pathOf(placement);
                model = placement.plan().model;
                revision = placement.revision();
                reason = why == null ? NONE : REASONS[why.ordinal()];
                attempt = placement.attempt();
                commit();
            }
        }

        void refused(Journey journey, RefusalReason why) {
            end();
            if (shouldCommit()) {
                told(journey);
                substrate = NONE;
                path = NONE;
                revision = journey.revisionNow();
                reason = REFUSALS[why.ordinal()];
                attempt = journey.attempts();
                commit();
            }
        }

        private void told(Journey journey) {
            requestId = journey.request().requestId().orElse(null);
            router = journey.engine().prefix();
            number = journey.number();
            traceId = journey.traceId();
            workload = journey.request().workload();
        }

        private static String pathOf(HeldPlacement placement) {
            return switch (placement.path()) {
                case PRIMARY -> "primary";
                case FALLBACK -> "fallback";
                case OVERFLOW -> "overflow";
                case BATCH -> "batch";
            };
        }
    }

    @Name("dev.substraterouter.Wait")
    @Label("Wait")
    @Category("Substrate Router")
    @Description("A request that waited in the queue")
    @StackTrace(false)
    static final class Wait extends Event {
        private static final EventType TYPE = EventType.getEventType(Wait.class);

        @Label("Request")
        @Description("The id of the request, the caller's or the router's")
        @Nullable
        String requestId;

        @Label("Workload")
        @Nullable
        String workload;

        @Label("Priority")
        @Description("high, normal or low")
        @Nullable
        String priority;

        @Label("End")
        @Description("How it ended: placed, withdrawn, or why it was turned down")
        @Nullable
        String end;

        static boolean wanted() {
            return TYPE.isEnabled();
        }

        static Wait begun() {
            Wait event = new Wait();
            event.begin();
            return event;
        }

        void ended(Pending pending, WaitEnd how) {
            end();
            if (shouldCommit()) {
                Journey journey = pending.journey();
                requestId = journey.id();
                workload = journey.request().workload();
                priority = journey.priority().name().toLowerCase(Locale.ROOT);
                end = pending.outcome() instanceof Refusal refusal
                        ? REFUSALS[refusal.reason().ordinal()]
                        : how.name().toLowerCase(Locale.ROOT);
                commit();
            }
        }
    }

    @Name("dev.substraterouter.Ejection")
    @Label("Ejection")
    @Category("Substrate Router")
    @Description("A substrate was taken out after faults, is tried, or is back")
    @StackTrace(false)
    static final class Ejection extends Event {
        private static final EventType TYPE = EventType.getEventType(Ejection.class);

        @Label("Substrate")
        @Nullable
        String substrate;

        @Label("State")
        @Description("ejected, trial or returned")
        @Nullable
        String state;

        @Label("Rule")
        @Description("The rule that tripped, where it was ejected")
        @Nullable
        String rule;

        @Label("Faults")
        @Description("What was counted, where it was ejected")
        int faults;

        @Label("Window")
        @Description("For how long it is out, where it was ejected")
        @Timespan(Timespan.NANOSECONDS)
        long window;

        static boolean wanted() {
            return TYPE.isEnabled();
        }

        static void told(RouterEvent event) {
            if (event instanceof RouterEvent.Ejected out) {
                ejected(out);
            } else if (event instanceof RouterEvent.TrialStarted trial) {
                of(trial.substrateId(), "trial").commit();
            } else if (event instanceof RouterEvent.Returned back) {
                of(back.substrateId(), "returned").commit();
            }
        }

        private static void ejected(RouterEvent.Ejected out) {
            Ejection told = of(out.substrateId(), "ejected");
            told.rule = out.rule();
            told.faults = out.observed();
            told.window = out.window().toNanos();
            told.commit();
        }

        private static Ejection of(String substrate, String state) {
            Ejection event = new Ejection();
            event.substrate = substrate;
            event.state = state;
            return event;
        }
    }

    @Name("dev.substraterouter.Reload")
    @Label("Reload")
    @Category("Substrate Router")
    @Description("A policy was put in force or turned down")
    @StackTrace(false)
    static final class Reload extends Event {
        private static final EventType TYPE = EventType.getEventType(Reload.class);

        @Label("Policy Revision")
        @Description("The revision in force afterwards")
        long revision;

        @Label("Accepted")
        boolean accepted;

        @Label("Problems")
        @Description("How many problems it was turned down for")
        int problems;

        static boolean wanted() {
            return TYPE.isEnabled();
        }

        static Reload begun() {
            Reload event = new Reload();
            event.begin();
            return event;
        }

        void accepted(long inForce) {
            revision = inForce;
            accepted = true;
            commit();
        }

        void rejected(long inForce, int found) {
            revision = inForce;
            problems = found;
            commit();
        }
    }
}
