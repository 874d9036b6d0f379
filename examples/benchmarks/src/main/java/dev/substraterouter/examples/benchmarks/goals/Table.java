package dev.substraterouter.examples.benchmarks.goals;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The lines as a table in Markdown, with its columns aligned so that it can be read as it is. */
final class Table {
    private static final List<String> HEADS =
            List.of("#", "what is measured", "goal", "measured", "compared with", "ratio", "verdict");

    private Table() {}

    static String of(List<Line> lines) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(HEADS);
        lines.forEach(line -> rows.add(line.cells()));
        int[] widths = new int[HEADS.size()];
        for (List<String> row : rows) {
            for (int at = 0; at < widths.length; at++) {
                widths[at] = Math.max(widths[at], row.get(at).length());
            }
        }
        List<String> rule = new ArrayList<>();
        for (int width : widths) {
            rule.add("-".repeat(width));
        }
        rows.add(1, rule);
        return rows.stream().map(row -> row(row, widths)).collect(Collectors.joining());
    }

    private static String row(List<String> cells, int[] widths) {
        StringBuilder text = new StringBuilder("|");
        for (int at = 0; at < widths.length; at++) {
            String cell = cells.get(at);
            text.append(' ')
                    .append(cell)
                    .append(" ".repeat(widths[at] - cell.length()))
                    .append(" |");
        }
        return text.append('\n').toString();
    }
}
