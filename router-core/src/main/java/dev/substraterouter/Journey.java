package dev.substraterouter;

import dev.substraterouter.internal.decide.Ask;
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
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One request on its way: its attempts, its refusal, and its end. One thread at a time drives it; anybody may read its trace.
 *
 * <p>It is kept as codes and references and becomes a {@link RoutingTrace} when somebody reads it. What only some hosts want to know of a
 * request is kept by {@link FollowedJourney}.
 */
class Journey {
    /** A request that is told to come back again and again keeps its last attempts only. */
    private static final int MOST_KEPT = 64;

    private static final VarHandle OBSERVATION;
    private static final VarHandle ENDED_UNDER;
    private static final VarHandle LAST;
    private static final VarHandle LOOKED;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            OBSERVATION = lookup.findVarHandle(Journey.class, "observation", Observation.class);
            ENDED_UNDER = lookup.findVarHandle(Journey.class, "endedUnder", long.class);
            LAST = lookup.findVarHandle(Journey.class, "last", HeldPlacement.class);
            LOOKED = lookup.findVarHandle(Journey.class, "looked", RoutePlan.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final Engine engine;
    private final Ask ask;
    private final PlacementMode mode;
    // whoever reads them may see an earlier value, but no half-made one: written with release, which costs no fence
    private volatile @Nullable HeldPlacement last;
    private volatile @Nullable RoutePlan looked; // by which it was decided last

    private volatile @Nullable Decision lastNone;
    private volatile @Nullable RefusalReason refusal;
    private volatile long waitedNanos;
    private volatile @Nullable Instant askedAt;
    private volatile @Nullable Observation observation;
    private volatile long endedUnder; // a revision, they count from 1; 0: it has not ended

    Journey(Engine engine, Ask ask, PlacementMode mode) {
        this.engine = engine;
        this.ask = ask;
        this.mode = mode;
    }

    Engine engine() {
        return engine;
    }

    /** What it asks at its first attempt. */
    Ask ask() {
        return ask;
    }

    RouteRequest request() {
        return ask.request();
    }

    /** Live, batch or either: what the request says, unless a call drives it, which is live. */
    PlacementMode mode() {
        return mode;
    }

    /** Its route under a revision; null when it has none there. */
    @Nullable
    RoutePlan routeUnder(Revision revision) {
        RoutePlan route = revision.compiled.route(ask.request());
        return route == null || mode != PlacementMode.BATCH ? route : route.batch;
    }

    /** Notes the route by which it is looked at, which says under which revision and roles that is. */
    void under(RoutePlan route) {
        LOOKED.setRelease(this, route);
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
        return ask.request().priority().orElse(route == null ? Priority.NORMAL : route.defaultPriority);
    }

    /** What it asks for, in words. */
    String subject() {
        return request()
                .need()
                .map(Need::toString)
                .orElseGet(() -> "'" + request().workload() + "'");
    }

    long arrivalNanos() {
        return ask.arrivalNanos();
    }

    long waitedNanos() {
        return waitedNanos;
    }

    void waited(long inAllNanos) {
        waitedNanos = inAllNanos;
    }

    /** How many attempts there were, those included that are not kept any more. */
    int attempts() {
        HeldPlacement newest = last;
        return newest == null ? 0 : newest.attempt();
    }

    /** The newest attempt; null: there was none. */
    @Nullable
    HeldPlacement last() {
        return last;
    }

    /** Notes an attempt, which refers to the one before it. */
    void attempt(HeldPlacement placement) {
        LAST.setRelease(this, placement);
        if (placement.attempt() > MOST_KEPT) {
            placement.forgetAllBut(MOST_KEPT);
        }
    }

    void foundNone(@Nullable Decision decision) {
        lastNone = decision;
    }

    /** Why it was turned down; null: it was not. */
    @Nullable
    RefusalReason refusal() {
        return refusal;
    }

    void refused(RefusalReason reason) {
        refusal = reason;
    }

    /** Ends it, once; later calls do nothing. */
    void end() {
        if (ENDED_UNDER.compareAndSet(this, 0L, engine.revision().number)) {
            engine.observers().ended(this);
        }
    }

    /** The host's own trace in which it was asked; null: not told. */
    @Nullable
    String traceId() {
        return null;
    }

    /** It looks for a place again, after an attempt. */
    void again() {}

    /** The order of its arrival, from 1. */
    long number() {
        return ask.number();
    }

    String id() {
        return engine.idOf(ask);
    }

    long revisionNow() {
        return engine.revision().number;
    }

    /** Its trace as it stands. */
    RoutingTrace trace() {
        HeldPlacement newest = last;
        List<Attempt> list = new ArrayList<>();
        for (HeldPlacement placement = newest; placement != null; placement = placement.earlier()) {
            list.add(placement.attemptRecord());
        }
        Collections.reverse(list);
        RouteRequest request = request();
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
                newest != null && newest.fellBack(),
                newest != null && newest.overflow(),
                newest != null && list.get(list.size() - 1).outcome() == Outcome.SUCCEEDED,
                Optional.ofNullable(observation),
                request.prefer().isPresent() || !request.avoid().isEmpty(),
                Optional.ofNullable(traceId()));
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
            known = engine.wallAt(arrivalNanos());
            askedAt = known;
        }
        return known;
    }

    @Override
    public String toString() {
        return id() + " " + subject();
    }
}
