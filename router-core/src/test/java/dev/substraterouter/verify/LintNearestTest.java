package dev.substraterouter.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LintNearestTest {
    private static final List<String> KNOWN = List.of("cuda", "blackwell", "large-bar");

    @ParameterizedTest
    @CsvSource({"cuad, cuda", "cud, cuda", "xuda, cuda", "blakcwell, blackwell", "largebar, large-bar"})
    void oneSlipOfTheHandIsNear(String unknown, String meant) {
        assertThat(LintNearest.to(unknown, KNOWN)).contains(meant);
    }

    @ParameterizedTest
    @CsvSource({"acud", "rocm", "bl", "hopper"})
    void anythingElseIsNot(String unknown) {
        assertThat(LintNearest.to(unknown, KNOWN)).isEmpty();
    }
}
