package dev.substraterouter.probe.http;

import dev.substraterouter.status.SubstrateStatus;
import java.util.Locale;
import java.util.Set;

/** What the formats have in common: which surface of a server answered, and what an answer without figures says. */
final class Surface {
    private static final Set<String> HEALTH = Set.of("health", "ping", "live", "ready");

    private Surface() {}

    /** The last part of the path that was asked, in lower case; empty for the root. */
    static String of(StatusAnswer answer) {
        String path = answer.path();
        int end = path.length();
        while (end > 0 && path.charAt(end - 1) == '/') {
            end--;
        }
        return path.substring(path.lastIndexOf('/', end - 1) + 1, end).toLowerCase(Locale.ROOT);
    }

    /** True for the surfaces that say ready or not and nothing else. */
    static boolean isHealth(StatusAnswer answer) {
        return HEALTH.contains(of(answer));
    }

    /** True if the body can only be JSON. */
    static boolean isJson(StatusAnswer answer) {
        int first = Json.firstByte(answer.body());
        return first == '{' || first == '[';
    }

    /**
     * What a health surface says that answers 200 with no body, or the given code when the server is not ready: alive either way.
     *
     * @throws NoStatusException for any other answer; 200 with a body is another server's
     */
    static SubstrateStatus health(StatusAnswer answer, int notReadyCode, String why) throws NoStatusException {
        if (answer.code() == notReadyCode && !answer.isHtml()) {
            return notReady(why);
        }
        if (!answer.ok().isEmpty()) {
            throw new NoStatusException("not this server: a health answer of " + answer.body().length
                    + " bytes (expected: no body with the code 200)");
        }
        return SubstrateStatus.builder().build();
    }

    /** Alive, and not ready for this reason. */
    static SubstrateStatus notReady(String why) {
        return SubstrateStatus.builder().notReady(why).attribute("state", why).build();
    }

    /**
     * The wanted families of a page of metrics. A page that has none of them, or nothing at all, is a page all the same.
     *
     * @throws NoStatusException if the answer is something else, or a page that is too long to be read whole
     */
    static PrometheusText metrics(StatusAnswer answer, Set<String> wanted) throws NoStatusException {
        PrometheusText page = PrometheusText.read(answer.ok().body(), wanted);
        if (!page.isMetrics() && !answer.isEmpty()) {
            throw new NoStatusException("not this server: no line of metrics (expected: Prometheus text)");
        }
        if (page.cut()) {
            throw new NoStatusException("metrics of more than " + PrometheusText.MAX_LINES + " lines or "
                    + PrometheusText.MAX_SAMPLES + " wanted samples (expected: fewer)");
        }
        return page;
    }

    /** The exception for JSON that has nothing of the server that was expected. */
    static NoStatusException notThisServer(String expected) {
        return new NoStatusException("not this server: JSON without its members (expected: " + expected + ")");
    }
}
