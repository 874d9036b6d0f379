package dev.substraterouter.examples.whatif.report;

import dev.substraterouter.examples.whatif.compare.Figures;
import dev.substraterouter.examples.whatif.report.Figure.Swatch;
import dev.substraterouter.simulate.SimulationReport;
import dev.substraterouter.simulate.SimulationReport.Timeline;
import dev.substraterouter.simulate.SimulationReport.Timeline.OfNode;
import java.awt.BasicStroke;
import java.awt.Color;
import java.util.ArrayList;
import java.util.List;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.plot.IntervalMarker;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.StackedXYBarRenderer;
import org.jfree.chart.renderer.xy.StandardXYBarPainter;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.chart.ui.Layer;
import org.jfree.data.xy.DefaultTableXYDataset;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;

/** The charts of the nodes in one run. */
final class NodeCharts {
    private static final String ROUTED = "routed jobs, mean";

    private final Palette palette;
    private int drawn;

    NodeCharts(Palette palette) {
        this.palette = palette;
    }

    /** Which node served how many, over time. */
    Figure served(SimulationReport report, String entrant) {
        Timeline timeline = report.timeline();
        Buckets buckets = Buckets.of(timeline);
        DefaultTableXYDataset table = new DefaultTableXYDataset(false);
        StackedXYBarRenderer renderer = new StackedXYBarRenderer(0.1);
        renderer.setBarPainter(new StandardXYBarPainter());
        renderer.setShadowVisible(false);
        List<Swatch> legend = new ArrayList<>();
        for (OfNode node : timeline.nodes()) {
            XYSeries series = new XYSeries(node.substrate(), true, false);
            for (int at = 0; at < buckets.count(); at++) {
                series.add(buckets.startHours(at) + buckets.hours() / 2, (double) buckets.sum(node.served(), at));
            }
            renderer.setSeriesPaint(table.getSeriesCount(), palette.fill(node.substrate()));
            table.addSeries(series);
            legend.add(Swatch.area("fill-" + palette.index(node.substrate()) % Palette.COLOURS, node.substrate()));
        }
        double most = 0;
        for (int at = 0; at < buckets.count(); at++) {
            int bucket = at;
            most = Math.max(most, (double) timeline.nodes().stream()
                    .mapToLong(node -> buckets.sum(node.served(), bucket))
                    .sum());
        }
        table.setIntervalWidth(buckets.hours());
        XYPlot plot =
                Axes.plot(time(buckets), Axes.count("served in " + Figures.setting(buckets.minutes()) + " min", most));
        plot.setDataset(table);
        plot.setRenderer(renderer);
        return figure(plot, "Who served: " + entrant, "From the bottom up in the order of the legend.", legend);
    }

    /** What a node did, and when it was not to be had or its owner was at work. */
    Figure health(SimulationReport report, String entrant, OfNode node) {
        Buckets buckets = Buckets.of(report.timeline());
        double stepHours = report.timeline().stepSeconds() / 3600;
        XYSeries jobs = new XYSeries(ROUTED);
        XYSeries foreign = new XYSeries("utilisation by others");
        double most = 1;
        for (int at = 0; at < buckets.count(); at++) {
            double middle = buckets.startHours(at) + buckets.hours() / 2;
            jobs.add(middle, buckets.mean(node.jobs(), at));
            foreign.add(middle, buckets.mean(node.foreignUtilPct(), at));
            most = Math.max(most, jobs.getMaxY());
        }
        XYPlot plot = Axes.plot(time(buckets), Axes.number(ROUTED, most * 1.1));
        line(plot, 0, jobs, palette.line(node.substrate()), palette.stroke(node.substrate()));
        plot.setRangeAxis(1, Axes.number("utilisation by others, %", 100));
        line(
                plot,
                1,
                foreign,
                Palette.FOREIGN,
                new BasicStroke(1.5f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, new float[] {2, 2}, 0));
        plot.mapDatasetToRangeAxis(1, 1);
        bands(plot, node.ownerAtWork(), stepHours, Palette.OWNER);
        bands(plot, node.unavailable(), stepHours, Palette.DOWN);
        return figure(
                plot,
                node.substrate() + " under " + entrant,
                "",
                List.of(
                        Swatch.line(
                                "var(--c" + palette.index(node.substrate()) % Palette.COLOURS + ")",
                                palette.dashArray(node.substrate()),
                                "routed jobs (left)"),
                        Swatch.line("var(--foreign)", "2 2", "utilisation by others (right)"),
                        Swatch.area("fill-owner", "owner at work"),
                        Swatch.area("fill-down", "unavailable")));
    }

    private static void line(XYPlot plot, int index, XYSeries series, Color colour, BasicStroke stroke) {
        XYLineAndShapeRenderer renderer = new XYLineAndShapeRenderer(true, false);
        renderer.setSeriesPaint(0, colour);
        renderer.setSeriesStroke(0, stroke);
        plot.setDataset(index, new XYSeriesCollection(series));
        plot.setRenderer(index, renderer);
    }

    /** A band wherever it is so for most of a step. */
    private static void bands(XYPlot plot, List<Double> shares, double stepHours, Color colour) {
        int at = 0;
        while (at < shares.size()) {
            int from = at;
            while (at < shares.size() && shares.get(at) >= 0.5) {
                at++;
            }
            if (at > from) {
                IntervalMarker band = new IntervalMarker(from * stepHours, at * stepHours);
                band.setPaint(colour);
                band.setAlpha(1f);
                plot.addDomainMarker(band, Layer.BACKGROUND);
            }
            at++;
        }
    }

    private static NumberAxis time(Buckets buckets) {
        return Axes.number("time, h", buckets.count() * buckets.hours());
    }

    private Figure figure(XYPlot plot, String title, String note, List<Swatch> legend) {
        String description = "Across: " + plot.getDomainAxis().getLabel() + ". Upwards: "
                + plot.getRangeAxis().getLabel() + ". Shown: "
                + String.join(", ", legend.stream().map(Swatch::label).toList()) + ".";
        return new Figure(
                title,
                note,
                SvgText.of(Axes.chart(plot), "node-" + drawn++, Charts.WIDTH, Charts.HEIGHT, title, description),
                legend);
    }
}
