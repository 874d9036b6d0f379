package dev.substraterouter.examples.benchmarks.goals;

import java.util.Map;
import java.util.TreeMap;

/**
 * One benchmark as it is run.
 *
 * @param benchmark its full name
 * @param threads how many threads call it; 0: as it is annotated
 * @param parameters the values of its parameters
 */
record Run(String benchmark, int threads, Map<String, String> parameters) {
    Run {
        parameters = Map.copyOf(parameters);
    }

    static Run of(Class<?> type, String method) {
        return new Run(type.getName() + "." + method, 0, Map.of());
    }

    /** The same with a parameter. */
    Run with(String parameter, int value) {
        Map<String, String> more = new TreeMap<>(parameters);
        more.put(parameter, Integer.toString(value));
        return new Run(benchmark, threads, more);
    }

    /** The same by so many threads. */
    Run by(int manyThreads) {
        return new Run(benchmark, manyThreads, parameters);
    }

    @Override
    public String toString() {
        String simple = benchmark.replaceFirst(".*\\.(?=[^.]+\\.[^.]+$)", "");
        return simple
                + (parameters.isEmpty() ? "" : " " + new TreeMap<>(parameters))
                + (threads == 0 ? "" : " by " + threads + " threads");
    }
}
