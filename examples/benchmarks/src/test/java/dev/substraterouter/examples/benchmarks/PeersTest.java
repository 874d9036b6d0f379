package dev.substraterouter.examples.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;

/** Every benchmark of the limit and of the peers does what its name says, however often it is called. */
class PeersTest {
    private static final String ROOT = PeersTest.class.getPackageName();
    private static final int CALLS = 2_000;
    private static final BenchmarkCalls BENCHMARKS = new BenchmarkCalls();

    @AfterAll
    static void tearDown() {
        BENCHMARKS.close();
    }

    static Stream<String> names() {
        return BenchmarkList.defaultList().getAll(null, List.of()).stream()
                .map(BenchmarkListEntry::getUsername)
                .map(name -> name.substring(ROOT.length() + 1))
                .filter(name -> name.startsWith("limit.") || name.startsWith("peers."));
    }

    @ParameterizedTest
    @MethodSource("names")
    void worksHoweverOften(String name) {
        Object last = call(name);

        if (name.toLowerCase(Locale.ROOT).endsWith("refused") || name.endsWith(".statusOffAndOn")) {
            assertThat(last).isNull();
        } else if (name.contains(".ScaleFloorBenchmark.allDown")) {
            assertThat(last).isEqualTo(-1);
        } else {
            assertThat(last).isNotNull().isNotIn(-1, -1L);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "peers.Resilience4jBenchmark.timed, free",
        "peers.Resilience4jBenchmark.timedLockFree, free-lock-free",
        "peers.Resilience4jBenchmark.untimed, free",
        "peers.Resilience4jBenchmark.spilled, second",
        "peers.FailsafeBenchmark.permits, first",
        "peers.FailsafeBenchmark.permitsSpilled, second",
        "peers.FailsafeBenchmark.executor, first",
        "peers.FailsafeBenchmark.executorSpilled, second",
        "peers.SentinelBenchmark.threadRule, free",
        "peers.SentinelBenchmark.threadRuleAndBreaker, free-with-breaker",
        "peers.SentinelBenchmark.spilled, second",
        "peers.LangChain4jBenchmark.routed, first",
        "peers.NaiveBenchmark.logged, first",
        "peers.NaiveBenchmark.unlogged, first",
        "peers.NaiveBenchmark.loggedSpilled, second",
    })
    void isTakenByTheRightOne(String name, String substrate) {
        assertThat(String.valueOf(call(name))).containsPattern("(^|\\W)" + substrate + "($|\\W)");
    }

    @ParameterizedTest
    @CsvSource({
        "peers.SpringCloudLoadBalancerBenchmark.fixed, a.test, b.test",
        "peers.SpringCloudLoadBalancerBenchmark.healthChecked, a.test, b.test",
        "peers.SpringCloudLoadBalancerBenchmark.cached, a.test, b.test",
        "peers.ArmeriaBenchmark.weightedRoundRobin, a.test, b.test",
        "peers.GrpcBenchmark.roundRobin, a.test, b.test",
    })
    void picksBothInTurn(String name, String first, String second) {
        String picked = String.join(
                " ",
                Stream.generate(() -> call(name, 1))
                        .limit(3)
                        .map(String::valueOf)
                        .toList());

        assertThat(picked).contains(first).contains(second);
    }

    @Test
    void thereIsOneOfEachPeer() {
        assertThat(names().map(name -> name.split("\\.")[1]).distinct())
                .contains(
                        "LimitBenchmark",
                        "TimedLimitBenchmark",
                        "ScaleFloorBenchmark",
                        "Resilience4jBenchmark",
                        "FailsafeBenchmark",
                        "SentinelBenchmark",
                        "SpringCloudLoadBalancerBenchmark",
                        "ConcurrencyLimitsBenchmark",
                        "LangChain4jBenchmark",
                        "ArmeriaBenchmark",
                        "GrpcBenchmark",
                        "NaiveBenchmark");
    }

    private static Object call(String name) {
        return call(name, CALLS);
    }

    private static Object call(String name, int times) {
        int dot = name.lastIndexOf('.');
        return BENCHMARKS.call(ROOT + "." + name.substring(0, dot), name.substring(dot + 1), times);
    }
}
