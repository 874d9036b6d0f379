package dev.substraterouter.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import java.util.concurrent.atomic.LongAdder;

/** How often one combination of tags was counted: exact, and independent of how many registries show it. Thread-safe. */
final class Count extends Tagged {
    final int ending;
    private final LongAdder times;

    private Count(WorkloadMeters owner, String substrate, String model, int ending, LongAdder times) {
        super(owner, substrate, model, registry -> FunctionCounter.builder(
                        Meters.DECISIONS.meterName(), times, LongAdder::sum)
                .description(Meters.DECISIONS.description())
                .tags(owner.tags("substrate", substrate, "model", model).and(Ending.tags(ending)))
                .register(registry));
        this.ending = ending;
        this.times = times;
    }

    static Count of(WorkloadMeters owner, String substrate, String model, int ending) {
        return new Count(owner, substrate, model, ending, new LongAdder());
    }

    void increment() {
        times.increment();
    }
}
