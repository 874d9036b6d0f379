package dev.substraterouter.examples.whatif.report;

import java.util.List;

/**
 * A chart with its words.
 *
 * @param title what it shows
 * @param note how to read it
 * @param svg the drawing
 * @param legend what its lines and areas are
 */
record Figure(String title, String note, String svg, List<Swatch> legend) {
    /** Copies the list. */
    Figure {
        legend = List.copyOf(legend);
    }

    /**
     * An entry of a legend.
     *
     * @param drawing a small drawing
     * @param label what it stands for
     */
    record Swatch(String drawing, String label) {
        private static final String SMALL =
                "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"swatch\" viewBox=\"0 0 32 14\" aria-hidden=\"true\">";

        static Swatch line(String colour, String dash, String label) {
            return new Swatch(
                    SMALL + "<path d=\"M0 7H32\" style=\"stroke:" + colour + ";stroke-width:3"
                            + (dash.isEmpty() ? "" : ";stroke-dasharray:" + dash) + "\"/></svg>",
                    label);
        }

        static Swatch area(String fill, String label) {
            return new Swatch(
                    SMALL + "<rect x=\"4\" width=\"24\" height=\"14\" style=\"fill:url(#" + fill + ")\"/></svg>",
                    label);
        }
    }

    String html() {
        Html html = new Html().raw("<figure>\n").element("figcaption", title);
        if (!legend.isEmpty()) {
            html.raw("<ul class=\"legend\">");
            legend.forEach(key -> html.raw("<li>" + key.drawing())
                    .element("span", key.label())
                    .raw("</li>"));
            html.raw("</ul>\n");
        }
        html.raw("<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"" + Html.escape(title) + "\">")
                .raw(svg)
                .raw("</div>\n");
        if (!note.isEmpty()) {
            html.element("p class=\"note\"", note);
        }
        return html.raw("</figure>\n").toString();
    }
}
