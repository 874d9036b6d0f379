package dev.substraterouter.examples.gateway.control;

import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.SubstrateView;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Does what operators ask for, and tells the other operators who did it. Thread-safe. */
final class OperatorAnswers {
    private static final Logger LOG = System.getLogger(OperatorAnswers.class.getName());

    private final SubstrateRouter router;
    private final Events events;

    OperatorAnswers(SubstrateRouter router, Events events) {
        this.router = router;
        this.events = events;
    }

    void cordon(Call call) throws IOException, ProblemException {
        at(call, "cordon", router::cordon);
        answer(call, 200);
    }

    void uncordon(Call call) throws IOException, ProblemException {
        at(call, "uncordon", router::uncordon);
        answer(call, 200);
    }

    void reset(Call call) throws IOException, ProblemException {
        at(call, "reset", router::reset);
        answer(call, 200);
    }

    /** It goes on after the answer: the pool tells how many leases are still open. */
    void drain(Call call) throws IOException, ProblemException {
        at(call, "drain", id -> {
            CompletableFuture<Void> drained = router.drain(id);
            drained.thenRun(() -> tell(call, "drained"));
        });
        answer(call, 202);
    }

    /** It goes on after the answer; how it ended is told as an event. */
    void kick(Call call) throws IOException, ProblemException {
        CompletableFuture<Void> kicked = new CompletableFuture<>();
        at(call, "kick", id -> router.kick(id).whenComplete((back, failure) -> ended(call, kicked, failure)));
        if (kicked.isCompletedExceptionally()) {
            throw new ProblemException(409, "It cannot be kicked", reason(kicked));
        }
        answer(call, 202);
    }

    private void ended(Call call, CompletableFuture<Void> kicked, @Nullable Throwable failure) {
        if (failure == null) {
            tell(call, "kicked");
            kicked.complete(null);
        } else {
            LOG.log(Level.WARNING, "kick of " + call.id() + " failed", failure);
            tell(call, "kick-failed");
            kicked.completeExceptionally(failure);
        }
    }

    private void at(Call call, String operation, Consumer<String> action) throws ProblemException {
        if (router.policy().substrate(call.id()).isEmpty()) {
            throw unknown(call);
        }
        LOG.log(Level.INFO, "{0}: {1} {2}", call.caller(), operation, call.id());
        tell(call, operation); // before what it leads to is told
        try {
            action.accept(call.id());
        } catch (IllegalArgumentException goneMeanwhile) {
            throw unknown(call);
        }
    }

    private static ProblemException unknown(Call call) {
        return new ProblemException(404, "No such substrate", call.id() + ": the policy has no such substrate");
    }

    private void tell(Call call, String operation) {
        events.tell("operated", new Operated(call.caller().toString(), operation, call.id()));
    }

    private void answer(Call call, int status) throws IOException, ProblemException {
        SubstrateView view = router.substrates().stream()
                .filter(one -> one.id().equals(call.id()))
                .findFirst()
                .orElseThrow(() -> unknown(call));
        call.answer(status, new Done(view.id(), view.cordoned(), view.leases()));
    }

    private static String reason(CompletableFuture<Void> failed) {
        try {
            failed.join();
            return "";
        } catch (CompletionException e) {
            return String.valueOf(
                    e.getCause() == null ? e.getMessage() : e.getCause().getMessage());
        }
    }

    /**
     * How the substrate stands after it.
     *
     * @param cordoned whether it is out
     * @param leases how many of the router's own leases are open there
     */
    record Done(String substrate, boolean cordoned, int leases) {}

    /** Who did what. */
    record Operated(String caller, String operation, String substrateId) {}
}
