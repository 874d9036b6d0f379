package dev.substraterouter.examples.benchmarks.peers;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** The router that one writes in an afternoon: a map of statuses, a lock, and a line of log for each decision. */
final class NaiveRouter {
    private static final int MAX_UTIL_PCT = 90;
    private static final int MAX_TEMP_C = 85;

    private final ConcurrentMap<String, Status> statuses = new ConcurrentHashMap<>();
    private final Map<String, List<String>> routes;
    private final boolean logs;
    private volatile String lastLine = "";

    NaiveRouter(Map<String, List<String>> routes, boolean logs) {
        this.routes = Map.copyOf(routes);
        this.logs = logs;
    }

    void report(String substrate, Status status) {
        statuses.put(substrate, status);
    }

    /** The substrate that takes the workload, or null. */
    synchronized @Nullable String take(String workload, int vramGb) {
        StringBuilder line = logs ? new StringBuilder("route ").append(workload).append(':') : null;
        String taken = null;
        for (String id : routes.getOrDefault(workload, List.of())) {
            Status status = statuses.get(id);
            String refusal = status == null ? "unknown" : status.refusal(vramGb);
            if (line != null) {
                line.append(' ').append(id).append('=').append(refusal == null ? "ok" : refusal);
            }
            if (status != null && refusal == null) {
                statuses.put(id, status.withJobs(status.jobs() + 1));
                taken = id;
                break;
            }
        }
        if (line != null) {
            lastLine = line.append(" -> ").append(taken).toString();
        }
        return taken;
    }

    synchronized void giveBack(String substrate) {
        statuses.computeIfPresent(substrate, (id, status) -> status.withJobs(status.jobs() - 1));
    }

    String lastLine() {
        return lastLine;
    }

    /** What is known of a substrate. */
    record Status(int utilPct, int tempC, int vramFreeGb, int jobs, int maxJobs) {

        static Status healthy(int jobs, int maxJobs) {
            return new Status(10, 50, 28, jobs, maxJobs);
        }

        Status withJobs(int running) {
            return new Status(utilPct, tempC, vramFreeGb, running, maxJobs);
        }

        private @Nullable String refusal(int vramGb) {
            if (utilPct > MAX_UTIL_PCT) {
                return String.format(Locale.ROOT, "util %d%% > %d%%", utilPct, MAX_UTIL_PCT);
            }
            if (tempC > MAX_TEMP_C) {
                return String.format(Locale.ROOT, "temp %d > %d", tempC, MAX_TEMP_C);
            }
            if (vramFreeGb < vramGb) {
                return String.format(Locale.ROOT, "vram %d < %d", vramFreeGb, vramGb);
            }
            return jobs < maxJobs ? null : "busy";
        }
    }
}
