package dev.substraterouter.examples.quickstart.readme;

import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.policy.yaml.YamlPolicy;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What a host's build runs. */
class PolicyCheckTest {
    @Test
    void theRouterTakesThePolicy() throws Exception {
        Path file = Path.of("src/main/resources/routing.yaml");
        SubstrateRouter.builder().policy(YamlPolicy.load(file)).build().close();
    }
}
