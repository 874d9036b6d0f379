package dev.substraterouter.examples.whatif.report;

import dev.substraterouter.examples.whatif.compare.Entrant;
import dev.substraterouter.examples.whatif.compare.Estimate;
import dev.substraterouter.examples.whatif.compare.Figures;
import dev.substraterouter.examples.whatif.compare.Measure;
import dev.substraterouter.examples.whatif.compare.Results;
import java.util.List;

/** The tables of a page. */
final class Tables {
    private final Results results;

    Tables(Results results) {
        this.results = results;
    }

    /** Each measure of each entrant, as a mean with its interval. */
    String means(List<Entrant> entrants, double load) {
        Html html = open("Figures of each contender");
        for (Entrant entrant : entrants) {
            html.raw("<tr>").element("th scope=\"row\"", entrant.name());
            for (Measure measure : Measure.values()) {
                html.raw("<td>")
                        .raw(estimate(results.mean(entrant.name(), load, measure), false))
                        .raw("</td>");
            }
            html.raw("</tr>\n");
        }
        return close(html);
    }

    /** By how much each entrant differs from one of them, run by run; what is beyond chance stands out. */
    String differences(List<Entrant> entrants, String baseline, double load) {
        Html html = open("Differences from " + baseline);
        for (Entrant entrant : entrants) {
            if (!entrant.name().equals(baseline)) {
                html.raw("<tr>").element("th scope=\"row\"", entrant.name());
                for (Measure measure : Measure.values()) {
                    Estimate more = results.difference(entrant.name(), baseline, load, measure);
                    html.raw("<td" + weight(more, measure) + ">")
                            .raw(estimate(more, true))
                            .raw("</td>");
                }
                html.raw("</tr>\n");
            }
        }
        return close(html);
    }

    private static String weight(Estimate more, Measure measure) {
        if (!more.above0() && !more.below0()) {
            return "";
        }
        return more.above0() == measure.moreIsBetter() ? " class=\"better\"" : " class=\"worse\"";
    }

    private static String estimate(Estimate estimate, boolean signed) {
        String mean = (signed && estimate.mean() > 0 ? "+" : "") + Figures.number(estimate.mean());
        return Html.escape(mean) + "<small>"
                + (estimate.hasInterval() ? "± " + Figures.number(estimate.halfWidth()) : "one seed") + "</small>";
    }

    private static Html open(String label) {
        Html html = new Html()
                .raw("<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"" + Html.escape(label)
                        + "\"><table>\n<thead><tr><th scope=\"col\">contender</th>");
        for (Measure measure : Measure.values()) {
            html.raw("<th scope=\"col\">" + measure.title() + "<small>" + measure.unit() + "</small></th>");
        }
        return html.raw("</tr></thead>\n<tbody>\n");
    }

    private static String close(Html html) {
        return html.raw("</tbody></table></div>\n").toString();
    }
}
