package dev.substraterouter.examples.gateway.tools;

import dev.substraterouter.examples.gateway.access.Caller;
import dev.substraterouter.examples.gateway.access.IdentityResolver;
import dev.substraterouter.examples.gateway.web.CallerServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;

/** {@code GET /v1/links/{token}}: an answer that was too large to be told, once, for whom it was told. Thread-safe. */
public final class LinkServlet extends CallerServlet {
    private static final long serialVersionUID = 1L;

    private final transient Links links;

    /**
     * Serves these links.
     *
     * @param links the answers
     * @param identities find out who asks
     */
    public LinkServlet(Links links, IdentityResolver identities) {
        super(identities);
        this.links = links;
    }

    @Override
    protected void serve(Caller caller, HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (!is(request, response, "GET")) {
            return; // a HEAD would have to take the answer away, too
        }
        Optional<Links.Claimed> claimed = links.claim(caller, rest(request));
        if (claimed.isEmpty()) {
            notFound(response);
            return;
        }
        try (Links.Claimed answer = claimed.get()) {
            write(answer, response);
        }
    }

    private static void write(Links.Claimed answer, HttpServletResponse response) throws IOException {
        bytes(response, answer.contentType());
        response.setContentLengthLong(answer.size());
        answer.body().transferTo(response.getOutputStream());
    }

    /** What follows is a worker's answer: no browser may take it for a page of the gateway's. */
    static void bytes(HttpServletResponse response, String contentType) {
        response.setContentType(contentType);
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("Content-Security-Policy", "sandbox; default-src 'none'");
    }
}
