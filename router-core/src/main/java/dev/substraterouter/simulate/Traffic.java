package dev.substraterouter.simulate;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * One source of requests: when they come, for which workloads, from which clients. Workload and class are drawn independently, in the order
 * in which they are listed here. Immutable.
 */
public final class Traffic {
    private final Arrivals arrivals;
    private final List<Share> workloads;
    private final List<RequestClass> classes;

    private Traffic(Builder builder) {
        this.arrivals = builder.arrivals;
        this.workloads = List.copyOf(builder.workloads);
        this.classes = builder.classes.isEmpty()
                ? List.of(RequestClass.builder("all", 1).build())
                : List.copyOf(builder.classes);
    }

    /** A builder. */
    public static Builder builder(Arrivals arrivals) {
        return new Builder(arrivals);
    }

    /** When requests come. */
    public Arrivals arrivals() {
        return arrivals;
    }

    /** The workloads and how many of the requests ask for each. */
    public List<Share> workloads() {
        return workloads;
    }

    /** The kinds of clients. */
    public List<RequestClass> classes() {
        return classes;
    }

    Traffic scaled(double factor) {
        Builder builder = new Builder(arrivals.scaled(factor));
        builder.workloads.addAll(workloads);
        builder.classes.addAll(classes);
        return builder.build();
    }

    /**
     * How many of the requests ask for a workload.
     *
     * @param workload the workload
     * @param share above 0, relative to the other workloads
     */
    public record Share(String workload, double share) {
        /** Checks the share. */
        public Share {
            Objects.requireNonNull(workload, "workload");
            if (!(share > 0 && share <= 1e9)) {
                throw new IllegalArgumentException(
                        "share of workload '" + workload + "' is " + share + " (expected: above 0)");
            }
        }
    }

    /** Builds a {@link Traffic}. Not thread-safe. */
    public static final class Builder {
        private final Arrivals arrivals;
        private final List<Share> workloads = new ArrayList<>();
        private final List<RequestClass> classes = new ArrayList<>();

        private Builder(Arrivals arrivals) {
            this.arrivals = Objects.requireNonNull(arrivals, "arrivals");
        }

        /** One more workload, with its share. */
        public Builder workload(String workload, double share) {
            workloads.add(new Share(workload, share));
            return this;
        }

        /** One more kind of client; none: one without any particulars. */
        public Builder requestClass(RequestClass one) {
            classes.add(Objects.requireNonNull(one, "requestClass"));
            return this;
        }

        /** The traffic. */
        public Traffic build() {
            if (workloads.isEmpty()) {
                throw new IllegalArgumentException("traffic without a workload (expected: at least one)");
            }
            return new Traffic(this);
        }
    }
}
