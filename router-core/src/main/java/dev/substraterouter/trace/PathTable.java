package dev.substraterouter.trace;

import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.trace.PathReport.Aspect;
import dev.substraterouter.trace.PathReport.Figure;
import dev.substraterouter.trace.PathReport.Flag;
import dev.substraterouter.trace.PathReport.Refusals;
import dev.substraterouter.trace.PathReport.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** A {@link PathReport} for people. */
final class PathTable {
    private static final List<String> OF_ROWS = List.of(
            "attempts",
            "served",
            "failed",
            "latency s",
            "p95 s",
            "quality",
            "review rate",
            "compute cost",
            "observed cost");
    private static final List<String> OF_REFUSALS = List.of("requests", "refused", "share");
    private static final String OTHER = "(other)";
    private static final String UNKNOWN = "-";
    private static final String GAP = "  ";

    private PathTable() {}

    /** The whole report. */
    static String of(PathReport report) {
        StringBuilder text = new StringBuilder("Estimates with 95 % intervals; - is unknown.\n");
        rows(text, "path", report.byPath());
        rows(text, "substrate", report.bySubstrate());
        rows(text, "model", report.byModel());
        rows(text, "workload, path", report.byWorkload());
        refusals(text, report);
        report.namingSubstrate().ifPresent(share -> text.append("\nRequests that name a substrate: ")
                .append(cell(Optional.of(share)))
                .append('\n'));
        text.append("\nWorse only when it leaves the primary\n");
        report.flags().forEach(flag -> text.append(flag).append('\n'));
        if (report.flags().isEmpty()) {
            text.append("nothing observed\n");
        }
        return text.toString();
    }

    /** A flag in words. */
    static String words(Flag flag) {
        return "'" + printable(flag.workload()) + "': observed " + flag.aspect().words() + " "
                + words(flag.aspect(), flag.elsewhere())
                + " on " + flag.path().name().toLowerCase(Locale.ROOT) + " ("
                + printable(String.join(", ", flag.substrates()))
                + "), " + words(flag.aspect(), flag.primary())
                + " on the primary: worse only when it leaves the primary. Two ways out: change the pipeline there, or "
                + "its place in the route.";
    }

    private static String words(Aspect aspect, Figure figure) {
        String unit = aspect == Aspect.LATENCY ? " s" : "";
        return number(figure.value()) + unit + " (95 % interval " + interval(figure) + ", n " + figure.n() + ")";
    }

    private static void rows(StringBuilder text, String what, List<Row> rows) {
        List<List<String>> lines = new ArrayList<>();
        lines.add(line(what, OF_ROWS.stream()));
        rows.forEach(row -> lines.add(line(name(row.key()), cells(row))));
        table(text, lines);
    }

    private static Stream<String> cells(Row row) {
        return Stream.concat(
                Stream.of(row.attempts(), row.served(), row.failed()).map(Object::toString),
                Stream.of(
                                row.latency(),
                                row.latencyP95(),
                                row.quality(),
                                row.reviewRate(),
                                row.computeCost(),
                                row.observedCost())
                        .map(PathTable::cell));
    }

    private static void refusals(StringBuilder text, PathReport report) {
        List<List<String>> lines = new ArrayList<>();
        lines.add(line("workload", OF_REFUSALS.stream()));
        Stream.concat(report.refusalsByWorkload().stream(), report.refusals().stream())
                .forEach(refusals -> lines.add(line(name(refusals), cells(refusals))));
        table(text, lines);
    }

    private static Stream<String> cells(Refusals refusals) {
        return Stream.of(
                Long.toString(refusals.requests()),
                Long.toString(refusals.refused()),
                cell(Optional.of(refusals.share())));
    }

    private static String name(Refusals refusals) {
        return switch (refusals.group()) {
            case WORKLOAD -> workload(refusals.workload().orElseThrow());
            case OTHER_WORKLOADS -> OTHER;
            case UNKNOWN_WORKLOADS -> "(unknown workload)";
            case ALL -> "(all)";
        };
    }

    /** A name that could be taken for one of a group is quoted. */
    private static String workload(String name) {
        return name.startsWith("(") && !name.equals(RouteRequest.AD_HOC) ? "'" + name + "'" : name;
    }

    private static String name(PathReport.Key key) {
        if (key.equals(PathReport.Key.OTHER)) {
            return OTHER;
        }
        List<String> parts = new ArrayList<>();
        key.workload().map(PathTable::workload).ifPresent(parts::add);
        key.path().ifPresent(path -> parts.add(path.name().toLowerCase(Locale.ROOT)));
        key.substrateId().ifPresent(parts::add);
        key.model().ifPresent(parts::add);
        key.version().ifPresent(parts::add);
        return String.join(", ", parts);
    }

    private static String cell(Optional<Figure> figure) {
        return figure.map(known -> number(known.value()) + " (" + interval(known) + ")")
                .orElse(UNKNOWN);
    }

    private static String interval(Figure figure) {
        return number(figure.low()) + " to " + (Double.isInfinite(figure.high()) ? "?" : number(figure.high()));
    }

    /** Three digits that count. */
    private static String number(double value) {
        if (value == 0 || (value >= 0.0995 && value < 1e6)) {
            return String.format(Locale.ROOT, value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : "%.2f", value);
        }
        return String.format(Locale.ROOT, value >= 0.0001 && value < 1 ? "%.4f" : "%.2e", value);
    }

    private static List<String> line(String name, Stream<String> cells) {
        return Stream.concat(Stream.of(name), cells).map(PathTable::printable).toList();
    }

    /** Names come from others: what would break the table is replaced. */
    private static String printable(String cell) {
        return cell.replaceAll("\\p{Cntrl}", "?");
    }

    private static void table(StringBuilder text, List<List<String>> lines) {
        text.append('\n');
        for (List<String> line : lines) {
            StringBuilder row = new StringBuilder();
            for (int column = 0; column < line.size(); column++) {
                row.append(padded(line.get(column), width(lines, column))).append(GAP);
            }
            text.append(row.toString().stripTrailing()).append('\n');
        }
    }

    private static int width(List<List<String>> lines, int column) {
        return lines.stream().mapToInt(line -> line.get(column).length()).max().orElse(0);
    }

    private static String padded(String cell, int width) {
        return cell + " ".repeat(width - cell.length());
    }
}
