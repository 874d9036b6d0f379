package dev.substraterouter.simulate;

import java.util.Map;
import java.util.TreeMap;

/** Counts what becomes of the requests of one workload and class. Not thread-safe. */
final class RequestTally {
    private final String workload;
    private final RequestClass requestClass;
    private final double deadlineSeconds;
    private long offered;
    private long served;
    private long abandoned;
    private long inTime;
    private final Map<String, Long> refused = new TreeMap<>();
    private final Map<String, Long> failed = new TreeMap<>();
    private final Map<String, Long> servedBy = new TreeMap<>();
    private final Distribution latency = new Distribution();
    private final Distribution waiting = new Distribution();

    RequestTally(String workload, RequestClass requestClass, double deadlineSeconds) {
        this.workload = workload;
        this.requestClass = requestClass;
        this.deadlineSeconds = deadlineSeconds;
    }

    void offered() {
        offered++;
    }

    void served(String substrate, double seconds, double waited) {
        served++;
        servedBy.merge(substrate, 1L, Long::sum);
        latency.add(seconds);
        waiting.add(waited);
        inTime += deadlineSeconds > 0 && seconds <= deadlineSeconds ? 1 : 0;
    }

    void refused(String reason) {
        refused.merge(reason, 1L, Long::sum);
    }

    void failed(String reason) {
        failed.merge(reason, 1L, Long::sum);
    }

    void abandoned() {
        abandoned++;
    }

    SimulationReport.Requests report() {
        return new SimulationReport.Requests(
                workload,
                requestClass.name(),
                requestClass.interactive(),
                offered,
                served,
                new TreeMap<>(refused),
                new TreeMap<>(failed),
                abandoned,
                deadlineSeconds,
                inTime,
                latency,
                waiting,
                new TreeMap<>(servedBy));
    }
}
