package dev.substraterouter.examples.quickstart.readme;

import dev.substraterouter.NoEligibleSubstrateException;
import dev.substraterouter.NotAuthorizedException;
import dev.substraterouter.RoutingException;
import dev.substraterouter.UnknownWorkloadException;
import java.util.OptionalLong;

/** What a host answers over HTTP when the router turns a request down. */
final class HttpAnswers {
    private HttpAnswers() {}

    static int code(RoutingException refused) {
        if (refused instanceof UnknownWorkloadException) {
            return 404;
        }
        if (refused instanceof NotAuthorizedException) {
            return 403;
        }
        return refused instanceof NoEligibleSubstrateException ? 422 : 503; // else busy, or closed
    }

    /** The value of Retry-After, in whole seconds. */
    static OptionalLong retryAfter(RoutingException refused) {
        return refused.retryAfter()
                .map(after -> OptionalLong.of(Math.max(1, after.plusMillis(999).toSeconds())))
                .orElse(OptionalLong.empty());
    }
}
