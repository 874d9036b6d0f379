package dev.substraterouter.simulate;

import java.util.Objects;
import java.util.OptionalInt;

/**
 * Something that goes wrong. Immutable.
 *
 * @param kind what
 * @param substrate where
 * @param schedule when
 * @param factor {@link Kind#SLOW}: by what the speed is multiplied, above 0 to 1; of no meaning otherwise
 * @param router {@link Kind#PARTITION}: which router is cut off, from 0; empty: every one
 */
public record Fault(Kind kind, String substrate, Schedule schedule, double factor, OptionalInt router) {
    /** Checks the figures. */
    public Fault {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(substrate, "substrate");
        Objects.requireNonNull(schedule, "schedule");
        Spans.within("factor of a fault of '" + substrate + "'", factor, 1e-6, 1);
    }

    /** A fault that is the same for every router and needs no figure. */
    public static Fault of(Kind kind, String substrate, Schedule schedule) {
        return new Fault(kind, substrate, schedule, 1, OptionalInt.empty());
    }

    /** A node that works more slowly than its status tells. */
    public static Fault slow(String substrate, Schedule schedule, double factor) {
        return new Fault(Kind.SLOW, substrate, schedule, factor, OptionalInt.empty());
    }

    /** What can go wrong. */
    public enum Kind {
        /** The node is gone: its jobs fail, connections are refused, its status does not answer. When it returns, it is empty. */
        CRASH,
        /** Jobs do not progress, and new ones are taken and do not progress either; the status goes on to answer. */
        HANG,
        /** Jobs progress more slowly; the status does not tell. */
        SLOW,
        /** The status says idle, whatever runs. */
        LYING_STATUS,
        /** The node works, but cannot be reached: status unanswered, connections fail, and running jobs count as failed when they end. */
        PARTITION
    }
}
