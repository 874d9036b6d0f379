package dev.substraterouter.examples.whatif.report;

import dev.substraterouter.examples.whatif.compare.Bound;
import dev.substraterouter.examples.whatif.compare.Entrant;
import dev.substraterouter.examples.whatif.compare.Estimate;
import dev.substraterouter.examples.whatif.compare.Figures;
import dev.substraterouter.examples.whatif.compare.Measure;
import dev.substraterouter.examples.whatif.compare.Results;
import java.util.List;
import java.util.Map;

/** The tables of a page. */
final class Tables {
    private final Results results;

    Tables(Results results) {
        this.results = results;
    }

    /** Each measure of each entrant, as a mean with its interval. */
    String means(List<Entrant> entrants, double load) {
        boolean bounds = results.hasBounds();
        Html html = open("Figures of each contender", bounds);
        for (Entrant entrant : entrants) {
            html.raw("<tr>").element("th scope=\"row\"", entrant.name());
            for (Measure measure : Measure.values()) {
                cell(html, estimate(results.mean(entrant.name(), load, measure), false));
                if (bounds && measure == Measure.PENALISED_LATENCY) {
                    cell(html, estimate(results.regret(entrant.name(), load), false));
                }
            }
            html.raw("</tr>\n");
        }
        if (bounds) {
            bound(
                    html,
                    "clairvoyant schedule",
                    "1",
                    Map.of(
                            Measure.PENALISED_LATENCY, results.bound(load, Bound::clairvoyantSeconds),
                            Measure.LOST, results.bound(load, Bound::clairvoyantLostPct)));
            bound(
                    html,
                    "lower bound",
                    "",
                    Map.of(Measure.PENALISED_LATENCY, results.bound(load, Bound::lowestSeconds)));
        }
        return close(html);
    }

    /** A row of the few figures that a bound has. */
    private static void bound(Html html, String name, String regret, Map<Measure, Estimate> figures) {
        html.raw("<tr class=\"bound\">").element("th scope=\"row\"", name);
        for (Measure measure : Measure.values()) {
            Estimate figure = figures.get(measure);
            cell(html, figure == null ? "" : estimate(figure, false));
            if (measure == Measure.PENALISED_LATENCY) {
                cell(html, regret);
            }
        }
        html.raw("</tr>\n");
    }

    private static void cell(Html html, String content) {
        html.raw("<td>").raw(content).raw("</td>");
    }

    /** By how much each entrant differs from one of them, run by run; what is beyond chance stands out. */
    String differences(List<Entrant> entrants, String baseline, double load) {
        Html html = open("Differences from " + baseline, false);
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
        String interval = estimate.hasInterval() ? "<small>± " + Figures.number(estimate.halfWidth()) + "</small>" : "";
        return Html.escape(mean) + interval;
    }

    private static Html open(String label, boolean regret) {
        Html html = new Html()
                .raw("<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"" + Html.escape(label)
                        + "\"><table>\n<thead><tr><th scope=\"col\">contender</th>");
        for (Measure measure : Measure.values()) {
            html.raw("<th scope=\"col\">" + measure.title() + "<small>" + measure.unit() + "</small></th>");
            if (regret && measure == Measure.PENALISED_LATENCY) {
                html.raw("<th scope=\"col\">regret<small>×</small></th>");
            }
        }
        return html.raw("</tr></thead>\n<tbody>\n");
    }

    private static String close(Html html) {
        return html.raw("</tbody></table></div>\n").toString();
    }
}
