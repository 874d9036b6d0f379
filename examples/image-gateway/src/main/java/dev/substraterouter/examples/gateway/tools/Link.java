package dev.substraterouter.examples.gateway.tools;

/**
 * Where an answer that is too large to be told can be fetched, once, by whoever it was told to.
 *
 * @param url its address on the clients' listener
 * @param contentType what it is
 * @param size its bytes
 * @param expiresInSeconds how long it is kept
 */
public record Link(String url, String contentType, long size, long expiresInSeconds) {}
