package dev.substraterouter.metrics;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.Function;

/** A figure of a workload, which comes when it is first needed and goes with the names in its tags. */
class Tagged extends Entry {
    final WorkloadMeters owner;
    final String substrate;
    final String model;

    Tagged(WorkloadMeters owner, String substrate, String model, Function<MeterRegistry, Meter> registration) {
        super(registration);
        this.owner = owner;
        this.substrate = substrate;
        this.model = model;
    }

    /** Whether a policy has its names. */
    boolean namedBy(Names names) {
        return names.hasSubstrate(substrate) && names.hasModel(model);
    }

    /** Where figures go that are needed for the first time. */
    interface Newcomers {
        /** Has its meters made, if its names are still those of the policy. Never blocks. */
        void add(Tagged entry);
    }
}
