package dev.substraterouter.probe.http;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.ProtocolException;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Words for people for what the HTTP client throws. Messages of exceptions are not passed on, for they may quote what was sent or received. */
final class Reasons {
    private static final int MAX_CAUSES = 16;
    private static final int MAX_TEXT = 160;

    private Reasons() {}

    /** Why there is no answer. */
    static String of(Throwable thrown, Duration timeout) {
        List<Throwable> chain = chain(thrown);
        Optional<NoStatusException> own = first(chain, NoStatusException.class);
        if (own.isPresent()) {
            return own.get().reason();
        }
        if (has(chain, HttpTimeoutException.class)) {
            return timedOut(timeout);
        }
        if (has(chain, UnknownHostException.class) || has(chain, UnresolvedAddressException.class)) {
            return "unknown host";
        }
        // TLS before the socket: its exceptions wrap the socket's, and name what a person can mend.
        Optional<SSLException> tls = first(chain, SSLException.class);
        if (tls.isPresent()) {
            return "tls: " + printable(innermost(chain).getMessage());
        }
        if (has(chain, NoRouteToHostException.class) || says(chain, "unreachable")) {
            return "no route to host";
        }
        if (has(chain, ConnectException.class)) {
            return says(chain, "timed out") ? "connecting timed out" : "connection refused";
        }
        if (has(chain, ProtocolException.class)
                || has(chain, NumberFormatException.class) // of a Content-Length
                || says(chain, "in chunk size")) {
            return "not HTTP";
        }
        return broken(chain);
    }

    private static String broken(List<Throwable> chain) {
        if (says(chain, "reset") || says(chain, "broken pipe")) {
            return "reset";
        }
        if (says(chain, "received no bytes")) {
            return "closed without an answer";
        }
        if (has(chain, EOFException.class) || says(chain, "content-length") || says(chain, "chunked")) {
            return "answer cut short";
        }
        return (has(chain, IOException.class) ? "broken off: " : "failed: ")
                + innermost(chain).getClass().getSimpleName();
    }

    /** The same words for a time limit, whoever kept it. */
    static String timedOut(Duration timeout) {
        return "timed out after " + text(timeout);
    }

    private static String text(Duration time) {
        long millis = time.toMillis();
        return millis < 100 ? millis + " ms" : String.format(Locale.ROOT, "%.1f s", millis / 1_000.0);
    }

    /** The host and port that are really connected to. */
    static String place(URI uri) {
        return uri.getHost() + ":" + port(uri);
    }

    static int port(URI uri) {
        return uri.getPort() >= 0 ? uri.getPort() : isTls(uri) ? 443 : 80;
    }

    static boolean isTls(URI uri) {
        return "https".equalsIgnoreCase(uri.getScheme());
    }

    /** Text from elsewhere, made short and harmless for a log line. */
    static String printable(@Nullable String text) {
        if (text == null) {
            return "no reason given";
        }
        String clean = text.replaceAll("[^\\x20-\\x7e]", "?");
        return clean.length() <= MAX_TEXT ? clean : clean.substring(0, MAX_TEXT) + "...";
    }

    private static List<Throwable> chain(Throwable thrown) {
        List<Throwable> chain = new ArrayList<>();
        for (Throwable t = thrown; t != null && chain.size() < MAX_CAUSES; t = t.getCause()) {
            chain.add(t);
        }
        return chain;
    }

    private static Throwable innermost(List<Throwable> chain) {
        return chain.get(chain.size() - 1);
    }

    private static <T extends Throwable> Optional<T> first(List<Throwable> chain, Class<T> type) {
        return chain.stream().filter(type::isInstance).map(type::cast).findFirst();
    }

    private static boolean has(List<Throwable> chain, Class<? extends Throwable> type) {
        return chain.stream().anyMatch(type::isInstance);
    }

    private static boolean says(List<Throwable> chain, String word) {
        Predicate<Throwable> named = t -> t.getMessage() != null
                && t.getMessage().toLowerCase(Locale.ROOT).contains(word);
        return chain.stream().anyMatch(named);
    }
}
