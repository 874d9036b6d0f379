package dev.substraterouter.examples.gateway.tools;

import dev.substraterouter.NoEligibleSubstrateException;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.SubstratesBusyException;
import dev.substraterouter.examples.gateway.access.Caller;
import dev.substraterouter.examples.gateway.web.Problem;
import dev.substraterouter.infer.InferredNeed;
import dev.substraterouter.infer.NeedInference;
import dev.substraterouter.model.RouteRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds out of words what is needed, and asks whom the router chooses. Thread-safe. */
final class KnowledgeGap {
    private final SubstrateRouter router;
    private final Exchange exchange;

    KnowledgeGap(SubstrateRouter router, Exchange exchange) {
        this.router = router;
        this.exchange = exchange;
    }

    GapAnswer ask(Caller caller, GapQuestion question) throws InterruptedException {
        InferredNeed inferred = NeedInference.standard().infer(question.words(), question.explicit());
        RouteRequest request = RouteRequest.need(inferred.need());
        List<RankedNode> candidates = List.of();
        Delivery dispatch;
        try {
            candidates = Ranking.nodes(router.recommend(caller.asking(request)), router.policy());
            dispatch = Delivery.of(
                    exchange.call(caller, Ranking.reachable(candidates, request), question.message(), Exchange.WITHIN));
        } catch (NoEligibleSubstrateException | SubstratesBusyException refusal) {
            dispatch = Delivery.refused(Problem.of(refusal)); // an answer all the same: the need says why
        } catch (WorkerFailedException failure) {
            dispatch = Delivery.refused(failure.problem());
        }
        return new GapAnswer(
                NeedView.of(inferred),
                inferred.clauses().stream().map(GapAnswer.Asked::of).toList(),
                inferred.overridden().stream().map(GapAnswer.Asked::of).toList(),
                inferred.notUnderstood(),
                inferred.contradictions(),
                chosen(candidates, dispatch),
                candidates,
                dispatch);
    }

    /** Where it went; where it went nowhere, where it would go now. */
    private static GapAnswer.@Nullable Chosen chosen(List<RankedNode> candidates, Delivery dispatch) {
        Optional<RankedNode> node = candidates.stream()
                .filter(one -> dispatch.substrate() == null
                        ? one.admissible()
                        : one.substrate().equals(dispatch.substrate()))
                .findFirst();
        return node.map(one -> new GapAnswer.Chosen(
                        one.substrate(), one.endpoint(), one.mcpUrl(), dispatch.model(), reasons(one, dispatch)))
                .orElse(null);
    }

    private static List<String> reasons(RankedNode node, Delivery dispatch) {
        List<String> reasons = new ArrayList<>();
        Optional.ofNullable(dispatch.reason()).ifPresent(reasons::add);
        Optional.ofNullable(node.why()).ifPresent(reasons::add);
        reasons.addAll(node.reasons());
        return reasons;
    }
}
