package dev.substraterouter.examples.gateway.tools;

import dev.substraterouter.RoutingException;
import dev.substraterouter.batch.BatchFullException;
import dev.substraterouter.examples.gateway.web.Problem;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;

/** Says what {@link Tools} throw as a {@link Problem}, in the same words by whichever way it is told. Stateless. */
public final class Problems {
    private Problems() {}

    /** The problem; empty when it is a defect of this side, of which no more is told. */
    public static Optional<Problem> of(Exception thrown) {
        if (thrown instanceof RoutingException refusal) {
            return Optional.of(Problem.of(refusal));
        }
        if (thrown instanceof WorkerFailedException failure) {
            return Optional.of(failure.problem());
        }
        if (thrown instanceof BatchFullException full) {
            return Optional.of(Problem.of(
                    HttpServletResponse.SC_SERVICE_UNAVAILABLE, "No room for more that is done later", said(full)));
        }
        if (thrown instanceof JacksonException notJson) {
            return Optional.of(badRequest("body: not JSON" + at(notJson.getLocation()) + " (expected: a JSON object)"));
        }
        return thrown instanceof IllegalArgumentException ? Optional.of(badRequest(said(thrown))) : Optional.empty();
    }

    /** A bad request, with the key, the value and what was expected. */
    static Problem badRequest(String detail) {
        return Problem.of(HttpServletResponse.SC_BAD_REQUEST, "Bad request", detail);
    }

    private static String at(TokenStreamLocation place) {
        return place.getLineNr() > 0 ? " at line " + place.getLineNr() + ", column " + place.getColumnNr() : "";
    }

    private static String said(Exception thrown) {
        return String.valueOf(thrown.getMessage());
    }
}
