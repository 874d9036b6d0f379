package dev.substraterouter.internal.plan;

import dev.substraterouter.model.Need;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.PinGate;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.StrategyKind;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.policy.WorkloadQueue;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * What routes are made of: a workload's declarations, or those that stand for a need without a workload. Immutable.
 *
 * @param workload the name; {@link RouteRequest#AD_HOC} for a need
 * @param contract what whoever serves must satisfy
 * @param vramGb the memory of a job, where a candidate does not say
 * @param spansGpus whether that may be spread, where there is no candidate to say
 * @param declared the written candidates in order; empty: whatever fits
 * @param batch the batch path; null: none is written
 * @param pinned whether it is a route of one that is meant
 * @param factsOnly whether utilisation and heat are not judged
 * @param strategy the order of its candidates
 * @param maxWaitNanos how long its requests wait
 * @param overflowAfterNanos how long they wait before overflow is open to them
 * @param deadlineNanos by when its answers are useful; -1: not said
 * @param places the places its requests wait in
 * @param capacity how many there are
 * @param why why it is so, for people
 * @param experience its first place in the book of latencies; -1: it keeps none
 */
record RouteSpec(
        String workload,
        Contract contract,
        OptionalDouble vramGb,
        boolean spansGpus,
        List<Candidate> declared,
        @Nullable Candidate batch,
        boolean pinned,
        boolean factsOnly,
        StrategyKind strategy,
        long maxWaitNanos,
        long overflowAfterNanos,
        long deadlineNanos,
        String places,
        int capacity,
        Optional<String> why,
        int experience) {
    static RouteSpec of(Policy policy, Workload workload, int experience) {
        WorkloadQueue own =
                workload.queue().orElseGet(() -> WorkloadQueue.builder().build());
        return new RouteSpec(
                workload.name(),
                Contract.of(workload),
                workload.vramGb(),
                false,
                workload.candidates(),
                workload.batch().orElse(null),
                workload.pin().isPresent(),
                workload.pin().isPresent() && workload.pinGate() == PinGate.FACTS,
                workload.strategy().orElse(policy.strategy().defaultKind()),
                CandidatePlan.nanos(own.maxWait().orElse(policy.queue().maxWait())),
                CandidatePlan.nanos(workload.overflowAfter()),
                workload.deadline().map(CandidatePlan::nanos).orElse(-1L),
                own.capacity().isEmpty() ? CompiledPolicy.SHARED_PLACES : workload.name(),
                own.capacity().orElse(policy.queue().capacity()),
                workload.why(),
                experience);
    }

    static RouteSpec of(Policy policy, Need need) {
        return new RouteSpec(
                RouteRequest.AD_HOC,
                Contract.of(need),
                need.vramGb(),
                need.spansGpus(),
                List.of(),
                null,
                false,
                false,
                policy.strategy().defaultKind(),
                CandidatePlan.nanos(policy.queue().maxWait()),
                0,
                -1,
                CompiledPolicy.SHARED_PLACES,
                policy.queue().capacity(),
                Optional.empty(),
                -1);
    }

    /** Whether its candidates are not written but matched. */
    boolean matched() {
        return declared.isEmpty();
    }
}
