package dev.substraterouter.simulate;

import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.SubstrateKind;
import dev.substraterouter.status.StatusSink;
import dev.substraterouter.status.StatusSource;
import dev.substraterouter.status.StatusTarget;
import dev.substraterouter.status.StatusTicket;
import dev.substraterouter.status.SubstrateStatus;
import dev.substraterouter.time.Cancellable;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Asks the nodes for their status on behalf of one router: all of them in the order of the policy at one moment, regularly from the
 * beginning, and single ones when asked to. It asks local and pool nodes, and others that have a status address. Not thread-safe.
 */
final class Pollster implements StatusSource {
    private static final long ROUTERS = 100_000;
    private static final long REGULAR = 51;
    private static final long EXTRA = 52;

    private final Run run;
    private final int router;
    private final long everyNanos;
    private final Polling polling;
    private final RandomStream regular;
    private final RandomStream extra;
    private final Set<String> asked = new TreeSet<>();
    private @Nullable StatusSink sink;
    private @Nullable Cancellable next;
    private boolean closed;

    Pollster(Run run, int router) {
        Scenario scenario = run.scenario();
        Policy policy = run.policy();
        this.run = run;
        this.router = router;
        this.polling = scenario.polling();
        Duration every = polling.every().isZero() ? policy.poll().every() : polling.every();
        this.everyNanos = Math.max(1_000_000, every.toNanos());
        this.regular = RandomStream.of(scenario.seed(), ROUTERS * router + REGULAR);
        this.extra = RandomStream.of(scenario.seed(), ROUTERS * router + EXTRA);
        for (Substrate substrate : policy.substrates()) {
            if (substrate.kind() == SubstrateKind.LOCAL
                    || substrate.kind() == SubstrateKind.POOL
                    || !substrate.status().isEmpty()) {
                asked.add(substrate.id());
            }
        }
    }

    @Override
    public void start(StatusSink receiver) {
        sink = receiver;
        next = run.clock().at(run.nanos(), "status", this::everyone);
    }

    @Override
    public void targets(List<StatusTarget> targets) {
        targets.forEach(target -> asked.add(target.substrateId()));
    }

    private void everyone() {
        for (Node node : run.everyNode()) {
            if (asked.contains(node.substrate())) {
                ask(node, regular);
            }
        }
        next = run.clock().at(run.nanos() + everyNanos, "status", this::everyone);
    }

    @Override
    public void refresh(String substrateId) {
        Node node = run.find(substrateId);
        if (node != null && !closed) {
            run.execute(() -> ask(node, extra)); // nothing is told while the router asks for it
        }
    }

    private void ask(Node node, RandomStream random) {
        if (sink == null || closed) {
            return;
        }
        double noise = polling.noisePct() > 0 ? polling.noisePct() * (2 * random.nextDouble() - 1) : 0;
        boolean lost = polling.loss() > 0 && random.nextDouble() < polling.loss();
        StatusTicket ticket = sink.asking(node.substrate());
        long delay = VirtualTime.capped(polling.delay());
        if (delay == 0) {
            read(node, noise, lost).accept(ticket);
            return;
        }
        run.clock().at(run.nanos() + delay / 2, "reading", () -> {
            Consumer<StatusTicket> answer = read(node, noise, lost);
            run.clock().at(run.nanos() + delay - delay / 2, "status", () -> answer.accept(ticket));
        });
    }

    /** What the node says at this moment, to be told when it has arrived. */
    private Consumer<StatusTicket> read(Node node, double noise, boolean lost) {
        if (lost || !node.answers(router)) {
            return ticket -> ticket.failed("no answer");
        }
        SubstrateStatus status = node.status(noise);
        return ticket -> ticket.answered(status);
    }

    @Override
    public void close() {
        closed = true;
        if (next != null) {
            next.cancel();
        }
    }
}
