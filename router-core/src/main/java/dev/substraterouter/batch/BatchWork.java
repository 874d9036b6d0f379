package dev.substraterouter.batch;

import dev.substraterouter.Placement;

/** Does the work of a batch job where it was placed. Thread-safe; runs on the dispatcher's executor and may block there. */
@FunctionalInterface
public interface BatchWork {
    /**
     * Does the work. The thread is interrupted when the job is cancelled or its claim is lost; what comes back then is thrown away. The
     * outcome is reported to the placement by the dispatcher, unless the work has done so itself.
     *
     * <p>Until a success is recorded a job may run more than once, at worst twice at the same time when a dispatcher was cut off from the
     * store for longer than a claim lasts. Work that must not overlap hands on {@link BatchJob#attempts()}, the number of its run, and has
     * whoever keeps its effects refuse a lower number than the last it saw.
     *
     * @param placement where to do it
     * @param job what to do
     * @return the result
     * @throws Exception when it failed; whose fault it was is found out as {@link Placement#fail} does
     */
    byte[] run(Placement placement, BatchJob job) throws Exception;
}
