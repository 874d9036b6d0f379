package dev.substraterouter.simulate;

import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.status.StatusSink;
import dev.substraterouter.status.StatusSource;
import dev.substraterouter.time.Cancellable;
import dev.substraterouter.time.TimeSource;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.DoubleConsumer;
import org.jspecify.annotations.Nullable;

/** One run, from its first event to its last answer. Not thread-safe. */
final class Run implements World {
    /** Who is not answered so long after the last arrival is not answered at all. */
    private static final Duration LONGEST_DRAIN = Duration.ofHours(24);

    private static final int PROGRESS_STEPS = 100;

    private final Policy policy;
    private final Scenario scenario;
    private final Contender contender;
    private final List<Watcher> watchers;
    private final @Nullable DoubleConsumer progress;
    private final VirtualTime time = new VirtualTime();
    private final Steps steps;
    private final Tally tally;
    private final Map<String, Node> nodes = new LinkedHashMap<>();
    private final List<Node> everyNode;
    private final Iterator<SimulatedRequest> requests;
    private boolean allHere;
    private int told;

    Run(
            Policy policy,
            Scenario scenario,
            Contender contender,
            List<Watcher> watchers,
            @Nullable DoubleConsumer progress) {
        this.policy = policy;
        this.scenario = scenario;
        this.contender = contender;
        this.watchers = List.copyOf(watchers);
        this.progress = progress;
        this.steps = new Steps(time, Spans.seconds(scenario.length()));
        this.tally = new Tally(time, policy, steps);
        for (Substrate substrate : policy.substrates()) {
            node(scenario.nodes()
                    .getOrDefault(
                            substrate.id(), NodeModel.builder(substrate.id()).build()));
        }
        scenario.nodesInOrder().forEach(this::node);
        this.everyNode = List.copyOf(nodes.values());
        this.requests = new RequestStream(scenario);
    }

    private void node(NodeModel model) {
        nodes.computeIfAbsent(
                model.substrate(),
                id -> new Node(model, new NodeFacts(model, policy, scenario), time, new NodeTally(steps)));
    }

    SimulationReport run() {
        for (Node node : everyNode) {
            Iterator<Simulation.EpisodeChange> changes =
                    Backdrop.changes(scenario, Backdrop.place(scenario, policy, node.substrate()), node.substrate());
            turn(node, changes);
        }
        for (int at = 0; at < scenario.faults().size(); at++) {
            Fault fault = scenario.faults().get(at);
            turn(fault, Backdrop.fault(scenario, at), true);
        }
        contender.begin(this);
        for (Intervention one : scenario.interventions()) {
            time.at(one.at().toNanos(), one.name(), () -> routers().forEach(one.action()));
        }
        time.settle();
        arrive();
        long last = scenario.length().plus(LONGEST_DRAIN).toNanos();
        while (!(allHere && tally.open() == 0) && time.passed() < last) {
            tally.waited(contender.waiting());
            String what = time.step();
            if (what == null) {
                break;
            }
            for (Watcher watcher : watchers) {
                watcher.after(this, what);
            }
            tell();
        }
        return end();
    }

    private SimulationReport end() {
        everyNode.forEach(Node::measure);
        double end = Spans.seconds(time.passed());
        contender.end();
        time.settle();
        for (Watcher watcher : watchers) {
            watcher.after(this, "over");
        }
        if (progress != null) {
            progress.accept(1);
        }
        return new SimulationReport(
                scenario.name(),
                scenario.seed(),
                contender.name(),
                Spans.seconds(scenario.length()),
                end,
                Spans.seconds(scenario.refusalCharge()),
                tally.requests(),
                everyNode.stream()
                        .map(node -> node.tally().report(node.model()))
                        .toList(),
                tally.switches(),
                tally.timeline(everyNode.stream()
                        .map(node -> node.tally().timeline(node.substrate()))
                        .toList()),
                time.events());
    }

    private void tell() {
        if (progress != null) {
            int now = (int) (PROGRESS_STEPS
                    * Math.min(1.0, (double) time.passed() / scenario.length().toNanos()));
            if (now > told) {
                told = now;
                progress.accept((double) now / PROGRESS_STEPS);
            }
        }
    }

