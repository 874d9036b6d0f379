package dev.substraterouter.examples.whatif.bounds;

/**
 * Where and when a request was, or is to be, started.
 *
 * @param request the request's number
 * @param substrate where
 * @param startSeconds when, from the beginning of the run
 */
public record Placed(long request, String substrate, double startSeconds) {}
