package dev.substraterouter.examples.gateway.control;

import dev.substraterouter.policy.Operation;
import java.io.IOException;
import java.util.Optional;

/**
 * One thing that can be asked of the operator's listener.
 *
 * @param method the HTTP method
 * @param path the path; a segment {@code {id}} stands for any one
 * @param right what the caller must be allowed to do; empty: anybody may ask
 * @param handler what answers
 */
record Route(String method, String path, Optional<Operation> right, Handler handler) {
    private static final String ANY = "{id}";

    /** Answers a request that was let in. */
    @FunctionalInterface
    interface Handler {
        void handle(Call call) throws IOException, ProblemException;
    }

    static Route open(String path, Handler handler) {
        return new Route("GET", path, Optional.empty(), handler);
    }

    static Route view(String path, Handler handler) {
        return new Route("GET", path, Optional.of(Operation.VIEW), handler);
    }

    static Route post(String path, Operation right, Handler handler) {
        return new Route("POST", path, Optional.of(right), handler);
    }

    /** What stands for {@code {id}}, or nothing where the path has none; empty: another path. */
    Optional<String> match(String asked) {
        int at = path.indexOf(ANY);
        if (at < 0) {
            return asked.equals(path) ? Optional.of("") : Optional.empty();
        }
        String before = path.substring(0, at);
        String after = path.substring(at + ANY.length());
        if (asked.length() <= before.length() + after.length() || !asked.startsWith(before) || !asked.endsWith(after)) {
            return Optional.empty();
        }
        String id = asked.substring(before.length(), asked.length() - after.length());
        return id.indexOf('/') < 0 ? Optional.of(id) : Optional.empty();
    }
}
