package dev.substraterouter.examples.benchmarks.goals;

import dev.substraterouter.examples.benchmarks.ours.CoreJar;
import dev.substraterouter.examples.benchmarks.ours.FirstPlacement;
import dev.substraterouter.examples.benchmarks.ours.Footprint;
import dev.substraterouter.examples.benchmarks.ours.RefusalFrames;
import dev.substraterouter.examples.benchmarks.ours.ReloadStalls;
import dev.substraterouter.examples.benchmarks.ours.WakeUp;
import java.io.IOException;
import java.util.Map;

/** What is measured by hand because JMH measures calls, and this is no call. */
enum Sampler {
    /** The stack of a refusal. */
    REFUSAL {
        @Override
        Map<Figure, Double> sample() throws InterruptedException {
            return Map.of(count("frames"), (double) RefusalFrames.count());
        }
    },
    /** Decisions while policies are reloaded. */
    RELOADS {
        @Override
        Map<Figure, Double> sample() throws IOException, InterruptedException {
            ReloadStalls.Stalls stalls = ReloadStalls.measureForked();
            return Map.of(
                    nanos("p99.99"), stalls.p9999(),
                    nanos("worst"), stalls.worst(),
                    nanos("control p99.99"), stalls.controlP9999(),
                    nanos("control worst"), stalls.controlWorst());
        }
    },
    /** From the end of a lease to the future of a waiter. */
    WAKE_UP {
        @Override
        Map<Figure, Double> sample() throws IOException, InterruptedException {
            return Map.of(nanos("median"), WakeUp.measureForked());
        }
    },
    /** What is retained on the heap. */
    FOOTPRINT {
        @Override
        Map<Figure, Double> sample() throws IOException, InterruptedException {
            Footprint.Bytes bytes = Footprint.measure();
            return Map.of(
                    bytes("substrate"),
                    bytes.substrate(),
                    bytes("waiter"),
                    bytes.waiter(),
                    bytes("router"),
                    bytes.router());
        }
    },
    /** The core's jar. */
    JAR {
        @Override
        Map<Figure, Double> sample() throws IOException {
            return Map.of(bytes("size"), (double) CoreJar.bytes());
        }
    },
    /** A fresh Java machine up to its first placement. */
    FIRST_PLACEMENT {
        @Override
        Map<Figure, Double> sample() throws IOException, InterruptedException {
            FirstPlacement.Nanos nanos = FirstPlacement.measure(7);
            return Map.of(nanos("from main"), nanos.fromMain(), nanos("from start"), nanos.fromStart());
        }
    };

    /** The figures. */
    abstract Map<Figure, Double> sample() throws IOException, InterruptedException;

    Figure nanos(String name) {
        return new Figure.Sampled(this, name, Unit.NANOS);
    }

    Figure bytes(String name) {
        return new Figure.Sampled(this, name, Unit.BYTES);
    }

    Figure count(String name) {
        return new Figure.Sampled(this, name, Unit.COUNT);
    }
}
