package dev.substraterouter;

import dev.substraterouter.trace.RouterEvent;
import dev.substraterouter.trace.WaitEnd;
import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/**
 * The way into the JDK's flight recorder, where there is one. Thread-safe; never blocks.
 *
 * <p><b>What it costs.</b> Until somebody starts a recording in this process, one read of a field: the events' classes, which bring the
 * recorder's up, are not touched before. After that one more read for each, which says whether a recording wants it. No event is made and
 * no clock is read before both say so. Where the module {@code jdk.jfr} is not in the runtime, or nobody has asked for it, that is found
 * out once. A decision that is recorded costs about 200 ns more; {@link Engine} lets 10,000 a second be recorded.
 */
final class Flight {
    private static final boolean THERE = there();

    private Flight() {}

    /** Kept apart, so that nothing is linked where it is not there. */
    private static final class Recorder {
        static boolean started() {
            return FlightRecorder.isInitialized();
        }
    }

    private static boolean there() {
        try {
            Class.forName("jdk.jfr.FlightRecorder", false, Flight.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException | LinkageError absent) {
            Log.debug("no flight recorder in this runtime", absent);
            return false;
        }
    }

    private static boolean started() {
        return THERE && Recorder.started();
    }

    /** Whether decisions are recorded now. */
    static boolean recordsDecisions() {
        return started() && FlightEvents.Decision.wanted();
    }

    /** A decision that begins; null: it is not recorded. */
    static FlightEvents.@Nullable Decision decisionBegins() {
        return recordsDecisions() ? FlightEvents.Decision.begun() : null;
    }

    /** A wait that begins; null: it is not recorded. */
    static FlightEvents.@Nullable Wait waitBegins() {
        return started() && FlightEvents.Wait.wanted() ? FlightEvents.Wait.begun() : null;
    }

    /** A reload that begins; null: it is not recorded. */
    static FlightEvents.@Nullable Reload reloadBegins() {
        return started() && FlightEvents.Reload.wanted() ? FlightEvents.Reload.begun() : null;
    }

    /** A wait has ended that was recorded from its beginning. */
    static void waited(Pending pending, WaitEnd end) {
        FlightEvents.Wait recorded = pending.recorded();
        if (recorded != null) {
            recorded.ended(pending, end);
        }
    }

    /** Something has happened to a substrate, perhaps its ejection. */
    static void told(RouterEvent event) {
        if (started() && FlightEvents.Ejection.wanted()) {
            FlightEvents.Ejection.told(event);
        }
    }
}
