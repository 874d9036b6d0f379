package dev.substraterouter.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substraterouter.model.Priority;
import dev.substraterouter.model.Trust;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Role;
import dev.substraterouter.policy.StrategyKind;
import dev.substraterouter.policy.StrategySettings;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.SubstrateKind;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.testkit.Policies;
import dev.substraterouter.testkit.Statuses;
import dev.substraterouter.trace.Reason;
import java.lang.management.ManagementFactory;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

public class PolicyVerifierTest {
    private static final PolicyRule FILL_ON_LEGION =
            PolicyRule.workload("flux-fill").never("mirrorforge").whileFree("legion");

    @TempDir
    Path folder;

    @Test
    void aGoodPolicyHasNoFinding() {
        assertThat(PolicyVerifier.verify(Policies.smallest(), FILL_ON_LEGION)).isEmpty();
        assertThat(PolicyVerifier.verify(
                        guarded(), FILL_ON_LEGION, PolicyRule.role("agent").never("thundercompute")))
                .isEmpty();
    }

    /** 3 workloads and 4 needs that two substrates can serve, each as 3 priorities in 9 combinations, and more. */
    @Test
    void everyCombinationIsLookedAt() {
        List<String> plain = Collections.synchronizedList(new ArrayList<>());
        Findings findings = PolicyVerifier.verify(Policies.smallest(), PolicyRule.of("seen", situation -> {
            boolean counted =
                    situation.workload().equals(Optional.of("sdxl")) && situation.priority() == Priority.NORMAL;
            return !counted || plain.add(situation.standings() + " " + situation.queue());
        }));

        List<Standing> ways =
                List.of(Standing.FREE, Standing.BLOCKED, Standing.of(Reason.AVOIDED, "to be avoided by the request"));
        for (Standing mirrorforge : ways) {
            for (Standing legion : ways) {
                boolean placed = mirrorforge.free() || legion.free();
                for (QueueState queue : placed ? List.of(QueueState.PLACE_FREE) : List.of(QueueState.values())) {
                    assertThat(plain).contains("{mirrorforge=" + mirrorforge + ", legion=" + legion + "} " + queue);
                }
            }
        }
        assertThat(findings.situations()).isGreaterThan(plain.size());
        assertThat(findings.notCovered()).isNotEmpty().noneMatch(line -> line.contains("sampled"));
    }

    @Test
    void otherOrdersAndLongRoutesAreSampledAndSaySo() {
        Policy choosing = Policies.smallestBuilder()
                .strategy(StrategySettings.builder()
                        .defaultKind(StrategyKind.EARLIEST_FINISH)
                        .build())
                .build();

        assertThat(PolicyVerifier.verify(choosing).notCovered())
                .anyMatch(line -> line.startsWith("order EARLIEST_FINISH: sampled"));
        assertThat(PolicyVerifier.verify(large(1, 9)).notCovered())
                .anyMatch(line -> line.startsWith("routes of more than 8 substrates: sampled"));
    }

    static Stream<Arguments> broken() {
        return Stream.of(
                Arguments.of(FILL_ON_LEGION, swapped(), "flux-fill placed on mirrorforge"),
                Arguments.of(PolicyRule.workload("flux-fill").firstOn("legion"), swapped(), "placed on mirrorforge"),
                Arguments.of(PolicyRule.workload("sdxl").onlyOn("legion"), swapped(), "sdxl placed on mirrorforge"),
                Arguments.of(PolicyRule.workload("sdxl").never("legion"), swapped(), "sdxl placed on legion"),
                Arguments.of(PolicyRule.workload("sdxl").refused(), swapped(), "sdxl placed on"),
                Arguments.of(PolicyRule.workload("sdxl").neverOutside(), open(), "sdxl placed on thundercompute"),
                Arguments.of(PolicyRule.role("agent").never("thundercompute"), open(), "placed on thundercompute"),
                Arguments.of(PolicyRule.role("agent").neverOutside(), open(), "placed on thundercompute"),
                Arguments.of(PolicyRule.workload("huge").served(), huge(), "huge refused: no eligible substrate"),
                Arguments.of(
                        PolicyRule.of(
                                "nothing waits",
                                situation -> !situation.answer().waits()),
                        Policies.smallest(),
                        "waits breaks it"),
                Arguments.of(
                        PolicyRule.ofPolicy(
                                "at most 3 wait", policy -> policy.queue().capacity() <= 3),
                        Policies.smallest(),
                        "the policy breaks it"),
                Arguments.of(
                        PolicyRule.substrate("legion")
                                .closedAt(Statuses.healthy(32).gpuTempC(79).build()),
                        Policies.smallest(),
                        "legion is open"),
                Arguments.of(
                        PolicyRule.substrate("legion")
                                .openAt(Statuses.healthy(32).gpuTempC(80).build()),
                        Policies.smallest(),
                        "legion is closed: [GPU_TEMP]"),
                Arguments.of(PolicyRule.workload("fill").never("legion"), Policies.smallest(), "no workload 'fill'"),
                Arguments.of(PolicyRule.workload("sdxl").never("region"), Policies.smallest(), "no substrate 'region'"),
                Arguments.of(
                        PolicyRule.workload("sdxl").never("legion").whileFree("forge"),
                        Policies.smallest(),
                        "no substrate 'forge'"),
                Arguments.of(PolicyRule.role("agent").never("legion"), Policies.smallest(), "no role 'agent'"),
                Arguments.of(
                        PolicyRule.substrate("region").openAt(Statuses.idle(32)),
                        Policies.smallest(),
                        "no substrate 'region'"));
    }

