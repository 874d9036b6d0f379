package dev.substraterouter.batch;

import dev.substraterouter.model.Need;
import dev.substraterouter.model.RouteRequest;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** What the router's answer to a job depends on: where one finds no place now, another of the same shape finds none either. */
record Shape(
        String workload,
        Optional<Need> need,
        Optional<String> identity,
        Optional<Duration> deadline,
        Set<String> avoid) {
    static Shape of(RouteRequest request) {
        return new Shape(request.workload(), request.need(), request.identity(), request.deadline(), request.avoid());
    }
}
