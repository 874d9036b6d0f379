package dev.substraterouter.examples.gateway.tools;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.examples.gateway.web.Json;
import dev.substraterouter.model.PlacementMode;
import org.junit.jupiter.api.Test;

/** The mode is asked for as it was told. */
class WorkloadRunTest {
    @Test
    void theModeIsAskedFor() {
        assertThat(run("").request().mode()).isEqualTo(PlacementMode.INTERACTIVE);
        assertThat(run(",\"mode\":\"either\"").request().mode()).isEqualTo(PlacementMode.EITHER);
        assertThat(run(",\"mode\":\"batch\"").request().mode()).isEqualTo(PlacementMode.BATCH);
    }

    private static WorkloadRun run(String more) {
        return WorkloadRun.of(Json.MAPPER.readTree("{\"workload\":\"flux-dev\"" + more + "}"));
    }
}
