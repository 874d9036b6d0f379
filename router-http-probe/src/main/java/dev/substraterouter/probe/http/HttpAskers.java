package dev.substraterouter.probe.http;

import dev.substraterouter.model.AddressScope;
import dev.substraterouter.model.StatusAddress;
import dev.substraterouter.time.TimeSource;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
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
    private final AtomicReference<@Nullable HttpClient> client;
    private final Executor executor;
    private final Executor lookups;
    private final NameWatch.Lookup lookup;
    private final Function<String, @Nullable String> environment;

    private final StatusFormats formats;
    private final TimeSource time;
    private final Duration stallAfter;

    HttpAskers(
            Executor executor,
            Executor lookups,
            NameWatch.Lookup lookup,
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
        this.lookups = lookups;
        this.lookup = lookup;
    }

    @Override
    public Asker to(Address asked) {
        StatusAddress address = asked.where();
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
        Optional<String> unsafe = unsafe(url, asked.scope());
        if (unsafe.isPresent()) {
            return refusing(unsafe.get());
        }
        Token token = new Token(address, environment);
        ProgressWatch progress = new ProgressWatch(time, stallAfter);
        return new HttpAsker(this, url, token, format.get(), asked.timeout(), asked.scope(), progress);
    }

    /** What speaks against an address from the start: how it is written, or where it is. */
    private static Optional<String> unsafe(URI url, AddressScope scope) {
        String host = AddressScope.hostOf(url);
        if (scope.isAnywhere() || !AddressScope.isLiteral(host)) {
            return Optional.empty();
        }
        try {
            return scope.refusal(host, AddressScope.literal(host));
        } catch (IllegalArgumentException ambiguous) {
            return Optional.of("address " + Reasons.printable(ambiguous.getMessage()));
        }
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

    /** Looks names up. */
    NameWatch.Lookup lookup() {
        return lookup;
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
        HttpClient ended = client.getAndSet(null);
        if (ended != null) {
            Daemons.endNow(ended);
        }
    }
}
