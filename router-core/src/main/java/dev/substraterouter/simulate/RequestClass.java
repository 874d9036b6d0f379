package dev.substraterouter.simulate;

import dev.substraterouter.model.PlacementMode;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** One kind of client: what its requests say besides the workload. Immutable. */
public final class RequestClass {
    private final String name;
    private final double share;
    private final @Nullable String identity;
    private final @Nullable Priority priority;
    private final PlacementMode mode;
    private final @Nullable Duration maxWait;
    private final @Nullable Duration deadline;
    private final boolean idempotent;
    private final @Nullable Duration patience;
    private final boolean interactive;
    private final UnaryOperator<RouteRequest> more;

    private RequestClass(Builder builder) {
        this.name = builder.name;
        this.share = builder.share;
        this.identity = builder.identity;
        this.priority = builder.priority;
        this.mode = builder.mode;
        this.maxWait = builder.maxWait;
        this.deadline = builder.deadline;
        this.idempotent = builder.idempotent;
        this.patience = builder.patience;
        this.interactive = builder.interactive;
        this.more = builder.more;
    }

    /**
     * A builder.
     *
     * @param name what reports call it
     * @param share how many of the requests are of it, above 0, relative to the other classes
     */
    public static Builder builder(String name, double share) {
        return new Builder(name, share);
    }

    /** What reports call it. */
    public String name() {
        return name;
    }

    /** How many of the requests are of it, relative to the other classes. */
    public double share() {
        return share;
    }

    /** How long its clients wait for an answer before they hang up; empty: for ever. */
    public Optional<Duration> patience() {
        return Optional.ofNullable(patience);
    }

    /** Whether somebody waits for the answer, so that the workload's deadline is a promise; default true. */
    public boolean interactive() {
        return interactive;
    }

    /** What a client of it asks for. */
    public RouteRequest request(String workload) {
        RouteRequest request = RouteRequest.workload(workload).mode(mode).idempotent(idempotent);
        request = identity == null ? request : request.identity(identity);
        request = priority == null ? request : request.priority(priority);
        request = maxWait == null ? request : request.maxWait(maxWait);
        request = deadline == null ? request : request.deadline(deadline);
        return more.apply(request);
    }

    /** Builds a {@link RequestClass}. Not thread-safe. */
    public static final class Builder {
        private final String name;
        private final double share;
        private @Nullable String identity;
        private @Nullable Priority priority;
        private PlacementMode mode = PlacementMode.EITHER;
        private @Nullable Duration maxWait;
        private @Nullable Duration deadline;
        private boolean idempotent = true;
        private @Nullable Duration patience;
        private boolean interactive = true;
        private UnaryOperator<RouteRequest> more = UnaryOperator.identity();

        private Builder(String name, double share) {
            this.name = Objects.requireNonNull(name, "name");
            if (!(share > 0 && share <= 1e9)) {
                throw new IllegalArgumentException(
                        "share of class '" + name + "' is " + share + " (expected: above 0)");
            }
            this.share = share;
        }

        /** Who asks; default nobody. */
        public Builder identity(String value) {
            identity = Objects.requireNonNull(value, "identity");
            return this;
        }

        /** The priority; default as for a request that does not say. */
        public Builder priority(Priority value) {
            priority = Objects.requireNonNull(value, "priority");
            return this;
        }

        /** The mode; default {@link PlacementMode#EITHER}. */
        public Builder mode(PlacementMode value) {
            mode = Objects.requireNonNull(value, "mode");
            return this;
        }

        /** How long it may wait for a place; default as the policy says. */
        public Builder maxWait(Duration value) {
            maxWait = Objects.requireNonNull(value, "maxWait");
            return this;
        }

        /** When its answer is due; default as the workload says. */
        public Builder deadline(Duration value) {
            deadline = Objects.requireNonNull(value, "deadline");
            return this;
        }

        /** Whether it may be sent again; default true. */
        public Builder idempotent(boolean value) {
            idempotent = value;
            return this;
        }

        /** How long clients wait for the answer before they hang up; default for ever. */
        public Builder patience(Duration value) {
            Spans.positive("patience", value);
            patience = value;
            return this;
        }

        /** Whether somebody waits for the answer; default true. */
        public Builder interactive(boolean value) {
            interactive = value;
            return this;
        }

        /** Anything else that a request may say. */
        public Builder with(UnaryOperator<RouteRequest> change) {
            more = Objects.requireNonNull(change, "change");
            return this;
        }

        /** The class. */
        public RequestClass build() {
            return new RequestClass(this);
        }
    }
}
