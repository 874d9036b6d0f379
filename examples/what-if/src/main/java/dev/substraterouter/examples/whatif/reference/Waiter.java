package dev.substraterouter.examples.whatif.reference;

import dev.substraterouter.simulate.SimulatedRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request on its way. Not thread-safe. */
final class Waiter {
    private static final double WEIGHT = 3;
    private static final double BATCH_WEIGHT = 10 * WEIGHT;
    private static final double LATE_SECONDS = 400;

    final SimulatedRequest request;
    final List<Way> ways;
    final double arrivalSeconds;
    /** When it is turned down if it still waits. */
    final double expirySeconds;

    private final double dueSeconds;
    private final double weightedKey;

    /** It is at the head of the line since work on it failed. */
    boolean returned;

    boolean waiting;
    /** Work under way; null: none. */
    @Nullable
    Flight flight;

    private double key;

    Waiter(SimulatedRequest request, List<Way> ways, double maxWaitSeconds, double deadlineSeconds) {
        this.request = request;
        this.ways = ways;
        this.arrivalSeconds = Seconds.of(request.arrivalNanos());
        this.expirySeconds = arrivalSeconds + maxWaitSeconds;
        this.dueSeconds = arrivalSeconds + deadlineSeconds;
        double fastest = Double.POSITIVE_INFINITY;
        for (Way way : ways) {
            fastest = Math.min(fastest, way.nominalSeconds());
        }
        this.weightedKey = arrivalSeconds + fastest * (batch() ? BATCH_WEIGHT : WEIGHT);
    }

    boolean batch() {
        return !request.requestClass().interactive();
    }

    /** Finds its turn anew. */
    void turn(Order order, double now) {
        boolean late = order == Order.DEADLINE && !batch() && now + ways.get(0).nominalSeconds() > dueSeconds;
        key = order == Order.ARRIVAL ? arrivalSeconds : weightedKey + (late ? LATE_SECONDS : 0);
    }

    /** Those that came back first, then by turn, then by number. */
    static int compare(Waiter one, Waiter other) {
        if (one.returned != other.returned) {
            return one.returned ? -1 : 1;
        }
        int byKey = Double.compare(one.key, other.key);
        return byKey == 0 ? Long.compare(one.request.number(), other.request.number()) : byKey;
    }
}
