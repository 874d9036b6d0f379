package dev.substraterouter.trace;

import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.trace.PathReport.Aspect;
import dev.substraterouter.trace.PathReport.Figure;
import dev.substraterouter.trace.PathReport.Flag;
import dev.substraterouter.trace.PathReport.Row;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Finds the workloads that are worse only when they leave their primary. */
final class PathFlags {
    /** The least number of values on either side. */
    static final int LEAST_VALUES = 20;

    private final PathReading.Split values;

    private PathFlags(PathReading.Split values) {
        this.values = values;
    }

    /** The flags of rows by workload and path, in their order, and of the values that they are made of. */
    static List<Flag> of(List<Row> rows, PathReading.Split values) {
        return new PathFlags(values).all(rows);
    }

    private List<Flag> all(List<Row> rows) {
        Map<String, List<Row>> workloads = rows.stream()
                .filter(row -> row.key().workload().isPresent())
                .filter(row -> !row.key().workload().orElseThrow().equals(RouteRequest.AD_HOC)) // no two are alike
                .collect(Collectors.groupingBy(
                        row -> row.key().workload().orElseThrow(), LinkedHashMap::new, Collectors.toList()));
        List<Flag> flags = new ArrayList<>();
        workloads.values().forEach(paths -> flag(paths, flags));
        return List.copyOf(flags);
    }

    private void flag(List<Row> paths, List<Flag> flags) {
        Optional<Row> primary =
                paths.stream().filter(row -> path(row) == ServingPath.PRIMARY).findFirst();
        for (Aspect aspect : Aspect.values()) {
            primary.filter(row -> figure(row, aspect).isPresent()).ifPresent(row -> flag(paths, aspect, row, flags));
        }
    }

    private void flag(List<Row> paths, Aspect aspect, Row primary, List<Flag> flags) {
        Figure at = figure(primary, aspect).orElseThrow();
        List<Flag> found = new ArrayList<>();
        for (Row row : paths) {
            Optional<Figure> there =
                    figure(row, aspect).filter(figure -> !figure.overlaps(at) && differs(row, primary, aspect));
            if (there.isPresent() && !isWorse(aspect, there.get(), at)) {
                return; // the primary itself is not fine
            }
            there.ifPresent(figure -> found.add(
                    new Flag(row.key().workload().orElseThrow(), path(row), row.substrates(), aspect, at, figure)));
        }
        flags.addAll(found);
    }

    /** Whether intervals apart tell enough, or the values themselves do. */
    private boolean differs(Row row, Row primary, Aspect aspect) {
        boolean cost = aspect == Aspect.COMPUTE_COST || aspect == Aspect.OBSERVED_COST;
        return !cost || CostTest.differs(values.costs(row.key(), aspect), values.costs(primary.key(), aspect));
    }

    /** The figure that is compared; empty when it says too little. */
    private static Optional<Figure> figure(Row row, Aspect aspect) {
        boolean slowByDesign = aspect == Aspect.LATENCY && path(row) == ServingPath.BATCH;
        return slowByDesign ? Optional.empty() : row.figure(aspect).filter(figure -> figure.n() >= LEAST_VALUES);
    }

    private static boolean isWorse(Aspect aspect, Figure figure, Figure than) {
        return aspect == Aspect.QUALITY ? figure.value() < than.value() : figure.value() > than.value();
    }

    private static ServingPath path(Row row) {
        return row.key().path().orElseThrow();
    }
}
