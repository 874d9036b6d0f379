package dev.substraterouter.examples.whatif.report;

import dev.substraterouter.simulate.Distribution;
import dev.substraterouter.simulate.Distribution.Point;
import dev.substraterouter.simulate.SimulationReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The cumulative distribution of the latencies of a workload, its classes put together.
 *
 * @param points the share up to each length, lengths growing
 */
record Cumulative(List<Point> points) {
    /** Copies the list. */
    Cumulative {
        points = List.copyOf(points);
    }

    static Cumulative of(SimulationReport report, String workload) {
        Map<Double, Double> counts = new TreeMap<>();
        report.requests().stream()
                .filter(one -> one.workload().equals(workload))
                .forEach(one -> add(one.latency(), counts));
        double all = counts.values().stream().mapToDouble(Double::doubleValue).sum();
        List<Point> points = new ArrayList<>();
        double sum = 0;
        for (Map.Entry<Double, Double> entry : counts.entrySet()) {
            sum += entry.getValue();
            points.add(new Point(entry.getKey(), sum / all));
        }
        return new Cumulative(points);
    }

    private static void add(Distribution latency, Map<Double, Double> counts) {
        double before = 0;
        for (Point point : latency.cumulative()) {
            counts.merge(point.seconds(), (point.share() - before) * latency.count(), Double::sum);
            before = point.share();
        }
    }

    /** The length that a share does not exceed; 0 when nothing was served. */
    double quantile(double share) {
        return points.stream()
                .filter(point -> point.share() >= share)
                .mapToDouble(Point::seconds)
                .findFirst()
                .orElse(0);
    }
}
