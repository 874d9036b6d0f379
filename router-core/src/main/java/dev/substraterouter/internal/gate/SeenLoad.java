package dev.substraterouter.internal.gate;

/** What of a status is the router's own load; the gate takes it off and never asks who counted it. */
public interface SeenLoad {
    /** The router's own jobs in it. */
    int jobs();

    /** Its own jobs in it that are old enough for any worker to tell of them. */
    int settledJobs();

    /** Its own memory in it, MiB. */
    long mib();

    /** Its own jobs on one GPU; those that span all count on each. */
    int jobs(int gpu);

    /** Its own memory on one of several GPUs, MiB. */
    long mib(int gpu, int gpus);
}
