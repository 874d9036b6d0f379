package dev.substraterouter.examples.whatif.report;

import dev.substraterouter.examples.whatif.advice.Advice;
import dev.substraterouter.examples.whatif.compare.Entrant;
import dev.substraterouter.examples.whatif.compare.Estimate;
import dev.substraterouter.examples.whatif.compare.Figures;
import dev.substraterouter.examples.whatif.compare.Measure;
import dev.substraterouter.examples.whatif.compare.Results;
import java.util.ArrayList;
import java.util.List;

/** A comparison for the terminal: a table for each load with the measures that matter most, and the advice. */
public final class TextReport {
    private static final List<Measure> SHOWN = List.of(
            Measure.PENALISED_LATENCY,
            Measure.MEAN_LATENCY,
            Measure.P95_LATENCY,
            Measure.LOST,
            Measure.IN_TIME,
            Measure.OWNER_SECONDS,
            Measure.SWITCHES);

    private TextReport() {}

    /** The text. */
    public static String of(Results results, Advice advice) {
        StringBuilder text = new StringBuilder();
        for (double load : results.loads()) {
            text.append(results.scenario().name())
                    .append(" at ")
                    .append(Figures.load(load, results.requestsPerHour(load)))
                    .append(", ")
                    .append(results.seeds())
                    .append(results.seeds() == 1 ? " seed" : " seeds")
                    .append('\n');
            aligned(text, rows(results, load));
            text.append('\n');
        }
        text.append(advice.verdict().words())
                .append(". ")
                .append(advice.headline())
                .append('\n');
        advice.topics().forEach(topic -> {
            text.append('\n').append(topic.title()).append('\n');
            topic.sentences()
                    .forEach(sentence -> text.append("  - ").append(sentence).append('\n'));
        });
        return text.toString();
    }

    private static List<List<String>> rows(Results results, double load) {
        List<List<String>> rows = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of("contender"));
        SHOWN.forEach(measure -> head.add(measure.title() + " " + measure.unit()));
        rows.add(head);
        for (Entrant entrant : results.entrantsAt(load)) {
            List<String> row = new ArrayList<>(List.of(entrant.name()));
            SHOWN.forEach(measure -> row.add(cell(results.mean(entrant.name(), load, measure))));
            rows.add(row);
        }
        return rows;
    }

    private static String cell(Estimate estimate) {
        return Figures.number(estimate.mean())
                + (estimate.hasInterval() ? " ± " + Figures.number(estimate.halfWidth()) : "");
    }

    /** The first column to the left, the others to the right. */
    private static void aligned(StringBuilder text, List<List<String>> rows) {
        int columns = rows.get(0).size();
        int[] widths = new int[columns];
        rows.forEach(row -> {
            for (int at = 0; at < columns; at++) {
                widths[at] = Math.max(widths[at], row.get(at).length());
            }
        });
        for (List<String> row : rows) {
            text.append("  ")
                    .append(row.get(0))
                    .append(" ".repeat(widths[0] - row.get(0).length()));
            for (int at = 1; at < columns; at++) {
                text.append("  ")
                        .append(" ".repeat(widths[at] - row.get(at).length()))
                        .append(row.get(at));
            }
            text.append('\n');
        }
    }
}
