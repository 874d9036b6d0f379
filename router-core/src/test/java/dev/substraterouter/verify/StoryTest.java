package dev.substraterouter.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.model.Priority;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.HealthLimits;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Role;
import dev.substraterouter.policy.StrategyKind;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.AssertionFailedError;

/** The tests of findings compile in one class, fail by the name of their rule while it is broken, and pass when it is kept. */
public class StoryTest {
    private static final List<String> ODD_NAMES =
            List.of("policy", "wait", "class", "equals", "to string", "To-String", "規則", "\n\"7\\", "x ".repeat(500));

    @TempDir
    Path folder;

    @Test
    @DisplayName("whatever rules are called, their tests are methods of one class")
    void names() throws Exception {
        PolicyRule[] rules = ODD_NAMES.stream()
                .map(name -> PolicyRule.workload("work").refused().named(name))
                .toArray(PolicyRule[]::new);

        Map<String, Throwable> failed = run(PolicyVerifier.verify(attributes(), rules), "attributes");

        assertThat(failed).hasSize(rules.length);
        for (String name : ODD_NAMES) {
            assertThat(failed.values()).anySatisfy(thrown -> assertThat(thrown)
                    .isInstanceOf(AssertionFailedError.class)
                    .hasMessageStartingWith(name));
        }
    }

    @Test
    @DisplayName("whoever is turned down for good fails the test by the name of the rule")
    void refusedForGood() throws Exception {
        Findings denied = PolicyVerifier.verify(
                roles(false),
                PolicyRule.of(
                        "users may",
                        situation -> !situation.request().identity().isPresent()
                                || situation.request().priority().equals(java.util.Optional.of(Priority.HIGH))
                                || situation.answer().placed()));
        Findings unfit = PolicyVerifier.verify(
                unfit(), PolicyRule.workload("work").served().named("work is served"));

        for (Map.Entry<String, Findings> one :
                Map.of("roles", denied, "unfit", unfit).entrySet()) {
            assertThat(run(one.getValue(), one.getKey()).values())
                    .singleElement()
                    .satisfies(thrown -> assertThat(thrown)
                            .isInstanceOf(AssertionFailedError.class)
                            .hasMessageMatching("(?s)(users may|work is served).*"));
        }
    }

    @Test
    @DisplayName("whoever is turned down for good is not placed either")
    void kept() throws Exception {
        Findings findings =
                PolicyVerifier.verify(roles(true), PolicyRule.workload("work").refused());

        assertThat(run(findings, "rolesThatMay")).hasSize(1);
        assertThat(run(findings, "roles")).isEmpty();
    }

    @Test
    @DisplayName("no test brings about that somebody waits by choice")
    void byChoice() {
        PolicyRule rule = PolicyRule.of(
                "never waits beside a free one",
                situation -> !situation.answer().waits()
                        || situation.standings().values().stream().noneMatch(Standing::free));

        assertThat(PolicyVerifier.verify(finishing(), rule))
                .singleElement()
                .satisfies(finding -> assertThat(finding.test()).isEmpty());
    }

    // policies

    public static Policy policyOf(String name) {
        return switch (name) {
            case "attributes" -> attributes();
            case "roles" -> roles(false);
            case "rolesThatMay" -> roles(true);
            default -> unfit();
        };
    }

    private static Policy attributes() {
        return Policy.builder()
                .health(HealthLimits.builder()
                        .requireAttributes(Map.of("motd", "a\nb\u0001\"\\u000a"))
                        .build())
                .substrate(local("a").build())
                .workload(Workload.builder("work").route("a").build())
                .build();
    }

    private static Policy roles(boolean may) {
        return Policy.builder()
                .substrate(local("a").build())
                .workload(Workload.builder("work").route("a").build())
                .workload(Workload.builder("other").route("a").build())
                .role(Role.builder("user")
                        .identities("user-*")
                        .workloads(may ? "*" : "other")
                        .build())
                .build();
    }

    private static Policy unfit() {
        return Policy.builder()
                .substrate(local("a").build())
                .workload(Workload.builder("work").capabilities("cuda").build())
                .build();
    }

    private static Policy finishing() {
        return Policy.builder()
                .substrates(local("a").build(), local("b").build())
                .workload(Workload.builder("work")
                        .strategy(StrategyKind.EARLIEST_FINISH)
                        .route(
                                Candidate.builder("a")
                                        .expectedLatency(Duration.ofSeconds(1))
                                        .build(),
                                Candidate.builder("b")
                                        .expectedLatency(Duration.ofMinutes(30))
                                        .build())
                        .build())
                .build();
    }

    private static Substrate.Builder local(String id) {
        return Substrate.builder(id).vramGb(32).maxConcurrentJobs(1);
    }

    // running what is found

    /** Runs the tests of all findings in one class; says which of them fail, and how. */
    private Map<String, Throwable> run(List<PolicyFinding> findings, String policy) throws Exception {
        StringBuilder methods = new StringBuilder();
        findings.forEach(finding -> methods.append(finding.test().replace("void ", "public void ")));
        Path place = compiled("""
                import static org.junit.jupiter.api.Assertions.*;
                import dev.substraterouter.*;
                import dev.substraterouter.model.*;
                import dev.substraterouter.policy.Policy;
                import dev.substraterouter.status.SubstrateStatus;
                import java.util.Optional;
                import org.junit.jupiter.api.Test;

                public class FoundTest {
                    private static Policy policy() {
                        return dev.substraterouter.verify.StoryTest.policyOf("%s");
                    }

                """.formatted(policy) + methods + "}");
        Map<String, Throwable> failed = new TreeMap<>();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {place.toUri().toURL()}, getClass().getClassLoader())) {
            Class<?> type = loader.loadClass("FoundTest");
            for (Method method : tests(type)) {
                try {
                    method.invoke(type.getConstructor().newInstance());
                } catch (InvocationTargetException thrown) {
                    failed.put(method.getName(), thrown.getCause());
                }
            }
        }
        return failed;
    }

    private static List<Method> tests(Class<?> type) {
        return Arrays.stream(type.getMethods())
                .filter(one -> one.isAnnotationPresent(Test.class))
                .toList();
    }

    private Path compiled(String source) throws IOException {
        Path place = Files.createTempDirectory(folder, "found");
        Path file = Files.writeString(place.resolve("FoundTest.java"), source);
        List<String> arguments = new ArrayList<>(List.of("-proc:none", "-cp", System.getProperty("java.class.path")));
        arguments.addAll(List.of("-d", place.toString(), file.toString()));
        int compiled = ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new));
        assertThat(compiled).as(source).isZero();
        return place;
    }
}
