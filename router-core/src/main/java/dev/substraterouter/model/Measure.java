package dev.substraterouter.model;

/** The four measures of a status that the gate judges. */
public enum Measure {
    /** GPU utilisation in percent, 0 to 100. */
    GPU_UTIL,
    /** GPU memory in GiB. */
    VRAM,
    /** GPU temperature in degrees Celsius. */
    GPU_TEMP,
    /** Jobs running and queued at the worker. */
    RUNNING_JOBS
}
