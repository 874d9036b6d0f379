package dev.substraterouter.model;

/** Whether the caller waits for the answer ({@link #INTERACTIVE}), hands the work over ({@link #BATCH}), or takes either. */
public enum PlacementMode {
    /** The caller waits: a live substrate or a refusal, never the batch path. */
    INTERACTIVE,
    /** The workload's batch path at once; refused where the workload has none. */
    BATCH,
    /** Live where possible; the batch path where the policy allows it. The default of a request. */
    EITHER
}
