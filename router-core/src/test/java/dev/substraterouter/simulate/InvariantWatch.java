package dev.substraterouter.simulate;

import dev.substraterouter.SubstrateView;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.Policy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Checks after each event of a run that every invariant of the specification holds, as far as a run on one thread can show them. It draws
 * its own picture from what the routers were told and what they tell, and judges by that; it never asks the router's own decision.
 *
 * <p>The numbers in its messages are those of the invariants: 1 no over-admission, 2 no placement against the newest verdict, 3 no
 * constraint relaxed, 4 order, 5 bounded waiting, 6 one outcome each and every lease once, 7 no lost wake-up and arrival order, 8 one
 * complete trace each, 9 reload is atomic, 10 observers cannot hurt: all of this with some that throw, 11 a recommendation changes nothing and says what is done then, 12 everything is bounded.
 */
final class InvariantWatch implements Watcher {
    private static final int LOOKS_EVERY = 16;
    private static final int RECOMMENDS_EVERY = 64;
    private static final int TRIES_EVERY = 3;
    private static final int RUDE_EVERY = 4;
    private static final int MOST_EVENTS_AT_ONCE = 5_000;
    private static final long MOST_EVENTS = 300_000;

    private final long seed;
    private final Policy policy;
    private final Scenario scenario;
    private final List<RouterWatch> watches = new ArrayList<>();
    private final TraceChecks traces = new TraceChecks(this);
    private final RecommendationChecks recommendations = new RecommendationChecks(this);
    private final WorkChecks works;
    private final Set<String> seen = new HashSet<>();
    private final Set<String> traced = new HashSet<>();
    private final Map<String, RouteRequest> requests = new HashMap<>();
    private final List<Intervention> due;
    private @Nullable World world;
    private long events;
    private long tried;
    private long moment = -1;
    private int eventsNow;
    private boolean statusAlone;
    private @Nullable Broken first;

    InvariantWatch(long seed, Policy policy, Scenario scenario) {
        this.seed = seed;
        this.policy = policy;
        this.scenario = scenario;
        this.due = new ArrayList<>(scenario.interventions());
        this.works = new WorkChecks(this, scenario);
    }

    /** Has a simulation watched. */
    Simulation over(Simulation simulation) {
        return simulation.watcher(this).routerOptions(builder -> {
            RouterWatch watch = new RouterWatch(this, policy);
            watches.add(watch);
            return watch.listensTo(seed % RUDE_EVERY == 1 ? Rude.listensTo(builder, 3) : builder);
        });
    }

    @Override
    public void after(World run, String what) {
        world = run;
        events++;
        eventsNow = run.nanos() == moment ? eventsNow + 1 : 0;
        moment = run.nanos();
        check(12, eventsNow < MOST_EVENTS_AT_ONCE, () -> "more than " + MOST_EVENTS_AT_ONCE + " events at one moment");
        check(12, events < MOST_EVENTS, () -> "more than " + MOST_EVENTS + " events");
        for (int at = 0; at < watches.size(); at++) {
            watches.get(at).runs(run.routers().get(at));
        }
        operators();
        look(what);
        works.check(run, watches);
        if (events % RECOMMENDS_EVERY == 0) {
            RouterWatch watch = watches.get((int) (events / RECOMMENDS_EVERY) % watches.size());
            recommendations.changesNothing(watch, scenario.traffic().get(0).classes());
            if (seed % TRIES_EVERY == 0 && !what.equals("over")) {
                tries(watch, run);
            }
        }
        if (first != null) {
            throw first;
        }
    }

    /** Has a recommendation followed, which is an event of its own. */
    private void tries(RouterWatch watch, World run) {
        events++;
        tried++;
        recommendations.saysWhatIsDone(watch, scenario.traffic().get(0).classes());
        ((VirtualTime) run.time()).settle();
        look("try");
    }

    private void look(String what) {
        for (RouterWatch watch : watches) {
            statusAlone = what.equals("status") && watch.deliveries() == 1;
            boolean quiet = watch.quiet();
            watch.apply();
            if (!quiet) {
                new PlacementChecks(watch).check();
                new FinishChecks(watch).check();
            }
            if (!quiet || watch.anybodyWaits()) {
                new QueueChecks(watch).check();
            }
            if (events % LOOKS_EVERY == 0) {
                leases(watch);
            }
            if (!quiet) {
                watch.eventOver();
            }
        }
    }

    /** What operators have done up to now. */
    private void operators() {
        while (!due.isEmpty() && due.get(0).at().toNanos() <= now()) {
            Intervention done = due.remove(0);
            String[] words = done.name().split(" ");
            for (RouterWatch watch : watches) {
                if (words.length < 2) {
                    continue; // a reload tells itself
                }
                Site site = watch.site(words[1]);
                site.touched = true;
                switch (words[0]) {
                    case "cordon", "drain" -> {
                        site.cordoned = true;
                        site.cordonedNanos = now();
                    }
                    case "uncordon" -> {
                        site.cordoned = false;
                        site.exile.skipsRamp();
                    }
                    case "reset" -> {
                        site.exile.forgotten(now());
                        site.busyUntil = Long.MIN_VALUE;
                    }
                    default -> throw new IllegalStateException("unknown intervention: " + done.name());
                }
            }
        }
    }

