package dev.substraterouter.model;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a caller asks the router to place. Immutable and thread-safe; every method with an argument returns a new request.
 *
 * <p>A request may be used any number of times; each use is a request of its own with its own trace.
 */
public final class RouteRequest {
    /** How many attributes a request may carry. */
    public static final int MAX_ATTRIBUTES = 16;
    /** How long a key or value of an attribute, an identity or a request id may be, in characters. */
    public static final int MAX_TEXT = 256;

    /** What stands for the workload of a request that names none. */
    public static final String AD_HOC = "(need)";

    private final String workload;
    private final @Nullable Need need;
    private final @Nullable String identity;
    private final @Nullable Priority priority;
    private final PlacementMode mode;
    private final @Nullable Duration maxWait;
    private final @Nullable Duration deadline;
    private final boolean idempotent;
    private final @Nullable String prefer;
    private final Set<String> avoid;
    private final @Nullable String requestId;
    private final Map<String, String> attributes;

    private RouteRequest(Draft draft) {
        this.workload = draft.workload;
        this.need = draft.need;
        this.identity = draft.identity;
        this.priority = draft.priority;
        this.mode = draft.mode;
        this.maxWait = draft.maxWait;
        this.deadline = draft.deadline;
        this.idempotent = draft.idempotent;
        this.prefer = draft.prefer;
        this.avoid = draft.avoid;
        this.requestId = draft.requestId;
        this.attributes = draft.attributes;
    }

    /**
     * A request for a workload of the policy: any identity, priority NORMAL, mode EITHER, the policy's wait limit, idempotent.
     *
     * @throws NullPointerException if {@code name} is null
     */
    public static RouteRequest workload(String name) {
        return new RouteRequest(new Draft(Objects.requireNonNull(name, "name"), null));
    }

    /**
     * A request for whatever substrate satisfies a need; otherwise as {@link #workload(String)}.
     *
     * @throws NullPointerException if {@code need} is null
     */
    public static RouteRequest need(Need need) {
        return new RouteRequest(new Draft(AD_HOC, Objects.requireNonNull(need, "need")));
    }

    /**
     * Who asks, as the host has authenticated it.
     *
     * @throws IllegalArgumentException if longer than {@value #MAX_TEXT} characters
     */
    public RouteRequest identity(String identity) {
        Draft draft = draft();
        draft.identity = text("identity", identity);
        return new RouteRequest(draft);
    }

    /**
     * How urgent it is. Unset: NORMAL, or the highest that the identity's role may ask for, if that is lower. Asking for more than the role
     * may is refused.
     */
    public RouteRequest priority(Priority priority) {
        Draft draft = draft();
        draft.priority = Objects.requireNonNull(priority, "priority");
        return new RouteRequest(draft);
    }

    /** Live, batch, or either (the default). */
    public RouteRequest mode(PlacementMode mode) {
        Draft draft = draft();
        draft.mode = Objects.requireNonNull(mode, "mode");
        return new RouteRequest(draft);
    }

    /**
     * The longest it may wait over all its attempts; wins over the policy's. Zero never queues; any positive value, however large, is
     * allowed.
     *
     * @throws IllegalArgumentException if negative
     */
    public RouteRequest maxWait(Duration maxWait) {
        Draft draft = draft();
        draft.maxWait = notNegative("maxWait", maxWait);
        return new RouteRequest(draft);
    }

    /**
     * By when the answer is useful, counted from the moment of asking. It never waits past it.
     *
     * @throws IllegalArgumentException if negative
     */
    public RouteRequest deadline(Duration deadline) {
        Draft draft = draft();
        draft.deadline = notNegative("deadline", deadline);
        return new RouteRequest(draft);
    }

    /** Whether the work may run twice. Default true; false: it fails over only when no substrate can have begun it. */
    public RouteRequest idempotent(boolean idempotent) {
        Draft draft = draft();
        draft.idempotent = idempotent;
        return new RouteRequest(draft);
    }

    /** The substrate to look at first within its tier. It is never admitted because of this. */
    public RouteRequest prefer(String substrateId) {
        Draft draft = draft();
        draft.prefer = text("prefer", substrateId);
        return new RouteRequest(draft);
    }

