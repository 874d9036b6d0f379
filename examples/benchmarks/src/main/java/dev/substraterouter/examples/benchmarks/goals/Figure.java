package dev.substraterouter.examples.benchmarks.goals;

/** One number that a run of the goals brings. */
sealed interface Figure {
    /** What it is counted in. */
    Unit unit();

    /** The average time of a call. */
    record Time(Run run) implements Figure {
        @Override
        public Unit unit() {
            return Unit.NANOS;
        }
    }

    /** What a call allocates. */
    record Allocation(Run run) implements Figure {
        @Override
        public Unit unit() {
            return Unit.BYTES;
        }
    }

    /** A figure of a sampler that is written by hand. */
    record Sampled(Sampler sampler, String name, Unit unit) implements Figure {}
}
