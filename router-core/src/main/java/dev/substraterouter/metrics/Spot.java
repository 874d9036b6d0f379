package dev.substraterouter.metrics;

import dev.substraterouter.trace.ServingPath;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What is counted of one workload on one substrate, or on none. Thread-safe. A request looks for its count among the few there are: no key
 * is made for it.
 */
final class Spot {
    private static final Count[] NONE = {};

    private final WorkloadMeters owner;
    private final String substrate;
    private final ReentrantLock changing = new ReentrantLock();
    private volatile Count[] counts = NONE; // written under the lock
    private final AtomicReferenceArray<@Nullable Times> service = new AtomicReferenceArray<>(Ending.PATHS.length);

    Spot(WorkloadMeters owner, String substrate) {
        this.owner = owner;
        this.substrate = substrate;
    }

    void count(int ending, String model) {
        Count known = find(counts, ending, model);
        (known != null ? known : added(ending, model)).increment();
    }

    void served(ServingPath path, long nanos) {
        Times known = service.get(path.ordinal());
        (known != null ? known : timed(path)).record(nanos);
    }

    /** Forgets what has names that the policy does not have any more. */
    void keepOnly(Names names) {
        changing.lock();
        try {
            counts = Arrays.stream(counts).filter(one -> one.namedBy(names)).toArray(Count[]::new);
        } finally {
            changing.unlock();
        }
    }

    private static @Nullable Count find(Count[] counts, int ending, String model) {
        for (Count one : counts) {
            if (one.ending == ending && one.model.equals(model)) {
                return one;
            }
        }
        return null;
    }

    private Count added(int ending, String model) {
        Count made;
        changing.lock();
        try {
            Count known = find(counts, ending, model);
            if (known != null) {
                return known;
            }
            made = Count.of(owner, substrate, model, ending);
            Count[] more = Arrays.copyOf(counts, counts.length + 1);
            more[counts.length] = made;
            counts = more;
        } finally {
            changing.unlock();
        }
        owner.newcomers().add(made);
        return made;
    }

    private Times timed(ServingPath path) {
        String by = Ending.PATHS[path.ordinal()];
        service.compareAndSet(
                path.ordinal(), null, new Times(owner, Meters.SERVICE, substrate, "substrate", substrate, "path", by));
        return Objects.requireNonNull(service.get(path.ordinal()));
    }
}
