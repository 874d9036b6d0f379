package dev.substraterouter.examples.whatif.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.substraterouter.examples.whatif.MadeReport;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The page of a small real comparison in a real browser. */
class PageTest {
    /** Frames have their width whatever the least width of the browser's window is. */
    private static final String WRAPPER = """
            <!DOCTYPE html><html><body>
            <iframe id="wide" style="width:1280px;height:900px;border:0" srcdoc="PAGE"></iframe>
            <iframe id="narrow" style="width:390px;height:844px;border:0" srcdoc="PAGE"></iframe>
            <pre id="result"></pre>
            <script>
            addEventListener('load', () => {
              const of = id => {
                const frame = document.getElementById(id), page = frame.contentDocument, view = frame.contentWindow;
                const seen = element => { const box = element.getBoundingClientRect(); return box.width + box.height > 0; };
                const charts = [...page.querySelectorAll('svg.chart')].map(chart => ({
                  title: chart.querySelector('title').textContent,
                  shapes: [...chart.querySelectorAll('path, line, polyline, rect')].filter(seen).length,
                  texts: [...chart.querySelectorAll('text')].filter(seen).length,
                  size: parseFloat(view.getComputedStyle(chart.querySelector('text')).fontSize)
                }));
                const root = page.documentElement;
                const beyond = [...page.querySelectorAll('h1, h2, h3, p, li, dl, figure, .scroll')]
                    .filter(element => element.getBoundingClientRect().right > view.innerWidth + 0.5).length;
                const light = color => color.match(/[0-9]+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0) / 765;
                const style = view.getComputedStyle(page.body);
                return { inner: view.innerWidth, scroll: root.scrollWidth, height: root.scrollHeight, beyond,
                  paper: light(style.backgroundColor), ink: light(style.color),
                  drawn: light(view.getComputedStyle(page.querySelector('svg.chart text')).fill), charts };
              };
              document.getElementById('result').textContent = JSON.stringify({ wide: of('wide'), narrow: of('narrow') });
            });
            </script></body></html>
            """;

    @TempDir
    private Path directory;

    private Optional<Chromium> chromium = Optional.empty();

    @BeforeEach
    void findBrowser() {
        chromium = Chromium.find(directory);
        assumeTrue(chromium.isPresent(), "no chromium on the PATH: the page is not tried in a browser");
    }

    @ParameterizedTest(name = "dark: {0}")
    @ValueSource(booleans = {false, true})
    void chartsAreDrawnAndNothingIsTooWide(boolean dark) throws Exception {
        String page = MadeReport.simulated(2).html();

        Chromium.Loaded loaded = chromium.orElseThrow().load(WRAPPER.replace("PAGE", Html.escape(page)), dark);

        assertThat(loaded.console()).isEmpty();
        JsonNode result = JsonMapper.shared()
                .readTree(loaded.text("result")
                        .replace("&lt;", "<")
                        .replace("&gt;", ">")
                        .replace("&amp;", "&"));
        check(result.get("wide"), 1280, dark);
        check(result.get("narrow"), 390, dark);
    }

    private static void check(JsonNode frame, int width, boolean dark) {
        assertThat(frame.get("inner").intValue()).isEqualTo(width);
        assertThat(frame.get("scroll").intValue()).as("width of the page").isLessThanOrEqualTo(width);
        assertThat(frame.get("beyond").intValue())
                .as("elements beyond the edge")
                .isZero();
        assertThat(frame.get("height").intValue()).isGreaterThan(2000);
        assertThat(frame.get("paper").doubleValue() < 0.3).as("dark paper").isEqualTo(dark);
        assertThat(frame.get("ink").doubleValue() > 0.7).as("light ink").isEqualTo(dark);
        assertThat(frame.get("drawn").doubleValue() > 0.7)
                .as("light texts in charts")
                .isEqualTo(dark);
        assertThat(frame.get("charts").size()).isEqualTo(10);
        frame.get("charts").forEach(chart -> {
            String title = chart.get("title").stringValue();
            assertThat(chart.get("shapes").intValue()).as("shapes of " + title).isGreaterThan(8);
            assertThat(chart.get("texts").intValue()).as("texts of " + title).isGreaterThan(5);
            assertThat(chart.get("size").doubleValue())
                    .as("size of texts of " + title)
                    .isBetween(10.0, 15.0);
        });
    }

    @Test
    void aFaultOnThePageWouldBeSeen() throws Exception {
        Chromium.Loaded loaded =
                chromium.orElseThrow().load("<pre id=\"x\">y</pre><script>console.error('a fault')</script>", false);

        assertThat(loaded.text("x")).isEqualTo("y");
        assertThat(loaded.console()).singleElement().asString().contains("a fault");
    }
}
