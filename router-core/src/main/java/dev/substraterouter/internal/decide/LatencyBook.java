package dev.substraterouter.internal.decide;

import dev.substraterouter.internal.plan.CandidatePlan;
import dev.substraterouter.internal.plan.CompiledPolicy;
import dev.substraterouter.internal.plan.RoutePlan;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * How long work takes on each candidate: the policy's figure until enough successes were seen, then the median of the last ones.
 * Thread-safe; nothing here blocks. One place for each written candidate and for each substrate of a workload that is matched; needs
 * without a workload leave nothing. What is known of a candidate survives a reload that leaves its model, version and format.
 */
public final class LatencyBook {
    private final AtomicReferenceArray<@Nullable Learned> places;
    private final boolean learns;

    private LatencyBook(int places, boolean learns) {
        this.places = new AtomicReferenceArray<>(places);
        this.learns = learns;
    }

    /** Of what something is learned. */
    record Subject(
            String workload,
            String substrateId,
            Optional<String> model,
            Optional<String> version,
            Optional<String> format,
            Optional<URI> endpoint,
            boolean batch) {
        static Subject of(String workload, CandidatePlan candidate) {
            return new Subject(
                    workload,
                    candidate.substrate.id,
                    candidate.declared.model(),
                    candidate.declared.modelVersion(),
                    candidate.declared.format(),
                    candidate.declared.endpoint(),
                    candidate.batch);
        }
    }

    /** The book of a policy, with what an earlier one knows of the same candidates. */
    static LatencyBook of(CompiledPolicy policy, @Nullable LatencyBook before) {
        LatencyBook book =
                new LatencyBook(policy.experiences(), policy.policy.strategy().learn());
        Map<Subject, Learned> known = before == null ? Map.of() : before.known();
        if (!known.isEmpty()) {
            policy.routes().forEach(route -> book.carry(route, known));
        }
        return book;
    }

    /** How long work is expected to take on a candidate, without loading, nanoseconds; -1: not known. */
    public long expected(CandidatePlan candidate) {
        Learned learned = learns ? of(candidate) : null;
        long median = learned == null ? -1 : learned.expected();
        return median < 0 ? candidate.latencyNanos : median;
    }

    /** What was learned of a candidate; null: nothing yet. */
    public @Nullable Learned of(CandidatePlan candidate) {
        return candidate.experience == CandidatePlan.NO_EXPERIENCE ? null : places.get(candidate.experience);
    }

    /** Takes in how long a success has taken, without loading. */
    public void succeeded(String workload, CandidatePlan candidate, long nanos, long now) {
        int place = candidate.experience;
        if (place == CandidatePlan.NO_EXPERIENCE) {
            return;
        }
        Learned learned = places.get(place);
        if (learned == null) {
            places.compareAndSet(place, null, new Learned(Subject.of(workload, candidate)));
            learned = places.get(place);
        }
        if (learned != null) {
            learned.add(nanos, now);
        }
    }

    private void carry(RoutePlan route, Map<Subject, Learned> known) {
        for (CandidatePlan candidate : route.candidates) {
            places.set(candidate.experience, known.get(Subject.of(route.workload, candidate)));
        }
        if (route.batch != null) {
            carry(route.batch, known);
        }
    }

    private Map<Subject, Learned> known() {
        Map<Subject, Learned> known = new HashMap<>();
        for (int place = 0; place < places.length(); place++) {
            Learned learned = places.get(place);
            if (learned != null) {
                known.put(learned.subject, learned);
            }
        }
        return known;
    }
}
