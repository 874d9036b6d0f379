package dev.substraterouter.simulate;

import dev.substraterouter.status.SubstrateStatus;

/** What is really going on on a node at this moment, which no router sees. Live: it changes with the run. Not thread-safe. */
public interface NodeTruth {
    /** The substrate's id. */
    String substrate();

    /** How it behaves. */
    NodeModel model();

    /** How many jobs run at full speed. */
    int slots();

    /** Routed jobs on it, those that wait inside the node included. */
    int jobs();

    /** Jobs of others. */
    int foreignJobs();

    /** VRAM it has, GiB; infinite when neither the scenario nor the policy says. */
    double vramGb();

    /** VRAM in use, GiB: routed jobs, residents, background. */
    double vramUsedGb();

    /** GPU utilisation of others, percent. */
    double foreignUtilPct();

    /** Temperature, °C. */
    double tempC();

    /** Speed of one more job of speed 1 if it began now with a slot of its own: background and faults counted; 0 when nothing progresses. */
    double speed();

    /** Whether an episode makes it unavailable, or it is down. */
    boolean unavailable();

    /** Whether it cannot be reached or has crashed. */
    boolean down();

    /** Whether an episode is on in which routed jobs disturb the owner. */
    boolean ownerAtWork();

    /** How long the model of a workload would load now, seconds. */
    double loadSeconds(String workload);

    /** What is left of the first job to come to an end, seconds at the present speed; 0 when a slot is free. */
    double untilSlotSeconds();

    /** What a status asked now would say, without noise. */
    SubstrateStatus status();
}
