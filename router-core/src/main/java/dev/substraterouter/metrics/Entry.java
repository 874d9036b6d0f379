package dev.substraterouter.metrics;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * One figure, as a meter in each registry. All but what subclasses say is called by {@link Serial}, one call at a time.
 */
class Entry {
    private static final System.Logger LOG = System.getLogger("dev.substraterouter");

    private final Function<MeterRegistry, Meter> registration;
    private final List<Registered> registered = new ArrayList<>();

    /**
     * A figure.
     *
     * @param registration makes its meter in a registry
     */
    Entry(Function<MeterRegistry, Meter> registration) {
        this.registration = registration;
    }

    /** A meter and where it is. */
    record Registered(MeterRegistry registry, Meter meter) {}

    /** Makes its meter in one more registry; one that a registry, or a filter in it, does not take is told in the log and left out. */
    @SuppressWarnings("CatchingUnchecked") // a registry is foreign code
    void bind(MeterRegistry registry) {
        try {
            registered.add(new Registered(registry, registration.apply(registry)));
        } catch (Throwable broken) {
            LOG.log(System.Logger.Level.WARNING, "a meter registry threw; one meter is left out", broken);
        }
        changed(registered);
    }

    /** Removes its meters. */
    @SuppressWarnings("CatchingUnchecked") // a registry is foreign code
    void unbind() {
        for (Registered one : registered) {
            try {
                one.registry().remove(one.meter());
            } catch (Throwable broken) {
                LOG.log(System.Logger.Level.WARNING, "a meter registry threw; one meter stays in it", broken);
            }
        }
        registered.clear();
        changed(registered);
    }

    /** Its meters are others now. */
    void changed(List<Registered> now) {}
}
