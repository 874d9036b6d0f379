package dev.substraterouter.examples.quickstart.readme;

import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.policy.yaml.YamlPolicy;
import dev.substraterouter.probe.http.HttpStatusProbe;
import dev.substraterouter.trace.PathReport;
import dev.substraterouter.trace.jsonl.JsonLinesTraces;
import java.io.IOException;
import java.nio.file.Path;

/** What the README shows of a policy that is proved, changed while it runs, and then forgotten about. */
final class Proven {
    private Proven() {}

    static SubstrateRouter watching(Path file) {
        return SubstrateRouter.builder()
                .policySource(YamlPolicy.watch(file))
                .statusSource(HttpStatusProbe.create())
                .build();
    }

    static String forgotten(Path directory) throws IOException {
        PathReport report = PathReport.of(JsonLinesTraces.read(directory));
        return report.namingSubstrate() + " " + report.refusals();
    }
}
