package dev.substraterouter.probe.http;

import dev.substraterouter.model.StatusAddress;
import dev.substraterouter.time.TimeSource;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The one HTTP client of a probe, and the few threads on which names are looked up and token files are read.
 *
 * <p>Those two may block for as long as the system likes, so they happen on threads of their own, one at a time per address, and only where
 * they are needed: a numeric address with a token from a variable never goes there. The client would look a name up by itself, on the
 * thread that handles everybody's answers; looking it up just before puts it into the JVM's cache, from which the client then takes it.
 *
 * <p>The client follows no redirect, keeps no cookie, uses no proxy: who is asked is who the policy names.
 */
final class HttpAskers implements Asker.Source {
    private static final int LOOKUP_THREADS = 4;
    private static final int LOOKUP_IDLE_SECONDS = 10;

    private final AtomicReference<@Nullable HttpClient> client;
    private final Executor executor;
    private final ThreadPoolExecutor lookups;
    private final Function<String, @Nullable String> environment;

    private final StatusFormats formats;
    private final TimeSource time;
    private final Duration stallAfter;

    HttpAskers(
            String name,
            Executor executor,
            @Nullable SSLContext tls,
            Function<String, @Nullable String> environment,
            StatusFormats formats,
            TimeSource time,
            Duration stallAfter) {
        this.formats = formats;
        this.time = time;
        this.stallAfter = stallAfter;
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .proxy(HttpClient.Builder.NO_PROXY)
                .executor(executor);
        if (tls != null) {
            builder.sslContext(tls);
        }
        this.client = new AtomicReference<>(builder.build());
        this.executor = executor;
        this.environment = environment;
        lookups = new ThreadPoolExecutor(
                LOOKUP_THREADS,
                LOOKUP_THREADS,
                LOOKUP_IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                Daemons.named(name + "-lookup"));
        lookups.allowCoreThreadTimeOut(true);
    }

    @Override
    public Asker to(StatusAddress address, Duration timeout) {
        Optional<StatusFormat> format = formats.named(address.format());
        if (format.isEmpty()) {
            return refusing("format '" + Reasons.printable(address.format()) + "' is not known (expected: "
                    + formats.names() + ")");
        }
        URI url = address.url();
        boolean web = "http".equalsIgnoreCase(url.getScheme()) || Reasons.isTls(url);
        if (!web || url.getHost() == null || url.getRawUserInfo() != null) {
            return refusing("address cannot be asked (expected: http or https, a host, no credentials)");
        }
        return new HttpAsker(
                this, url, new Token(address, environment), format.get(), timeout, new ProgressWatch(time, stallAfter));
    }

    private static Asker refusing(String reason) {
        return reply -> {
            reply.failed(reason);
            return () -> {}; // nothing was asked
        };
    }

    /** The client; null once closed. */
    @Nullable
    HttpClient client() {
        return client.get();
    }

    /** Runs short work on an answer. */
    Executor executor() {
        return executor;
    }

    /** Runs what may block before a question. */
    Executor lookups() {
        return lookups;
    }

    /**
     * Ends the client. A JDK that cannot be told to (before 21) ends the client's one thread when the garbage collector finds that nobody
     * uses it any more, which from here on is so.
     */
    @Override
    public void close() {
        lookups.shutdownNow();
        HttpClient ended = client.getAndSet(null);
        if (ended != null) {
            Daemons.endNow(ended);
        }
    }
}
