package dev.substraterouter.metrics;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;

/**
 * One figure, as a meter in each registry. All but what subclasses say is called by {@link Serial}, one call at a time.
 */
class Entry {
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

    /** Makes its meter in more registries; one that a registry, or a filter in it, does not take is told in the log and left out. */
    void bind(Collection<MeterRegistry> registries) {
        try {
            registries.forEach(this::register);
        } finally {
            changed(registered);
        }
    }

    @SuppressWarnings("CatchingUnchecked") // a registry is foreign code
    private void register(MeterRegistry registry) {
        try {
            registered.add(new Registered(registry, registration.apply(registry)));
        } catch (Throwable broken) {
            Log.warning("a meter registry threw; one meter is left out", broken);
        }
    }

    /** Removes its meters. */
    void unbind() {
        List<Registered> gone = List.copyOf(registered);
        registered.clear();
        changed(registered); // what is removed is told nothing more
        gone.forEach(Entry::remove);
    }

    @SuppressWarnings("CatchingUnchecked") // a registry is foreign code
    private static void remove(Registered one) {
        try {
            one.registry().remove(one.meter());
        } catch (Throwable broken) {
            Log.warning("a meter registry threw; one meter stays in it", broken);
        }
    }

    /** Its meters are others now. */
    void changed(List<Registered> now) {}
}
