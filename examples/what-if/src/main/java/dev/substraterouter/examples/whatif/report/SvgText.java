package dev.substraterouter.examples.whatif.report;

import java.awt.geom.Rectangle2D;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.batik.svggen.SVGGraphics2D;
import org.jfree.chart.JFreeChart;
import org.w3c.dom.Document;

/** Draws charts as SVG that stands within a page: texts as texts, colours by the page's variables, with a title and a description. */
final class SvgText {
    private SvgText() {}

    /**
     * Draws a chart.
     *
     * @param id unique in the page
     * @param title what it shows, for those who do not see it
     * @param description what its axes are
     */
    static String of(JFreeChart chart, String id, int width, int height, String title, String description) {
        SVGGraphics2D graphics = new SVGGraphics2D(document());
        chart.draw(graphics, new Rectangle2D.Double(0, 0, width, height));
        String drawn = text(graphics);
        int root = drawn.indexOf("<svg");
        String inside = drawn.substring(drawn.indexOf('>', root) + 1, drawn.lastIndexOf("</svg"));
        String head = "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" role=\"img\" viewBox=\"0 0 " + width
                + " "
                + height + "\" aria-labelledby=\"" + id + "-t " + id + "-d\"><title id=\"" + id + "-t\">"
                + Html.escape(title) + "</title><desc id=\"" + id + "-d\">" + Html.escape(description) + "</desc>"
                + "<g style=\"" + style(drawn.substring(root)) + "\">";
        // The ids of clip paths are the same in every drawing; within a page they must differ.
        String unique = inside.replace("id=\"", "id=\"" + id + "-").replace("url(#", "url(#" + id + "-");
        return head + Palette.withVariables(unique) + "</g></svg>";
    }

    /** What holds for all of a drawing, where its parts do not say otherwise. */
    private static String style(String svg) {
        int from = svg.indexOf("style=\"") + "style=\"".length();
        return svg.substring(from, svg.indexOf('"', from));
    }

    private static Document document() {
        try {
            return DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .getDOMImplementation()
                    .createDocument("http://www.w3.org/2000/svg", "svg", null);
        } catch (ParserConfigurationException e) {
            throw new IllegalStateException("no XML parser of the default configuration", e);
        }
    }

    private static String text(SVGGraphics2D graphics) {
        StringWriter writer = new StringWriter();
        try {
            graphics.stream(writer, true);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a text does not fail
        }
        return writer.toString();
    }
}
