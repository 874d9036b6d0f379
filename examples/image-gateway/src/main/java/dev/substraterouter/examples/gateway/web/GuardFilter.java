package dev.substraterouter.examples.gateway.web;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;

/** Puts a {@link Guard} before everything that a listener serves. Thread-safe. */
final class GuardFilter extends HttpFilter {
    private static final long serialVersionUID = 1L;

    private final transient Guard guard;

    GuardFilter(Guard guard) {
        this.guard = guard;
    }

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        Optional<Problem> against = guard.againstHost(request).or(() -> guard.againstSite(request));
        if (against.isPresent()) {
            against.get().write(response);
        } else {
            chain.doFilter(request, response);
        }
    }
}
