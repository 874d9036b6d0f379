package dev.substraterouter.examples.whatif.benchmark;

import dev.substraterouter.examples.whatif.compare.Estimate;
import dev.substraterouter.examples.whatif.compare.Measure;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** Whether scenario and references come out as the published results of an independent prototype did, on the same seeds. */
final class ReferenceCheck {
    private static final Map<String, Setting> SETTINGS =
            Map.of("naive", Setting.NAIVE, "static", Setting.STATIC, "L5", Setting.L5, "oracle", Setting.ORACLE);
    private static final String EDGE = ", EDGE";

    private ReferenceCheck() {}

    /**
     * A published figure.
     *
     * @param cell the traffic
     * @param edge whether it is of the variant EDGE
     * @param requests how many came in a run, in the mean, rounded
     * @param setting who placed
     * @param measure of what it is
     * @param figure the figure
     * @param halfWidth half its 95 % interval
     */
    record Published(
            Cell cell, boolean edge, long requests, Setting setting, Measure measure, double figure, double halfWidth) {
        private static Published of(String line) {
            String[] fields = line.split(";", -1);
            boolean edge = fields[0].endsWith(EDGE);
            String cell = fields[0].replace(EDGE, "");
            return new Published(
                    Cell.ALL.stream()
                            .filter(one -> one.toString().equals(cell))
                            .findFirst()
                            .orElseThrow(),
                    edge,
                    Long.parseLong(fields[1]),
                    Objects.requireNonNull(SETTINGS.get(fields[2])),
                    Measure.valueOf(fields[3]),
                    Double.parseDouble(fields[4]),
                    Double.parseDouble(fields[5]));
        }

        Setting variant() {
            return edge ? Variations.edge(setting) : setting;
        }
    }

    /** What is published. */
    static List<Published> published() {
        try (InputStream in = Objects.requireNonNull(ReferenceCheck.class.getResourceAsStream("/sub2/reference.csv"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(Published::of)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The comparison of a bench with them. */
    static String of(Bench bench) {
        Table table = new Table("cell", "requests a run", "who", "measure", "here", "reference", "within its interval");
        for (Published one : published()) {
            Series series = bench.run(one.variant(), one.cell());
            Estimate here = series.estimate(one.measure());
            long requests = Math.round(Estimate.of(series.offered()).mean());
            table.row(List.of(
                    one.cell() + (one.edge() ? EDGE : ""),
                    requests + (requests == one.requests() ? "" : " (reference: " + one.requests() + ")"),
                    one.setting().name(),
                    one.measure().title(),
                    CellTables.figure(here),
                    String.format(Locale.ROOT, "%s±%s", one.figure(), one.halfWidth()),
                    Math.abs(here.mean() - one.figure()) <= one.halfWidth() ? "inside" : "**outside**"));
        }
        return table.toString();
    }
}
