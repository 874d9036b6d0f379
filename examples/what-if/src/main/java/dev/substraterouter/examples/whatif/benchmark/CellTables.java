package dev.substraterouter.examples.whatif.benchmark;

import dev.substraterouter.examples.whatif.compare.Estimate;
import dev.substraterouter.examples.whatif.compare.Measure;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** All measures of those who place at N = 4, cell by cell. */
final class CellTables {
    private static final List<Setting> SETTINGS =
            List.of(Setting.NAIVE, Setting.PIN, Setting.STATIC, Setting.L5, Setting.ROUTER, Setting.ORACLE);
    private static final List<Measure> BEFORE = List.of(
            Measure.MEAN_LATENCY,
            Measure.P95_LATENCY,
            Measure.LOST,
            Measure.IN_TIME,
            Measure.OVERLOADS,
            Measure.OUT_OF_MEMORY,
            Measure.SWITCHES,
            Measure.OWNER_SECONDS,
            Measure.ENERGY,
            Measure.PENALISED_LATENCY);

    private CellTables() {}

    /** The tables of a bench. */
    static String of(Bench bench) {
        StringBuilder text = new StringBuilder();
        for (Cell cell : Cell.ALL) {
            text.append("\n**").append(cell).append(", N = 4, ").append(bench.title());
            bench.clairvoyant(cell).ifPresent(least -> text.append(", clairvoyant ")
                    .append(figure(Estimate.of(least)))
                    .append(" s"));
            text.append("**\n\n").append(table(bench, cell));
        }
        return text.toString();
    }

    private static Table table(Bench bench, Cell cell) {
        Table table = new Table(
                "who",
                "mean s",
                "p95 s",
                "lost %",
                "SLO %",
                "overl/k",
                "oom/k",
                "switch/k",
                "devSec/h",
                "Wh/req",
                "penalised s",
                "by oracle",
                "regret");
        Series oracle = bench.run(Setting.ORACLE, cell);
        for (Setting setting : SETTINGS) {
            Series series = bench.run(setting, cell);
            List<String> fields = new ArrayList<>(List.of(setting.name()));
            BEFORE.forEach(measure -> fields.add(figure(series.estimate(measure))));
            fields.add(figure(series.ratio(oracle, Measure.PENALISED_LATENCY)));
            fields.add(bench.clairvoyant(cell)
                    .map(least -> figure(Series.ratio(series.of(Measure.PENALISED_LATENCY), least)))
                    .orElse("–"));
            table.row(fields);
        }
        return table;
    }

    /** Three digits and the half width of the 95 % interval with as many. */
    static String figure(Estimate estimate) {
        double size = Math.abs(estimate.mean());
        String pattern = size < 10 ? "%.2f" : "%.1f";
        String mean = String.format(Locale.ROOT, pattern, estimate.mean());
        return estimate.hasInterval() ? mean + "±" + String.format(Locale.ROOT, pattern, estimate.halfWidth()) : mean;
    }
}
