package dev.substraterouter;

import java.util.List;
import java.util.Optional;

/**
 * How one workload is placed, and who serves it now: a snapshot.
 *
 * @param workload its name
 * @param mechanism by what it is placed
 * @param candidates the substrates that could serve it, in the order in which they are tried
 * @param servingNow where a request of NORMAL priority that waits for nobody would be placed now; empty when nowhere
 * @param waiting how many requests wait in the places that it uses
 * @param capacity how many places there are
 */
public record RouteView(
        String workload,
        Mechanism mechanism,
        List<String> candidates,
        Optional<String> servingNow,
        int waiting,
        int capacity) {
    /** Copies the list. */
    public RouteView {
        candidates = List.copyOf(candidates);
    }

    /** By what a workload is placed. */
    public enum Mechanism {
        /** A route of one that is meant. */
        PIN,
        /** An ordered list of candidates. */
        ROUTE,
        /** Whatever fits what it needs. */
        NEED
    }
}
