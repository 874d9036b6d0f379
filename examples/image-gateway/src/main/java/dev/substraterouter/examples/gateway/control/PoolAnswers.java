package dev.substraterouter.examples.gateway.control;

import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.policy.Operation;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.trace.RoutingTrace;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Tells the pool and the last decisions. Thread-safe. */
final class PoolAnswers {
    private static final int MAX_TRACES = 500;
    private static final int TRACES = 100;

    private final SubstrateRouter router;

    PoolAnswers(SubstrateRouter router) {
        this.router = router;
    }

    void pool(Call call) throws IOException {
        List<Operation> may = Arrays.stream(Operation.values())
                .filter(operation -> call.caller().mayOperate(router, operation))
                .toList();
        Policy policy = router.policy();
        List<SubstrateJson> substrates = router.substrates().stream()
                .map(view -> SubstrateJson.of(view, policy))
                .flatMap(Optional::stream)
                .toList();
        call.answer(200, new Pool(call.caller().toString(), may, policy.revision(), substrates));
    }

    void traces(Call call) throws IOException, ProblemException {
        int limit = limit(call.request().getParameter("limit"));
        call.answer(200, new Traces(router.recentTraces().stream().limit(limit).toList()));
    }

    private static int limit(@Nullable String said) throws ProblemException {
        if (said == null) {
            return TRACES;
        }
        if (!said.matches("[0-9]{1,3}") || Integer.parseInt(said) > MAX_TRACES) {
            throw new ProblemException(400, "Not a limit", "limit: " + said + " (expected: 0 to " + MAX_TRACES + ")");
        }
        return Integer.parseInt(said);
    }

    /**
     * The pool.
     *
     * @param caller who asks
     * @param may what the caller may do
     */
    record Pool(String caller, List<Operation> may, long revision, List<SubstrateJson> substrates) {}

    /** The last traces, the newest first. */
    record Traces(List<RoutingTrace> traces) {}
}
