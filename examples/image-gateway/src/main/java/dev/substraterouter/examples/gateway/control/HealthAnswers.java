package dev.substraterouter.examples.gateway.control;

import dev.substraterouter.RouteView;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.SubstrateView;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/** Tells whoever starts and stops the gateway that it lives, and whether it can place work. Thread-safe. */
final class HealthAnswers {
    private final SubstrateRouter router;
    private final BooleanSupplier draining;

    HealthAnswers(SubstrateRouter router, BooleanSupplier draining) {
        this.router = router;
        this.draining = draining;
    }

    void alive(Call call) throws IOException {
        call.answer(200, new Alive(true));
    }

    void ready(Call call) throws IOException, ProblemException {
        if (draining.getAsBoolean()) {
            throw new ProblemException(503, "Not ready", "the gateway is going down");
        }
        if (!placesEverything()) {
            throw new ProblemException(503, "Not ready", "no candidate passes its gate for: " + missing());
        }
        call.answer(200, new Ready(true));
    }

    private boolean placesEverything() {
        try {
            return router.awaitReady(Duration.ZERO);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** The workloads without a candidate that passes; by the substrates alone, so a substrate that is too small is not told of. */
    private String missing() {
        Set<String> passing = router.substrates().stream()
                .filter(view -> view.verdict().passes())
                .map(SubstrateView::id)
                .collect(Collectors.toSet());
        String names = router.routes().stream()
                .filter(route -> route.mechanism() != RouteView.Mechanism.NEED)
                .filter(route -> route.candidates().stream().noneMatch(passing::contains))
                .map(RouteView::workload)
                .collect(Collectors.joining(", "));
        return names.isEmpty() ? "a workload whose candidates lack what it needs" : names;
    }

    record Alive(boolean alive) {}

    record Ready(boolean ready) {}
}
