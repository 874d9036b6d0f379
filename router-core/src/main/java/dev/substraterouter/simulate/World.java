package dev.substraterouter.simulate;

import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.status.StatusSink;
import dev.substraterouter.status.StatusSource;
import dev.substraterouter.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * A run in progress, as a {@link Contender} and a {@link Watcher} see it. Everything happens on one thread. Not thread-safe.
 */
public interface World {
    /** What happens. */
    Scenario scenario();

    /** What the router was given; a reload may have replaced it there. */
    Policy policy();

    /** The run's virtual time. */
    TimeSource time();

    /** Runs what it is given at this moment, after what runs now. */
    Executor executor();

    /** Nanoseconds from the beginning of the run. */
    long nanos();

    /** Has something happen later. */
    void after(Duration delay, Runnable what);

    /** Every node of the policy, in its order, as it really is. */
    List<NodeTruth> nodes();

    /** One node. */
    NodeTruth node(String substrate);

    /** How long a request takes on a node that it has for itself, without loading; seconds. */
    double seconds(SimulatedRequest request, String substrate);

    /** How long a workload takes on a node in the mean; seconds. */
    double meanSeconds(String workload, String substrate);

    /** VRAM that one job of a workload takes on a node, GiB. */
    double vramGb(String workload, String substrate);

    /**
     * Starts work on a node.
     *
     * @param router who starts it, from 0
     * @param whenOver told how it ended, once, unless it is stopped before
     * @return stops it, as a host that hangs up; after its end it does nothing
     */
    Runnable start(SimulatedRequest request, String substrate, int router, Consumer<WorkEnd> whenOver);

    /** Statuses of the nodes, as one router gets them. It asks by itself once it knows its targets. */
    StatusSource statuses(int router);

    /** Starts regular polls of the local and pool nodes, and of others with a status address, for somebody who is not a router. */
    void poll(StatusSink sink);

    /** The request was answered well. */
    void served(SimulatedRequest request, String substrate);

    /** The request was turned down, and why. */
    void refused(SimulatedRequest request, String reason);

    /** The request failed, and why. */
    void failed(SimulatedRequest request, String reason);

    /** How many requests wait for a place at this moment, as the contender says. */
    int waiting();

    /** The routers of the run; empty when somebody else places. */
    List<SubstrateRouter> routers();
}
