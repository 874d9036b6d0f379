package dev.substraterouter.examples.gateway.control;

import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.examples.gateway.web.Problem;
import dev.substraterouter.policy.Operation;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Opens streams of {@link Events}. No thread is held by one. Thread-safe. */
final class EventsAnswer {
    private final SubstrateRouter router;
    private final Events events;

    EventsAnswer(SubstrateRouter router, Events events) {
        this.router = router;
        this.events = events;
    }

    void open(Call call) throws IOException, ProblemException {
        String lastSeen = lastSeen(call.request().getHeader("Last-Event-ID"));
        HttpServletResponse response = call.response();
        response.setStatus(200);
        response.setContentType("text/event-stream");
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("X-Accel-Buffering", "no");
        response.setHeader("X-Content-Type-Options", "nosniff");
        AsyncContext context = call.request().startAsync();
        context.setTimeout(0);
        if (!events.open(context, lastSeen, () -> call.caller().mayOperate(router, Operation.VIEW))) {
            response.setHeader("Retry-After", "10");
            Problem.of(
                            503,
                            "Too many streams",
                            "streams: " + events.streams() + " (expected: below " + Events.STREAMS + ")")
                    .write(response);
            context.complete();
        }
    }

    private static @Nullable String lastSeen(@Nullable String header) throws ProblemException {
        if (header != null && header.length() > 64) {
            throw new ProblemException(
                    400, "Not an event", "Last-Event-ID: " + header.length() + " characters (expected: at most 64)");
        }
        return header;
    }
}
