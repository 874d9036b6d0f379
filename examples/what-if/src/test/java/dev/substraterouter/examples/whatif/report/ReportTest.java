package dev.substraterouter.examples.whatif.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.examples.whatif.Made;
import dev.substraterouter.examples.whatif.MadeReport;
import java.io.IOException;
import java.io.StringReader;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ReportTest {
    private static final MadeReport MADE = MadeReport.simulated(2);

    @Test
    void thePageIsWellFormed() throws Exception {
        Document page = parsed(MADE.html());

        assertThat(page.getElementsByTagName("title").item(0).getTextContent())
                .isEqualTo("What if: a busy hour <test>");
        assertThat(page.getElementsByTagName("table").getLength()).isEqualTo(3);
        assertThat(page.getElementsByTagName("figure").getLength()).isEqualTo(2 + 3 + 2 + 2 + 1);
    }

    @Test
    void everyChartHasATitleADescriptionAndTexts() throws Exception {
        NodeList charts = parsed(MADE.html()).getElementsByTagName("svg");
        int seen = 0;
        for (int at = 0; at < charts.getLength(); at++) {
            Element chart = (Element) charts.item(at);
            if (chart.getAttribute("class").equals("chart")) {
                seen++;
                assertThat(chart.getAttribute("role")).isEqualTo("img");
                assertThat(chart.getElementsByTagName("title").item(0).getTextContent())
                        .isNotBlank();
                assertThat(chart.getElementsByTagName("desc").item(0).getTextContent())
                        .isNotBlank();
                assertThat(chart.getElementsByTagName("text").getLength()).isGreaterThan(3);
            }
        }
        assertThat(seen).isEqualTo(10);
    }

    @Test
    void thePageNeedsNothingElse() {
        String page = MADE.html().replaceAll("xmlns(:\\w+)?=\"[^\"]*\"", "");

        assertThat(page)
                .doesNotContain("http:")
                .doesNotContain("https:")
                .doesNotContain("<script")
                .doesNotContain("@import");
    }

    @Test
    void coloursAreThePagesVariables() {
        assertThat(MADE.html()).contains("var(--c0)").contains("url(#fill-0)").contains("url(#fill-owner)");
        assertThat(MADE.html()).doesNotContainPattern("rgb\\(1, ?[234]");
    }

    @Test
    void idsAreUniqueAndEveryReferenceHasOne() {
        Set<String> ids = new HashSet<>();
        Matcher id = Pattern.compile("\\bid=\"([^\"]*)\"").matcher(MADE.html());
        while (id.find()) {
            assertThat(ids.add(id.group(1))).as(id.group(1)).isTrue();
        }
        Matcher reference = Pattern.compile("url\\(#([^)]*)\\)").matcher(MADE.html());
        while (reference.find()) {
            assertThat(ids).contains(reference.group(1));
        }
    }

    @Test
    void namesAreEscaped() {
        assertThat(Html.escape("<a href='x'>\"&\u0000\n")).isEqualTo("&lt;a href=&#39;x&#39;&gt;&quot;&amp;\uFFFD\n");
    }

    @Test
    void theSameInputsGiveTheSamePage() {
        assertThat(MadeReport.simulated(2).html()).isEqualTo(MADE.html());
    }

    @Test
    void json() {
        JsonNode root = JsonMapper.shared().readTree(MADE.json());

        assertThat(root.get("version").intValue()).isEqualTo(1);
        assertThat(root.get("scenario").stringValue()).isEqualTo("a busy hour <test>");
        assertThat(root.get("baseline").stringValue()).isEqualTo("pin");
        assertThat(root.get("contenders").size())
                .isEqualTo(MADE.results().entrants().size());
        JsonNode load = root.get("loads").get(0);
        assertThat(load.get("load").doubleValue()).isEqualTo(1);
        JsonNode router = load.get("figures").get("router");
        assertThat(router.propertyNames())
                .contains("mean_latency", "penalised_latency", "in_time", "owner_seconds_by_node");
        assertThat(router.get("mean_latency").get("mean").doubleValue()).isPositive();
        assertThat(router.get("owner_seconds_by_node").propertyNames()).containsExactly("mirrorforge", "legion");
        assertThat(load.get("differences").get("pin").get("lost").get("mean").doubleValue())
                .isZero();
        assertThat(root.get("advice").get("verdict").stringValue()).isNotBlank();
        assertThat(root.get("advice").get("topics").get(0).get("sentences").size())
                .isPositive();
    }

    @Test
    void anIntervalThatIsNotThereIsNull() {
        JsonNode root = JsonMapper.shared().readTree(MadeReport.simulated(1).json());

        assertThat(root.at("/loads/0/figures/router/lost/half_width").isNull()).isTrue();
    }

    @Test
    void textIsAligned() {
        String[] lines = MADE.text().split("\n", -1);

        assertThat(lines[0]).startsWith("a busy hour <test> at load 1 (");
        assertThat(lines[1]).startsWith("  contender").contains("penalised latency s");
        assertThat(lines[2]).startsWith("  router").hasSameSizeAs(lines[1]);
        assertThat(lines[3]).startsWith("  pin").hasSameSizeAs(lines[1]);
    }

    @Test
    void nothingServedCanBeShown() throws Exception {
        MadeReport nothing = MadeReport.of((entrant, scenario, share) -> Made.report(entrant.name(), 1, 1, 0, 100), 2);

        assertThat(parsed(nothing.html()).getElementsByTagName("figure").getLength())
                .isPositive();
    }

    private static Document parsed(String html) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
        try {
            return factory.newDocumentBuilder().parse(new InputSource(new StringReader(html)));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
