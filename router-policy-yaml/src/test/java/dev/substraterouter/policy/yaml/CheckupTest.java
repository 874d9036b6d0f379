package dev.substraterouter.policy.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substraterouter.internal.yaml.Mutations;
import dev.substraterouter.policy.PolicyException;
import dev.substraterouter.policy.PolicyProblem;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A check tells all that can be said of a file, and never throws what it finds there. */
class CheckupTest {
    @TempDir
    Path folder;

    @Test
    @DisplayName("a good policy is there, and has no error")
    void good() {
        PolicyCheckup checkup = YamlPolicy.check(Examples.SMALLEST);

        assertThat(checkup.policy()).contains(YamlPolicy.parse(Examples.SMALLEST));
        assertThat(checkup.errors()).isEmpty();
        assertThat(checkup.orThrow("it").substrates()).hasSize(2);
    }

    @Test
    @DisplayName("what is no policy, and what is no YAML, is told as problems with places")
    void bad() {
        assertThat(YamlPolicy.check("version: 1\npoll: 5\nhealth: 6").problems())
                .extracting(Mutations::placed)
                .containsExactly("1:1 missing substrates", "2:7 wrong-type poll", "3:9 wrong-type health");
        assertThat(YamlPolicy.check("version: @").errors())
                .extracting(Mutations::placed)
                .containsExactly("1:10 syntax ");
        assertThat(YamlPolicy.check("\u0000").policy()).isEmpty();
    }

    @Test
    @DisplayName("load, parse and check of a file say the same")
    void sameThroughout() throws Exception {
        Path file = Files.writeString(folder.resolve("policy.yaml"), "version: 1\npoll: 5\n");
        List<PolicyProblem> problems = YamlPolicy.check(file).problems();

        assertThat(YamlPolicy.check(Files.readString(file)).problems()).isEqualTo(problems);
        assertThatThrownBy(() -> YamlPolicy.load(file))
                .isInstanceOfSatisfying(PolicyException.class, thrown -> assertThat(thrown.problems())
                        .isEqualTo(problems))
                .hasMessageStartingWith(file + " has 2 problems");
        assertThatThrownBy(() -> YamlPolicy.parse(Files.readString(file)))
                .isInstanceOfSatisfying(PolicyException.class, thrown -> assertThat(thrown.problems())
                        .isEqualTo(problems));
        assertThatThrownBy(() -> YamlPolicy.check(folder.resolve("none.yaml"))).isInstanceOf(NoSuchFileException.class);
    }

    @Test
    @DisplayName("what the lint finds stands at its line and column, in file order; its errors turn the policy down")
    void lint() {
        PolicyProblem late = PolicyProblem.warning("odd", "workloads.sdxl.route[1]", "odd");
        PolicyProblem early = PolicyProblem.warning("odd", "substrates.legion.gpus", "odd");
        PolicyProblem missing = PolicyProblem.of("missing", "substrates", "bad");

        PolicyCheckup warned = YamlPolicy.check(Examples.SMALLEST, policy -> List.of(late, early));
        assertThat(warned.policy()).isPresent();
        assertThat(warned.problems())
                .extracting(Mutations::placed)
                .containsExactly("4:3 odd substrates.legion.gpus", "8:50 odd workloads.sdxl.route[1]");

        PolicyCheckup refused = YamlPolicy.check(Examples.SMALLEST, policy -> List.of(late, missing, early));
        assertThat(refused.policy()).isEmpty();
        assertThat(refused.problems()).hasSize(3);
        assertThat(refused.errors()).extracting(Mutations::placed).containsExactly("3:3 missing substrates");
    }

    @Test
    @DisplayName("a workload that nobody could ever serve is told at its line; the examples are clean")
    void linted() {
        String unservable = Examples.SMALLEST.replace("flux-fill: { vram_gb: 24", "flux-fill: { vram_gb: 2400");

        assertThat(YamlPolicy.check(unservable).errors()).isEmpty();
        assertThat(YamlPolicy.check(unservable).warnings())
                .extracting(Mutations::placed)
                .anySatisfy(placed -> assertThat(placed).startsWith("7:"));
        assertThat(YamlPolicy.parse(unservable))
                .isEqualTo(YamlPolicy.check(unservable).orThrow("the policy"));
        assertThat(YamlPolicy.check(Examples.SMALLEST).problems()).isEmpty();
        assertThat(YamlPolicy.check(Examples.EVERYTHING).problems()).isEmpty();
    }

    @Test
    @DisplayName("each warning is one line of the log with file, line and column, whatever the file says")
    void logged() {
        List<String> lines = new ArrayList<>();
        Handler handler = new LogLines(lines);
        Logger log = Logger.getLogger("dev.substraterouter.policy");
        log.addHandler(handler);
        log.setUseParentHandlers(false);
        try {
            Told.warnings(
                    "a.yaml",
                    YamlPolicy.check(
                            Examples.SMALLEST,
                            policy -> List.of(PolicyProblem.warning("odd", "workloads.sdxl", "odd\n{0} %s"))));
            assertThat(lines).containsExactly("WARNING a.yaml:8:14 warning: workloads.sdxl: odd?{0} %s [odd]");
        } finally {
            log.setUseParentHandlers(true);
            log.removeHandler(handler);
        }
    }

    /** Keeps what is logged. */
    private static final class LogLines extends Handler {
        private final List<String> lines;

        LogLines(List<String> lines) {
            this.lines = lines;
        }

        @Override
        public void publish(LogRecord told) {
            lines.add(told.getLevel() + " " + told.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    @Test
    @DisplayName("a checkup has a policy or an error: never both, never neither; a warning is no error")
    void policyOrError() {
        var policy = YamlPolicy.check(Examples.SMALLEST).policy();
        PolicyProblem error = PolicyProblem.of("missing", "poll", "absent");
        PolicyProblem warning = PolicyProblem.warning("odd", "poll", "odd");

        assertThatThrownBy(() -> new PolicyCheckup(policy, List.of(error))).hasMessageContaining("policy: present");
        assertThatThrownBy(() -> new PolicyCheckup(Optional.empty(), List.of(warning)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(new PolicyCheckup(policy, List.of(warning)).warnings()).containsExactly(warning);
        assertThatThrownBy(() -> new PolicyCheckup(Optional.empty(), List.of(warning, error)).orThrow("a.yaml"))
                .hasMessageStartingWith("a.yaml has 1 problem:");
    }
}
