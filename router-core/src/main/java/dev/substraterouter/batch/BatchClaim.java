package dev.substraterouter.batch;

import java.time.Duration;
import java.util.Objects;

/**
 * The right to run a job for a while. It lasts until somebody else claims the job, which nobody can before its time has run out, or until
 * the job has ended.
 *
 * @param job the job as it stands
 * @param owner who has claimed it, for people
 * @param token what tells this claim of the job from every other: rises with each claim, so it is a fencing number
 * @param position the job's place in the store's order
 * @param age how long ago the job was accepted, by the store's clock
 * @param refused how long ago the router first refused the job, by the store's clock, if it has only refused it since; zero when its last
 *     {@link BatchQueue#retry} noted something else, or it was started after it
 */
public record BatchClaim(BatchJob job, String owner, long token, long position, Duration age, Duration refused) {
    /** Checks that nothing is null. */
    public BatchClaim {
        Objects.requireNonNull(job, "job");
        Objects.requireNonNull(owner, "owner");
        Objects.requireNonNull(age, "age");
        Objects.requireNonNull(refused, "refused");
    }
}
