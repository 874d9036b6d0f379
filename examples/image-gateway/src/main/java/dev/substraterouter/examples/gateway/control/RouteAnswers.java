package dev.substraterouter.examples.gateway.control;

import dev.substraterouter.RankedCandidate;
import dev.substraterouter.RouteView;
import dev.substraterouter.RouterFigures;
import dev.substraterouter.RoutingException;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.SubstrateView;
import dev.substraterouter.examples.gateway.access.Caller;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.trace.Finding;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Tells by what each workload is placed, who serves it now and why nobody before, and who waits. Thread-safe. */
final class RouteAnswers {
    private final SubstrateRouter router;

    RouteAnswers(SubstrateRouter router) {
        this.router = router;
    }

    void routes(Call call) throws IOException {
        Policy policy = router.policy();
        Map<String, SubstrateView> pool =
                router.substrates().stream().collect(Collectors.toMap(SubstrateView::id, Function.identity()));
        List<Row> rows = new ArrayList<>();
        for (RouteView view : router.routes()) {
            rows.add(row(view, policy, pool, call.caller()));
        }
        call.answer(200, new Routes(policy.revision(), rows));
    }

    void queue(Call call) throws IOException {
        RouterFigures figures = router.figures();
        List<String> sharing = sharing(figures.queues());
        List<Queue> queues = figures.queues().stream()
                .map(queue -> new Queue(
                        queue.workload(),
                        queue.waiting(),
                        queue.capacity(),
                        queue.workload().map(List::of).orElse(sharing)))
                .toList();
        Map<String, Integer> waiting = new LinkedHashMap<>();
        for (Priority priority : Priority.values()) {
            waiting.put(ControlJson.code(priority), figures.waiting().getOrDefault(priority, 0));
        }
        call.answer(200, new Queues(waiting, queues));
    }

    private List<String> sharing(List<RouterFigures.QueueFigures> queues) {
        Set<String> own =
                queues.stream().flatMap(queue -> queue.workload().stream()).collect(Collectors.toSet());
        return router.routes().stream()
                .map(RouteView::workload)
                .filter(workload -> !own.contains(workload))
                .toList();
    }

    private Row row(RouteView view, Policy policy, Map<String, SubstrateView> pool, Caller caller) {
        Optional<Workload> declared = policy.workload(view.workload());
        Map<String, List<Finding>> why = why(view, pool, caller);
        List<Candidate> candidates = view.candidates().stream()
                .map(id -> new Candidate(
                        id, declared.flatMap(workload -> model(workload, id)), why.getOrDefault(id, List.of())))
                .toList();
        return new Row(
                view.workload(),
                view.mechanism(),
                declared.flatMap(Workload::why),
                candidates,
                view.servingNow(),
                view.waiting(),
                view.capacity());
    }

    /**
     * What speaks for or against each candidate now: by what would happen to a request of the caller, which counts what a job needs; by the
     * substrates alone where the caller may not ask for the workload.
     */
    private Map<String, List<Finding>> why(RouteView view, Map<String, SubstrateView> pool, Caller caller) {
        Map<String, List<Finding>> why = new LinkedHashMap<>();
        view.candidates().stream()
                .map(pool::get)
                .filter(Objects::nonNull)
                .forEach(substrate -> why.put(substrate.id(), substrate.reasons()));
        for (RankedCandidate candidate : ranked(view.workload(), caller)) {
            why.put(candidate.substrateId(), candidate.reasons());
        }
        return why;
    }

    private List<RankedCandidate> ranked(String workload, Caller caller) {
        try {
            return router.recommend(caller.asking(RouteRequest.workload(workload)))
                    .candidates();
        } catch (RoutingException refused) {
            return List.of(); // an operator need not be a client; the substrates' own reasons are told
        }
    }

    private static Optional<String> model(Workload workload, String substrate) {
        return workload.candidates().stream()
                .filter(candidate -> candidate.on().equals(substrate))
                .findFirst()
                .flatMap(dev.substraterouter.policy.Candidate::model);
    }

    /** Every workload's route. */
    record Routes(long revision, List<Row> routes) {}

    /**
     * One workload.
     *
     * @param why why the policy has it so, in the words of its author
     * @param candidates in the order in which they are tried; the first is the primary
     * @param servingNow where a request would go now; empty: nowhere
     */
    record Row(
            String workload,
            RouteView.Mechanism mechanism,
            Optional<String> why,
            List<Candidate> candidates,
            Optional<String> servingNow,
            int waiting,
            int capacity) {}

    /**
     * One candidate.
     *
     * @param reasons why it would not be taken now; or what is to be known about it
     */
    record Candidate(String substrate, Optional<String> model, List<Finding> reasons) {}

    /**
     * Every waiting place.
     *
     * @param waiting how many requests wait in all of them, by their own priority; every priority is there
     * @param queues those that are shared first
     */
    record Queues(Map<String, Integer> waiting, List<Queue> queues) {}

    /**
     * The places in which the requests of some workloads wait.
     *
     * @param workload whose they are; empty: all share them that have none of their own, the needs of no workload too
     * @param workloads whose requests may wait there
     */
    record Queue(Optional<String> workload, int waiting, int capacity, List<String> workloads) {}
}
