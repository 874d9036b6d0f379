package dev.substraterouter.metrics;

import io.micrometer.core.instrument.Timer;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** How long something took, for one combination of tags: a timer in each registry, so that hosts may ask for histograms. Thread-safe. */
final class Times extends Tagged {
    private static final Timer[] UNREGISTERED = {};

    private volatile Timer[] timers = UNREGISTERED;

    Times(WorkloadMeters owner, Meters meter, String substrate, String... tags) {
        super(owner, substrate, Names.NONE, registry -> Timer.builder(meter.meterName())
                .description(meter.description())
                .tags(owner.tags(tags))
                .register(registry));
    }

    @SuppressWarnings("ReferenceEquality") // the one that nothing was registered in yet
    void record(long nanos) {
        Timer[] all = timers;
        if (all == UNREGISTERED) {
            owner.newcomers().add(this, () -> recordIn(timers, nanos));
        } else {
            recordIn(all, nanos);
        }
    }

    private static void recordIn(Timer[] all, long nanos) {
        for (Timer timer : all) {
            timer.record(nanos, TimeUnit.NANOSECONDS);
        }
    }

    @Override
    void changed(List<Registered> now) {
        timers = now.stream().map(one -> (Timer) one.meter()).toArray(Timer[]::new);
    }
}
