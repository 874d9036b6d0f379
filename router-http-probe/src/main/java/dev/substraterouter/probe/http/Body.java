package dev.substraterouter.probe.http;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * Takes the body of an answer, up to a limit. That of a redirect is not read, and neither is one that says in its header that it is too
 * long: the connection is closed there and then. Of an answer with another code than 200 what fits is kept, as it may say why. Called by
 * one thread at a time.
 */
final class Body implements BodySubscriber<byte[]> {
    static final int MAX_BYTES_OF_FAILURE = 16 * 1024;

    private static final byte[] NONE = {};

    private final CompletableFuture<byte[]> whole = new CompletableFuture<>();
    private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
    private Flow.@Nullable Subscription subscription;

    private final int most;
    private final boolean cuts;

    private Body(int most, boolean cuts) {
        this.most = most;
        this.cuts = cuts;
    }

    static BodySubscriber<byte[]> of(ResponseInfo head, int maxBytes) {
        boolean ok = head.statusCode() == 200;
        boolean redirect = head.statusCode() / 100 == 3;
        boolean mayBeStatus = ok || head.statusCode() == 503; // by which servers say that they are not ready
        Body body = new Body(mayBeStatus ? maxBytes : MAX_BYTES_OF_FAILURE, !ok);
        OptionalLong length = head.headers().firstValueAsLong("Content-Length");
        if (redirect) {
            body.whole.complete(NONE);
        } else if (ok && length.orElse(0) > maxBytes) {
            body.whole.completeExceptionally(body.tooLong());
        }
        return body;
    }

    @Override
    public CompletionStage<byte[]> getBody() {
        return whole;
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        if (whole.isDone() || subscription != null) {
            given.cancel();
            return;
        }
        subscription = given;
        given.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> parts) {
        if (whole.isDone()) {
            return;
        }
        for (ByteBuffer part : parts) {
            int room = most - taken.size();
            boolean tooMuch = part.remaining() > room;
            byte[] bytes = new byte[Math.min(room, part.remaining())];
            part.get(bytes);
            taken.writeBytes(bytes);
            if (tooMuch) {
                full();
                return;
            }
        }
    }

    private void full() {
        if (cuts) {
            whole.complete(taken.toByteArray());
        } else {
            whole.completeExceptionally(tooLong());
        }
        if (subscription != null) {
            subscription.cancel();
        }
    }

    @Override
    public void onError(Throwable failure) {
        whole.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
        whole.complete(taken.toByteArray());
    }

    private NoStatusException tooLong() {
        return new NoStatusException("answer longer than " + most / 1024 + " KiB");
    }
}