    @ParameterizedTest
    @MethodSource("broken")
    void aBrokenRuleIsFoundUnderItsName(PolicyRule rule, Policy policy, String message) {
        assertThat(PolicyVerifier.verify(policy, rule)).anySatisfy(finding -> {
            assertThat(finding.rule()).isEqualTo(rule.name());
            assertThat(finding.message()).contains(message);
            assertThat(finding.story()).startsWith(rule.name() + ": ");
        });
    }

    @Test
    void aRuleMayBearANameOfOnesOwn() {
        PolicyRule rule = FILL_ON_LEGION.named("decision 12");

        assertThat(PolicyVerifier.verify(swapped(), rule))
                .singleElement()
                .satisfies(finding -> assertThat(finding.rule()).isEqualTo("decision 12"));
        assertThat(PolicyVerifier.verify(Policies.smallest(), rule)).isEmpty();
    }

    static Stream<Arguments> kept() {
        return Stream.of(
                Arguments.of(PolicyRule.workload("flux-fill").firstOn("legion"), Policies.smallest()),
                Arguments.of(PolicyRule.workload("flux-fill").onlyOn("legion", "mirrorforge"), Policies.smallest()),
                Arguments.of(PolicyRule.workload("sdxl").served(), Policies.smallest()),
                Arguments.of(PolicyRule.workload("sdxl").neverOutside(), guarded()),
                Arguments.of(PolicyRule.role("agent").neverOutside(), guarded()),
                Arguments.of(
                        PolicyRule.substrate("legion")
                                .closedAt(Statuses.healthy(32).gpuTempC(80).build()),
                        Policies.smallest()),
                Arguments.of(
                        PolicyRule.substrate("legion")
                                .openAt(Statuses.healthy(32).gpuTempC(79).build()),
                        Policies.smallest()));
    }

    @ParameterizedTest
    @MethodSource("kept")
    void aRuleThatIsKeptIsNot(PolicyRule rule, Policy policy) {
        assertThat(PolicyVerifier.verify(policy, rule)).isEmpty();
    }

    @Test
    void theCounterexampleIsTheSmallest() {
        PolicyFinding finding = PolicyVerifier.verify(
                        Policies.smallest(), PolicyRule.workload("flux-dev").never("legion"))
                .get(0);

        assertThat(finding.situation()).hasValueSatisfying(situation -> assertThat(situation.standings())
                .hasToString("{mirrorforge=taken out by an operator, legion=free}"));
        assertThat(finding.subjects()).containsExactly("flux-dev");
        assertThat(finding.situations()).isGreaterThan(1);
        assertThat(finding.story())
                .contains(
                        "asks           flux-dev, priority NORMAL",
                        "mirrorforge    taken out by an operator",
                        "legion         free",
                        "answer         placed on legion");
    }

