package dev.substraterouter.verify;

import dev.substraterouter.model.Measure;
import dev.substraterouter.policy.HealthLimits;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.QueueLimits;
import dev.substraterouter.policy.QueueOrder;
import dev.substraterouter.policy.StrategyKind;
import dev.substraterouter.policy.StrategySettings;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.policy.WorkloadQueue;
import java.util.List;
import java.util.Set;

/** Looks at what is said for all substrates and all workloads. Not thread-safe: one for each run. */
final class LintSettings {
    /** No GPU is colder than the air it draws in, and machine rooms are kept above 18 °C (ASHRAE TC 9.9, recommended envelope). */
    private static final double ROOM_C = 20;

    private static final QueueLimits QUEUE = QueueLimits.builder().build();
    private static final StrategySettings STRATEGY = StrategySettings.builder().build();

    private final Policy policy;
    private final LintReport report;

    LintSettings(Policy policy, LintReport report) {
        this.policy = policy;
        this.report = report;
    }

    void look() {
        health("health", policy.health(), policy.health(), Set.of(Measure.values()), report);
        queue(policy.queue());
        finishMargin();
    }

    /** The limits of a substrate, where it has its own. */
    static void health(Policy policy, Substrate substrate, LintReport report) {
        HealthLimits own = substrate.health().orElse(null);
        if (own != null) {
            Substrate plain =
                    Substrate.builder(substrate.id()).kind(substrate.kind()).build();
            Set<Measure> otherwise = policy.health().requiredOn(plain);
            health("substrates." + substrate.id() + ".health", own, own.over(policy.health()), otherwise, report);
        }
    }

    private static void health(
            String path, HealthLimits declared, HealthLimits effective, Set<Measure> byDefault, LintReport report) {
        Set<Measure> required = Set.copyOf(declared.require().orElse(List.of()));
        for (int at = 0; at < declared.ignore().size(); at++) {
            Measure measure = declared.ignore().get(at);
            if (required.contains(measure) && !required.equals(byDefault)) {
                String word = LintWords.word(measure).replace('-', '_');
                report.add(
                        LintCode.REQUIRED_AND_IGNORED,
                        path + ".ignore[" + at + "]",
                        "ignore: " + word + ", which is under require too",
                        "under one of them; it is not required now");
            }
        }
        inherited(path, declared, effective, byDefault, report);
        temperature(path, declared, effective, report);
    }

    /** What a substrate requires and the policy ignores: its own limits say nothing of what is ignored. */
    private static void inherited(
            String path, HealthLimits declared, HealthLimits effective, Set<Measure> byDefault, LintReport report) {
        List<Measure> required = declared.require().orElse(List.of());
        if (declared.declared().containsKey("ignore") || Set.copyOf(required).equals(byDefault)) {
            return;
        }
        for (int at = 0; at < required.size(); at++) {
            if (effective.ignore().contains(required.get(at))) {
                report.add(
                        LintCode.REQUIRED_AND_IGNORED,
                        path + ".require[" + at + "]",
                        "require: " + LintWords.word(required.get(at)).replace('-', '_')
                                + ", which is under the policy's health.ignore",
                        "an ignore of its own without it; it is not required now");
            }
        }
    }

    private static void temperature(String path, HealthLimits declared, HealthLimits effective, LintReport report) {
        boolean margin = declared.declared().containsKey("gpu_temp_margin_c");
        boolean own = margin || declared.declared().containsKey("max_gpu_temp_c");
        double again = effective.maxGpuTempC() - effective.gpuTempMarginC();
        if (own && again < ROOM_C && !effective.ignore().contains(Measure.GPU_TEMP)) {
            report.add(
                    LintCode.RECOVERY_BELOW_ROOM,
                    path + (margin ? ".gpu_temp_margin_c" : ".max_gpu_temp_c"),
                    "gpu_temp_margin_c: " + LintWords.number(effective.gpuTempMarginC()) + " under max_gpu_temp_c: "
                            + LintWords.number(effective.maxGpuTempC()) + ", so healthy again only below "
                            + LintWords.number(again) + " °C",
                    "at least " + LintWords.number(ROOM_C) + " °C left, which a GPU in a room can reach");
        }
    }

    private void queue(QueueLimits queue) {
        if (noPlaces()) {
            withoutPlaces(
                    "max_wait",
                    LintWords.duration(queue.maxWait()),
                    !queue.maxWait().equals(QUEUE.maxWait()) && !queue.maxWait().isZero());
            withoutPlaces(
                    "ages_after",
                    LintWords.duration(queue.agesAfter()),
                    !queue.agesAfter().equals(QUEUE.agesAfter()));
            withoutPlaces(
                    "hold_after",
                    LintWords.duration(queue.holdAfter()),
                    !queue.holdAfter().equals(QUEUE.holdAfter()));
            withoutPlaces("order", LintWords.word(queue.order()), queue.order() != QueueOrder.ARRIVAL);
        }
        if (queue.order() == QueueOrder.ARRIVAL && !queue.weights().equals(QUEUE.weights())) {
            report.add(
                    LintCode.WEIGHTS_WITHOUT_ORDER,
                    "queue.weights",
                    "weights: normal " + LintWords.number(queue.weights().normal()) + ", low "
                            + LintWords.number(queue.weights().low()) + " beside order: arrival",
                    "order: weighted or deadline, which alone use them");
        }
    }

    /** Whether nobody ever waits, in the router's places or in a workload's own. */
    private boolean noPlaces() {
        return policy.queue().capacity() == 0
                && policy.workloads().stream().allMatch(workload -> places(policy, workload) == 0);
    }

    private void withoutPlaces(String key, String value, boolean said) {
        if (said) {
            report.add(
                    LintCode.WAIT_WITHOUT_PLACES,
                    "queue." + key,
                    key + ": " + value + " beside capacity: 0",
                    "capacity >= 1; nobody ever waits now");
        }
    }

    /** The wait of a workload in places that are not there. */
    static void queue(Policy policy, Workload workload, LintReport report) {
        WorkloadQueue own = workload.queue().orElse(null);
        if (own == null || own.maxWait().isEmpty() || places(policy, workload) > 0) {
            return;
        }
        boolean said = !own.maxWait().get().isZero()
                && !own.maxWait().get().equals(policy.queue().maxWait());
        if (said) {
            report.add(
                    LintCode.WAIT_WITHOUT_PLACES,
                    "workloads." + workload.name() + ".queue.max_wait",
                    "max_wait: " + LintWords.duration(own.maxWait().get()) + " where capacity is 0",
                    "capacity >= 1; nobody waits for '" + workload.name() + "' now");
        }
    }

    private static int places(Policy policy, Workload workload) {
        int shared = policy.queue().capacity();
        return workload.queue().map(own -> own.capacity().orElse(shared)).orElse(shared);
    }

    private void finishMargin() {
        double margin = policy.strategy().finishMargin();
        if (margin != STRATEGY.finishMargin() && !anyEarliestFinish()) {
            report.add(
                    LintCode.FINISH_MARGIN_WITHOUT_USE,
                    "strategy.finish_margin",
                    "finish_margin: " + LintWords.number(margin) + ", and nothing is routed by earliest-finish",
                    "strategy earliest-finish, which alone uses it");
        }
    }

    private boolean anyEarliestFinish() {
        return policy.strategy().defaultKind() == StrategyKind.EARLIEST_FINISH
                || policy.workloads().stream()
                        .anyMatch(workload -> workload.strategy().orElse(null) == StrategyKind.EARLIEST_FINISH);
    }
}
