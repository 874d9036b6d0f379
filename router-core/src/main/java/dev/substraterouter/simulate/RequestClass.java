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
    private final @Nullable Duration patience;
    private final boolean interactive;
    private final UnaryOperator<RouteRequest> says;

    private RequestClass(Builder builder) {
        this.name = builder.name;
        this.share = builder.share;
        this.patience = builder.patience;
        this.interactive = builder.interactive;
        this.says = builder.says;
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
        return says.apply(RouteRequest.workload(workload));
    }

    /** Builds a {@link RequestClass}. Not thread-safe. */
    public static final class Builder {
        private final String name;
        private final double share;
        private @Nullable Duration patience;
        private boolean interactive = true;
        private UnaryOperator<RouteRequest> says = UnaryOperator.identity();

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
            Objects.requireNonNull(value, "identity");
            return with(request -> request.identity(value));
        }

        /** The priority; default as for a request that does not say. */
        public Builder priority(Priority value) {
            Objects.requireNonNull(value, "priority");
            return with(request -> request.priority(value));
        }

        /** The mode; default {@link PlacementMode#EITHER}. */
        public Builder mode(PlacementMode value) {
            Objects.requireNonNull(value, "mode");
            return with(request -> request.mode(value));
        }

        /** How long it may wait for a place; default as the policy says. */
        public Builder maxWait(Duration value) {
            Objects.requireNonNull(value, "maxWait");
            return with(request -> request.maxWait(value));
        }

        /** When its answer is due; default as the workload says. */
        public Builder deadline(Duration value) {
            Objects.requireNonNull(value, "deadline");
            return with(request -> request.deadline(value));
        }

        /** Whether it may be sent again; default true. */
        public Builder idempotent(boolean value) {
            return with(request -> request.idempotent(value));
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

        /** Anything else that a request may say, on top of what has been said before. */
        public Builder with(UnaryOperator<RouteRequest> change) {
            UnaryOperator<RouteRequest> before = says;
            Objects.requireNonNull(change, "change");
            says = request -> change.apply(before.apply(request));
            return this;
        }

        /** The class. */
        public RequestClass build() {
            return new RequestClass(this);
        }
    }
}
