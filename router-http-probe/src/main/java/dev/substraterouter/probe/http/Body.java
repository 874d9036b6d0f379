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
 * Takes the body of an answer with the code 200, up to a limit. Any other body is not read, and neither is one that says in its header that
 * it is too long: the connection is closed there and then. Called by one thread at a time.
 */
final class Body implements BodySubscriber<byte[]> {
    static final int MAX_BYTES = 256 * 1024;

    private static final byte[] NONE = {};

    private final CompletableFuture<byte[]> whole = new CompletableFuture<>();
    private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
    private Flow.@Nullable Subscription subscription;

    private Body() {}

    static BodySubscriber<byte[]> of(ResponseInfo head) {
        Body body = new Body();
        OptionalLong length = head.headers().firstValueAsLong("Content-Length");
        if (head.statusCode() != 200) {
            body.whole.complete(NONE);
        } else if (length.orElse(0) > MAX_BYTES) {
            body.whole.completeExceptionally(tooLong());
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
            if (part.remaining() > MAX_BYTES - taken.size()) {
                whole.completeExceptionally(tooLong());
                if (subscription != null) {
                    subscription.cancel();
                }
                return;
            }
            byte[] bytes = new byte[part.remaining()];
            part.get(bytes);
            taken.writeBytes(bytes);
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

    private static NoStatusException tooLong() {
        return new NoStatusException("answer longer than " + MAX_BYTES / 1024 + " KiB");
    }
}
