package dev.substraterouter.simulate;

import java.util.Iterator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The requests of one traffic. Each draws four marks, whatever the distributions: workload, class, and two for its service time. */
final class TrafficStream {
    private static final long STREAMS_PER_TRAFFIC = 1_000;

    private final Traffic traffic;
    private final RandomStream marks;
    private final Iterator<Moment> moments;
    private final double workloadShares;
    private final double classShares;
    private @Nullable Moment next;
    private int left;
    private String groupWorkload = "";
    private RequestClass groupClass;

    /**
     * When something comes.
     *
     * @param nanos when
     * @param size how many at once
     * @param given what a record says of it
     */
    record Moment(long nanos, int size, Arrivals.Recorded.@Nullable Request given) {}

    TrafficStream(Traffic traffic, long seed, int number) {
        long base = STREAMS_PER_TRAFFIC * number;
        this.traffic = traffic;
        this.marks = RandomStream.of(seed, base + 2);
        this.moments = Moments.of(traffic.arrivals(), RandomStream.of(seed, base + 1), RandomStream.of(seed, base + 3));
        this.workloadShares = sum(traffic.workloads(), Traffic.Share::share);
        this.classShares = sum(traffic.classes(), RequestClass::share);
        this.groupClass = traffic.classes().get(0);
        advance();
    }

    /** When the next one comes; {@link Long#MAX_VALUE}: none comes. */
    long nextNanos() {
        return next == null ? Long.MAX_VALUE : next.nanos;
    }

    SimulatedRequest take(long number) {
        Moment moment = next;
        if (moment == null) {
            throw new IllegalStateException("no further request");
        }
        String workload = drawnWorkload();
        RequestClass requestClass = drawnClass();
        double first = marks.nextDouble();
        double second = marks.nextDouble();
        double factor = Double.NaN;
        if (left == moment.size) { // the first of a group speaks for all
            groupWorkload = workload;
            groupClass = requestClass;
        }
        if (moment.given != null) {
            groupWorkload = moment.given.workload().orElse(workload);
            groupClass = moment.given.requestClass().map(this::named).orElse(requestClass);
            factor = moment.given.factor().orElse(Double.NaN);
        }
        left--;
        if (left == 0) {
            advance();
        }
        return new SimulatedRequest(
                number,
                moment.nanos,
                groupWorkload,
                groupClass,
                groupClass.request(groupWorkload),
                first,
                second,
                factor);
    }

    private void advance() {
        next = moments.hasNext() ? moments.next() : null;
        left = next == null ? 0 : next.size;
    }

    private String drawnWorkload() {
        double at = marks.nextDouble() * workloadShares;
        List<Traffic.Share> shares = traffic.workloads();
        for (Traffic.Share share : shares) {
            at -= share.share();
            if (at < 0) {
                return share.workload();
            }
        }
        return shares.get(shares.size() - 1).workload();
    }

    private RequestClass drawnClass() {
        double at = marks.nextDouble() * classShares;
        for (RequestClass one : traffic.classes()) {
            at -= one.share();
            if (at < 0) {
                return one;
            }
        }
        return traffic.classes().get(traffic.classes().size() - 1);
    }

    private RequestClass named(String name) {
        for (RequestClass one : traffic.classes()) {
            if (one.name().equals(name)) {
                return one;
            }
        }
        throw new IllegalArgumentException("a recorded request is of class '" + name + "' (expected: one of "
                + traffic.classes().stream().map(RequestClass::name).toList() + ")");
    }

    private static <T> double sum(List<T> list, ToDoubleFunction<T> share) {
        double sum = 0;
        for (T one : list) {
            sum += share.applyAsDouble(one);
        }
        return sum;
    }
}
