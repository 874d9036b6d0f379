package dev.substraterouter.examples.benchmarks;

import dev.substraterouter.examples.benchmarks.limit.ScaleFloorBenchmark;
import java.lang.annotation.Annotation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.Blackhole;

/** Calls benchmarks as JMH would, without its harness: states made once, set up, handed in, torn down. */
public final class BenchmarkCalls implements AutoCloseable {
    private static final int SUBSTRATES = 100;
    /** What JMH wants to hear before it lets a blackhole be made by hand. */
    private static final String OUTSIDE_JMH =
            "Today's password is swordfish. I understand instantiating Blackholes directly is dangerous.";

    private final Map<Class<?>, Object> states = new HashMap<>();

    /** Calls the method of that class so often; returns what the last call returned. */
    public Object call(String className, String methodName, int times) {
        try {
            Class<?> type = Class.forName(className);
            Method method = Arrays.stream(type.getMethods())
                    .filter(candidate -> candidate.isAnnotationPresent(Benchmark.class))
                    .filter(candidate -> candidate.getName().equals(methodName))
                    .findFirst()
                    .orElseThrow();
            Object benchmark = state(type);
            Object[] arguments =
                    Arrays.stream(method.getParameterTypes()).map(this::state).toArray();
            Object last = null;
            for (int i = 0; i < times; i++) {
                last = method.invoke(benchmark, arguments);
            }
            return last;
        } catch (InvocationTargetException e) {
            throw new AssertionError(className + "." + methodName, e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    /** A blackhole outside JMH. */
    public static Blackhole blackhole() {
        return new Blackhole(OUTSIDE_JMH);
    }

    /** The state of that type, made and set up when first asked for. */
    Object state(Class<?> type) {
        return states.computeIfAbsent(type, BenchmarkCalls::made);
    }

    @Override
    public void close() {
        states.values().forEach(state -> run(state, TearDown.class));
    }

    private static Object made(Class<?> type) {
        if (type == Blackhole.class) {
            return blackhole();
        }
        try {
            Object state = type.getConstructor().newInstance();
            if (state instanceof ScaleFloorBenchmark scale) {
                scale.substrates = SUBSTRATES;
            }
            run(state, Setup.class);
            return state;
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static void run(Object state, Class<? extends Annotation> when) {
        for (Method method : state.getClass().getMethods()) {
            if (method.isAnnotationPresent(when)
                    && method.getParameterCount() == 0) { // JMH's own arguments only JMH has
                try {
                    method.invoke(state);
                } catch (ReflectiveOperationException e) {
                    throw new AssertionError(e);
                }
            }
        }
    }
}