    private void turn(Node node, Iterator<Simulation.EpisodeChange> changes) {
        if (changes.hasNext()) {
            Simulation.EpisodeChange change = changes.next();
            time.at(change.atNanos(), "episode", () -> {
                node.change(all -> all.episode(change.episode(), change.on()));
                turn(node, changes);
            });
        }
    }

    private void turn(Fault fault, Iterator<Long> changes, boolean on) {
        Node node = nodes.get(fault.substrate());
        if (node != null && changes.hasNext()) {
            time.at(changes.next(), "fault", () -> {
                node.change(all -> all.fault(fault, on));
                turn(fault, changes, !on);
            });
        }
    }

    private void arrive() {
        if (!requests.hasNext()) {
            allHere = true;
            return;
        }
        SimulatedRequest request = requests.next();
        time.at(request.arrivalNanos(), "arrival", () -> {
            tally.offered(request);
            request.requestClass().patience().ifPresent(patience -> after(patience, () -> hangUp(request)));
            contender.arrived(request);
            arrive();
        });
    }

    private void hangUp(SimulatedRequest request) {
        if (!tally.over(request)) {
            tally.abandoned(request);
            contender.hungUp(request);
        }
    }

    VirtualTime clock() {
        return time;
    }

    void execute(Runnable task) {
        time.execute(task);
    }

    List<Node> everyNode() {
        return everyNode;
    }

    @Nullable
    Node find(String substrate) {
        return nodes.get(substrate);
    }

    @Override
    public Scenario scenario() {
        return scenario;
    }

    @Override
    public Policy policy() {
        return policy;
    }

    @Override
    public TimeSource time() {
        return time;
    }

    @Override
    public Executor executor() {
        return time;
    }

    @Override
    public long nanos() {
        return time.passed();
    }

    @Override
    public void after(Duration delay, Runnable what) {
        time.at(time.passed() + VirtualTime.capped(delay), "timer", what);
    }

    @Override
    public List<NodeTruth> nodes() {
        return List.copyOf(everyNode);
    }

    @Override
    public NodeTruth node(String substrate) {
        return known(substrate);
    }

    private Node known(String substrate) {
        Node node = nodes.get(substrate);
        if (node == null) {
            throw new IllegalArgumentException(
                    "substrate '" + substrate + "' (expected: one of " + nodes.keySet() + ")");
        }
        return node;
    }

    @Override
    public double seconds(SimulatedRequest request, String substrate) {
        return known(substrate).facts().seconds(request);
    }

    @Override
    public double meanSeconds(String workload, String substrate) {
        return known(substrate).facts().meanSeconds(workload);
    }

    @Override
    public double vramGb(String workload, String substrate) {
        return known(substrate).facts().vramGb(workload);
    }

    @Override
    public Runnable start(SimulatedRequest request, String substrate, int router, Consumer<WorkEnd> whenOver) {
        tally.placed(request, substrate);
        Node node = known(substrate);
        Node.Job job = node.start(node.facts().seconds(request), router, request.workload(), whenOver);
        Cancellable limit = scenario.giveUpAfter()
                .map(after -> time.at(time.passed() + after.toNanos(), "given up", () -> node.giveUp(job)))
                .orElse(() -> {});
        job.whenTold(limit::cancel);
        return job::stop;
    }

    @Override
    public StatusSource statuses(int router) {
        return new Pollster(this, router);
    }

    @Override
    public void poll(StatusSink sink) {
        new Pollster(this, 0).start(sink);
    }

    @Override
    public void served(SimulatedRequest request, String substrate) {
        tally.served(request, substrate);
        Node node = nodes.get(substrate);
        if (node != null) {
            node.tally().served();
        }
    }

    @Override
    public void refused(SimulatedRequest request, String reason) {
        tally.refused(request, reason);
    }

    @Override
    public void failed(SimulatedRequest request, String reason) {
        tally.failed(request, reason);
    }

    @Override
    public int waiting() {
        return contender.waiting();
    }

    @Override
    public List<SubstrateRouter> routers() {
        return contender instanceof RouterContender routing ? routing.routers() : List.of();
    }
}
