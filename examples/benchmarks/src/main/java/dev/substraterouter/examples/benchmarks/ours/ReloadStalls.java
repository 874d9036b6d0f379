package dev.substraterouter.examples.benchmarks.ours;

import dev.substraterouter.Placement;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.examples.benchmarks.NanosPerCall;
import dev.substraterouter.model.RouteRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * How long a decision may take while policies are reloaded without a pause. The control has another router of the same process reloaded:
 * the load of the machine and of its garbage collector is the same, so only the difference is due to the reloads.
 */
public final class ReloadStalls {
    private static final RouteRequest REQUEST = RouteRequest.workload("w7");

    private static final int ROUNDS = 5;

    private ReloadStalls() {}

    /**
     * The times of decisions over several rounds, in nanoseconds.
     *
     * @param p9999 what one of ten thousand exceeds, the median of the rounds
     * @param worst the longest, the median of the rounds
     * @param controlP9999 as the first, while another router is reloaded
     * @param controlWorst as the second, while another router is reloaded
     */
    public record Stalls(double p9999, double worst, double controlP9999, double controlWorst) {}

    /** Measures some rounds of a second in a Java machine of its own. */
    public static Stalls measureForked() throws IOException, InterruptedException {
        Map<String, Double> figures = Forked.run(ReloadStalls.class, NanosPerCall.HEAP);
        return new Stalls(
                figures.get("p9999"), figures.get("worst"), figures.get("controlP9999"), figures.get("controlWorst"));
    }

    /** Prints the figures. */
    public static void main(String[] args) throws InterruptedException {
        Stalls stalls = measure(ROUNDS, Duration.ofSeconds(1));
        System.out.println("p9999=" + stalls.p9999());
        System.out.println("worst=" + stalls.worst());
        System.out.println("controlP9999=" + stalls.controlP9999());
        System.out.println("controlWorst=" + stalls.controlWorst());
    }

    /** Measures so many rounds with and as many without reloads here, by turns. */
    static Stalls measure(int rounds, Duration each) throws InterruptedException {
        UpkeepBenchmark.Reloaded busy = new UpkeepBenchmark.Reloaded();
        UpkeepBenchmark.Reloaded other = new UpkeepBenchmark.Reloaded();
        busy.open();
        other.open();
        try {
            round(busy.router, busy, each); // warms up
            double[][] figures = new double[4][rounds];
            for (int at = 0; at < rounds; at++) {
                Samples reloads = round(busy.router, busy, each);
                Samples control = round(busy.router, other, each);
                figures[0][at] = reloads.quantile(0.9999);
                figures[1][at] = reloads.max();
                figures[2][at] = control.quantile(0.9999);
                figures[3][at] = control.max();
            }
            return new Stalls(median(figures[0]), median(figures[1]), median(figures[2]), median(figures[3]));
        } finally {
            busy.close();
            other.close();
        }
    }

    private static Samples round(SubstrateRouter asked, UpkeepBenchmark.Reloaded reloaded, Duration length)
            throws InterruptedException {
        AtomicBoolean over = new AtomicBoolean();
        Thread reloading = new Thread(
                () -> {
                    while (!over.get()) {
                        reloaded.router.reload(reloaded.next());
                    }
                },
                "reloading");
        reloading.start();
        try {
            return decisions(asked, length.toNanos());
        } finally {
            over.set(true);
            reloading.join();
        }
    }

    private static Samples decisions(SubstrateRouter router, long lengthNanos) {
        Samples samples = new Samples();
        long start = System.nanoTime();
        long before = start;
        while (before - start < lengthNanos) {
            router.tryPlace(REQUEST).ifPresent(Placement::close);
            long after = System.nanoTime();
            samples.add(after - before);
            before = after;
        }
        return samples;
    }

    private static double median(double[] figures) {
        Arrays.sort(figures);
        return figures[figures.length / 2];
    }
}
