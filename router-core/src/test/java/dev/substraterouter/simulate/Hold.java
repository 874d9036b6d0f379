package dev.substraterouter.simulate;

import dev.substraterouter.model.Vram;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.trace.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A lease as whoever watches the run counts it. Not thread-safe. */
final class Hold {
    final Asked by;
    final String substrate;
    final long startNanos;
    /** What it reserves, MiB: at the least, where its model may be resident, and at the most. */
    final long leastMib;

    final long mostMib;
    final long loadNanos;
    /** How long its work is declared to take, at the least; negative: unknown. */
    final long latencyNanos;

    /** The number of the run's event in which it was taken. */
    final long event;

    /** Whether the newest status has its memory in it. */
    boolean seen;

    /** When it ended; negative: it is open. */
    long endedNanos = -1;

    /** BUSY: not before this may the same request come back. */
    long backNanos = Long.MIN_VALUE;

    /** How it ended. */
    Outcome outcome = Outcome.OPEN;

    private Hold(
            Asked by,
            String substrate,
            long startNanos,
            long leastMib,
            long mostMib,
            long loadNanos,
            long latencyNanos,
            long event) {
        this.by = by;
        this.substrate = substrate;
        this.startNanos = startNanos;
        this.leastMib = leastMib;
        this.mostMib = mostMib;
        this.loadNanos = loadNanos;
        this.latencyNanos = latencyNanos;
        this.event = event;
    }

    /** The lease that a placement by a policy takes. */
    static Hold of(Asked by, Policy policy, String substrate, long now, long event) {
        Workload workload = policy.workload(by.workload).orElseThrow();
        List<Candidate> could = new ArrayList<>(workload.candidates());
        workload.batch().ifPresent(could::add);
        could.removeIf(candidate -> !candidate.on().equals(substrate));
        boolean judged = policy.substrate(substrate)
                .filter(it -> it.vramGb().isPresent())
                .isPresent();
        long least = judged && !could.isEmpty() ? Long.MAX_VALUE : 0;
        long most = 0;
        long load = 0;
        long latency = Long.MAX_VALUE;
        for (Candidate candidate : could) {
            double need = ContractRule.vramGb(candidate, workload);
            least = Math.min(least, Vram.taken(candidate.jobVramGb().orElse(need)));
            most = judged ? Math.max(most, Vram.taken(need)) : 0;
            load = Math.max(load, candidate.loadTime().toNanos());
            latency = Math.min(
                    latency, candidate.expectedLatency().map(Duration::toNanos).orElse(-1L));
        }
        return new Hold(by, substrate, now, least, most, load, latency, event);
    }

    /** Whether it counts although it has ended, as long as its work may still run; not whether that is over. */
    boolean mayLinger() {
        return outcome == Outcome.NODE_FAULT || outcome == Outcome.NEUTRAL;
    }

    boolean open() {
        return endedNanos < 0;
    }

    void end(long nanos, Outcome how) {
        if (open()) {
            endedNanos = nanos;
            outcome = how;
        }
    }
}
