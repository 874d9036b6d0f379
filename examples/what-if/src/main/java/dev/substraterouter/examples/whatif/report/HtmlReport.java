package dev.substraterouter.examples.whatif.report;

import dev.substraterouter.examples.whatif.advice.Advice;
import dev.substraterouter.examples.whatif.advice.Study;
import dev.substraterouter.examples.whatif.compare.Entrant;
import dev.substraterouter.examples.whatif.compare.Figures;
import dev.substraterouter.examples.whatif.compare.Results;
import dev.substraterouter.simulate.SimulationReport;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A comparison as one page that needs nothing else: no network, no script. It follows the reader's choice of light or dark. It is XML too,
 * so that it can be checked as such.
 */
public final class HtmlReport {
    /** Charts of who served what are drawn for so many; more are folded away. */
    private static final int AT_ONCE = 3;

    private final Results results;
    private final Study study;
    private final Advice advice;
    private final double load;
    private final Palette nodes = new Palette();

    private HtmlReport(Results results, Study study, Advice advice) {
        this.results = results;
        this.study = study;
        this.advice = advice;
        this.load = results.baseLoad();
    }

    /** The text of the page. */
    public static String of(Results results, Study study, Advice advice) {
        // Charts are drawn into a text; nobody needs a display for that.
        System.setProperty("java.awt.headless", "true");
        return new HtmlReport(results, study, advice).page();
    }

    private String page() {
        Html html = new Html();
        html.raw("<!DOCTYPE html>\n")
                .raw("<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n")
                .raw("<head>\n<meta charset=\"utf-8\"/>\n")
                .raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n")
                .element("title", "What if: " + results.scenario().name())
                .raw("<link rel=\"icon\" href=\"data:,\"/>\n<style>\n" + style())
                .raw("</style>\n</head>\n<body>\n")
                .raw(Hatches.definitions())
                .raw("<main>\n");
        top(html);
        tables(html);
        charts(html);
        return html.raw("</main>\n</body>\n</html>\n").toString();
    }

    private void top(Html html) {
        html.raw("<header>\n")
                .element("h1", "What if: " + results.scenario().name())
                .element("p class=\"verdict\"", advice.verdict().words())
                .element("p class=\"headline\"", advice.headline())
                .element("p class=\"facts\"", facts())
                .raw("</header>\n<section class=\"advice\" aria-label=\"Advice\">\n");
        advice.topics().forEach(topic -> html.element("h3", topic.title()).list(topic.sentences()));
        html.raw("</section>\n");
    }

    private String facts() {
        Duration length = results.scenario().length();
        return results.seeds() + (results.seeds() == 1 ? " seed of " : " seeds of ")
                + Figures.setting(length.toSeconds() / 3600.0)
                + " h. Each contender got the same requests. Intervals are 95 % confidence intervals by Student's t over the seeds; "
                + "differences are taken run by run. A gain counts if its whole interval is above 0 and it is at least "
                + Figures.setting(100 * advice.threshold()) + " % of the penalised latency.";
    }

    private void tables(Html html) {
        html.element("h2", "Comparison");
        Tables tables = new Tables(results);
        String baseline = study.pin().orElse(study.router());
        for (double at : results.loads()) {
            List<Entrant> main =
                    results.entrants().stream().filter(Entrant::everyLoad).toList();
            html.element("h3", capital(Figures.load(at, results.requestsPerHour(at))))
                    .raw(tables.means(main, at));
            html.element("h3", "Difference from " + baseline + ", run by run")
                    .raw(tables.differences(main, baseline, at));
        }
        html.element(
                "p class=\"note\"",
                "Coloured and bold: the interval does not hold 0; green is better, orange is worse.");
        List<Entrant> variants =
                results.entrants().stream().filter(one -> !one.everyLoad()).toList();
        if (!variants.isEmpty()) {
            html.element("h3", "The router with one setting changed, difference from " + study.router())
                    .raw(tables.differences(variants, study.router(), load));
        }
        html.raw("<dl>\n");
        results.entrants().forEach(entrant -> html.element("dt", entrant.name()).element("dd", entrant.what()));
        html.raw("</dl>\n");
    }

    private void charts(Html html) {
        SimulationReport router = results.firstRun(study.router(), load);
        router.nodes().forEach(node -> nodes.index(node.substrate()));
        Charts charts = new Charts(results, nodes);
        NodeCharts nodeCharts = new NodeCharts(nodes);
        html.element("h2", "Latency");
        html.element(
                "p class=\"note\"",
                "Charts show the run with the first seed at load " + Figures.setting(load)
                        + ", unless they say otherwise.");
        figures(html, charts.latencies());
        html.element("h2", "Who served what");
        List<Figure> served = new ArrayList<>();
        results.entrants().stream()
                .filter(Entrant::everyLoad)
                .forEach(one -> served.add(nodeCharts.served(results.firstRun(one.name(), load), one.name())));
        figures(html, served.subList(0, Math.min(AT_ONCE, served.size())));
        if (served.size() > AT_ONCE) {
            html.raw("<details>").element("summary", "The other contenders");
            figures(html, served.subList(AT_ONCE, served.size()));
            html.raw("</details>\n");
        }
        html.element("h2", "Refusals and queue");
        figures(html, List.of(charts.refusals(), charts.queue()));
        html.element("h2", "Nodes");
        figures(
                html,
                router.timeline().nodes().stream()
                        .map(node -> nodeCharts.health(router, study.router(), node))
                        .toList());
        html.element("h2", "Owners");
        figures(html, List.of(charts.owners()));
    }

    private static void figures(Html html, List<Figure> figures) {
        figures.forEach(figure -> html.raw(figure.html()));
    }

    private static String capital(String text) {
        return Character.toUpperCase(text.charAt(0)) + text.substring(1);
    }

    private static String style() {
        try (InputStream in = HtmlReport.class.getResourceAsStream("report.css")) {
            return new String(Objects.requireNonNull(in, "report.css").readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