    /** What a finding gives away as a test is one: it compiles, and fails as long as the policy is what it is. */
    @Test
    void theTestOfAFindingFails() throws Exception {
        PolicyFinding finding = PolicyVerifier.verify(swapped(), FILL_ON_LEGION).get(0);

        assertThatThrownBy(() -> run(finding.test(), "swapped"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("flux-fill never on mirrorforge while legion is free");
        run(finding.test(), "good");
    }

    public static Policy policyOf(String name) {
        return name.equals("good") ? Policies.smallest() : swapped();
    }

    private void run(String test, String policy) throws Exception {
        Path source = Files.createDirectories(folder.resolve(policy)).resolve("FoundTest.java");
        Files.writeString(source, """
                import static org.junit.jupiter.api.Assertions.*;
                import dev.substraterouter.*;
                import dev.substraterouter.model.*;
                import dev.substraterouter.policy.Policy;
                import dev.substraterouter.status.SubstrateStatus;
                import java.util.Optional;
                import org.junit.jupiter.api.Test;

                public class FoundTest {
                    private static Policy policy() {
                        return dev.substraterouter.verify.PolicyVerifierTest.policyOf("%s");
                    }

                    %s
                }
                """.formatted(policy, test.replace("void ", "public void ")));
        int compiled = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-proc:none",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-d",
                        source.getParent().toString(),
                        source.toString());
        assertThat(compiled).as(test).isZero();
        URL place = source.getParent().toUri().toURL();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {place}, getClass().getClassLoader())) {
            Class<?> type = loader.loadClass("FoundTest");
            Method method = Stream.of(type.getMethods())
                    .filter(one -> one.isAnnotationPresent(Test.class))
                    .findFirst()
                    .orElseThrow();
            method.invoke(type.getConstructor().newInstance());
        } catch (InvocationTargetException thrown) {
            if (thrown.getCause() instanceof AssertionError failed) {
                throw failed;
            }
            throw thrown;
        }
    }

    @Test
    void aRuleThatThrowsIsNotSwallowed() {
        PolicyRule throwing = PolicyRule.of("throws", situation -> {
            throw new IllegalStateException("no idea");
        });

        assertThatThrownBy(() -> PolicyVerifier.verify(Policies.smallest(), throwing))
                .hasMessage("no idea");
    }

    /** In processor time: the machine may be shared. */
    @Test
    void fiftyWorkloadsOnEightSubstratesTakeLessThanTenSeconds() {
        Policy policy = large(50, 8);
        var threads = ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadCpuTime();

        Findings findings = PolicyVerifier.verify(policy);

        double seconds = (threads.getCurrentThreadCpuTime() - before) / 1e9;
        System.out.printf("PolicyVerifierTest: 50 x 8: %d situations in %.1f s%n", findings.situations(), seconds);
        assertThat(findings).isEmpty();
        assertThat(findings.situations()).isGreaterThan(50 * 3 * 6561);
        assertThat(seconds).isLessThan(10);
    }

    // policies

    private static Policy swapped() {
        Policy.Builder policy = Policy.builder();
        Policies.smallest().substrates().forEach(policy::substrate);
        for (Workload workload : Policies.smallest().workloads()) {
            policy.workload(
                    workload.name().equals("flux-fill")
                            ? Workload.builder("flux-fill")
                                    .vramGb(24)
                                    .route("mirrorforge", "legion")
                                    .build()
                            : workload);
        }
        return policy.build();
    }

    private static Policy huge() {
        return Policies.smallestBuilder()
                .workload(Workload.builder("huge").vramGb(40).route("legion").build())
                .build();
    }

    /** Agents may not leave the house. */
    private static Policy guarded() {
        return outside(Trust.CONTROLLED, false);
    }

    /** They may, and so may their work. */
    private static Policy open() {
        return outside(Trust.PUBLIC, true);
    }

    private static Policy outside(Trust privacy, boolean external) {
        Policy.Builder policy = Policy.builder();
        Policies.smallest().substrates().forEach(policy::substrate);
        policy.workload(Policies.smallest().workload("flux-fill").orElseThrow());
        policy.substrate(Substrate.builder("thundercompute")
                .kind(SubstrateKind.EXTERNAL)
                .overflow(true)
                .endpoint("https://gpu.example.com")
                .vramGb(80)
                .maxConcurrentJobs(8)
                .build());
        policy.workload(Workload.builder("sdxl")
                .vramGb(8)
                .privacy(privacy)
                .route("mirrorforge", "thundercompute")
                .build());
        for (String role : List.of("operator", "agent")) {
            policy.role(Role.builder(role)
                    .identities(role + "-*")
                    .workloads("*")
                    .capabilities("*")
                    .external(external)
                    .build());
        }
        return policy.build();
    }

    private static Policy large(int workloads, int substrates) {
        Policy.Builder policy = Policy.builder();
        List<String> ids = new ArrayList<>();
        for (int at = 0; at < substrates; at++) {
            ids.add("s" + at);
            policy.substrate(Substrate.builder("s" + at)
                    .vramGb(32 + at)
                    .maxConcurrentJobs(2)
                    .capabilities("cuda", "c" + at)
                    .build());
        }
        Random random = new Random(1);
        for (int at = 0; at < workloads; at++) {
            Collections.shuffle(ids, random);
            policy.workload(Workload.builder("w" + at)
                    .vramGb(4 + at % 20)
                    .route(ids.toArray(String[]::new))
                    .build());
        }
        return policy.build();
    }
}
