package dev.substraterouter.simulate.yaml;

import dev.substraterouter.simulate.Arrivals.Recorded;
import java.util.Map;

/**
 * Recorded requests.
 *
 * @param requests the requests
 * @param workloads how many of them name each workload
 * @param classes how many of them name each class
 */
record Recording(Iterable<Recorded.Request> requests, Map<String, Long> workloads, Map<String, Long> classes) {}