    /** What the router counts as taken is what was placed there and has not ended. */
    private void leases(RouterWatch watch) {
        for (SubstrateView view : watch.router().substrates()) {
            Site site = watch.site(view.id());
            check(
                    6,
                    view.leases() >= site.open() && view.leases() <= site.mostJobs(),
                    () -> "'" + site.id + "' counts " + view.leases() + " leases, watched: " + site.open() + " open, "
                            + (site.mostJobs() - site.open()) + " whose work may still run");
        }
    }

    /** The run is over: everything has come back. */
    void finish(SimulationReport report) {
        Set<String> unfinished = new HashSet<>();
        for (RouterWatch watch : watches) {
            watch.apply();
            watch.eventOver();
            for (Asked one : watch.asked.values()) {
                check(5, !one.waits(), () -> one + " still waits at the end");
            }
            for (Site site : watch.sites.values()) {
                for (Hold hold : site.holds) {
                    // what such a client leaves behind goes on, and the run does not wait for it
                    boolean left = watch.takesPlaces(hold.by)
                            && hold.by.requestClass.patience().isPresent();
                    if (left && hold.open()) {
                        unfinished.add(hold.by.id);
                    }
                    check(6, left || !hold.open(), () -> hold.by + " holds a lease on '" + site.id + "' at the end");
                }
            }
            leases(watch);
        }
        for (String id : seen) {
            check(6, traced.contains(id) || unfinished.contains(id), () -> id + " has no trace");
        }
        long offered = report.requests().stream()
                .mapToLong(SimulationReport.Requests::offered)
                .sum();
        long abandoned = report.requests().stream()
                .mapToLong(SimulationReport.Requests::abandoned)
                .sum();
        check(
                6,
                offered == report.served() + report.lost() + abandoned,
                () -> offered + " came, " + report.served() + " served, " + report.lost() + " refused or failed, "
                        + abandoned + " abandoned");
        check(
                8,
                offered + tried == traced.size() + unfinished.size(),
                () -> offered + " came, " + traced.size() + " have a trace, " + unfinished.size() + " go on");
        if (first != null) {
            throw first;
        }
    }

    void check(int invariant, boolean holds, Supplier<String> otherwise) {
        if (!holds) {
            fail(invariant, otherwise.get());
        }
    }

    /** Notes what is broken; it ends the run after this event, since what throws inside the router may be swallowed there. */
    void fail(int invariant, String what) {
        if (first == null) {
            first = new Broken(invariant, seed, now(), what);
        }
    }

    long now() {
        return world == null ? 0 : running().nanos();
    }

    private World running() {
        World run = world;
        if (run == null) {
            throw new IllegalStateException("not running yet");
        }
        return run;
    }

    /** The policy that the run began with. */
    Policy firstPolicy() {
        return policy;
    }

    /** The number of the present event. */
    long event() {
        return events;
    }

    /** Whether the present event is that a router was told one status: all that it placed was placed after. */
    boolean statusAlone() {
        return statusAlone;
    }

    long delayNanos() {
        return scenario.polling().delay().toNanos();
    }

    TraceChecks traces() {
        return traces;
    }

    void seen(String id) {
        seen.add(id);
    }

    void traced(String id) {
        check(6, traced.add(id), () -> id + " has two traces");
    }

    RequestClass requestClass(String id) {
        String name = ScenarioDraw.className(id);
        return scenario.traffic().stream()
                .flatMap(traffic -> traffic.classes().stream())
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no class of request " + id));
    }

    /** What a client of a class asks for. */
    RouteRequest request(RequestClass requestClass, String workload) {
        return requests.computeIfAbsent(requestClass.name() + " " + workload, key -> requestClass.request(workload));
    }

    /** What a worker says about when to come back; empty: nothing. */
    OptionalLong retryAfterNanos(String substrate) {
        NodeModel model = scenario.nodes().get(substrate);
        Duration said = model == null ? NodeModel.builder(substrate).build().retryAfter() : model.retryAfter();
        return said.isZero() ? OptionalLong.empty() : OptionalLong.of(said.toNanos());
    }

    long longestBusyNanos() {
        long longest = Math.max(
                policy.poll().every().toNanos(),
                NodeModel.builder("any").build().retryAfter().toNanos());
        for (NodeModel model : scenario.nodes().values()) {
            longest = Math.max(longest, model.retryAfter().toNanos());
        }
        return longest;
    }
}
