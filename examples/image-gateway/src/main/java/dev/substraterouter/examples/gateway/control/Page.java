package dev.substraterouter.examples.gateway.control;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;

/**
 * The page: one file with its styles and scripts in it, put together once. A browser asks nobody else for anything, and runs no script but
 * those whose digests the policy of the page names. Immutable.
 */
final class Page {
    private static final String CHARTS = "/META-INF/resources/webjars/uplot/";
    private static final String CHARTS_VERSION = "/META-INF/maven/org.webjars.npm/uplot/pom.properties";
    private static final List<String> SCRIPTS =
            List.of("start.js", "api.js", "pool.js", "routes.js", "feed.js", "charts.js", "live.js");

    private final byte[] html;
    private final String policy;

    private Page(byte[] html, String policy) {
        this.html = html;
        this.policy = policy;
    }

    /** The page from the class path. */
    static Page load() {
        String charts = CHARTS + version();
        String license = "/*\n" + text(charts + "/LICENSE") + "*/\n";
        String styles = inline("style", text(charts + "/dist/uPlot.min.css") + "\n" + text("page.css"));
        String library = inline("script", license + text(charts + "/dist/uPlot.iife.min.js"));
        String scripts = inline("script", SCRIPTS.stream().map(Page::text).collect(Collectors.joining("\n")));
        String html = text("page.html")
                .replace("<!--styles-->", "<style>" + styles + "</style>")
                .replace("<!--scripts-->", "<script>" + library + "</script>\n<script>" + scripts + "</script>");
        return new Page(html.getBytes(StandardCharsets.UTF_8), policy(styles, library, scripts));
    }

    void show(Call call) throws IOException {
        call.response().setHeader("Content-Security-Policy", policy);
        call.response().setHeader("Referrer-Policy", "no-referrer");
        call.response().setHeader("Cross-Origin-Opener-Policy", "same-origin");
        call.answer(200, "text/html; charset=utf-8", html);
    }

    private static String policy(String styles, String... scripts) {
        return "default-src 'none'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none';"
                + " frame-ancestors 'none'; style-src " + digest(styles) + "; script-src "
                + List.of(scripts).stream().map(Page::digest).collect(Collectors.joining(" "));
    }

    private static String digest(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-256", impossible);
        }
    }

    /** A text that may stand between the tags of an element: it does not end it. */
    private static String inline(String element, String text) {
        if (text.contains("</" + element) || text.contains("<!--")) {
            throw new IllegalStateException("a " + element + " of the page would end before its end");
        }
        return text.replace("\r\n", "\n");
    }

    private static String version() {
        Properties properties = new Properties();
        try (InputStream in = open(CHARTS_VERSION)) {
            properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(CHARTS_VERSION + " cannot be read", e);
        }
        return properties.getProperty("version");
    }

    private static String text(String resource) {
        try (InputStream in = open(resource)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(resource + " cannot be read", e);
        }
    }

    private static InputStream open(String resource) {
        InputStream in = Page.class.getResourceAsStream(resource);
        if (in == null) {
            throw new IllegalStateException(resource + " is not on the class path");
        }
        return in;
    }
}
