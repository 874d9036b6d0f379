package dev.substraterouter.examples.quickstart.readme;

import dev.substraterouter.Placement;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.model.RouteRequest;
import java.io.IOException;
import java.util.Optional;

/** Placing without {@code call}. */
final class ByHand {
    private ByHand() {}

    static Optional<byte[]> paintNowOrNever(SubstrateRouter router, FirstScreen.Worker worker, String prompt)
            throws IOException, InterruptedException {
        Optional<Placement> free = router.tryPlace(RouteRequest.workload("flux-fill"));
        if (free.isEmpty()) {
            return Optional.empty(); // everything is busy now
        }
        try (Placement placement = free.get()) {
            byte[] image = worker.generate(placement.endpoint(), prompt);
            placement.succeed();
            return Optional.of(image);
        }
    }
}