    /** The substrates that must not serve it, in addition to those named before. */
    public RouteRequest avoid(String... substrateIds) {
        Draft draft = draft();
        Set<String> all = new LinkedHashSet<>(avoid);
        for (String id : substrateIds) {
            all.add(text("avoid", id));
        }
        draft.avoid = Collections.unmodifiableSet(all);
        return new RouteRequest(draft);
    }

    /** The id under which it appears in traces. Unset: the router gives it a number. */
    public RouteRequest requestId(String requestId) {
        Draft draft = draft();
        draft.requestId = text("requestId", requestId);
        return new RouteRequest(draft);
    }

    /**
     * A key and value carried into the trace, for people.
     *
     * @throws IllegalArgumentException at the 17th key, or if a text is longer than {@value #MAX_TEXT} characters
     */
    public RouteRequest attribute(String key, String value) {
        Draft draft = draft();
        Map<String, String> all = new LinkedHashMap<>(attributes);
        all.put(text("attribute key", key), text("attribute '" + key + "'", value));
        if (all.size() > MAX_ATTRIBUTES) {
            throw new IllegalArgumentException(
                    "attributes: " + all.size() + " (expected: at most " + MAX_ATTRIBUTES + ")");
        }
        draft.attributes = Collections.unmodifiableMap(all);
        return new RouteRequest(draft);
    }

    /** The workload's name; {@link #AD_HOC} when it names none. */
    public String workload() {
        return workload;
    }

    /** What is needed, when it names no workload. */
    public Optional<Need> need() {
        return Optional.ofNullable(need);
    }

    /** Who asks; empty when not said. */
    public Optional<String> identity() {
        return Optional.ofNullable(identity);
    }

    /** The priority asked for; empty when not said. */
    public Optional<Priority> priority() {
        return Optional.ofNullable(priority);
    }

    /** The mode asked for. */
    public PlacementMode mode() {
        return mode;
    }

    /** Its own wait limit; empty: the policy's. */
    public Optional<Duration> maxWait() {
        return Optional.ofNullable(maxWait);
    }

    /** Its deadline, counted from asking; empty when it has none. */
    public Optional<Duration> deadline() {
        return Optional.ofNullable(deadline);
    }

    /** Whether the work may run twice. */
    public boolean idempotent() {
        return idempotent;
    }

    /** The substrate to look at first; empty when none is named. */
    public Optional<String> prefer() {
        return Optional.ofNullable(prefer);
    }

    /** The substrates that must not serve it. */
    public Set<String> avoid() {
        return avoid;
    }

    /** Its id; empty when the router shall number it. */
    public Optional<String> requestId() {
        return Optional.ofNullable(requestId);
    }

    /** Its attributes in the order they were given. */
    public Map<String, String> attributes() {
        return attributes;
    }

    @Override
    public String toString() {
        return "RouteRequest[" + (need == null ? workload : need) + (requestId == null ? "" : ", id " + requestId)
                + (priority == null ? "" : ", " + priority) + "]";
    }

    private Draft draft() {
        Draft draft = new Draft(workload, need);
        draft.identity = identity;
        draft.priority = priority;
        draft.mode = mode;
        draft.maxWait = maxWait;
        draft.deadline = deadline;
        draft.idempotent = idempotent;
        draft.prefer = prefer;
        draft.avoid = avoid;
        draft.requestId = requestId;
        draft.attributes = attributes;
        return draft;
    }

    private static Duration notNegative(String name, Duration value) {
        if (value.isNegative()) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: >= 0)");
        }
        return value;
    }

    private static String text(String name, String value) {
        if (value.length() > MAX_TEXT) {
            throw new IllegalArgumentException(
                    name + ": " + value.length() + " characters (expected: at most " + MAX_TEXT + ")");
        }
        return value;
    }

    private static final class Draft {
        final String workload;
        final @Nullable Need need;

        @Nullable
        String identity;

        @Nullable
        Priority priority;

        PlacementMode mode = PlacementMode.EITHER;

        @Nullable
        Duration maxWait;

        @Nullable
        Duration deadline;

        boolean idempotent = true;

        @Nullable
        String prefer;

        Set<String> avoid = Set.of();

        @Nullable
        String requestId;

        Map<String, String> attributes = Map.of();

        Draft(String workload, @Nullable Need need) {
            this.workload = workload;
            this.need = need;
        }
    }
}
