package dev.substraterouter.examples.whatif.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.Locale;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.Axis;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.plot.Plot;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.ui.RectangleInsets;

/** How every chart looks: no frame, quiet grid, axes with units, no legend of its own (the page has it). */
final class Axes {
    static final Font SMALL = new Font(Font.SANS_SERIF, Font.PLAIN, 12);
    private static final Font LABEL = new Font(Font.SANS_SERIF, Font.PLAIN, 13);
    private static final Color NOTHING = new Color(0, 0, 0, 0);

    private Axes() {}

    /** An axis from 0 on. */
    static NumberAxis number(String label) {
        NumberAxis axis = new NumberAxis(label);
        axis.setAutoRangeIncludesZero(true);
        axis.setNumberFormatOverride(new DecimalFormat("0.###", DecimalFormatSymbols.getInstance(Locale.ROOT)));
        style(axis);
        return axis;
    }

    /** An axis from 0 to a value; from 0 to 1 where there is none. */
    static NumberAxis number(String label, double most) {
        NumberAxis axis = number(label);
        axis.setRange(0, most > 0 ? most : 1);
        return axis;
    }

    /** An axis of counts, from 0 to at least 1. */
    static NumberAxis count(String label, double most) {
        NumberAxis axis = number(label, Math.max(1, most * 1.05));
        axis.setStandardTickUnits(NumberAxis.createIntegerTickUnits());
        axis.setNumberFormatOverride(new DecimalFormat("0", DecimalFormatSymbols.getInstance(Locale.ROOT)));
        return axis;
    }

    static void style(Axis axis) {
        axis.setLabelFont(LABEL);
        axis.setTickLabelFont(SMALL);
        axis.setLabelPaint(Palette.INK);
        axis.setTickLabelPaint(Palette.INK);
        axis.setAxisLinePaint(Palette.GRID);
        axis.setTickMarkPaint(Palette.GRID);
    }

    static XYPlot plot(NumberAxis domain, NumberAxis range) {
        XYPlot plot = new XYPlot(null, domain, range, null);
        plot.setDomainGridlinesVisible(false);
        plot.setRangeGridlinePaint(Palette.GRID);
        plot.setRangeGridlineStroke(new BasicStroke(1f));
        plot.setAxisOffset(RectangleInsets.ZERO_INSETS);
        quiet(plot);
        return plot;
    }

    static void quiet(Plot plot) {
        plot.setBackgroundPaint(null);
        plot.setOutlineVisible(false);
        plot.setInsets(new RectangleInsets(8, 2, 2, 14));
        plot.setNoDataMessage("nothing happened");
        plot.setNoDataMessageFont(LABEL);
        plot.setNoDataMessagePaint(Palette.INK);
    }

    static JFreeChart chart(Plot plot) {
        JFreeChart chart = new JFreeChart(null, SMALL, plot, false);
        chart.setBackgroundPaint(NOTHING);
        chart.setBorderVisible(false);
        return chart;
    }
}
