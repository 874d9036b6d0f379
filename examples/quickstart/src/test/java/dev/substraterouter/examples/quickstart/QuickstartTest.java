package dev.substraterouter.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Workload;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The story holds from its beginning to its end, and says so when it does not. */
@Timeout(60)
class QuickstartTest {
    private final ByteArrayOutputStream told = new ByteArrayOutputStream();
    private Worker mirrorforge;
    private Worker legion;
    private Worker rented;

    @BeforeEach
    void start() throws Exception {
        mirrorforge = Worker.mirrorforge();
        legion = Worker.legion();
        rented = Worker.rented();
    }

    @AfterEach
    void stop() {
        mirrorforge.close();
        legion.close();
        rented.close();
    }

    private int play() throws Exception {
        return Quickstart.play(new PrintStream(told, true, StandardCharsets.UTF_8), mirrorforge, legion, rented);
    }

    private String told() {
        return told.toString(StandardCharsets.UTF_8);
    }

    @Test
    void playsToItsEnd() throws Exception {
        int code = play();
        assertThat(code).as(told()).isZero();
        assertThat(told())
                .doesNotContain("[broken]")
                .contains("(waiting 4/4, waited 0 ms, revision 1)")
                .contains("flux-fill -> rented");
    }

    @Test
    void endsWithAnotherCodeWhenAnExpectationDoesNotHold() throws Exception {
        legion.othersBegin(); // so flux-fill falls back where the story expects it on its primary
        int code = play();
        assertThat(code).as(told()).isEqualTo(1);
        assertThat(told()).contains("[broken] each on its primary, none degraded");
    }

    @Test
    void theFileHasTheTableOfTheSmallestPolicy() throws Exception {
        Policy policy = Quickstart.policy("routing.yaml", mirrorforge, legion);
        Map<String, List<String>> routes = policy.workloads().stream()
                .collect(Collectors.toMap(
                        Workload::name,
                        workload -> workload.route().stream().map(Candidate::on).toList()));
        assertThat(routes)
                .isEqualTo(Map.of(
                        "flux-dev", List.of("mirrorforge", "legion"),
                        "flux-fill", List.of("legion", "mirrorforge"),
                        "sdxl", List.of("mirrorforge", "legion")));
        assertThat(policy.substrate("legion").orElseThrow().endpoint()).contains(legion.endpoint());
        assertThat(policy.substrate("mirrorforge").orElseThrow().status())
                .singleElement()
                .satisfies(status -> assertThat(status.url()).isEqualTo(mirrorforge.statusAddress()));
    }

    @Test
    void theNeedsHaveARentedMachineAndAWorkloadWithoutARoute() throws Exception {
        Policy policy = Quickstart.policy("needs.yaml", mirrorforge, legion, rented);
        assertThat(policy.substrate("rented").orElseThrow().endpoint()).contains(rented.endpoint());
        assertThat(policy.workload("flux-dev").orElseThrow().candidates()).isEmpty();
    }
}
