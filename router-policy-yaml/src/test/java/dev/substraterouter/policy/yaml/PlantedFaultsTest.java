package dev.substraterouter.policy.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.policy.Policy;
import dev.substraterouter.verify.PolicyVerifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Faults are planted in good policies, one at a time, and something must speak up: the loader, the lint, the verifier with what the owner
 * believes in, or the contract. The list was written before the first run; what is missed mends a check. Who caught what is in
 * {@code target/planted-faults.txt}.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PlantedFaultsTest {
    private static final int FAULTS = 112;

    private List<Verdict> verdicts = List.of();

    @BeforeAll
    void plant() {
        verdicts = PlantedFault.all().parallelStream().map(Verdict::of).toList();
    }

    @AfterAll
    void forget() {
        verdicts = List.of();
    }

    List<Verdict> verdicts() {
        return verdicts;
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("a good policy loads, and neither lint nor verifier nor contract has anything against it")
    void good(GoodPolicy good) throws Exception {
        PolicyCheckup checkup = YamlPolicy.check(good.text());
        assertThat(checkup.problems()).isEmpty();

        Policy policy = checkup.orThrow(good.name());
        assertThat(PolicyVerifier.verify(policy, good.rules())).isEmpty();
        good.contract(policy).everyWorkloadIsServedWhenAllIsWell();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("verdicts")
    @DisplayName("a planted fault is caught, and for what it is")
    void caught(Verdict verdict) {
        assertThat(verdict.caught()).as("%s", verdict).isTrue();
        assertThat(verdict.toThePoint())
                .as("%s, but: %s", verdict, verdict.line())
                .isTrue();
    }

    @Test
    @DisplayName("who caught what: all, and nobody is idle")
    void table() throws IOException {
        Path table = Path.of("target", "planted-faults.txt");
        Files.createDirectories(table.getParent());
        Files.write(table, lines());
        System.out.println(Files.readString(table));

        assertThat(verdicts).hasSize(FAULTS).allMatch(Verdict::caught);
        assertThat(verdicts).anyMatch(verdict -> !verdict.loader().isEmpty());
        assertThat(verdicts).anyMatch(verdict -> !verdict.lint().isEmpty());
        assertThat(verdicts).anyMatch(verdict -> !verdict.rules().isEmpty());
        assertThat(verdicts).extracting(Verdict::contract).anyMatch(Optional::isPresent);
    }

    private List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(
                "%-5s %-7s %-22s %-34s %-9s %s".formatted("fault", "in", "loader", "lint", "contract", "broken rules"));
        verdicts.forEach(verdict -> lines.add(verdict.line()));
        lines.add("%d faults; caught by the loader %d, the lint %d, the contract in fair weather %d, the verifier %d"
                .formatted(
                        verdicts.size(),
                        verdicts.stream().filter(one -> !one.loader().isEmpty()).count(),
                        verdicts.stream().filter(one -> !one.lint().isEmpty()).count(),
                        verdicts.stream()
                                .filter(one -> one.contract().isPresent())
                                .count(),
                        verdicts.stream().filter(one -> !one.rules().isEmpty()).count()));
        return lines;
    }
}
