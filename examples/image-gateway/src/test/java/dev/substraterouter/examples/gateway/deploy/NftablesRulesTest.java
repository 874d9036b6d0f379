package dev.substraterouter.examples.gateway.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.substraterouter.policy.yaml.YamlPolicy;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NftablesRulesTest {
    private static final String NETWORK = """
            control: [100.64.0.0/10, "fd7a:115c:a1e0::/48", 10.40.10.9], data: [10.40.10.0/29], external: [gpu.example.com, 203.0.113.7]""";

    private static String rules(String network, String worker, String control) {
        return NftablesRules.of(
                YamlPolicy.parse("""
                        version: 1
                        network: { %s }
                        substrates: { a: { endpoint: "http://%s:8188", kind: %s, max_concurrent_jobs: 1 } }
                        workloads: { image: { route: [a], privacy: public } }
                        """.formatted(network, worker, worker.startsWith("gpu") ? "external" : "local")),
                "image-gateway",
                new InetSocketAddress(control, 8091));
    }

    @Test
    void everyRangeIsInTheRulesAndEveryNameIsSaidToBeMissing() {
        String rules = rules(NETWORK, "gpu.example.com", "10.40.10.9");
        assertThat(rules)
                .contains("elements = { 100.64.0.0/10, 10.40.10.9, 10.40.10.0/29, 203.0.113.7 }")
                .contains("elements = { fd7a:115c:a1e0::/48 }")
                .contains("elements = { 100.64.0.0/10, 10.40.10.9 }")
                .contains("# Names have no rule, because what they resolve to changes: gpu.example.com.")
                .contains("meta skuid != \"image-gateway\" accept")
                .contains("th dport 53 accept")
                .contains(
                        "meta l4proto != tcp accept\n    tcp dport != 8091 accept\n    ip daddr != 10.40.10.9 accept\n");
        assertThat(rules.lines().filter(line -> line.contains("gpu.example.com")))
                .allMatch(line -> line.startsWith("#"));
    }

    @Test
    void withoutNamesNoLookupIsAllowedAndAnEmptySetIsNoError() {
        String rules = rules("control: [127.0.0.0/8], data: [10.40.10.0/29]", "10.40.10.1", "0.0.0.0");
        assertThat(rules)
                .doesNotContain("dport 53")
                .doesNotContain("elements = { }")
                .doesNotContain(" daddr != ");
    }

    @Test
    void aWorkerAtANameCanBeLookedUpAlsoWhereTheScopesAreRanges() {
        assertThat(rules("control: [127.0.0.0/8], data: [127.0.0.0/8]", "localhost", "::1"))
                .contains("th dport 53 accept")
                .contains("ip6 daddr != 0:0:0:0:0:0:0:1 accept");
    }

    /** Of rules that nft cannot read nobody is protected. */
    @Test
    void nftTakesThem(@TempDir Path folder) throws IOException, InterruptedException {
        Path nft = Path.of("/usr/sbin/nft");
        assumeTrue(Files.isExecutable(nft), "nft is not on this machine: the rules are not read by it");
        String known = rules(NETWORK, "gpu.example.com", "10.40.10.9")
                .replace("\"image-gateway\"", "\"root\""); // a user that every machine has
        Path file = Files.writeString(folder.resolve("rules.nft"), known);
        Process check = new ProcessBuilder(nft.toString(), "-c", "-f", file.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int code = check.waitFor();
        assumeTrue(!said.contains("Operation not permitted"), "nft may not be asked here: " + said);
        assertThat(said).isEmpty();
        assertThat(code).isZero();
    }
}
