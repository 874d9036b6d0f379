package dev.substraterouter.probe.http;

import dev.substraterouter.model.AddressScope;
import dev.substraterouter.status.SubstrateStatus;
import dev.substraterouter.time.Cancellable;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.Security;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Asks one address over HTTP: one GET, at most three redirects within the same scheme, host and port, one bounded body.
 *
 * <p>What may block (a name to look up, a token file to read) happens first, on the lookup threads, at most once at a time: while one
 * hangs, later questions take each other's place in {@code waiting} instead of queueing up, and whoever waits when it returns is sent.
 */
final class HttpAsker implements Asker {
    private static final String CACHE_SECONDS = "networkaddress.cache.ttl";
    private static final int MAX_REDIRECTS = 3;
    private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);

    private final HttpAskers shared;
    private final URI url;
    private final Token token;
    private final StatusFormat format;
    private final Duration timeout;
    private final AddressScope scope;
    private final boolean numeric;
    private final ProgressWatch progress;

    private final AtomicBoolean preparing = new AtomicBoolean();
    private final AtomicReference<@Nullable Exchange> waiting = new AtomicReference<>();

    HttpAsker(
            HttpAskers shared,
            URI url,
            Token token,
            StatusFormat format,
            Duration timeout,
            AddressScope scope,
            ProgressWatch progress) {
        this.scope = scope;
        this.progress = progress;
        this.shared = shared;
        this.url = url;
        this.token = token;
        this.format = format;
        this.timeout = timeout;
        numeric = url.getHost().matches("\\[.*]|[0-9.]+");
    }

    @Override
    public Cancellable ask(Reply reply) {
        Exchange exchange = new Exchange(reply);
        if (numeric && !token.isInFile()) {
            exchange.prepareAndSend();
        } else {
            waiting.set(exchange);
            if (preparing.compareAndSet(false, true)) {
                shared.lookups().execute(this::prepareThenSend);
            }
        }
        return exchange;
    }

    private void prepareThenSend() {
        Optional<String> header = Optional.empty();
        @Nullable NoStatusException failure = null;
        @Nullable InetAddress found = null;
        try {
            header = token.header();
            found = lookedUp();
        } catch (NoStatusException noToken) {
            failure = noToken;
        } catch (UnknownHostException unknown) {
            failure = new NoStatusException("unknown host (" + Reasons.place(url) + ")");
        } catch (RuntimeException broken) {
            failure = new NoStatusException("failed: " + broken.getClass().getSimpleName());
        }
        preparing.set(false); // before the exchange is taken: one that comes now either is taken here or starts anew
        Exchange exchange = waiting.getAndSet(null);
        if (exchange != null) {
            exchange.prepared(header, found, failure);
        }
    }

    /**
     * The address that the host is now; the first of several, all of which must be in scope.
     *
     * @throws NoStatusException if one is not
     */
    private InetAddress lookedUp() throws UnknownHostException, NoStatusException {
        InetAddress[] all = shared.lookup().all(url.getHost());
        for (InetAddress one : all) {
            Optional<String> refusal = scope.refusal(AddressScope.hostOf(url), one);
            if (refusal.isPresent()) {
                throw new NoStatusException(refusal.get());
            }
        }
        if (!scope.isAnywhere() && Reasons.isTls(url) && "0".equals(Security.getProperty(CACHE_SECONDS))) {
            throw new NoStatusException(
                    "the JVM keeps no address of a name (" + CACHE_SECONDS + "=0), so none can be held to its scope");
        }
        return all[0];
    }

    /** One question with the redirects it is sent through. */
    private final class Exchange implements Cancellable {
        private final Reply reply;
        private Optional<String> authorization = Optional.empty();
        private @Nullable InetAddress address;
        private volatile @Nullable CompletableFuture<?> sent;
        private volatile boolean cancelled;

        Exchange(Reply reply) {
            this.reply = reply;
        }

        /** Either this sees what was sent, or {@link #send} sees that it is called off. */
        @Override
        public void cancel() {
            cancelled = true;
            CompletableFuture<?> inFlight = sent;
            if (inFlight != null) {
                inFlight.cancel(true);
            }
        }

        void prepareAndSend() {
            try {
                prepared(token.header(), null, null);
            } catch (NoStatusException noToken) {
                prepared(Optional.empty(), null, noToken);
            }
        }

        void prepared(Optional<String> header, @Nullable InetAddress found, @Nullable NoStatusException failure) {
            if (failure != null) {
                reply.failed(failure.reason());
                return;
            }
            authorization = header;
            address = found;
            try {
                if (reply.sending()) {
                    send(url, 0);
                }
            } catch (RuntimeException broken) {
                reply.failed("failed: " + broken.getClass().getSimpleName() + " (" + Reasons.place(url) + ")");
            }
        }

        private void send(URI target, int redirects) {
            if (cancelled) {
                return; // between two redirects
            }
            HttpClient client = shared.client();
            if (client == null) {
                reply.failed("closed");
                return;
            }
            HttpRequest.Builder request = HttpRequest.newBuilder(pinned(target))
                    .GET()
                    .timeout(timeout)
                    .header("Accept", format.accept())
                    .header("Accept-Encoding", "identity");
            authorization.ifPresent(value -> request.header("Authorization", value));
            var inFlight = client.sendAsync(request.build(), head -> Body.of(head, format.maxBytes()));
            var handle = openHandle(inFlight);
            sent = handle;
            if (cancelled) {
                handle.cancel(true);
            }
            var unused = inFlight.whenCompleteAsync(
                    (response, failure) -> received(target, redirects, response, failure), shared.executor());
        }

        /**
         * Where addresses must lie in a scope, the one that was looked up and found to be in it is connected to, not whatever the name is by
         * then. Over TLS the name has to stay, for the certificate is checked against it: there the certificate says who answers, and the
         * JVM's own cache keeps the address for the moment in between.
         */
        private URI pinned(URI target) {
            InetAddress found = address;
            if (found == null || scope.isAnywhere() || Reasons.isTls(target) || numeric) {
                return target;
            }
            String host = found instanceof Inet6Address ? "[" + found.getHostAddress() + "]" : found.getHostAddress();
            String path = target.getRawPath() == null ? "" : target.getRawPath();
            String query = target.getRawQuery() == null ? "" : "?" + target.getRawQuery();
            return URI.create(target.getScheme() + "://" + host + ":" + Reasons.port(target) + path + query);
        }

        /**
         * What calls the exchange off, after its end too. Cancelling the client's own future does nothing once that is completed, and the
         * client (seen on 17) forgets to close a connection on which something else than HTTP came. A future derived from it is
         * cancelable as well (documented at {@code sendAsync}), and this one is completed by an answer only.
         */
        private static CompletableFuture<?> openHandle(CompletableFuture<HttpResponse<byte[]>> inFlight) {
            return inFlight.exceptionallyCompose(failure -> new CompletableFuture<>());
        }

        private void received(
                URI target, int redirects, @Nullable HttpResponse<byte[]> response, @Nullable Throwable failure) {
            String at = " (" + Reasons.place(target) + ")";
            if (response != null) {
                sent = null; // over: calling it off now would cost the connection
            }
            try {
                if (response == null) {
                    cancel(); // closes the connection, where the client has not
                    Throwable known = failure == null ? new IllegalStateException() : failure;
                    reply.failed(Reasons.of(known, timeout) + at);
                } else if (REDIRECTS.contains(response.statusCode())) {
                    send(redirect(target, redirects, response), redirects + 1);
                } else {
                    reply.answered(progress.judged(status(target, response)));
                }
            } catch (NoStatusException none) {
                reply.failed(none.reason() + at);
            } catch (RuntimeException broken) {
                reply.failed("failed: " + broken.getClass().getSimpleName() + at);
            }
        }

        private SubstrateStatus status(URI asked, HttpResponse<byte[]> response) throws NoStatusException {
            String encoding = response.headers().firstValue("Content-Encoding").orElse("identity");
            if (!encoding.equalsIgnoreCase("identity")) {
                throw new NoStatusException(
                        "content encoding " + Reasons.printable(encoding) + " (expected: none, as was asked for)");
            }
            String path = asked.getRawPath() == null ? "" : asked.getRawPath();
            String type = response.headers().firstValue("Content-Type").orElse("");
            return format.read(new StatusAnswer(response.statusCode(), path, type, response.body()));
        }

        /** The same server only: the token belongs to it, and who is asked is who the policy names. */
        private URI redirect(URI from, int redirects, HttpResponse<byte[]> response) throws NoStatusException {
            String code = "status " + response.statusCode();
            if (redirects == MAX_REDIRECTS) {
                throw new NoStatusException(code + ": more than " + MAX_REDIRECTS + " redirects");
            }
            URI to;
            try {
                to = from.resolve(response.headers().firstValue("Location").orElse(":"));
            } catch (IllegalArgumentException unusable) {
                throw new NoStatusException(code + " without a usable location");
            }
            boolean same = from.getScheme().equalsIgnoreCase(to.getScheme())
                    && (from.getHost().equalsIgnoreCase(to.getHost())
                            || pinned(from).getHost().equalsIgnoreCase(to.getHost()))
                    && Reasons.port(from) == Reasons.port(to)
                    && to.getRawUserInfo() == null;
            if (!same) {
                throw new NoStatusException(code + ": redirect to " + Reasons.printable(Reasons.place(to))
                        + " refused (expected: the same scheme, host and port)");
            }
            return to;
        }
    }
}
