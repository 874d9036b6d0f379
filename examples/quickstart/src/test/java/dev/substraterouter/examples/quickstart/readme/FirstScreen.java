package dev.substraterouter.examples.quickstart.readme;

import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.yaml.YamlPolicy;
import dev.substraterouter.probe.http.HttpStatusProbe;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;

/** The program of the README's first screen. */
final class FirstScreen {
    private final Worker worker;

    FirstScreen(Worker worker) {
        this.worker = worker;
    }

    /** How the host speaks to its workers. */
    interface Worker {
        byte[] generate(URI endpoint, String prompt) throws IOException, InterruptedException;
    }

    byte[] paint(Path file, String prompt) throws IOException, InterruptedException {
        try (SubstrateRouter router = SubstrateRouter.builder()
                .policy(YamlPolicy.load(file))
                .statusSource(HttpStatusProbe.create())
                .build()) {
            router.awaitReady(Duration.ofSeconds(10));
            return router.call(
                    RouteRequest.workload("flux-fill"), placement -> worker.generate(placement.endpoint(), prompt));
        }
    }
}
