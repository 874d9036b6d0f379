package dev.substraterouter.examples.whatif.report;

import dev.substraterouter.examples.whatif.compare.Entrant;
import dev.substraterouter.examples.whatif.compare.Measure;
import dev.substraterouter.examples.whatif.compare.Results;
import dev.substraterouter.examples.whatif.report.Figure.Swatch;
import dev.substraterouter.simulate.SimulationReport;
import dev.substraterouter.simulate.SimulationReport.Requests;
import dev.substraterouter.simulate.SimulationReport.Timeline;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.jfree.chart.axis.CategoryAxis;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.category.StackedBarRenderer;
import org.jfree.chart.renderer.category.StandardBarPainter;
import org.jfree.chart.renderer.xy.XYItemRenderer;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.chart.renderer.xy.XYStepRenderer;
import org.jfree.data.category.DefaultCategoryDataset;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;

/** The charts that compare entrants, of the runs with the first seed at the base load. */
final class Charts {
    static final int WIDTH = 760;
    static final int HEIGHT = 300;

    private final Results results;
    private final double load;
    private final List<String> entrants;
    private final Palette ofEntrants = new Palette();
    private final Palette ofNodes;
    private int drawn;

    Charts(Results results, Palette ofNodes) {
        this.results = results;
        this.load = results.baseLoad();
        this.ofNodes = ofNodes;
        this.entrants = results.entrants().stream()
                .filter(Entrant::everyLoad)
                .map(Entrant::name)
                .toList();
        entrants.forEach(ofEntrants::index);
    }

    /** How long requests took, one chart for each workload. */
    List<Figure> latencies() {
        return first(entrants.get(0)).requests().stream()
                .map(Requests::workload)
                .distinct()
                .map(this::latency)
                .toList();
    }

    private Figure latency(String workload) {
        XYSeriesCollection lines = new XYSeriesCollection();
        double most = 0;
        for (String entrant : entrants) {
            Cumulative cumulative = Cumulative.of(first(entrant), workload);
            XYSeries line = new XYSeries(entrant);
            line.add(0, 0);
            cumulative.points().forEach(point -> line.add(point.seconds(), 100 * point.share()));
            lines.addSeries(line);
            most = Math.max(most, cumulative.quantile(0.99));
        }
        XYPlot plot = Axes.plot(Axes.number("latency, s", most), Axes.number("share of served, %", 100));
        lines(plot, lines, new XYStepRenderer());
        return figure(
                plot,
                "Latency of " + workload,
                "Read: this share of the served requests took at most so long. Up to the 99th percentile of the slowest.",
                entrantKeys());
    }

    /** How many requests were lost up to each moment. */
    Figure refusals() {
        return overTime("Requests refused or failed so far", "requests", new XYStepRenderer(), this::lost);
    }

    /** How many requests waited. */
    Figure queue() {
        return overTime("Waiting requests", "requests, mean", new XYLineAndShapeRenderer(true, false), this::waiting);
    }

    private XYSeries lost(String entrant, Timeline timeline) {
        Buckets buckets = Buckets.of(timeline);
        XYSeries line = new XYSeries(entrant);
        long sum = 0;
        line.add(0, 0);
        for (int at = 0; at < buckets.count(); at++) {
            sum += buckets.sum(timeline.refused(), at);
            line.add(buckets.startHours(at) + buckets.hours(), (double) sum);
        }
        return line;
    }

    private XYSeries waiting(String entrant, Timeline timeline) {
        Buckets buckets = Buckets.of(timeline);
        XYSeries line = new XYSeries(entrant);
        for (int at = 0; at < buckets.count(); at++) {
            line.add(buckets.startHours(at) + buckets.hours() / 2, buckets.mean(timeline.waiting(), at));
        }
        return line;
    }

