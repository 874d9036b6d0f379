package dev.substraterouter.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.substraterouter.model.Trust;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which addresses a policy with {@code network} may have. */
class ScopeCheckTest {
    private static Policy.Builder policy(
            NetworkScopes scopes, UnaryOperator<Substrate.Builder> local, String external) {
        return Policy.builder()
                .network(scopes)
                .substrates(
                        local.apply(Substrate.builder("legion")
                                        .endpoint("http://10.40.10.2:8188")
                                        .status("http://100.64.0.2:9100/status"))
                                .maxConcurrentJobs(1)
                                .build(),
                        Substrate.builder("cloud")
                                .kind(SubstrateKind.EXTERNAL)
                                .endpoint(external)
                                .build())
                .workload(Workload.builder("w")
                        .privacy(Trust.PUBLIC)
                        .route("legion", "cloud")
                        .build());
    }

    private static NetworkScopes scopes() {
        return NetworkScopes.builder()
                .control("100.64.0.0/10")
                .data("10.40.10.0/29")
                .external("gpu.example.com")
                .build();
    }

    private static List<String> problems(Policy.Builder policy) {
        PolicyException refused = catchThrowableOfType(PolicyException.class, policy::build);
        return refused == null
                ? List.of()
                : refused.problems().stream()
                        .map(problem -> problem.code() + " " + problem.path() + " " + problem.message())
                        .toList();
    }

    @Test
    void addressesInScopeAndNamesAreTaken() {
        assertThat(problems(policy(scopes(), local -> local, "https://gpu.example.com")))
                .isEmpty();
        assertThat(problems(policy(
                        scopes(),
                        local -> local.endpoint("http://legion.lan:8188").status("http://10.40.10.2/status"),
                        "https://gpu.example.com")))
                .as("a status may lie in data; a name is looked up later")
                .isEmpty();
    }

    @Test
    void eachAddressOutOfItsScopeIsAProblem() {
        assertThat(problems(policy(
                        scopes(),
                        local -> local.endpoint("http://10.40.10.9:8188").status("http://10.50.0.1/status"),
                        "https://203.0.113.1")))
                .containsExactly(
                        "out-of-scope substrates.legion.endpoint endpoint: 10.40.10.9 (expected: an address in network.data: 10.40.10.0/29)",
                        "out-of-scope substrates.legion.status[1].url url: 10.50.0.1 (expected: an address in network.control or"
                                + " network.data: 100.64.0.0/10, 10.40.10.0/29)",
                        "out-of-scope substrates.cloud.endpoint endpoint: 203.0.113.1 (expected: an address in network.external:"
                                + " gpu.example.com)");
    }

    @Test
    void candidatesOwnEndpointsAreCheckedByTheKindOfTheirSubstrate() {
        Policy.Builder policy = policy(scopes(), local -> local, "https://gpu.example.com")
                .workload(Workload.builder("own")
                        .privacy(Trust.PUBLIC)
                        .route(
                                Candidate.builder("legion")
                                        .endpoint("http://10.41.0.1:1")
                                        .build(),
                                Candidate.builder("cloud")
                                        .endpoint("http://10.40.10.2:1")
                                        .build())
                        .build())
                .workload(Workload.builder("pinned")
                        .pin(Candidate.builder("legion")
                                .endpoint("http://10.42.0.1:1")
                                .build())
                        .build());
        assertThat(problems(policy))
                .hasSize(3)
                .anySatisfy(text ->
                        assertThat(text).startsWith("out-of-scope workloads.own.route[0].endpoint endpoint: 10.41.0.1"))
                .anySatisfy(text -> assertThat(text)
                        .startsWith("out-of-scope workloads.own.route[1].endpoint endpoint: 10.40.10.2"))
                .anySatisfy(text ->
                        assertThat(text).startsWith("out-of-scope workloads.pinned.pin.endpoint endpoint: 10.42.0.1"));
    }

    @Test
    void noExternalScopeIsNoExternalAddressAtAll() {
        NetworkScopes none = NetworkScopes.builder()
                .control("100.64.0.0/10")
                .data("10.40.10.0/29")
                .build();
        assertThat(problems(policy(none, local -> local, "https://gpu.example.com")))
                .containsExactly(
                        "out-of-scope substrates.cloud.endpoint endpoint: gpu.example.com (expected: an address in"
                                + " network.external: nothing)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://0177.0.0.1:1", "http://010.40.10.2:1"})
    void spellingsThatOthersReadDifferentlyAreProblems(String endpoint) {
        assertThat(problems(policy(scopes(), local -> local.endpoint(endpoint), "https://gpu.example.com")))
                .singleElement()
                .asString()
                .contains("out-of-scope substrates.legion.endpoint", "without leading zeros");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://2130706433:1",
                "http://0x7f000001:1",
                "http://127.1:1",
                "http://[::ffff:127.0.0.1]:1",
                "http://169.254.169.254:1"
            })
    void otherWaysToWriteAnAddressOutOfScopeAreProblems(String endpoint) {
        assertThat(problems(policy(scopes(), local -> local.endpoint(endpoint), "https://gpu.example.com")))
                .singleElement()
                .asString()
                .contains("substrates.legion.endpoint");
    }

    @Test
    void entriesThatCannotBeReadAreProblemsEach() {
        NetworkScopes bad = NetworkScopes.builder()
                .control("100.64.0.0/99")
                .data("10.40.10.0/29", "a b")
                .build();
        assertThat(problems(policy(bad, local -> local, "https://gpu.example.com")))
                .containsExactly(
                        "bad-scope network.control[0] control: 100.64.0.0/99 (expected: a number of bits from 0 to 32 after the slash)",
                        "bad-scope network.data[1] data: a b (expected: a range like 10.40.10.0/29, an address, or a host's name)");
    }

    @Test
    void withoutNetworkAnythingGoes() {
        Policy scoped =
                policy(scopes(), local -> local, "https://gpu.example.com").build();
        assertThat(scoped.withoutNetwork().network()).isEmpty();
        assertThat(scoped.withoutNetwork().substrates()).isEqualTo(scoped.substrates());
        assertThat(scoped.endpointHosts(scoped.substrates().get(1))).containsExactly("gpu.example.com");
    }
}
