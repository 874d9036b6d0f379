package dev.substraterouter.examples.benchmarks.peers;

import com.alibaba.csp.sentinel.Entry;
import com.alibaba.csp.sentinel.SphU;
import com.alibaba.csp.sentinel.slots.block.BlockException;
import com.alibaba.csp.sentinel.slots.block.RuleConstant;
import com.alibaba.csp.sentinel.slots.block.degrade.DegradeRule;
import com.alibaba.csp.sentinel.slots.block.degrade.DegradeRuleManager;
import com.alibaba.csp.sentinel.slots.block.flow.FlowRule;
import com.alibaba.csp.sentinel.slots.block.flow.FlowRuleManager;
import dev.substraterouter.examples.benchmarks.NanosPerCall;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Sentinel: a resource for each of two substrates with a rule on the threads in it; a blocked call tries the second. */
@State(Scope.Benchmark)
public class SentinelBenchmark extends NanosPerCall {
    private static final String FREE = "free";
    private static final String SECOND = "second";
    private static final String FREE_WITH_BREAKER = "free-with-breaker";
    private static final String SECOND_WITH_BREAKER = "second-with-breaker";
    private static final String FULL = "full";
    private static final String ALSO_FULL = "also-full";
    private static final int SLOW_MILLIS = 1_000;
    private static final int OPEN_SECONDS = 10;

    /** Its files would go to the home directory; they go to the JVM's directory for temporary files. */
    private static void keepOutOfHome() {
        String temporary = System.getProperty("java.io.tmpdir");
        System.setProperty("csp.sentinel.log.dir", temporary);
        System.setProperty("EAGLEEYE.LOG.PATH", temporary);
        System.setProperty("JM.LOG.PATH", temporary);
        System.setProperty("csp.sentinel.log.output.type", "file");
        System.setProperty("csp.sentinel.log.level", "OFF");
        System.setProperty("csp.sentinel.app.name", "benchmarks");
    }

    /** Loads the rules, and fills the two resources that are to be full. */
    @Setup(Level.Trial)
    public void load() {
        keepOutOfHome();
        FlowRuleManager.loadRules(Stream.of(FREE, SECOND, FREE_WITH_BREAKER, SECOND_WITH_BREAKER, FULL, ALSO_FULL)
                .map(SentinelBenchmark::threads)
                .toList());
        DegradeRuleManager.loadRules(List.of(breaker(FREE_WITH_BREAKER), breaker(SECOND_WITH_BREAKER)));
        fill(FULL);
        fill(ALSO_FULL);
    }

    /** The first takes it. */
    @Benchmark
    public @Nullable Object threadRule() {
        return enter(FREE, SECOND);
    }

    /** The first takes it, and a breaker watches how long it takes. */
    @Benchmark
    public @Nullable Object threadRuleAndBreaker() {
        return enter(FREE_WITH_BREAKER, SECOND_WITH_BREAKER);
    }

    /** The first is full, the second takes it. */
    @Benchmark
    public @Nullable Object spilled() {
        return enter(FULL, SECOND);
    }

    /** Both are full. */
    @Benchmark
    public @Nullable Object refused() {
        return enter(FULL, ALSO_FULL);
    }

    private static @Nullable String enter(String first, String second) {
        try (Entry entry = SphU.entry(first)) {
            return first;
        } catch (BlockException firstIsFull) {
            try (Entry entry = SphU.entry(second)) {
                return second;
            } catch (BlockException bothAreFull) {
                return null;
            }
        }
    }

    private static void fill(String resource) {
        try {
            while (true) {
                SphU.asyncEntry(resource);
            }
        } catch (BlockException full) {
            return;
        }
    }

    private static FlowRule threads(String resource) {
        FlowRule rule = new FlowRule(resource);
        rule.setGrade(RuleConstant.FLOW_GRADE_THREAD);
        rule.setCount(Load.MAX_JOBS);
        return rule;
    }

    private static DegradeRule breaker(String resource) {
        DegradeRule rule = new DegradeRule(resource);
        rule.setGrade(RuleConstant.DEGRADE_GRADE_RT);
        rule.setCount(SLOW_MILLIS);
        rule.setTimeWindow(OPEN_SECONDS);
        return rule;
    }
}