    private Figure overTime(
            String title, String unit, XYItemRenderer renderer, BiFunction<String, Timeline, XYSeries> series) {
        XYSeriesCollection lines = new XYSeriesCollection();
        entrants.forEach(
                entrant -> lines.addSeries(series.apply(entrant, first(entrant).timeline())));
        double most = entrants.isEmpty() ? 0 : lines.getRangeUpperBound(false);
        NumberAxis upwards = renderer instanceof XYStepRenderer
                ? Axes.count(unit, most)
                : Axes.number(unit, Double.isNaN(most) ? 0 : most * 1.05);
        XYPlot plot = Axes.plot(Axes.number("time, h", lines.getDomainUpperBound(false)), upwards);
        lines(plot, lines, renderer);
        return figure(plot, title, "", entrantKeys());
    }

    private void lines(XYPlot plot, XYSeriesCollection lines, XYItemRenderer renderer) {
        for (int at = 0; at < lines.getSeriesCount(); at++) {
            String entrant = entrants.get(at);
            renderer.setSeriesPaint(at, ofEntrants.line(entrant));
            renderer.setSeriesStroke(at, ofEntrants.stroke(entrant));
        }
        plot.setDataset(lines);
        plot.setRenderer(renderer);
    }

    /** What was taken from owners, by node. */
    Figure owners() {
        DefaultCategoryDataset bars = new DefaultCategoryDataset();
        List<String> nodes = new ArrayList<>();
        for (String entrant : entrants) {
            results.ownerSeconds(entrant, load).forEach((node, seconds) -> {
                bars.addValue(seconds.mean(), node, entrant);
                if (!nodes.contains(node)) {
                    nodes.add(node);
                }
            });
        }
        StackedBarRenderer renderer = new StackedBarRenderer();
        renderer.setBarPainter(new StandardBarPainter());
        renderer.setShadowVisible(false);
        renderer.setMaximumBarWidth(0.12);
        for (int at = 0; at < nodes.size(); at++) {
            renderer.setSeriesPaint(at, ofNodes.fill(nodes.get(at)));
        }
        CategoryAxis names = new CategoryAxis();
        Axes.style(names);
        names.setMaximumCategoryLabelWidthRatio(0.4f);
        NumberAxis seconds = Axes.number("owner-seconds, s/h");
        CategoryPlot plot = new CategoryPlot(bars, names, seconds, renderer);
        plot.setOrientation(PlotOrientation.HORIZONTAL);
        plot.setRangeGridlinePaint(Palette.GRID);
        Axes.quiet(plot);
        String title = "Owner-seconds taken";
        return new Figure(
                title,
                "Seconds in each hour in which routed work ran beside an owner at work; mean of all seeds.",
                SvgText.of(
                        Axes.chart(plot),
                        "chart-" + drawn++,
                        WIDTH,
                        90 + 34 * entrants.size(),
                        title,
                        "One bar for each contender, stacked by node, in " + Measure.OWNER_SECONDS.unit() + "."),
                nodes.stream().map(this::nodeKey).toList());
    }

    private Swatch nodeKey(String node) {
        return Swatch.area("fill-" + ofNodes.index(node) % Palette.COLOURS, node);
    }

    private List<Swatch> entrantKeys() {
        return entrants.stream()
                .map(entrant -> Swatch.line(
                        "var(--c" + ofEntrants.index(entrant) % Palette.COLOURS + ")",
                        ofEntrants.dashArray(entrant),
                        entrant))
                .toList();
    }

    private Figure figure(XYPlot plot, String title, String note, List<Swatch> legend) {
        String description = "Across: " + plot.getDomainAxis().getLabel() + ". Upwards: "
                + plot.getRangeAxis().getLabel() + ". One line for each of: " + String.join(", ", entrants) + ".";
        return new Figure(
                title,
                note,
                SvgText.of(Axes.chart(plot), "chart-" + drawn++, WIDTH, HEIGHT, title, description),
                legend);
    }

    private SimulationReport first(String entrant) {
        return results.firstRun(entrant, load);
    }
}
