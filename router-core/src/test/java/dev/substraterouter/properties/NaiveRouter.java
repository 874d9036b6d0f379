package dev.substraterouter.properties;

import dev.substraterouter.model.Measure;
import dev.substraterouter.model.Priority;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.EjectionLimits;
import dev.substraterouter.policy.HealthLimits;
import dev.substraterouter.policy.OnStale;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.status.SubstrateStatus;
import dev.substraterouter.trace.Reason;
import dev.substraterouter.trace.RefusalReason;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * The router as the design describes it, written again in the plainest way: one thread, mutable fields, every look starts from nothing.
 * Substrates with one GPU only. What depends on jitter is told to it.
 *
 * <p>Whoever drives it lets time pass in steps that end at {@link #nextEvent}, and calls {@link #look} there; so everybody who can be
 * served is served at the very moment at which it becomes possible, and at every moment between two calls nobody who waits could be.
 */
final class NaiveRouter {
    static final long SLACK = Duration.ofMillis(100).toNanos();

    /** One request. */
    static final class Req {
        long number;
        String workload = "";
        Priority priority = Priority.NORMAL;
        long arrival;
        Duration maxWait;
        Set<String> avoid = Set.of();
        String prefer;
        boolean idempotent = true;
        boolean driven;
        final Set<String> failedOn = new HashSet<>();
        final Map<String, Long> toldUntil = new HashMap<>();
        boolean again;
        long began;
        long deadline;
        long waited;
        boolean waiting;
        Lease lease;
        final List<String> attempts = new ArrayList<>();
        final List<Long> revisions = new ArrayList<>();
        RefusalReason refusal;
        final Map<String, Set<Reason>> why = new LinkedHashMap<>();
        boolean withdrawn;
        boolean ended;
        boolean served;
    }

    /** One lease. */
    static final class Lease {
        String on = "";
        Req req;
        long start;
        long mib;
        String key = "";
        boolean withModel;
        long load;
        int epoch;
        boolean trial;
        boolean seen;
        boolean lingering;
        long ended;
    }

    private record Residue(String key, long mib, boolean withModel) {}

    private record Fig(double value, long at) {}

    private record Mem(long foreign, long total, long at) {}

    private record Models(Set<String> names, long at) {}

    /** What one source last said, or what several say together. */
    private static final class Said {
        long number;
        long asked;
        long at;
        boolean ready = true;
        boolean moved;
        boolean objected;
        Map<String, String> attributes = Map.of();
        Fig jobs;
        Fig util;
        Fig temp;
        Mem mem;
        Models models;
    }

    private static final class Noise {
        boolean judged;
        boolean degraded;
        int against;
        long since;
    }

    enum Phase {
        IN,
        OUT,
        TRIAL,
        RAMP
    }

    /** One substrate. */
    final class Place {
        final String id;
        Substrate declared; // this and the limits stay as they last were when it is removed
        HealthLimits limits;
        EjectionLimits ejection;
        final Map<String, Said> sources = new LinkedHashMap<>();
        Said said;
        Noise util = new Noise();
        Noise temp = new Noise();
        Phase phase = Phase.IN;
        int epoch;
        int inRow;
        final Deque<Boolean> history = new ArrayDeque<>();
        boolean faulted;
        long lastFault;
        int level;
        long since;
        long until;
        long window;
        boolean jitterKnown = true;
        boolean cordoned;
        boolean busy;
        long busyUntil;
        long busySince;
        final List<Lease> leases = new ArrayList<>();
        List<Residue> residues = List.of();
        boolean anyMoved;
        long lastMoved;

        Place(Substrate declared) {
            this.id = declared.id();
            under(policy, declared);
        }

        @Override
        public String toString() {
            StringBuilder text = new StringBuilder(id + " " + phase + " since " + since + " until " + until);
            text.append(", util ").append(util.judged).append(util.degraded).append(util.against);
            text.append(", busy ").append(busy).append(" until ").append(busyUntil);
            text.append(", residues ").append(residues);
            leases.forEach(one -> text.append("\n    lease of ")
                    .append(one.req.number)
                    .append(one.lingering ? " lingering since " + one.ended : " since " + one.start)
                    .append(one.seen ? ", seen, " : ", ")
                    .append(one.mib)
                    .append(" MiB"));
            if (said != null) {
                text.append("\n    said at ").append(said.at).append(" jobs ").append(said.jobs);
                text.append(" util ").append(said.util).append(" mem ").append(said.mem);
            }
            return text.toString();
        }

        void under(Policy next, Substrate substrate) {
            declared = substrate;
            ejection = next.ejection();
            limits = substrate.health().map(own -> own.over(next.health())).orElse(next.health());
        }

        int max() {
            return declared.maxConcurrentJobs().orElseThrow();
        }

        long staleNanos() {
            return limits.staleAfter().toNanos();
        }

        boolean stale() {
            return said == null || now - said.at > staleNanos();
        }

        boolean hold() {
            return limits.onStale() == OnStale.HOLD;
        }

        boolean current(long at) {
            return hold() || now - at <= staleNanos();
        }

        int foreignJobs() {
            return usable() && said.jobs != null && current(said.jobs.at) ? (int) said.jobs.value : 0;
        }

        boolean usable() {
            return said != null && (hold() || !stale());
        }

        Mem mem() {
            return usable() && said.mem != null && current(said.mem.at) ? said.mem : null;
        }

        Set<String> models() {
            return usable() && said.models != null && current(said.models.at) ? said.models.names : Set.of();
        }

        int rampCap() {
            if (phase != Phase.RAMP || now - since >= ejection.ramp().toNanos()) {
                return Integer.MAX_VALUE;
            }
            double third = ejection.ramp().toNanos() / 3.0;
            double share = now - since < third ? 0.10 : now - since < 2 * third ? 0.25 : 0.50;
            return (int) Math.max(1, Math.ceil(share * max()));
        }
    }

    private final ToLongFunction<Place> ejectedUntil;
    private final List<Req> waiting = new ArrayList<>();
    private final Map<String, Place> places = new TreeMap<>();
    private final Map<String, Long> refreshWanted = new HashMap<>();
    private Policy policy;
    private long revision = 1;
    private long answers;
    private long now;

    /**
     * A router that knows nothing yet.
     *
     * @param ejectedUntil until when an ejection that has just begun lasts: what only the jitter knows
     */
    NaiveRouter(Policy policy, long now, ToLongFunction<Place> ejectedUntil) {
        this.policy = policy;
        this.now = now;
        this.ejectedUntil = ejectedUntil;
        policy.substrates().forEach(one -> places.put(one.id(), new Place(one)));
    }

    // what can be read

    Policy policy() {
        return policy;
    }

    long revision() {
        return revision;
    }

    boolean knows(String id) {
        return policy.substrate(id).isPresent();
    }

    Place place(String id) {
        return places.get(id);
    }

    double ownGb(String id) {
        return places.containsKey(id)
                ? places.get(id).leases.stream().mapToLong(one -> one.mib).sum() / 1024.0
                : 0;
    }

    int jobs(String id) {
        return places.containsKey(id) ? places.get(id).leases.size() : 0;
    }

    List<Req> waiting() {
        return waiting;
    }

    /** The moments since the last call at which a fresh status was called for, by substrate. */
    Map<String, Long> takeRefreshWanted() {
        Map<String, Long> taken = new HashMap<>(refreshWanted);
        refreshWanted.clear();
        return taken;
    }

    long waitingIn(String workload) {
        String mine = placesOf(workload);
        return waiting.stream()
                .filter(one -> placesOf(one.workload).equals(mine))
                .count();
    }

    int capacity(String workload) {
        return policy.workload(workload)
                .flatMap(Workload::queue)
                .map(own -> own.capacity().orElse(policy.queue().capacity()))
                .orElse(policy.queue().capacity());
    }

    private String placesOf(String workload) {
        return policy.workload(workload)
                .flatMap(Workload::queue)
                .filter(own -> own.capacity().isPresent())
                .map(own -> workload)
                .orElse("");
    }

    // why a candidate is not taken: every reason there is

    Set<Reason> reasons(Req req, Candidate c) {
        return reasons(req, c, false);
    }

    /** With {@code alone}, as if the router's own leases there were gone and nobody waited. */
    private Set<Reason> reasons(Req req, Candidate c, boolean alone) {
        Place p = places.get(c.on());
        Workload w = policy.workload(req.workload).orElseThrow();
        Set<Reason> no = EnumSet.noneOf(Reason.class);
        no.addAll(forGood(req, c));
        if (req.toldUntil.getOrDefault(c.on(), now) - now > 0) {
            no.add(Reason.TOLD_TO_WAIT);
        }
        if (p.declared.overflow() && now - origin(req) < w.overflowAfter().toNanos()) {
            no.add(Reason.OVERFLOW_LATER);
        }
        if (p.cordoned) {
            no.add(Reason.CORDONED);
        }
        if (p.phase == Phase.OUT && p.until - now > 0) {
            no.add(Reason.EJECTED);
        }
        if (p.phase == Phase.TRIAL) {
            no.add(Reason.TRIAL_RUNNING);
        }
        if (p.busy && p.busyUntil - now > 0) {
            no.add(Reason.BUSY);
        }
        boolean factsOnly = w.pin().isPresent();
        no.addAll(health(p, factsOnly));
        int own = alone ? 0 : p.leases.size();
        int taken = own + p.foreignJobs();
        if (taken >= p.max()) {
            no.add(Reason.RUNNING_JOBS);
        } else if (req.priority != Priority.HIGH && taken + 1 > p.max() - p.declared.reserveForHigh()) {
            no.add(Reason.RESERVED_FOR_HIGH);
        }
        if (own + 1 > p.rampCap()) {
            no.add(Reason.RAMP);
        }
        if (need(p, c, w, alone) > free(p, c, w, alone)) {
            no.add(Reason.VRAM);
        }
        return no;
    }

    /** Whether waiting, however long, could bring a request to somebody. */
    boolean couldServe(Req req) {
        return order(req).stream().anyMatch(c -> forGood(req, c).isEmpty());
    }

    private Set<Reason> forGood(Req req, Candidate c) {
        Set<Reason> no = EnumSet.noneOf(Reason.class);
        Place p = places.get(c.on());
        Workload w = policy.workload(req.workload).orElseThrow();
        if (whole(c, w) > mib(p.declared.vramGb().orElseThrow()) - mib(p.declared.keepFreeGb())) {
            no.add(Reason.TOO_SMALL);
        }
        if (req.avoid.contains(c.on())) {
            no.add(Reason.AVOIDED);
        }
        if (req.failedOn.contains(c.on())) {
            no.add(Reason.FAILED_BEFORE);
        }
        return no;
    }

    private Set<Reason> health(Place p, boolean factsOnly) {
        HealthLimits limits = p.limits;
        Set<Measure> must = Set.copyOf(limits.require().orElse(List.of(Measure.values())));
        boolean statusNeeded = !must.isEmpty() || !limits.requireAttributes().isEmpty();
        if (p.said == null) {
            return statusNeeded ? Set.of(Reason.NO_STATUS) : Set.of();
        }
        if (!p.usable()) {
            return statusNeeded ? Set.of(Reason.STALE_STATUS) : Set.of();
        }
        Set<Reason> no = EnumSet.noneOf(Reason.class);
        if (!p.said.ready) {
            no.add(Reason.NOT_READY);
        }
        if (p.said.objected) {
            no.add(Reason.HEALTH_PREDICATE);
        }
        if (!p.said.attributes.entrySet().containsAll(limits.requireAttributes().entrySet())) {
            no.add(Reason.ATTRIBUTE);
        }
        boolean jobs = p.said.jobs != null && p.current(p.said.jobs.at);
        boolean util = p.said.util != null && p.current(p.said.util.at);
        boolean temp = p.said.temp != null && p.current(p.said.temp.at);
        if ((must.contains(Measure.RUNNING_JOBS) && !jobs)
                || (must.contains(Measure.VRAM) && p.mem() == null)
                || (must.contains(Measure.GPU_UTIL) && !util && !factsOnly)
                || (must.contains(Measure.GPU_TEMP) && !temp && !factsOnly)) {
            no.add(Reason.UNKNOWN_MEASURE);
        }
        if (util && p.util.degraded && !factsOnly) {
            no.add(Reason.GPU_UTIL);
        }
        if (temp && p.temp.degraded && !factsOnly) {
            no.add(Reason.GPU_TEMP);
        }
        return no;
    }

    private static long mib(double gb) {
        return Math.round(gb * 1024);
    }

    private static long whole(Candidate c, Workload w) {
        return mib(c.vramGb().orElseGet(() -> w.vramGb().orElseThrow()));
    }

    private static String key(Candidate c, Workload w) {
        return c.model().map(model -> "model " + model).orElse("workload " + w.name());
    }

    private static long need(Place p, Candidate c, Workload w, boolean alone) {
        boolean idle = alone || p.leases.stream().noneMatch(one -> one.key.equals(key(c, w)));
        boolean resident =
                c.model().isPresent() && p.models().contains(c.model().get()) && idle;
        resident =
                resident && (alone || p.residues.stream().noneMatch(one -> one.withModel && one.key.equals(key(c, w))));
        return resident && c.jobVramGb().isPresent() ? mib(c.jobVramGb().getAsDouble()) : whole(c, w);
    }

    private static long free(Place p, Candidate c, Workload w, boolean alone) {
        long declared = mib(p.declared.vramGb().orElseThrow());
        Mem told = p.mem();
        long total = told == null ? declared : Math.min(declared, told.total);
        long own = alone ? 0 : p.leases.stream().mapToLong(one -> one.mib).sum();
        long left = alone || told == null
                ? 0
                : p.residues.stream()
                        .map(Residue::key)
                        .distinct()
                        .filter(key -> !key.equals(key(c, w)))
                        .mapToLong(key -> leftBehind(p, key))
                        .sum();
        return total - mib(p.declared.keepFreeGb()) - (told == null ? 0 : told.foreign) - own - left;
    }

    /** What ended leases of one key left behind, less what newer leases of it that no status has seen book of it. */
    private static long leftBehind(Place p, String key) {
        long left = p.residues.stream()
                .filter(one -> one.key.equals(key))
                .mapToLong(Residue::mib)
                .sum();
        long reused = p.leases.stream()
                .filter(one -> one.key.equals(key) && !one.seen)
                .mapToLong(one -> one.mib)
                .sum();
        return Math.max(0, left - reused);
    }

    private static void writeOff(Place p, java.util.function.Predicate<Lease> over) {
        List<Residue> more = new ArrayList<>(p.residues);
        p.leases.stream()
                .filter(one -> over.test(one) && one.seen)
                .forEach(one -> more.add(new Residue(one.key, one.mib, one.withModel)));
        p.residues = more;
        p.leases.removeIf(over);
    }

    // who is served

    List<Candidate> order(Req req) {
        List<Candidate> order = new ArrayList<>(
                policy.workload(req.workload).map(Workload::candidates).orElse(List.of()));
        order.sort(Comparator.comparing(
                        (Candidate c) -> places.get(c.on()).declared.overflow())
                .thenComparing(c -> !c.on().equals(req.prefer)));
        return order;
    }

    private int rank(Req req) {
        long lifted = (now - origin(req)) / policy.queue().agesAfter().toNanos();
        return (int) Math.max(0, req.priority.ordinal() - lifted);
    }

    /** What those that come before leave to those that come after. */
    private static final class Before {
        final Set<String> claimed = new HashSet<>();
        final Set<String> wanted = new HashSet<>();
    }

    private Set<Reason> reasons(Req req, Candidate c, Before before) {
        Set<Reason> no = reasons(req, c);
        if (before.claimed.contains(c.on())) {
            no.add(Reason.CLAIMED);
        }
        if (rank(req) == 2 && before.wanted.contains(c.on())) {
            no.add(Reason.WAITERS_AHEAD);
        }
        return no;
    }

    private void leaveMarks(Req req, Before before) {
        for (Candidate c : order(req)) {
            if (rank(req) < 2 && forGood(req, c).isEmpty()) {
                before.wanted.add(c.on());
            }
        }
        if (now - origin(req) >= policy.queue().holdAfter().toNanos()) {
            order(req).stream()
                    .filter(c -> reasons(req, c, true).isEmpty())
                    .findFirst()
                    .ifPresent(c -> before.claimed.add(c.on()));
        }
    }

    private List<Req> inOrder(Req with) {
        List<Req> order = new ArrayList<>(waiting);
        if (!order.contains(with) && with != null) {
            order.add(with);
        }
        order.sort(Comparator.comparingInt(this::rank).thenComparingLong(one -> one.number));
        return order;
    }

    /** Why a newcomer would not be placed, candidate by candidate in its order; empty reasons: it could. */
    Map<Candidate, Set<Reason>> survey(Req newcomer) {
        Before before = new Before();
        for (Req one : inOrder(newcomer)) {
            if (one == newcomer) {
                break;
            }
            leaveMarks(one, before);
        }
        Map<Candidate, Set<Reason>> survey = new LinkedHashMap<>();
        order(newcomer).forEach(c -> survey.put(c, reasons(newcomer, c, before)));
        return survey;
    }

    /** Serves who can be served, a newcomer among them. */
    private void serve(Req newcomer) {
        while (true) {
            Before before = new Before();
            for (Req one : inOrder(newcomer)) {
                if (one.lease != null) {
                    continue;
                }
                Candidate free = order(one).stream()
                        .filter(c -> reasons(one, c, before).isEmpty())
                        .findFirst()
                        .orElse(null);
                if (free == null) {
                    leaveMarks(one, before);
                } else {
                    grant(one, free);
                }
            }
            List<Req> late =
                    waiting.stream().filter(one -> one.deadline - now <= 0).toList();
            if (late.isEmpty()) {
                return;
            }
            late.forEach(one -> refuse(one, RefusalReason.WAIT_EXPIRED));
        }
    }

    private void grant(Req req, Candidate c) {
        Place p = places.get(c.on());
        Workload w = policy.workload(req.workload).orElseThrow();
        leaveQueue(req);
        Lease lease = new Lease();
        lease.on = c.on();
        lease.req = req;
        lease.start = now;
        lease.mib = need(p, c, w, false);
        lease.key = key(c, w);
        lease.withModel = lease.mib == whole(c, w);
        lease.load = c.loadTime().toNanos();
        if (p.phase == Phase.OUT) {
            p.phase = Phase.TRIAL;
            p.since = now;
            long expected = c.expectedLatency().map(Duration::toNanos).orElse(0L);
            p.until = now + Math.max(p.ejection.trialTimeout().toNanos(), 2 * expected + lease.load);
            lease.trial = true;
        }
        lease.epoch = p.epoch;
        p.leases.add(lease);
        moved(p);
        req.lease = lease;
        req.attempts.add(c.on());
        req.revisions.add(revision);
    }

    /** When it would have begun to wait, had it waited at a stretch. */
    private long origin(Req req) {
        return (req.waiting ? req.began : now) - req.waited;
    }

    private void leaveQueue(Req req) {
        if (waiting.remove(req)) {
            req.waited += now - req.began;
        }
        req.waiting = false;
    }

    private void refuse(Req req, RefusalReason why) {
        leaveQueue(req);
        req.refusal = why;
        req.ended = true;
        if (why != RefusalReason.UNKNOWN_WORKLOAD) {
            order(req).forEach(c -> req.why.put(c.on(), reasons(req, c)));
        }
    }

    // what callers do

    /** One look, no wait. */
    void tryPlace(Req req) {
        enter(req, 0);
    }

    void place(Req req) {
        enter(req, budget(req));
    }

    private long budget(Req req) {
        Duration limit = req.maxWait != null
                ? req.maxWait
                : policy.workload(req.workload)
                        .flatMap(Workload::queue)
                        .flatMap(own -> own.maxWait())
                        .orElse(policy.queue().maxWait());
        return Math.max(0, limit.toNanos() - req.waited);
    }

    private void enter(Req req, long budget) {
        if (policy.workload(req.workload).isEmpty()) {
            refuse(req, RefusalReason.UNKNOWN_WORKLOAD);
            return;
        }
        req.deadline = now + budget;
        req.began = now;
        serve(req);
        if (req.lease != null) {
            return;
        }
        if (order(req).stream().noneMatch(c -> forGood(req, c).isEmpty())) {
            refuse(req, RefusalReason.NO_ELIGIBLE_SUBSTRATE);
        } else if (budget <= 0) {
            refuse(req, RefusalReason.NO_WAIT);
        } else if (allOutFor(req) > budget) {
            refuse(req, RefusalReason.BEYOND_WAIT);
        } else if (waitingIn(req.workload) < capacity(req.workload)) {
            queue(req);
        } else {
            Req leaves = req.again ? null : displacedBy(req);
            if (leaves == null) {
                refuse(req, RefusalReason.QUEUE_FULL);
            } else {
                queue(req);
                refuse(leaves, RefusalReason.OUTRANKED);
                serve(null);
            }
        }
    }

    private void queue(Req req) {
        waiting.add(req);
        req.waiting = true;
    }

    /** The newest of the lowest priority that is strictly lower, in the same places. */
    private Req displacedBy(Req req) {
        return waiting.stream()
                .filter(one -> placesOf(one.workload).equals(placesOf(req.workload)))
                .filter(one -> one.priority.ordinal() > req.priority.ordinal())
                .max(Comparator.comparingInt((Req one) -> one.priority.ordinal())
                        .thenComparingLong(one -> one.number))
                .orElse(null);
    }

    /** How long until the first candidate returns, when each that could come is out by a mark with a known end; else -1. */
    private long allOutFor(Req req) {
        long first = Long.MAX_VALUE;
        for (Candidate c : order(req)) {
            if (!forGood(req, c).isEmpty()) {
                continue;
            }
            Place p = places.get(c.on());
            Set<Reason> no = reasons(req, c);
            long out = -1;
            if (no.contains(Reason.TOLD_TO_WAIT)) {
                out = Math.max(out, req.toldUntil.get(c.on()) - now);
            }
            if (no.contains(Reason.EJECTED)) {
                out = Math.max(out, p.until - now);
            }
            if (no.contains(Reason.BUSY)) {
                out = Math.max(out, p.busyUntil - now);
            }
            if (out < 0) {
                return -1;
            }
            first = Math.min(first, out);
        }
        return first == Long.MAX_VALUE ? -1 : first;
    }

    void withdraw(Req req) {
        leaveQueue(req);
        req.withdrawn = true;
        req.ended = true;
        serve(null);
    }

    /** How a lease ends. */
    enum End {
        SUCCESS,
        NODE,
        NOT_STARTED,
        BUSY,
        REQUEST,
        NEUTRAL,
        ABANDONED
    }

    /** With {@code carried}, the status that came with a refusal. */
    void end(Req req, End how, long busyFor, SubstrateStatus carried, boolean objected) {
        Lease lease = req.lease;
        Place p = places.get(lease.on);
        req.lease = null;
        boolean somebodyWaits = !waiting.isEmpty();
        if (somebodyWaits && p.said != null && p.said.asked - SLACK - lease.start >= 0 && knows(p.id)) {
            refreshWanted.put(p.id, now);
        }
        switch (how) {
            case SUCCESS -> success(p, lease);
            case NODE, NOT_STARTED -> fault(p, lease);
            case BUSY -> {
                trialBack(p, lease);
                p.busyUntil = p.busy && p.busyUntil - now > 0 ? Math.max(p.busyUntil, now + busyFor) : now + busyFor;
                p.busySince = now;
                p.busy = true;
            }
            default -> trialBack(p, lease);
        }
        moved(p);
        if (how == End.NODE || how == End.ABANDONED) {
            lease.lingering = true;
            lease.ended = now;
        } else {
            p.leases.remove(lease);
            if (lease.seen) {
                List<Residue> more = new ArrayList<>(p.residues);
                more.add(new Residue(lease.key, lease.mib, lease.withModel));
                p.residues = more;
            }
        }
        req.served = how == End.SUCCESS;
        serve(null);
        if (carried != null && knows(p.id)) {
            told(p.id, "refusal", lease.start, false, carried, objected); // it was asked when the work was sent
        }
        boolean goesOn =
                req.driven && (how == End.NOT_STARTED || how == End.BUSY || (how == End.NODE && req.idempotent));
        if (!goesOn) {
            req.ended = true;
            return;
        }
        if (how == End.BUSY) {
            req.toldUntil.put(lease.on, now + Math.max(Duration.ofSeconds(1).toNanos(), busyFor));
        } else {
            req.failedOn.add(lease.on);
        }
        req.again = true;
        enter(req, budget(req));
    }

    private void moved(Place p) {
        p.anyMoved = true;
        p.lastMoved = now;
    }

    // faults

    private void success(Place p, Lease lease) {
        if (lease.epoch != p.epoch) {
            return;
        }
        p.inRow = 0;
        p.history.addFirst(false);
        if (p.phase == Phase.TRIAL && lease.trial) {
            p.history.clear();
            p.phase = Phase.RAMP;
            p.since = now;
        }
    }

    private void fault(Place p, Lease lease) {
        if (lease.epoch != p.epoch || p.phase == Phase.OUT) {
            return;
        }
        if (p.phase == Phase.TRIAL) {
            eject(p, now);
            return;
        }
        if (p.faulted && now - p.lastFault > p.ejection.forgetAfter().toNanos()) {
            p.inRow = 0;
            p.level = 0;
            p.history.clear();
        }
        p.faulted = true;
        p.lastFault = now;
        p.inRow++;
        p.history.addFirst(true);
        long ofLast = p.history.stream()
                .limit(p.ejection.faultsOfLast().n())
                .filter(fault -> fault)
                .count();
        if (p.inRow >= p.ejection.consecutiveFaults()
                || ofLast >= p.ejection.faultsOfLast().k()) {
            eject(p, now);
        }
    }

    private static void trialBack(Place p, Lease lease) {
        if (p.phase == Phase.TRIAL && lease.trial && lease.epoch == p.epoch) {
            p.phase = Phase.OUT;
            p.until = p.since;
        }
    }

    private void eject(Place p, long at) {
        boolean quiet = p.phase == Phase.TRIAL
                && p.faulted
                && p.since - p.lastFault > p.ejection.forgetAfter().toNanos();
        if (quiet) { // until its trial began
            p.level = 0;
        }
        p.phase = Phase.OUT;
        p.epoch++;
        p.inRow = 0;
        p.history.clear();
        p.faulted = true;
        p.since = at;
        long window = p.ejection.window().toNanos();
        long most = p.ejection.maxWindow().toNanos();
        for (int doubled = 0; doubled < p.level && window < most; doubled++) {
            window = Math.min(most, 2 * window);
        }
        p.level++;
        p.window = window;
        p.until = at + window;
        p.lastFault = p.until; // quiet at the earliest from its end
        p.jitterKnown = false;
        if (knows(p.id)) {
            askJitter(p);
        }
    }

    /** Asks for the end of the ejection that has just begun, and checks that it lies within the jitter. */
    private void askJitter(Place p) {
        long most = p.ejection.maxWindow().toNanos();
        p.until = ejectedUntil.applyAsLong(p);
        p.lastFault = p.until;
        p.jitterKnown = true;
        long lasts = p.until - p.since;
        if (p.until > now && (lasts < 0.85 * p.window || lasts > Math.min(most, 1.15 * p.window))) {
            throw new AssertionError(
                    p.id + " is ejected for " + lasts + " ns, not for " + p.window + " +- 15 %, at most " + most);
        }
    }

    // statuses

    void told(String id, String source, long asked, boolean byHand, SubstrateStatus status, boolean objected) {
        Place p = places.get(id);
        Said before = p.sources.get(source);
        if (before != null && before.asked - asked > 0) {
            return;
        }
        long openSince = byHand ? now : asked - SLACK;
        long after = byHand ? now + 1 : asked; // the host's word comes after all it has told before
        writeOff(p, one -> one.lingering && after - one.ended > 0);
        boolean moved = !byHand && p.anyMoved && p.lastMoved - openSince >= 0;
        long ownJobs = p.leases.stream()
                .filter(one -> !one.lingering && one.start <= openSince)
                .count();
        boolean tellsMemory =
                status.vramUsedGb().isPresent() && status.vramTotalGb().isPresent();
        if (tellsMemory) {
            p.leases.forEach(one -> one.seen = !one.lingering && openSince - one.start >= one.load);
            p.residues = List.of();
        }
        long ownMib = p.leases.stream()
                .filter(one -> one.seen)
                .mapToLong(one -> one.mib)
                .sum();
        Said said = new Said();
        said.number = ++answers;
        said.asked = asked;
        said.at = now;
        said.ready = status.reachable();
        said.moved = moved;
        said.objected = objected;
        said.attributes = status.attributes();
        said.jobs = status.runningJobs().isPresent()
                ? new Fig(
                        Math.max(
                                0,
                                status.runningJobs().getAsInt()
                                        + status.queuedJobs().orElse(0)
                                        - ownJobs),
                        now)
                : before == null ? null : before.jobs;
        boolean utilTold =
                status.gpuUtilOtherPct().isPresent() || status.gpuUtilPct().isPresent();
        said.util = status.gpuUtilOtherPct().isPresent()
                ? new Fig(status.gpuUtilOtherPct().getAsDouble(), now)
                : status.gpuUtilPct().isPresent()
                        ? new Fig(
                                Math.max(0, status.gpuUtilPct().getAsDouble() - p.declared.utilPerJobPct() * ownJobs),
                                now)
                        : before == null ? null : before.util;
        boolean tempTold = status.gpuTempC().isPresent();
        said.temp = tempTold ? new Fig(status.gpuTempC().getAsDouble(), now) : before == null ? null : before.temp;
        said.mem = tellsMemory
                ? new Mem(
                        Math.max(0, mib(status.vramUsedGb().getAsDouble()) - ownMib),
                        mib(status.vramTotalGb().getAsDouble()),
                        now)
                : before == null ? null : before.mem;
        said.models = status.loadedModels().isPresent()
                ? new Models(status.loadedModels().get(), now)
                : before == null ? null : before.models;
        p.sources.values().removeIf(one -> !p.hold() && now - one.at > p.staleNanos());
        p.sources.put(source, said);
        p.said = merged(p, said);
        if (utilTold) {
            judgeUtil(p, moved, now);
        }
        if (tempTold) {
            judge(p, p.temp, p.said.temp.value, p.limits.maxGpuTempC(), p.limits.gpuTempMarginC(), now);
        }
        if (p.busy && after - p.busySince > 0) {
            p.busy = false;
        }
        if (moved) {
            refreshWanted.put(id, now);
        }
        serve(null);
    }

    /**
     * Field by field: the newest; of those within one poll interval of it, the worst. That a source is not ready stands until it is due to
     * be heard again.
     */
    private Said merged(Place p, Said newest) {
        long interval = policy.poll().every().toNanos();
        long turn = interval + interval / 5 + policy.poll().timeout().toNanos();
        List<Said> all = new ArrayList<>(p.sources.values());
        all.sort(Comparator.comparingLong((Said one) -> -one.number));
        Said merged = new Said();
        merged.asked = newest.asked;
        merged.at = newest.at;
        merged.attributes = newest.attributes;
        for (Said one : all) {
            if (newest.at - one.at <= turn) {
                merged.ready &= one.ready;
            }
            if (newest.at - one.at <= interval) {
                merged.objected |= one.objected;
                merged.moved |= one.moved;
            }
            merged.jobs = worse(merged.jobs, one.jobs, interval);
            merged.util = worse(merged.util, one.util, interval);
            merged.temp = worse(merged.temp, one.temp, interval);
            if (one.models != null && (merged.models == null || one.models.at > merged.models.at)) {
                merged.models = one.models;
            }
            merged.mem = worse(merged.mem, one.mem, interval);
        }
        return merged;
    }

    private static Fig worse(Fig a, Fig b, long interval) {
        if (a == null || b == null) {
            return a == null ? b : a;
        }
        Fig newer = a.at >= b.at ? a : b;
        return Math.abs(a.at - b.at) <= interval ? new Fig(Math.max(a.value, b.value), newer.at) : newer;
    }

    private static Mem worse(Mem a, Mem b, long interval) {
        if (a == null || b == null) {
            return a == null ? b : a;
        }
        Mem newer = a.at >= b.at ? a : b;
        return Math.abs(a.at - b.at) <= interval
                ? new Mem(Math.max(a.foreign, b.foreign), Math.min(a.total, b.total), newer.at)
                : newer;
    }

    private void judgeUtil(Place p, boolean moved, long at) {
        double value = p.said.util.value;
        boolean maybeOwn = moved && value >= p.limits.maxGpuUtilPct();
        if (!maybeOwn) {
            judge(p, p.util, value, p.limits.maxGpuUtilPct(), p.limits.gpuUtilMarginPct(), at);
        } else if (!p.util.judged) {
            p.util.degraded = true; // nothing is known that would speak for it; the next one is judged as the first
        }
    }

    private static void judge(Place p, Noise noise, double value, double limit, double margin, long at) {
        boolean bad = noise.judged && noise.degraded ? value >= limit - margin : value >= limit;
        if (!noise.judged) {
            noise.judged = true;
            noise.degraded = bad;
            noise.against = 0;
            return;
        }
        if (bad == noise.degraded) {
            noise.against = 0;
            return;
        }
        noise.since = noise.against == 0 ? at : noise.since;
        noise.against++;
        boolean enough = bad
                ? noise.against >= p.limits.degradedAfter()
                : noise.against >= p.limits.healthyAfter()
                        && at - noise.since >= p.limits.recoveryWindow().toNanos();
        if (enough) {
            noise.degraded = bad;
            noise.against = 0;
        }
    }

    // operators

    void cordon(String id) {
        places.get(id).cordoned = true;
    }

    void uncordon(String id) {
        Place p = places.get(id);
        if (p.phase == Phase.RAMP) {
            p.phase = Phase.IN;
        }
        p.cordoned = false;
        serve(null);
    }

    void reset(String id) {
        Place p = places.get(id);
        p.phase = Phase.IN;
        p.epoch++;
        p.inRow = 0;
        p.history.clear();
        p.faulted = false;
        p.level = 0;
        p.busy = false;
        refreshWanted.put(id, now);
        serve(null);
    }

    void reload(Policy next) {
        Policy before = policy;
        policy = next;
        revision++;
        for (Substrate declared : next.substrates()) {
            Place p = places.get(declared.id());
            if (p == null || (before.substrate(declared.id()).isEmpty() && p.leases.isEmpty())) {
                places.put(declared.id(), new Place(declared));
                continue;
            }
            if (!p.jitterKnown && p.phase == Phase.OUT) {
                askJitter(p);
            }
            HealthLimits old = p.limits;
            p.under(next, declared);
            if (!sameNoise(old, p.limits) && p.said != null) {
                p.util = new Noise();
                p.temp = new Noise();
                if (p.said.util != null) {
                    judgeUtil(p, p.said.moved, p.said.at);
                }
                if (p.said.temp != null) {
                    judge(p, p.temp, p.said.temp.value, p.limits.maxGpuTempC(), p.limits.gpuTempMarginC(), p.said.at);
                }
            }
        }
        settle(); // under the new limits what is over may be another matter
        for (Req one : inOrder(null)) {
            if (next.workload(one.workload).isEmpty()) {
                refuse(one, RefusalReason.UNKNOWN_WORKLOAD);
            } else if (order(one).stream().noneMatch(c -> forGood(one, c).isEmpty())) {
                refuse(one, RefusalReason.NO_ELIGIBLE_SUBSTRATE);
            }
        }
        serve(null);
    }

    private static boolean sameNoise(HealthLimits a, HealthLimits b) {
        return a.maxGpuUtilPct() == b.maxGpuUtilPct()
                && a.gpuUtilMarginPct() == b.gpuUtilMarginPct()
                && a.maxGpuTempC() == b.maxGpuTempC()
                && a.gpuTempMarginC() == b.gpuTempMarginC()
                && a.degradedAfter() == b.degradedAfter()
                && a.healthyAfter() == b.healthyAfter()
                && a.recoveryWindow().equals(b.recoveryWindow());
    }

    // time

    /** The next moment at which something may change by time alone; {@link Long#MAX_VALUE} when there is none. */
    long nextEvent() {
        List<Long> moments = new ArrayList<>();
        long ages = policy.queue().agesAfter().toNanos();
        for (Req one : waiting) {
            moments.add(one.deadline);
            moments.add(origin(one) + ages);
            moments.add(origin(one) + 2 * ages);
            moments.add(origin(one) + policy.queue().holdAfter().toNanos());
            moments.add(origin(one)
                    + policy.workload(one.workload)
                            .orElseThrow()
                            .overflowAfter()
                            .toNanos());
            moments.addAll(one.toldUntil.values());
        }
        for (Place p : places.values()) {
            moments.add(p.until);
            long ramp = p.ejection.ramp().toNanos();
            moments.add(p.since + (ramp + 2) / 3);
            moments.add(p.since + (2 * ramp + 2) / 3);
            moments.add(p.since + ramp);
            moments.add(p.busyUntil);
            p.leases.forEach(one -> moments.add(one.ended + p.staleNanos()));
            if (p.said != null) {
                moments.add(p.said.at + p.staleNanos() + 1);
                for (Fig one : new Fig[] {p.said.jobs, p.said.util, p.said.temp}) {
                    moments.add(one == null ? now : one.at + p.staleNanos() + 1);
                }
                moments.add(p.said.mem == null ? now : p.said.mem.at + p.staleNanos() + 1);
                moments.add(p.said.models == null ? now : p.said.models.at + p.staleNanos() + 1);
            }
        }
        return moments.stream()
                .mapToLong(moment -> moment)
                .filter(moment -> moment - now > 0)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /** Time has come to a moment. */
    void look(long moment) {
        now = moment;
        settle();
        serve(null);
    }

    private void settle() {
        for (Place p : places.values()) {
            writeOff(p, one -> one.lingering && now - one.ended >= p.staleNanos());
            if (p.phase == Phase.TRIAL && now - p.until >= 0) {
                eject(p, p.until);
            }
            if (p.phase == Phase.RAMP && now - p.since >= p.ejection.ramp().toNanos()) {
                p.phase = Phase.IN;
                p.since = now;
            }
        }
    }
}
