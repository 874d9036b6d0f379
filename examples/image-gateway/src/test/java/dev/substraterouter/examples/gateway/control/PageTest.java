package dev.substraterouter.examples.gateway.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.substraterouter.Placement;
import dev.substraterouter.model.FaultKind;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.PolicyProblem;
import dev.substraterouter.testkit.HandDrivenTime;
import dev.substraterouter.time.SystemTimeSource;
import dev.substraterouter.trace.RouterEvent;
import dev.substraterouter.trace.ServingPath;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;

/** The page in a real browser; skipped where there is none. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PageTest {
    private static final Path PICTURES = Path.of("target", "screenshots");
    private static final int TAB = 9;
    private static final int ENTER = 13;
    private static final int ESCAPE = 27;
    /** Every text that can be seen with less contrast to what is behind it than 4.5, and everything that is cut off at the side. */
    private static final String FAULTS = """
            (() => {
              const bright = c => { const [r, g, b] = c.map(v => v / 255).map(v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
                return .2126 * r + .7152 * g + .0722 * b; };
              const parts = text => (text.match(/[0-9.]+/g) || []).map(Number);
              const behind = node => { for (; node; node = node.parentElement) { const c = parts(getComputedStyle(node).backgroundColor);
                if (c.length === 3 || c[3] === 1) return c.slice(0, 3); } return [255, 255, 255]; };
              const faults = [];
              if (document.documentElement.scrollWidth > innerWidth) faults.push(`scrolls sideways: ${document.documentElement.scrollWidth} > ${innerWidth}`);
              const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
              for (let text = walk.nextNode(); text; text = walk.nextNode()) {
                const node = text.parentElement, box = node.getBoundingClientRect();
                if (!text.data.trim() || !box.width || !node.checkVisibility() || node.closest(".unseen, .skip, script, style")) continue;
                const [a, b] = [bright(parts(getComputedStyle(node).color)), bright(behind(node))].sort((x, y) => y - x);
                const contrast = (a + .05) / (b + .05);
                if (contrast < 4.5) faults.push(`${contrast.toFixed(2)}: ${text.data.trim()} (${node.className || node.tagName})`);
                if (box.right > innerWidth + 1 && !node.closest(".wide, pre")) faults.push(`cut off: ${text.data.trim()}`);
              }
              return [...new Set(faults)];
            })()
            """;

    private final SystemTimeSource time = new SystemTimeSource("page test");
    private final Desk desk = new Desk(time, hour());
    private Optional<Browser> started = Optional.empty();

    @BeforeAll
    void start() throws IOException {
        Path profile = Files.createTempDirectory(Files.createDirectories(Path.of("target")), "browser");
        started = Browser.start(profile.toAbsolutePath());
        desk.allWell();
    }

    @AfterAll
    void end() {
        started.ifPresent(Browser::close);
        desk.close();
        time.close();
    }

    @BeforeEach
    void signedIn() {
        assumeTrue(started.isPresent(), "no Chromium on the PATH: the page is not looked at");
        desk.router.uncordon("legion");
        desk.allWell();
        browser().look(1400, 1000, false);
        if (!isMine()) {
            open(desk, Desk.ANNA);
        }
        Browser.await("the page is live", this::isLive);
    }

    @Test
    void loadsWithoutAComplaintAndAsksNobodyElse() {
        open(desk, Desk.ANNA);
        Browser.await("the page is live", this::isLive);
        assertThat(browser().complaints()).isEmpty();
        assertThat(browser().requests())
                .isNotEmpty()
                .allMatch(address -> address.startsWith(desk.uri("/").toString()) || address.startsWith("data:"));
    }

    @Test
    void aFallbackShowsWithinTwoSeconds() {
        desk.report("mirrorforge", 93, 64, 55);
        long then = System.nanoTime();
        Placement placed = place("flux-dev");
        assertThat(placed.substrateId()).isEqualTo("legion");
        Browser.await("the row", () -> browser().is("document.querySelector('#feed li.fallback')"));
        placed.succeed();
        Browser.await("the route", () -> browser()
                .is("document.querySelector('#routes .serves.other')?.textContent.startsWith('legion')"));
        assertThat(Duration.ofNanos(System.nanoTime() - then)).isLessThan(Duration.ofSeconds(2));
        assertThat(browser().text("document.querySelector('#feed li.fallback').innerText"))
                .contains("flux-dev", "legion", "fallback", "mirrorforge: gpu util 93 >= 70");
        assertThat(browser().text("document.querySelector('#routes li').innerText"))
                .contains("legion because mirrorforge: gpu util 93 >= 70");
        Browser.await("it is told", () -> browser()
                .text("document.querySelector('#feed-told').textContent")
                .contains("flux-dev fell back to legion"));
    }

    @Test
    void cordonsByKeyboard() {
        tabTo("Cordon", "legion");
        browser().press("Enter", ENTER);
        Browser.await("the router has it out", () -> cordoned("legion"));
        Browser.await(
                "the card says so", () -> browser().is(card("legion") + ".querySelector('[data-state=cordoned]')"));
        // the focus stays where it was, on what puts it back
        assertThat(browser().text("document.activeElement.textContent")).isEqualTo("Uncordon");
        browser().press("Enter", ENTER);
        Browser.await("the router has it back", () -> !cordoned("legion"));
    }

    @Test
    void drainAsksBefore() {
        tabTo("Drain", "legion");
        browser().press("Enter", ENTER);
        Browser.await("it asks", () -> browser().is("document.querySelector('dialog').open"));
        browser().press("Escape", ESCAPE);
        Browser.await("it does not ask any more", () -> !browser().is("document.querySelector('dialog').open"));
        assertThat(cordoned("legion")).isFalse();
        browser().press("Enter", ENTER);
        Browser.await("it asks again", () -> browser().is("document.querySelector('dialog').open"));
        browser().press("Tab", TAB);
        browser().press("Enter", ENTER);
        Browser.await("it drains", () -> cordoned("legion"));
    }

    @Test
    void whoMayOnlyViewIsToldSo() {
        open(desk, Desk.VIEWER);
        Browser.await("the page is live", this::isLive);
        assertThat(browser().text("document.querySelector('#rights').textContent"))
                .isEqualTo("view-wall may not cordon, drain, reset: no role of the policy says so");
        assertThat(browser().is("[...document.querySelectorAll('.acts button')].every(b => b.ariaDisabled === 'true')"))
                .isTrue();
        browser().evaluate("document.querySelector('.acts button').click()");
        assertThat(browser().text("document.querySelector('#toast').textContent"))
                .contains("may not cordon");
        assertThat(desk.router.substrates()).noneMatch(view -> view.cordoned());
    }

    @Test
    void asksWhoLooksOnlyWhenTheGatewayDoes() {
        open(desk, "");
        Browser.await("it asks", () -> browser().is("!document.querySelector('#login').hidden"));
        assertThat(browser().text("document.activeElement.id")).isEqualTo("token");
        browser().evaluate("document.querySelector('#token').value = \"wrong\"");
        browser().press("Enter", ENTER);
        Browser.await("it says why not", () -> browser()
                .text("document.querySelector('#login-why').textContent")
                .equals("unknown bearer token"));
        browser().evaluate("document.querySelector('#token').value = \"" + Desk.ANNA + "\"");
        browser().evaluate("document.querySelector('#token').focus()");
        browser().press("Enter", ENTER);
        Browser.await("the page is live", this::isLive);
        assertThat(browser().is("document.querySelector('#login').hidden")).isTrue();
    }

    @Test
    void whatTheRouterSaysIsTextAndNothingElse() {
        String markup = "<img src=x onerror=\"document.title='owned'\">";
        desk.events.on(new RouterEvent.Failed("m1", markup, markup, FaultKind.NODE, markup));
        desk.events.on(new RouterEvent.StatusLost(markup, Duration.ofSeconds(20), Optional.of(markup)));
        Browser.await("it shows", () -> browser()
                .text("document.querySelector('#feed').innerText")
                .contains("<img"));
        assertThat(browser().is("document.querySelector('main img')")).isFalse();
        assertThat(browser().text("document.title")).isEqualTo("Substrate router");
    }

    @Test
    void saysThatTheGatewayIsGone() {
        Desk other = new Desk(time);
        try {
            other.allWell();
            open(other, Desk.ANNA);
            Browser.await("the page is live", this::isLive);
        } finally {
            other.close();
        }
        Browser.await("it says so", () -> connection().startsWith("connection lost, retrying"));
    }

    @Test
    void aGatewayThatDoesNotAnswerIsLostUntilItDoes() {
        browser().evaluate("AbortSignal.timeout = (real => () => real.call(AbortSignal, 300))(AbortSignal.timeout)");
        browser().hold("*/admin/pool");
        try {
            Browser.await("the page gives the answer up", () -> connection().startsWith("connection lost, retrying"));
        } finally {
            browser().letGo();
        }
        Browser.await("the page is live again", this::isLive);
        // whatever hangs, what is old is not live
        browser().evaluate("lastUpdate -= 11000; tick()");
        assertThat(connection()).startsWith("connection lost, retrying · last update 1");
        Browser.await("the page is live again", this::isLive);
    }

    @Test
    void aStreamWhoseHeadDoesNotComeIsGivenUp() {
        browser().hold("*/admin/events");
        try {
            JsonNode ended = browser().evaluate("""
                    (async () => {
                      const real = setTimeout;
                      setTimeout = (run, after) => real(run, after / 50);
                      const given = listen("0", () => {}, () => {});
                      setTimeout = real;
                      return given.then(() => "ended", failure => failure.name);
                    })()""");
            assertThat(ended.asString()).isEqualTo("AbortError");
        } finally {
            browser().letGo();
        }
    }

    @Test
    void saysInTheGatewaysWordsWhyNothingIsHeard() {
        List<SseClient> streams = new ArrayList<>();
        try (Desk other = new Desk(time)) {
            other.allWell();
            for (int one = 0; one < Events.STREAMS; one++) {
                streams.add(new SseClient(other, ""));
            }
            open(other, Desk.ANNA);
            Browser.await(
                    "it says so", () -> connection().startsWith("streams: 16 (expected: below 16) · last update"));
            assertThat(browser().is("document.querySelector('#feed-none').checkVisibility()"))
                    .isFalse();
        } finally {
            streams.forEach(SseClient::close);
        }
    }

    @Test
    void fitsBothWidthsInLightAndDark() throws IOException {
        try (Placement upscale = place("upscale");
                Placement first = busy("flux-dev");
                Placement fill = place("flux-fill")) {
            assertThat(fill.substrateId()).isEqualTo("thundercompute");
            first.commit();
            upscale.commit();
            desk.source.spoilt(new PolicyProblem(
                    "out-of-range",
                    "substrates.legion.max_concurrent_jobs",
                    14,
                    27,
                    "max_concurrent_jobs: -1 (expected: >= 1)"));
            Browser.await(
                    "all is there",
                    () -> browser()
                            .is(
                                    "document.querySelector('#policy-problems li') && document.querySelectorAll('#feed li').length > 8"));
            for (boolean dark : new boolean[] {false, true}) {
                for (int width : new int[] {1400, 390}) {
                    browser().look(width, 900, dark);
                    browser()
                            .evaluate(
                                    "new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))");
                    JsonNode faults = browser().evaluate(FAULTS);
                    browser().evaluate("document.querySelectorAll('details').forEach(one => one.open = true)");
                    JsonNode unfolded = browser().evaluate(FAULTS);
                    browser().evaluate("document.querySelectorAll('details').forEach(one => one.open = false)");
                    browser().picture(PICTURES.resolve("page-" + width + (dark ? "-dark" : "-light") + ".png"));
                    assertThat(faults)
                            .as("at " + width + (dark ? " dark" : " light"))
                            .isEmpty();
                    assertThat(unfolded).as("unfolded at " + width).isEmpty();
                }
            }
        }
    }

    /** Some work done, then one machine hot and the other one held by somebody's work. */
    private Placement busy(String workload) {
        for (int one = 0; one < 5; one++) {
            place(workload).succeed();
        }
        desk.router
                .tryPlace(RouteRequest.workload("sdxl").identity("agent-7"))
                .orElseThrow()
                .nodeFault(new ConnectException("refused"));
        desk.report("mirrorforge", 93, 64, 84);
        desk.router.cordon("legion");
        assertThat(desk.router.tryPlace(RouteRequest.workload("embed").identity("agent-7")))
                .isEmpty();
        desk.router.uncordon("legion");
        return place(workload);
    }

    /** An hour in which one machine is away for some minutes. */
    private static History hour() {
        HandDrivenTime past = new HandDrivenTime();
        past.setWall(Instant.parse("2026-05-04T10:31:00Z"));
        History history = new History(past);
        Random random = new Random(8);
        for (int minute = 0; minute < 60; minute++) {
            boolean away = minute > 22 && minute < 36;
            for (int one = 0; one < 12; one++) {
                boolean elsewhere = random.nextInt(10) < (away ? 9 : 1);
                ServingPath path = elsewhere ? ServingPath.FALLBACK : ServingPath.PRIMARY;
                history.accept(Traces.done(path, millis((elsewhere ? 15_000 : 38_000) + random.nextInt(6_000))));
            }
            if (away) {
                history.accept(Traces.refused());
                history.accept(Traces.done(ServingPath.OVERFLOW, millis(21_000 + random.nextInt(4_000))));
            }
            if (minute % 9 == 0) {
                history.accept(Traces.done(ServingPath.BATCH, millis(70_000 + random.nextInt(9_000))));
            }
            past.advance(Duration.ofSeconds(59).plusMillis(900));
        }
        return history;
    }

    private static Duration millis(int millis) {
        return Duration.ofMillis(millis);
    }

    private Placement place(String workload) {
        return desk.router
                .tryPlace(RouteRequest.workload(workload).identity("agent-7"))
                .orElseThrow();
    }

    private void open(Desk at, String token) {
        browser().open(at.uri("/healthz"));
        browser().evaluate("sessionStorage.setItem('substrate-router-token', \"" + token + "\")");
        browser().forget();
        browser().open(at.uri("/"));
    }

    /** Whether the page that is open is the desk's, as anna sees it. */
    private boolean isMine() {
        return browser().text("location.href").equals(desk.uri("/").toString())
                && browser()
                        .text("sessionStorage.getItem('substrate-router-token')")
                        .equals(Desk.ANNA);
    }

    private boolean isLive() {
        return browser()
                .is("document.querySelector('#connection').dataset.state === 'live'"
                        + " && document.querySelectorAll('.card').length === 4");
    }

    private String connection() {
        return browser().text("document.querySelector('#connection').innerText");
    }

    private boolean cordoned(String id) {
        return desk.router.substrates().stream().anyMatch(view -> view.id().equals(id) && view.cordoned());
    }

    private static String card(String id) {
        return "document.getElementById('card-" + id + "').closest('.card')";
    }

    /** By the keyboard alone. */
    private void tabTo(String button, String substrate) {
        for (int presses = 0; presses < 40; presses++) {
            if (browser().is(card(substrate) + ".contains(document.activeElement)")
                    && browser().text("document.activeElement.textContent").equals(button)) {
                return;
            }
            browser().press("Tab", TAB);
        }
        throw new AssertionError("no way by Tab to '" + button + "' of " + substrate);
    }

    private Browser browser() {
        return started.orElseThrow();
    }
}
