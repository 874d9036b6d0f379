package dev.substraterouter;

import dev.substraterouter.internal.decide.Decision;
import dev.substraterouter.internal.decide.Revision;
import dev.substraterouter.internal.plan.RoutePlan;
import dev.substraterouter.model.Need;
import dev.substraterouter.model.PlacementMode;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.trace.Attempt;
import dev.substraterouter.trace.Observation;
import dev.substraterouter.trace.Outcome;
import dev.substraterouter.trace.RefusalReason;
import dev.substraterouter.trace.RoutingTrace;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One request on its way: its attempts, its refusal, and its end. One thread at a time drives it; anybody may read its trace.
 *
 * <p>It is kept as codes and references and becomes a {@link RoutingTrace} when somebody reads it.
 */
final class Journey {
    private static final HeldPlacement[] NO_ATTEMPTS = {};
    /** A request that is told to come back again and again keeps its last attempts only. */
    private static final int MOST_KEPT = 64;

    private static final VarHandle OBSERVATION;

    static {
        try {
            OBSERVATION = MethodHandles.lookup().findVarHandle(Journey.class, "observation", Observation.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final Engine engine;
    private final RouteRequest request;
    private final PlacementMode mode;
    private final long number;
    private final long arrivalNanos;
    private final Holder holder;
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile HeldPlacement[] attempts = NO_ATTEMPTS;
    private int made; // touched by whoever drives the journey
    private volatile @Nullable Decision lastNone;
    private volatile @Nullable RefusalReason refusal;
    private volatile long waitedNanos;
    private volatile @Nullable RoutePlan looked; // by which it was decided last
    private volatile @Nullable Instant askedAt;
    private volatile @Nullable Observation observation;
    private volatile long endedUnder; // the revision in force when it ended; 0 until then

    Journey(Engine engine, RouteRequest request, PlacementMode mode, long number, long arrivalNanos) {
        this.engine = engine;
        this.request = request;
        this.mode = mode;
        this.number = number;
        this.arrivalNanos = arrivalNanos;
        this.holder = new Holder(engine.prefix(), request.requestId().orElse(null), number, request.workload());
    }

    /**
     * Who holds a lease. A lease is in the states that decisions keep, so what it refers to must be small and lead nowhere.
     *
     * @param prefix what the ids begin with that its router gives
     * @param requestId the request's own id; null when it has none
     * @param number the order of arrival
     * @param workload what was asked for
     */
    record Holder(String prefix, @Nullable String requestId, long number, String workload) {
        String id() {
            return requestId != null ? requestId : prefix + "-" + number;
        }
    }

    RouteRequest request() {
        return request;
    }

    /** Who holds its leases, for reports: nothing that leads back to the decisions that took them. */
    Holder holder() {
        return holder;
    }

    /** Live, batch or either: what the request says, unless a call drives it, which is live. */
    PlacementMode mode() {
        return mode;
    }

    /** Its route under a revision; null when it has none there. */
    @Nullable
    RoutePlan routeUnder(Revision revision) {
        RoutePlan route = revision.compiled.route(request);
        return route == null || mode != PlacementMode.BATCH ? route : route.batch;
    }

    /** Notes the route by which it is looked at, which says under which revision and roles that is. */
    void under(RoutePlan route) {
        looked = route;
    }

    /**
     * The route by which it was looked at last.
     *
     * @throws IllegalStateException if it has not been looked at
     */
    RoutePlan route() {
        RoutePlan route = looked;
        if (route == null) {
            throw new IllegalStateException("no route was found yet: " + this);
        }
        return route;
    }

    /** The priority it has: its own, or the default of the roles under which it was looked at last. */
    Priority priority() {
        RoutePlan route = looked;
        return request.priority().orElse(route == null ? Priority.NORMAL : route.defaultPriority);
    }

    /** What it asks for, in words. */
    String subject() {
        return request.need().map(Need::toString).orElseGet(() -> "'" + request.workload() + "'");
    }

    /** The order of arrival. */
    long number() {
        return number;
    }

    long arrivalNanos() {
        return arrivalNanos;
    }

    long waitedNanos() {
        return waitedNanos;
    }

    void waited(long inAllNanos) {
        waitedNanos = inAllNanos;
    }

    /** How many attempts there were, those included that are not kept any more. */
    int attempts() {
        return made;
    }

    void attempt(HeldPlacement placement) {
        HeldPlacement[] before = attempts;
        int dropped = before.length == MOST_KEPT ? 1 : 0;
        HeldPlacement[] more = Arrays.copyOfRange(before, dropped, before.length + 1);
        more[more.length - 1] = placement;
        attempts = more;
        made++;
    }

    void foundNone(@Nullable Decision decision) {
        lastNone = decision;
    }

    void refused(RefusalReason reason) {
        refusal = reason;
    }

    /** Ends it, once; later calls do nothing. */
    void end() {
        if (!ended.getAndSet(true)) {
            endedUnder = engine.revision().number;
            engine.observers().ended(this);
        }
    }

    String id() {
        return holder.id();
    }

    long revisionNow() {
        return engine.revision().number;
    }

    /** Its trace as it stands. */
    RoutingTrace trace() {
        HeldPlacement[] all = attempts;
        List<Attempt> list = new ArrayList<>(all.length);
        for (HeldPlacement placement : all) {
            list.add(placement.attemptRecord());
        }
        HeldPlacement last = all.length == 0 ? null : all[all.length - 1];
        Decision none = lastNone;
        RoutePlan route = looked;
        List<String> roles = route == null ? List.of() : route.roles;
        long undecided = endedUnder > 0 ? endedUnder : engine.revision().number;
        return new RoutingTrace(
                id(),
                request.workload(),
                request.need(),
                request.identity(),
                roles.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", roles)),
                priority(),
                request.attributes(),
                askedAt(),
                route == null ? undecided : route.revision,
                list,
                none == null ? List.of() : none.considered(),
                Optional.ofNullable(refusal),
                Duration.ofNanos(waitedNanos),
                last != null && last.fellBack(),
                last != null && last.overflow(),
                last != null && list.get(list.size() - 1).outcome() == Outcome.SUCCEEDED,
                Optional.ofNullable(observation));
    }

    /** Adds what has become known of the answer. */
    void observe(Observation later) {
        while (true) {
            Observation known = observation;
            if (OBSERVATION.compareAndSet(this, known, known == null ? later : known.with(later))) {
                return;
            }
        }
    }

    /** The wall clock at the arrival, found when it is first asked for: the hot path does not read it. */
    private Instant askedAt() {
        Instant known = askedAt;
        if (known == null) {
            known = engine.wallAt(arrivalNanos);
            askedAt = known;
        }
        return known;
    }

    @Override
    public String toString() {
        return id() + " " + subject();
    }
}
